//! The host limitations of a run, with the events that lead to them.

use super::KnownStates;
use super::crash::MAX_RECORDED_STEPS;
use super::described_step::DescribedStep;
use super::trace_folder::TraceFolder;
use retap_model::format::run::{limitation_folder, read_limitations};
use std::path::{Path, PathBuf};

/// A host limitation as a report shows it.
#[derive(Debug, Clone, PartialEq)]
pub struct ReportedLimitation {
    /// The sentence that names what is missing.
    pub what: String,
    /// The length of the trace.
    pub events: u64,
    /// The last steps of the trace.
    pub steps: Vec<DescribedStep>,
    /// The path of the trace.
    pub trace: PathBuf,
}

/// Reads the host limitations that have a trace.
pub fn read_reported_limitations(
    run: &Path,
    states: &KnownStates,
    damage: &mut Vec<String>,
) -> Vec<ReportedLimitation> {
    let found = read_limitations(run);
    damage.extend(found.remarks);
    let mut read = |what: String, events: u64| {
        let folder = TraceFolder::read(&limitation_folder(run, &what), damage);
        ReportedLimitation {
            events,
            steps: folder.describe_best(states, MAX_RECORDED_STEPS),
            trace: folder.best_path(),
            what,
        }
    };
    found.kept.into_iter().map(|kept| read(kept.what, kept.events)).collect()
}
