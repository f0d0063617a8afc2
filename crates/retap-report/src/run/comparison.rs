//! What has changed since earlier runs: crashes that are new, gone or still there.

use super::RunData;
use super::coverage_totals::CoverageCounts;
use super::crash::ReportedCrash;
use retap_model::CrashId;
use std::collections::BTreeSet;

/// Earlier runs beside the reported ones.
#[derive(Debug)]
pub struct EarlierRuns {
    /// The directories, as the user named them.
    pub names: Vec<String>,
    pub crashes: BTreeSet<CrashId>,
    /// The crashes that only the earlier runs met.
    pub gone: Vec<ReportedCrash>,
    pub events: u64,
    pub states: u64,
    pub coverage: CoverageCounts,
}

/// What became of a crash since the earlier runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CrashChange {
    New,
    StillThere,
}

impl EarlierRuns {
    pub fn new(earlier: RunData, now: &[ReportedCrash]) -> Self {
        let is_met = |crash: &ReportedCrash| now.iter().any(|known| known.id == crash.id);
        Self {
            names: earlier.runs.iter().map(|run| run.dir.display().to_string()).collect(),
            crashes: earlier.crashes.iter().map(|crash| crash.id).collect(),
            events: earlier.history.events,
            states: earlier.history.visits.len() as u64,
            coverage: earlier.history.counts.clone(),
            gone: earlier.crashes.into_iter().filter(|crash| !is_met(crash)).collect(),
        }
    }

    pub fn change(&self, crash: CrashId) -> CrashChange {
        if self.crashes.contains(&crash) { CrashChange::StillThere } else { CrashChange::New }
    }
}
