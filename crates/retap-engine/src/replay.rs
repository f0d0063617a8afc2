//! Runs of a trace compared with the trace, and counted.

use retap_device::replay::{Divergence, compare};
use retap_device::{Execution, Job};
use retap_model::format::trace::Header;
use retap_model::{Rate, Trace};
use serde::Serialize;
use std::collections::BTreeMap;

/// All runs of a trace so far, compared with it.
#[derive(Debug, Clone, Default)]
pub struct ReplayComparison {
    /// Runs that followed the trace to its end.
    pub faithful: Rate,
    /// Runs that ended in the trace's own crash.
    pub reproduced: Rate,
    /// The number of runs by outcome.
    pub outcomes: BTreeMap<String, u64>,
    pub divergences: Vec<RunDivergence>,
    /// The number of times that each host limitation was met.
    pub host_limitations: BTreeMap<String, u64>,
}

/// Where and how a run left the trace.
#[derive(Debug, Clone, Serialize)]
pub struct RunDivergence {
    pub run: usize,
    pub world_seed: u64,
    pub step: usize,
    pub event: String,
    pub difference: String,
}

impl ReplayComparison {
    /// Adds the next run.
    pub fn add(&mut self, header: &Header, trace: &Trace, job: &Job, execution: &Execution) {
        let package = &header.app.package;
        let crash = trace.last().outcome.crash();
        let divergence = compare(trace, execution, header.abstraction, package);
        for limitation in execution.observations.iter().flat_map(|it| &it.host_limitations) {
            *self.host_limitations.entry(limitation.clone()).or_default() += 1;
        }
        let outcome = execution.last().outcome.recorded(package);
        self.faithful.add(divergence.is_none());
        self.reproduced.add(crash.is_some() && outcome.crash() == crash);
        *self.outcomes.entry(outcome.to_string()).or_default() += 1;
        self.divergences.extend(divergence.map(|divergence| RunDivergence {
            run: self.faithful.runs as usize,
            world_seed: job.world_seed,
            step: divergence.step,
            event: event_of(&divergence, trace),
            difference: divergence.to_string(),
        }));
    }
}

fn event_of(divergence: &Divergence, trace: &Trace) -> String {
    match divergence.step {
        0 => "launch".to_string(),
        step => trace.steps[step - 1].event.to_string(),
    }
}
