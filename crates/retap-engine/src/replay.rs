//! Runs of a trace compared with the trace, and counted.

use retap_device::replay::{Divergence, compare};
use retap_device::{Execution, Job};
use retap_model::format::trace::Header;
use retap_model::{Confidence, Crash, CrashId, Rate, Trace};
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
    /// The crashes that the runs ended in.
    pub crashes: Vec<ReplayedCrash>,
    pub divergences: Vec<RunDivergence>,
    /// The number of times that each host limitation was met.
    pub host_limitations: BTreeMap<String, u64>,
}

/// A crash that a run ended in, as the first such run met it.
#[derive(Debug, Clone, Serialize)]
pub struct ReplayedCrash {
    pub id: CrashId,
    /// False if the trace ends in another crash, or in none.
    pub expected: bool,
    pub exception: String,
    pub message: String,
    /// The app's own frame nearest to the throw.
    pub place: Option<String>,
    pub confidence: Confidence,
    pub stack: String,
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
        if let Some(met) = execution.last().outcome.crash() {
            self.add_crash(met, crash, package);
        }
        self.divergences.extend(divergence.map(|divergence| RunDivergence {
            run: self.faithful.runs as usize,
            world_seed: job.world_seed,
            step: divergence.step,
            event: event_of(&divergence, trace),
            difference: divergence.to_string(),
        }));
    }

    fn add_crash(&mut self, met: &Crash, expected: Option<CrashId>, package: &str) {
        let id = met.identity(package);
        if self.crashes.iter().any(|known| known.id == id) {
            return;
        }
        self.crashes.push(ReplayedCrash {
            id,
            expected: expected == Some(id),
            exception: met.innermost_class().to_string(),
            message: met.message().to_string(),
            place: met.place(package),
            confidence: met.confidence(),
            stack: met.stack.clone(),
        });
    }
}

fn event_of(divergence: &Divergence, trace: &Trace) -> String {
    match divergence.step {
        0 => "launch".to_string(),
        step => trace.steps[step - 1].event.to_string(),
    }
}
