//! Something wrong that is no crash, with everything the run knows of it, from `findings/ID/`.

use crate::crash::{Brief, read_trace};
use crate::run::States;
use crate::step::{ToldStep, tell};
use retap_model::format::run::{FINDINGS, TRACE, finding_folder, read_findings, read_json};
use retap_model::{Finding, FindingId, Rate, Trace};
use std::path::{Path, PathBuf};

/// Of a trace that was not minimised only the end is told.
const MOST_STEPS: usize = 25;

#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    pub id: FindingId,
    pub finding: Finding,
    pub events_found: u64,
    pub events_minimized: Option<u64>,
    pub success: Option<Rate>,
    /// Of the best trace; the last ones where there are many.
    pub steps: Vec<ToldStep>,
    /// The best trace, relative to the run.
    pub trace: String,
    /// The screen before the last event.
    pub picture: PathBuf,
}

/// All that were not dismissed, by kind and place.
pub fn find_findings(run: &Path, states: &States) -> Vec<Found> {
    let kept = read_findings(run).into_iter().filter(|kept| kept.dismissed.is_none());
    kept.map(|kept| {
        let id = kept.finding.id();
        let folder = finding_folder(run, id);
        let minimized = read_trace(&folder.join("minimized.jsonl"));
        let brief: Option<Brief> =
            read_json(&folder.join("minimized.json"), "what was minimised").ok();
        let length = |trace: &Trace| trace.steps.len() as u64;
        let file = if minimized.is_some() { "minimized.jsonl" } else { TRACE };
        let events_minimized = minimized.as_ref().map(length);
        let best = minimized.or_else(|| read_trace(&folder.join(TRACE)));
        Found {
            id,
            finding: kept.finding,
            events_found: kept.events,
            events_minimized,
            success: brief.map(|brief| brief.success).filter(|rate| rate.runs > 0),
            steps: best.map_or_else(Vec::new, |trace| tell(&trace, states, MOST_STEPS)),
            trace: format!("{FINDINGS}/{id}/{file}"),
            picture: folder.join("last.png"),
        }
    })
    .collect()
}
