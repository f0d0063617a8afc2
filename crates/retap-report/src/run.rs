//! Everything a report tells, read from the run directory. Only `run.json` must be there; whatever else
//! is missing or damaged is left out of the report and named in its remarks.

use crate::ReportError;
use crate::crash::{FoundCrash, find_crashes, read_trace};
use crate::finding::{Found, find_findings};
use crate::history::History;
use crate::minimization::Minimization;
use crate::rows::Rows;
use crate::step::{ToldStep, tell};
use retap_model::format::run::{
    INFO, RESULT, RunInfo, STATES, StateRow, Summary, read_json, screen_path,
};
use retap_model::{ScreenId, StateId};
use serde::de::DeserializeOwned;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Steps of a minimised trace that are told; an answer this long is hardly read.
const MOST_STEPS: usize = 200;

#[derive(Debug)]
pub struct Run {
    pub dir: PathBuf,
    pub info: RunInfo,
    /// What the run found; none when it was killed, or is another verb's.
    pub summary: Option<Summary>,
    pub minimization: Option<Minimization>,
    pub states: States,
    pub history: History,
    pub crashes: Vec<FoundCrash>,
    /// What is wrong and no crash.
    pub findings: Vec<Found>,
    /// Of `minimized.jsonl`: the answer of `retap minimize`, or its best so far.
    pub answer: Vec<ToldStep>,
    pub remarks: Vec<String>,
}

pub type States = BTreeMap<StateId, SeenState>;

/// A state when it was first seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeenState {
    /// Shared: there are many states and few activities.
    pub activity: Arc<str>,
    pub screen: ScreenId,
    pub step: u64,
}

impl Run {
    pub fn read(dir: &Path) -> Result<Self, ReportError> {
        let path = dir.join(INFO);
        if !path.is_file() {
            return Err(ReportError::NoRun(dir.to_path_buf()));
        }
        let info: RunInfo = read_json(&path, "what a run was asked to do")?;
        let mut remarks = Vec::new();
        let states = read_states(dir, &mut remarks);
        let history = History::read(dir, &mut remarks);
        let minimizes = info.verb == "minimize";
        let summary: Option<Summary> =
            if minimizes { None } else { read_result(dir, &mut remarks) };
        let minimization = if minimizes { read_result(dir, &mut remarks) } else { None };
        let known = summary.as_ref().map_or(&[][..], |summary| &summary.crashes);
        let answer = read_trace(&dir.join("minimized.jsonl"));
        Ok(Self {
            crashes: find_crashes(dir, &info.app.package, known, &states),
            findings: find_findings(dir, &states),
            answer: answer.map_or_else(Vec::new, |trace| tell(&trace, &states, MOST_STEPS)),
            dir: dir.to_path_buf(),
            info,
            summary,
            minimization,
            states,
            history,
            remarks,
        })
    }

    pub fn activities(&self) -> usize {
        self.states.values().map(|seen| &seen.activity).collect::<BTreeSet<_>>().len()
    }

    /// Where the picture of a screen would lie.
    pub fn picture(&self, screen: ScreenId) -> PathBuf {
        screen_path(&self.dir, screen).with_extension("png")
    }
}

/// None where there is none (the run was killed, or goes on), or where it cannot be understood.
fn read_result<T: DeserializeOwned>(dir: &Path, remarks: &mut Vec<String>) -> Option<T> {
    let path = dir.join(RESULT);
    if !path.exists() {
        remarks
            .push("There is no result.json: the run was killed, or it is still going on.".into());
        return None;
    }
    read_json(&path, "a summary").map_err(|error| remarks.push(error.to_string())).ok()
}

fn read_states(dir: &Path, remarks: &mut Vec<String>) -> States {
    let mut rows: Rows<StateRow> = Rows::open(&dir.join(STATES));
    let mut activities: BTreeSet<Arc<str>> = BTreeSet::new();
    let mut states = States::new();
    for StateRow { state, activity, screen, step } in rows.by_ref() {
        let activity = match activities.get(activity.as_str()) {
            Some(known) => Arc::clone(known),
            None => {
                let new: Arc<str> = activity.into();
                activities.insert(Arc::clone(&new));
                new
            }
        };
        states.insert(state, SeenState { activity, screen, step });
    }
    remarks.extend(rows.trouble);
    states
}
