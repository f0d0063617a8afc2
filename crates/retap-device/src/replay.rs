//! Replay: compares an execution of a trace, step by step, with what the trace recorded.

use crate::lab::Execution;
use retap_model::observation::RecordedOutcome;
use retap_model::{Abstraction, StateId, Trace};

/// The first step at which an execution differs from its trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Divergence {
    /// The number of events so far; zero is the launch.
    pub step: usize,
    pub difference: Difference,
}

/// The difference at a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Difference {
    State {
        expected: StateId,
        found: StateId,
    },
    Outcome {
        expected: RecordedOutcome,
        found: RecordedOutcome,
    },
    /// The execution ended before the trace did.
    Ended {
        outcome: RecordedOutcome,
    },
}

/// Returns the first difference. Fields that a hand-written trace leaves out are not compared.
pub fn compare(
    trace: &Trace,
    execution: &Execution,
    abstraction: Abstraction,
    package: &str,
) -> Option<Divergence> {
    let recorded = !trace.start.outcome.is_running() || trace.start.state.is_some();
    for (step, observation) in execution.observations.iter().enumerate() {
        let result = trace.result_after(step);
        let outcome = observation.outcome.recorded(package);
        let differs = (recorded || result.state.is_some() || !result.outcome.is_running())
            && outcome != result.outcome;
        if differs {
            let difference =
                Difference::Outcome { expected: result.outcome.clone(), found: outcome };
            return Some(Divergence { step, difference });
        }
        let found = abstraction.state(&observation.screen);
        if let Some(expected) = result.state.filter(|expected| *expected != found) {
            return Some(Divergence { step, difference: Difference::State { expected, found } });
        }
    }
    let done = execution.events();
    (done < trace.steps.len()).then(|| Divergence {
        step: done,
        difference: Difference::Ended { outcome: execution.last().outcome.recorded(package) },
    })
}

impl std::fmt::Display for Divergence {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.step {
            0 => f.write_str("at the launch: ")?,
            step => write!(f, "at step {step}: ")?,
        }
        match &self.difference {
            Difference::State { expected, found } => {
                write!(f, "expected state {expected}, found {found}")
            }
            Difference::Outcome { expected, found } => {
                write!(f, "expected {expected}, found {found}")
            }
            Difference::Ended { outcome } => write!(f, "the execution ended here: {outcome}"),
        }
    }
}
