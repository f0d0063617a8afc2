//! Renders the results as Markdown for the repository.

use super::ExploreResults;
use super::cell::MeasuredCell;
use super::comparison::{Comparison, Effect, MEDIUM, names, values};
use super::confidence::ConfidenceInterval;
use super::found_crashes;
use super::known_crashes;
use super::shared_crashes::{SharedCrashes, shared_crashes};
use crate::table::median;
use std::fmt::Write;
use std::path::Path;

pub fn render(results: &ExploreResults) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write_results(&mut text, results);
    text
}

fn write_results(text: &mut String, results: &ExploreResults) -> std::fmt::Result {
    let measured = &results.measured;
    let strategies = names(measured, |m| &m.strategy);
    writeln!(text, "# Strategies side by side\n")?;
    writeln!(text, "Made by\n\n```console\n$ {}\n```\n", results.command)?;
    writeln!(
        text,
        "{} runs of each strategy on each app, {} events each; events that returns run count. Medians; crashes are \
         distinct ones over all runs.\n",
        results.runs, results.max_events
    )?;
    writeln!(text, "| app | of | {} |", strategies.join(" | "))?;
    writeln!(text, "|---|---|{}", "---|".repeat(strategies.len()))?;
    for app in names(measured, |m| &m.app) {
        let of_app: Vec<&MeasuredCell> = measured.iter().filter(|m| m.app == app).collect();
        let of = of_app.first().map_or_else(String::new, |m| match m.total {
            Some(total) => format!("{total} {}es", m.measure).replace("methodes", "methods"),
            None => "states".into(),
        });
        let cells = strategies.iter().map(|strategy| {
            let crashes: std::collections::BTreeSet<_> = of_app
                .iter()
                .filter(|m| m.strategy == *strategy)
                .flat_map(|m| m.crashes.iter())
                .collect();
            let covered = median(values(measured, &app, strategy));
            match crashes.len() {
                0 => format!("{covered}"),
                n => format!("{covered}, {n} crash{}", if n == 1 { "" } else { "es" }),
            }
        });
        writeln!(text, "| {} | {of} | {} |", short(&app), cells.collect::<Vec<_>>().join(" | "))?;
    }
    write_comparisons(text, &results.comparisons)?;
    write_states(text, measured, &strategies)?;
    write_returns(text, measured, &strategies)?;
    if !results.known.is_empty() {
        text.push_str(&known_crashes::render(&results.known));
    }
    writeln!(text, "\n## Crashes\n")?;
    let rows = shared_crashes(measured);
    if rows.is_empty() {
        return writeln!(text, "None.");
    }
    writeln!(text, "| found by these and no others | crashes |\n|---|---|")?;
    for SharedCrashes { strategies, crashes } in rows {
        writeln!(text, "| {} | {crashes} |", strategies.join(", "))?;
    }
    text.push_str(&found_crashes::render(&results.found, &strategies));
    Ok(())
}

/// Writes how many states each strategy met.
fn write_states(
    text: &mut String,
    measured: &[MeasuredCell],
    strategies: &[String],
) -> std::fmt::Result {
    writeln!(text, "\n## States\n\nMedians of the states that the runs met.\n")?;
    writeln!(text, "| app | {} |", strategies.join(" | "))?;
    writeln!(text, "|---|{}", "---|".repeat(strategies.len()))?;
    for app in names(measured, |m| &m.app) {
        let cells = strategies.iter().map(|strategy| {
            let of = measured.iter().filter(|m| m.app == app && m.strategy == *strategy);
            median(of.map(|m| m.states as f64)).to_string()
        });
        writeln!(text, "| {} | {} |", short(&app), cells.collect::<Vec<_>>().join(" | "))?;
    }
    Ok(())
}

fn write_comparisons(text: &mut String, comparisons: &[Comparison]) -> std::fmt::Result {
    writeln!(text, "\n## Statistics\n")?;
    writeln!(
        text,
        "A12 is how often a run of the first strategy covers more than a run of the second (0.5: no difference; {MEDIUM}: a medium effect), with its interval of 95% confidence \
         by the bootstrap (over runs; in the mean over apps and runs). p is the \
         Mann-Whitney test's, stratified by app. An app is exhausted if both medians are within one unit of the most that any run covered; it \
         counts for neither strategy.\n"
    )?;
    writeln!(
        text,
        "| | mean A12 | better on | worse on | p | by app |\n|---|---|---|---|---|---|"
    )?;
    for Comparison { ours, theirs, effect, .. } in comparisons {
        let Effect { apps, telling, mean_a12, interval, wins, losses, p } = effect;
        let by_app = apps.iter().map(|of| match (short(&of.app), of.exhausted) {
            (app, true) => format!("{app} exhausted"),
            (app, false) => format!("{app} {:.2} {} (p {:.3})", of.a12, show(of.interval), of.p),
        });
        writeln!(
            text,
            "| {ours} over {theirs} | {mean_a12:.2} {} | {wins} of {telling} | {losses} | {p:.4} | {} |",
            show(*interval),
            by_app.collect::<Vec<String>>().join("; ")
        )?;
    }
    writeln!(
        text,
        "\nThe same runs at earlier points, and as if returns were free (both strategies are cut at the fewest chosen events of any run): mean A12, apps on \
         which the first is better (+) and worse (−), and the number of apps not exhausted at that point.\n"
    )?;
    writeln!(
        text,
        "| | a quarter of the events | half | three quarters | all | returns free |\n|---|---|---|---|---|---|"
    )?;
    for c in comparisons {
        let cell =
            |v: &Effect| format!("{:.2}, +{} −{} of {}", v.mean_a12, v.wins, v.losses, v.telling);
        let cells: Vec<String> = c.before.iter().chain([&c.effect, &c.chosen]).map(cell).collect();
        writeln!(text, "| {} over {} | {} |", c.ours, c.theirs, cells.join(" | "))?;
    }
    Ok(())
}

/// Writes the cost of returns, unless no strategy returns.
fn write_returns(
    text: &mut String,
    measured: &[MeasuredCell],
    strategies: &[String],
) -> std::fmt::Result {
    if measured.iter().all(|m| m.returns + m.returns_failed == 0) {
        return Ok(());
    }
    writeln!(text, "\n## Returns\n")?;
    writeln!(
        text,
        "| | returns, each verified | led elsewhere | a run | events each | share of all events |\n|---|---|---|---|---|---|"
    )?;
    for strategy in strategies {
        let of: Vec<&MeasuredCell> = measured.iter().filter(|m| m.strategy == *strategy).collect();
        let sum = |count: &dyn Fn(&MeasuredCell) -> u64| of.iter().map(|m| count(m)).sum::<u64>();
        let (returns, failed) = (sum(&|m| m.returns), sum(&|m| m.returns_failed));
        let (spent, events) = (sum(&|m| m.return_events), sum(&|m| m.events));
        if returns + failed > 0 {
            let runs = of.len().max(1) as f64;
            writeln!(
                text,
                "| {strategy} | {returns} | {failed} | {:.1} | {:.1} | {:.1}% |",
                returns as f64 / runs,
                spent as f64 / (returns + failed) as f64,
                100.0 * spent as f64 / events.max(1) as f64
            )?;
        }
    }
    Ok(())
}

fn show(ConfidenceInterval { low, high }: ConfidenceInterval) -> String {
    format!("[{low:.2}, {high:.2}]")
}

pub fn short(app: &str) -> String {
    Path::new(app).file_stem().unwrap_or_default().to_string_lossy().into_owned()
}
