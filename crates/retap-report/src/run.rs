//! Everything that a report shows, read from one run directory or from several runs of one app.
//!
//! Only `run.json` must exist. A report leaves out whatever else is missing or damaged, and names it.

mod algorithm_share;
mod class_coverage;
mod comparison;
mod coverage_totals;
mod crash;
mod curve;
mod described_step;
mod finding;
mod history;
mod joining;
mod json_lines;
mod limitation;
mod state_pictures;
mod step_log;
mod touch;
mod trace_folder;

pub use algorithm_share::count_algorithm_shares;
pub use class_coverage::{ClassCoverage, MethodCoverage};
pub use comparison::{CrashChange, EarlierRuns};
pub use coverage_totals::CoverageCounts;
pub use crash::ReportedCrash;
pub use described_step::{DescribedStep, describe_last_steps, number_lines};
pub use finding::ReportedFinding;
pub use history::{RunHistory, StateChange};
pub use joining::JoinedRun;
pub use limitation::ReportedLimitation;
pub use step_log::LoggedStep;
pub use touch::TouchMark;
pub use trace_folder::{describe_damage, read_first_trace};

use crate::ReportError;
use crate::sources::SourceIndex;
use crash::read_crashes;
use finding::read_reported_findings;
use json_lines::JsonLines;
use limitation::read_reported_limitations;
use retap_model::format::run::minimize_summary::MinimizeSummary;
use retap_model::format::run::update_summary::{UpdateResult, UpdateSummary};
use retap_model::format::run::{INFO, RESULT, RunInfo, STATES, StateRow, Summary, read_json};
use retap_model::{ScreenId, StateId};
use serde::de::DeserializeOwned;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The number of steps of a minimised trace that a page shows at most. Nobody reads a longer one to its end.
const MAX_MINIMIZED_STEPS: usize = 200;

/// The content of a run directory, or of several.
#[derive(Debug)]
pub struct RunData {
    /// The directory of the first run.
    pub dir: PathBuf,
    pub info: RunInfo,
    /// The runs that were joined, in order; one in most reports.
    pub runs: Vec<JoinedRun>,
    /// The runs that these are compared with.
    pub earlier: Option<EarlierRuns>,
    /// The summary of `retap explore`; none if the run was killed or belongs to another verb.
    pub summary: Option<Summary>,
    /// The summary of `retap minimize`; none if the run was killed or belongs to another verb.
    pub minimization: Option<MinimizeSummary>,
    /// What `retap update` adds to the summary of an exploration.
    pub update: Option<UpdateResult>,
    pub states: KnownStates,
    pub history: RunHistory,
    pub crashes: Vec<ReportedCrash>,
    pub findings: Vec<ReportedFinding>,
    pub limitations: Vec<ReportedLimitation>,
    /// The steps of `minimized.jsonl`: the result of `retap minimize`, or its best trace so far.
    pub minimized_steps: Vec<DescribedStep>,
    /// The app's sources, if the user named them.
    pub sources: SourceIndex,
    /// Sentences about parts of the directory that are not there yet.
    pub remarks: Vec<String>,
    /// One error for each damaged file.
    pub damage: Vec<String>,
}

/// The states of a run.
pub type KnownStates = BTreeMap<StateId, FirstVisit>;

/// The circumstances under which a state was first seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FirstVisit {
    /// Shared, because there are many states and few activities.
    pub activity: Arc<str>,
    pub screen: ScreenId,
    /// The number of events until then.
    pub step: u64,
}

impl RunData {
    /// Reads a run directory.
    ///
    /// # Errors
    /// Fails only if `run.json` is missing or damaged.
    pub fn read(dir: &Path) -> Result<Self, ReportError> {
        let path = dir.join(INFO);
        if !path.is_file() {
            return Err(ReportError::NoRun(dir.to_path_buf()));
        }
        let info: RunInfo = read_json(&path, "the description of a run")?;
        let (mut remarks, mut damage) = (Vec::new(), Vec::new());
        if !dir.join(RESULT).exists() {
            remarks.push(
                "There is no result.json: the run was killed, or it is still in progress.".into(),
            );
        }
        let states = read_known_states(dir, &mut damage);
        let history = RunHistory::read(dir, &states, &mut damage);
        let is_minimization = info.verb == MinimizeSummary::VERB;
        let summary: Option<Summary> =
            if is_minimization { None } else { read_result(dir, &mut damage) };
        let minimization = if is_minimization { read_result(dir, &mut damage) } else { None };
        let update = (info.verb == UpdateSummary::VERB && summary.is_some())
            .then(|| read_result::<UpdateSummary>(dir, &mut damage))
            .flatten()
            .map(|summary| summary.update);
        let summaries = summary.as_ref().map_or(&[][..], |summary| &summary.crashes);
        let minimized = read_first_trace(&dir.join("minimized.jsonl"), &mut damage);
        let crashes = read_crashes(dir, &info, summaries, &states, &mut damage);
        Ok(Self {
            runs: vec![JoinedRun::new(dir, &info, &history, &crashes)],
            earlier: None,
            crashes,
            findings: read_reported_findings(dir, &states, &mut damage),
            limitations: read_reported_limitations(dir, &states, &mut damage),
            minimized_steps: minimized.map_or_else(Vec::new, |trace| {
                describe_last_steps(&trace, &states, MAX_MINIMIZED_STEPS)
            }),
            sources: SourceIndex::default(),
            dir: dir.to_path_buf(),
            info,
            summary,
            minimization,
            update,
            states,
            history,
            remarks,
            damage,
        })
    }

    /// Returns true if this is a run of `retap minimize`.
    pub fn is_minimization(&self) -> bool {
        self.info.verb == MinimizeSummary::VERB
    }

    /// Returns true if several runs were joined.
    pub fn is_joined(&self) -> bool {
        self.runs.len() > 1
    }

    /// Returns the number of activities that the run visited.
    pub fn count_activities(&self) -> usize {
        self.states.values().map(|first| &first.activity).collect::<BTreeSet<_>>().len()
    }

    /// Returns the path of a picture of a state, if the run has one.
    pub fn state_picture(&self, state: StateId) -> Option<&Path> {
        self.history.pictures.of_state(state, &self.states)
    }

    /// Returns the path of a picture of a screen, if the run has one.
    pub fn screen_picture(&self, screen: ScreenId) -> Option<&Path> {
        self.history.pictures.of_screen(screen)
    }
}

/// Reads `result.json`, if it is there and not damaged.
fn read_result<T: DeserializeOwned>(dir: &Path, damage: &mut Vec<String>) -> Option<T> {
    let read = read_json(&dir.join(RESULT), "the summary of a run");
    read.map_err(|error| damage.extend(describe_damage(&error))).ok()
}

fn read_known_states(dir: &Path, damage: &mut Vec<String>) -> KnownStates {
    let mut rows: JsonLines<StateRow> = JsonLines::open(&dir.join(STATES));
    let mut activities: BTreeSet<Arc<str>> = BTreeSet::new();
    let mut states = KnownStates::new();
    for StateRow { state, activity, screen, step } in rows.by_ref() {
        let activity = match activities.get(activity.as_str()) {
            Some(known) => Arc::clone(known),
            None => {
                let new: Arc<str> = activity.into();
                activities.insert(Arc::clone(&new));
                new
            }
        };
        states.insert(state, FirstVisit { activity, screen, step });
    }
    damage.extend(rows.error);
    states
}
