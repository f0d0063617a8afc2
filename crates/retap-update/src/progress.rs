//! What a run has reached: each target with the input that covered it first, or the reason why nothing did.

use crate::model::RunModel;
use crate::phase::PhaseName;
use crate::targets::{TargetNumber, Targets};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The first time that a target ran.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FirstCover {
    /// `None` at the first launch.
    pub phase: Option<PhaseName>,
    /// The number of the trace in the run, the first is zero.
    pub trace: u64,
    /// The number of its events up to and including the one that ran the target.
    pub events: usize,
    /// The event in words.
    pub event: String,
}

/// The reason why a target did not run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "reason", rename_all = "kebab-case")]
pub enum WhyNotCovered {
    /// Neither an input nor a hidden handler of the model leads to it.
    NoInput,
    /// Its windows were never shown.
    WindowNotReached { windows: Vec<String> },
    /// Its window was shown, but its inputs were not done: their widgets did not show.
    InputNotDone { windows: Vec<String> },
    /// Its inputs were done, and something in between decided against it.
    GuardNotTrue { windows: Vec<String> },
    /// Its inputs were done in a window in which the device lacked something.
    HostLimitation { windows: Vec<String> },
}

/// The inputs of each phase and what they covered.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct PhaseProgress {
    /// Events, those that returns took included.
    pub inputs: u64,
    /// Targets that ran for the first time.
    pub targets: u64,
    /// Instructions of targets that ran for the first time.
    pub instructions: u64,
    /// Why the phase ended; none if the run ended first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended: Option<String>,
}

#[derive(Debug, Clone, Default)]
pub struct UpdateProgress {
    pub first_covers: BTreeMap<TargetNumber, FirstCover>,
    pub phases: BTreeMap<PhaseName, PhaseProgress>,
    /// Covered by launching alone.
    pub at_launch: u64,
    /// Windows in which the device lacked something.
    pub limited_windows: BTreeSet<String>,
    pub returns: u64,
    pub restarts: u64,
}

impl UpdateProgress {
    /// Returns why a target did not run.
    pub fn why_not(&self, target: TargetNumber, model: &RunModel) -> WhyNotCovered {
        let inputs = model.windows.inputs.iter().filter(|input| input.targets.contains(&target));
        let hidden = model.windows.hidden.iter().filter(|hidden| hidden.targets.contains(&target));
        let of_inputs: Vec<(usize, bool)> = inputs
            .map(|input| (input.window, input.times > 0))
            .chain(hidden.map(|hidden| (hidden.window, false)))
            .collect();
        if of_inputs.is_empty() {
            return WhyNotCovered::NoInput;
        }
        let names = |wanted: &dyn Fn(usize, bool) -> bool| -> Vec<String> {
            let windows: BTreeSet<usize> =
                of_inputs.iter().filter(|(w, done)| wanted(*w, *done)).map(|(w, _)| *w).collect();
            windows.into_iter().map(|window| model.windows.get(window).name.clone()).collect()
        };
        let is_visited = |window: usize| model.abstracted.states_of(window).next().is_some();
        let done = names(&|_, is_done| is_done);
        if !done.is_empty() {
            let limited: Vec<String> =
                done.iter().filter(|name| self.limited_windows.contains(*name)).cloned().collect();
            return match limited.is_empty() {
                true => WhyNotCovered::GuardNotTrue { windows: done },
                false => WhyNotCovered::HostLimitation { windows: limited },
            };
        }
        let visited = names(&|window, _| is_visited(window));
        match visited.is_empty() {
            true => WhyNotCovered::WindowNotReached { windows: names(&|_, _| true) },
            false => WhyNotCovered::InputNotDone { windows: visited },
        }
    }

    /// Returns the number of targets and of instructions that are covered.
    pub(crate) fn covered(targets: &Targets) -> (u64, u64) {
        (targets.reached() as u64, targets.covered_instructions())
    }
}
