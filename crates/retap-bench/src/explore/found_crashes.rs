//! Every crash that a run met, by its identity: which strategy met it, in how many runs, and after how many events.

use super::cell::{Cell, MeasuredCell};
use super::known_crashes::first_meeting;
use super::markdown::short;
use crate::table::median;
use retap_engine::Failure;
use retap_model::CrashId;
use retap_model::format::run::{TRACE, read_crash};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;

/// A crash of an app and the runs that met it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FoundCrash {
    pub app: String,
    pub id: CrashId,
    /// The first line of the stack.
    pub exception: String,
    /// For each strategy that met it, the number of events after which each run did.
    pub met_after: BTreeMap<String, Vec<u64>>,
}

/// Collects the crashes of all runs.
pub fn collect(measured: &[MeasuredCell], output: &Path) -> Result<Vec<FoundCrash>, Failure> {
    let mut found: Vec<FoundCrash> = Vec::new();
    for m in measured {
        let cell = Cell { app: m.app.clone(), strategy: m.strategy.clone(), run: m.run };
        let dir = cell.dir(output);
        for id in &m.crashes {
            let Some(events) = first_meeting(&[*id], &dir.join(TRACE))? else { continue };
            let known = found.iter_mut().find(|it| it.app == m.app && it.id == *id);
            let crash = match known {
                Some(crash) => crash,
                None => {
                    let stack = read_crash(&dir, *id)?.stack;
                    let exception = stack.lines().next().unwrap_or_default().to_string();
                    let (app, met_after) = (m.app.clone(), BTreeMap::new());
                    found.push(FoundCrash { app, id: *id, exception, met_after });
                    let last = found.len() - 1;
                    &mut found[last]
                }
            };
            crash.met_after.entry(m.strategy.clone()).or_default().push(events);
        }
    }
    Ok(found)
}

/// Renders a row for each crash and a column for each strategy.
pub fn render(found: &[FoundCrash], strategies: &[String]) -> String {
    let mut text = format!(
        "\nEach crash: the runs that met it, and the median of the events until then.\n\n\
         | app | crash | {} |\n|---|---|{}\n",
        strategies.join(" | "),
        "---|".repeat(strategies.len())
    );
    for FoundCrash { app, id, exception, met_after } in found {
        let cell = |strategy: &String| match met_after.get(strategy) {
            None => "–".to_string(),
            Some(events) => {
                let after = median(events.iter().map(|events| *events as f64));
                format!("{}, {after} events", events.len())
            }
        };
        let cells: Vec<String> = strategies.iter().map(cell).collect();
        // A bar would end the cell.
        let exception = exception.replace('|', "/");
        text += &format!("| {} | {id} {exception} | {} |\n", short(app), cells.join(" | "));
    }
    text
}
