//! The summary of an update as Markdown, made for the comment on a pull request.

use retap_model::Confidence;
use retap_model::format::run::update_summary::{DifferenceSummary, UpdateResult, UpdateSummary};
use retap_model::printable::printable_line as line;
use retap_model::readable_method;
use std::fmt::Write;

/// Methods that did not run for one reason are listed up to this many.
const MAX_METHODS: usize = 20;
/// Explained differences are listed up to this many.
const MAX_EXPLAINED: usize = 20;

pub fn render_markdown(summary: &UpdateSummary) -> String {
    let mut text = String::new();
    // Writing into a String cannot fail.
    let _ = write_all(&mut text, summary);
    text
}

fn write_all(text: &mut String, summary: &UpdateSummary) -> std::fmt::Result {
    let update = &summary.update;
    let (old, new) = (line(&update.old.version), line(&update.new.version));
    writeln!(text, "## {}: {old} → {new}\n", line(&summary.run.app))?;
    let (unexplained, explained): (Vec<_>, Vec<_>) =
        update.differences.iter().partition(|difference| difference.unexplained);
    write_verdict(text, summary, unexplained.len())?;
    write_counts(text, update, summary.run.events)?;
    if !unexplained.is_empty() {
        writeln!(text, "\n### Look at these: nothing in the update explains them\n")?;
        unexplained.iter().try_for_each(|it| write_difference(text, it))?;
    }
    if !summary.run.crashes.is_empty() {
        writeln!(text, "\n### Crashes of the new version\n")?;
        for crash in &summary.run.crashes {
            let (exception, place) = (code(&crash.exception), code(&crash.place));
            let doubt = match crash.confidence {
                Confidence::Low => ", perhaps not on a phone",
                _ => "",
            };
            writeln!(
                text,
                "* {exception} at {place}, {} events{doubt}: `retap replay {}`",
                crash.events, crash.trace
            )?;
        }
    }
    if let Some(tests) = &summary.tests {
        let (all, affected) = (tests.tests.len(), tests.affected());
        writeln!(text, "\n### The app's own tests\n\n{all} ran, {affected} cover changed code.")?;
        for test in tests.broken() {
            let (old, new) = (test.old.as_deref().unwrap_or_default(), &test.new);
            writeln!(text, "* {} {} → {}", code(&test.test), line(old), line(new))?;
        }
    }
    if !explained.is_empty() {
        writeln!(
            text,
            "\n<details><summary>{} differences that the update explains</summary>\n",
            explained.len()
        )?;
        for difference in explained.iter().take(MAX_EXPLAINED) {
            let why = difference.explanation.as_deref().unwrap_or_default();
            writeln!(text, "* {} {}", code(&difference.what), line(why))?;
        }
        writeln!(text, "\n</details>")?;
    }
    let missed: Vec<_> = update.targets.iter().filter(|target| target.why_not.is_some()).collect();
    if !missed.is_empty() {
        writeln!(
            text,
            "\n<details><summary>{} changed methods did not run</summary>\n",
            missed.len()
        )?;
        // Methods with one reason stand together: a reviewer reads reasons.
        let mut reasons: Vec<(&str, Vec<String>)> = Vec::new();
        for target in &missed {
            let why = target.why_not.as_deref().unwrap_or_default();
            let method = code(&readable_method(&target.method));
            match reasons.iter_mut().find(|it| it.0 == why) {
                Some((_, methods)) => methods.push(method),
                None => reasons.push((why, vec![method])),
            }
        }
        for (why, methods) in &reasons {
            let named = methods.iter().take(MAX_METHODS).cloned().collect::<Vec<_>>().join(", ");
            let rest = match methods.len().saturating_sub(MAX_METHODS) {
                0 => String::new(),
                rest => format!(" and {rest} more in `result.json`"),
            };
            writeln!(text, "* {}: {named}{rest}", line(why))?;
        }
        writeln!(text, "\n</details>")?;
    }
    Ok(())
}

/// Says in one line whether there is something to look at.
fn write_verdict(
    text: &mut String,
    summary: &UpdateSummary,
    unexplained: usize,
) -> std::fmt::Result {
    let many = |count: usize, one: &str, more: &str| match count {
        1 => format!("1 {one}"),
        count => format!("{count} {more}"),
    };
    let crashes = many(summary.run.crashes.len(), "crash", "crashes");
    let unexplained =
        many(unexplained, "difference that nothing explains", "differences that nothing explains");
    writeln!(text, "**{unexplained}, {crashes}.**\n")
}

fn write_counts(text: &mut String, update: &UpdateResult, events: u64) -> std::fmt::Result {
    let (methods, instructions) = (update.target_methods, update.target_instructions);
    writeln!(text, "| | |\n|---|---|")?;
    writeln!(
        text,
        "| changed methods that ran | {} of {} ({:.0}%) |",
        methods.covered,
        methods.total,
        methods.percent()
    )?;
    writeln!(text, "| their instructions | {:.0}% |", instructions.percent())?;
    writeln!(text, "| inputs | {events} |")?;
    for (phase, it) in &update.phases {
        writeln!(
            text,
            "| phase {phase} | {} inputs, {} methods first run |",
            it.inputs, it.targets
        )?;
    }
    writeln!(
        text,
        "| compared with the old version | {} sequences, {} screens |",
        update.compared.sequences, update.compared.screens
    )?;
    if let Some(why) = &update.compared.left_out {
        writeln!(text, "| not compared | {} |", line(why))?;
    }
    Ok(())
}

fn write_difference(text: &mut String, difference: &DifferenceSummary) -> std::fmt::Result {
    writeln!(text, "* {}", code(&difference.what))?;
    for step in &difference.steps {
        writeln!(text, "  1. {}", line(step))?;
    }
    if let Some(method) = difference.changed_code.first() {
        writeln!(text, "\n  Changed code that ran: {}", code(&readable_method(method)))?;
    }
    writeln!(text, "\n  `retap replay {}`", difference.trace)
}

/// Returns a text of the app as code, so that it cannot be Markdown.
fn code(text: &str) -> String {
    format!("`{}`", line(text).replace('`', "'"))
}
