//! The results as a page for the repository.

use super::super::table::median;
use super::Results;
use super::cell::Measured;
use super::comparison::{MEDIUM, names, values};
use super::upset::upset;
use std::fmt::Write;
use std::path::Path;

pub fn render(results: &Results) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write_results(&mut text, results);
    text
}

fn write_results(text: &mut String, results: &Results) -> std::fmt::Result {
    let measured = &results.measured;
    let strategies = names(measured, |m| &m.strategy);
    writeln!(text, "# Strategies side by side\n")?;
    writeln!(text, "Made by\n\n```console\n$ {}\n```\n", results.command)?;
    writeln!(
        text,
        "{} runs of each strategy on each app, {} events each; events that a way back takes count. Medians; crashes are \
         different ones over all runs.\n",
        results.runs, results.max_events
    )?;
    writeln!(text, "| app | of | {} |", strategies.join(" | "))?;
    writeln!(text, "|---|---|{}", "---|".repeat(strategies.len()))?;
    for app in names(measured, |m| &m.app) {
        let of_app: Vec<&Measured> = measured.iter().filter(|m| m.app == app).collect();
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
    writeln!(text, "\n## How sure that is\n")?;
    writeln!(
        text,
        "A12 is how often a run of the first covers more than a run of the second (0.5: no difference; {MEDIUM}: a medium effect); p is \
         Mann and Whitney's, over all apps stratified by app.\n"
    )?;
    writeln!(
        text,
        "| | mean A12 | better on | worse on | p | by app |\n|---|---|---|---|---|---|"
    )?;
    for c in &results.comparisons {
        let apps: Vec<String> = c
            .apps
            .iter()
            .map(|of| format!("{} {:.2} (p {:.3})", short(&of.app), of.a12, of.p))
            .collect();
        writeln!(
            text,
            "| {} over {} | {:.2} | {} of {} | {} | {:.4} | {} |",
            c.ours,
            c.theirs,
            c.mean_a12,
            c.wins,
            c.apps.len(),
            c.losses,
            c.p,
            apps.join("; ")
        )?;
    }
    writeln!(text, "\n## Crashes\n")?;
    let rows = upset(measured);
    if rows.is_empty() {
        return writeln!(text, "None.");
    }
    writeln!(text, "| found by these and no others | crashes |\n|---|---|")?;
    for (set, crashes) in rows {
        writeln!(text, "| {} | {crashes} |", set.join(", "))?;
    }
    let returns: u64 = measured.iter().map(|m| m.returns).sum();
    let failed: u64 = measured.iter().map(|m| m.returns_failed).sum();
    writeln!(text, "\n{returns} returns to earlier states were verified, {failed} led elsewhere.")
}

pub fn short(app: &str) -> String {
    Path::new(app).file_stem().unwrap_or_default().to_string_lossy().into_owned()
}
