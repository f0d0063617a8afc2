//! The result of an update for a terminal.

use retap_model::format::run::update_summary::{DifferenceSummary, UpdateSummary};
use retap_model::printable::printable_line as line;
use retap_model::readable_method;
use std::fmt::Write;
use std::path::Path;

/// Explained differences and methods that did not run are listed up to this many each.
const MAX_LISTED: usize = 8;

pub fn render(summary: &UpdateSummary, run: &Path) -> String {
    let mut text = String::new();
    // Writing into a String cannot fail.
    let _ = write_all(&mut text, summary, run);
    text
}

fn write_all(text: &mut String, summary: &UpdateSummary, run: &Path) -> std::fmt::Result {
    let update = &summary.update;
    let (methods, instructions) = (update.target_methods, update.target_instructions);
    writeln!(
        text,
        "{} {} → {}: {} of {} changed methods ran ({:.0}%), {:.0}% of their instructions, with {} inputs",
        line(&summary.run.app),
        line(&update.old.version),
        line(&update.new.version),
        methods.covered,
        methods.total,
        methods.percent(),
        instructions.percent(),
        summary.run.events
    )?;
    writeln!(text, "  launch: {} methods", update.at_launch)?;
    for (phase, it) in &update.phases {
        let ended = it.ended.as_ref().map_or_else(String::new, |why| format!("; {why}"));
        writeln!(text, "  phase {phase}: {} methods with {} inputs{ended}", it.targets, it.inputs)?;
    }
    let model = &update.model;
    writeln!(
        text,
        "  model: {} windows ({} found by running), {} states, {} refinements; {} returns, {} restarts",
        model.windows,
        model.windows_added,
        model.states,
        model.refinements,
        summary.run.returns,
        summary.run.restarts
    )?;
    writeln!(
        text,
        "  compared: {} sequences, {} screens",
        update.compared.sequences, update.compared.screens
    )?;
    if let Some(why) = &update.compared.left_out {
        writeln!(text, "  not compared: {}", line(why))?;
    }
    writeln!(text, "  installed over old data: {} sequences", update.upgrade.sequences)?;
    if let Some(why) =
        update.upgrade.left_out.as_ref().filter(|_| update.compared.left_out.is_none())
    {
        writeln!(text, "  not all was tried on old data: {}", line(why))?;
    }
    write_tests(text, summary, run)?;
    for crash in &summary.run.crashes {
        writeln!(text, "crash {} {} at {}", crash.id, line(&crash.exception), line(&crash.place))?;
        write_steps(text, &crash.steps)?;
    }
    let (unexplained, explained): (Vec<_>, Vec<_>) =
        update.differences.iter().partition(|difference| difference.unexplained);
    if !unexplained.is_empty() {
        writeln!(text, "{} that nothing explains:", differences(unexplained.len()))?;
    }
    for difference in unexplained {
        writeln!(text, "  {}", line(&difference.what))?;
        write_steps(text, &difference.steps)?;
        if let Some(method) = difference.changed_code.first() {
            writeln!(text, "    changed code that ran: {}", line(&readable_method(method)))?;
        }
        writeln!(text, "    {}", run.join(&difference.trace).display())?;
    }
    write_explained(text, &explained)?;
    let missed: Vec<_> = update.targets.iter().filter(|target| target.why_not.is_some()).collect();
    if !missed.is_empty() {
        writeln!(text, "{} changed methods did not run:", missed.len())?;
        for target in missed.iter().take(MAX_LISTED) {
            let why = target.why_not.as_deref().unwrap_or_default();
            writeln!(text, "  {}: {}", line(&readable_method(&target.method)), line(why))?;
        }
        if missed.len() > MAX_LISTED {
            writeln!(text, "  and {} more in result.json", missed.len() - MAX_LISTED)?;
        }
    }
    write!(text, "Everything is in {}", run.display())
}

fn write_tests(text: &mut String, summary: &UpdateSummary, run: &Path) -> std::fmt::Result {
    let Some(tests) = &summary.tests else { return Ok(()) };
    let broken = tests.broken().count();
    writeln!(
        text,
        "  tests: {} ran, {} cover changed code, the update breaks {broken}",
        tests.tests.len(),
        tests.affected()
    )?;
    for test in tests.broken() {
        let old = test.old.as_deref().unwrap_or_default();
        writeln!(text, "    {}: {} → {}", line(&test.test), line(old), line(&test.new))?;
    }
    if broken > 0 {
        writeln!(text, "    {}", run.join("tests-new/failures").display())?;
    }
    Ok(())
}

fn write_explained(text: &mut String, explained: &[&DifferenceSummary]) -> std::fmt::Result {
    if explained.is_empty() {
        return Ok(());
    }
    writeln!(text, "{} that the update explains:", differences(explained.len()))?;
    for difference in explained.iter().take(MAX_LISTED) {
        writeln!(text, "  {}", line(&difference.what))?;
    }
    if explained.len() > MAX_LISTED {
        writeln!(text, "  and {} more in report.html", explained.len() - MAX_LISTED)?;
    }
    Ok(())
}

fn write_steps(text: &mut String, steps: &[String]) -> std::fmt::Result {
    for (number, step) in steps.iter().enumerate() {
        writeln!(text, "      {}. {}", number + 1, line(step))?;
    }
    Ok(())
}

fn differences(count: usize) -> String {
    format!("{count} difference{}", if count == 1 { "" } else { "s" })
}
