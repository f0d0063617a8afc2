//! What a worker answers to a task.

use crate::error::FleetError;
use retap_device::{DeviceError, Execution, Job};
use retap_model::format::executions::ExecutionTable;
use retap_model::format::run::TravelRow;
use retap_model::trace::Return;
use retap_model::{Cost, Observation};
use serde::{Deserialize, Serialize};

/// The answer to a task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum TaskResult {
    /// The jobs ran.
    Ran { executions: ExecutionTable, cost: Cost, remarks: Vec<String> },
    /// The exploration ended: its traces and what was observed in each.
    Explored { traces: Vec<ExploredTrace>, observations: ExecutionTable, cost: Cost },
    /// The task ended one worker after the other, so no further one tries it.
    SetAside { reason: String },
    /// No worker can run it: the app does not fit the device, or the device cannot be set up.
    Failed { reason: String, is_app: bool },
}

/// A trace that an exploration elsewhere has ended. Its observations are kept beside it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExploredTrace {
    pub job: Job,
    pub began_with: Option<Return>,
    pub travel: Vec<TravelRow>,
}

/// What an exploration elsewhere gave: its traces, each with its observations.
#[derive(Debug, Clone, PartialEq)]
pub struct ExploredLeg {
    pub traces: Vec<(ExploredTrace, Vec<Observation>)>,
    pub cost: Cost,
}

impl TaskResult {
    /// Returns what an exploration gave. If it was set aside there is nothing, and `remark` learns why.
    pub fn into_leg(self, remark: &dyn Fn(&str)) -> Result<Option<ExploredLeg>, DeviceError> {
        match self {
            Self::Explored { traces, observations, cost } => {
                let observations = observations.observations().map_err(FleetError::malformed)?;
                if traces.len() != observations.len() {
                    let text = "a worker's traces do not fit their observations";
                    return Err(FleetError::malformed(text).into());
                }
                Ok(Some(ExploredLeg {
                    traces: traces.into_iter().zip(observations).collect(),
                    cost,
                }))
            }
            Self::SetAside { reason } => {
                remark(&format!("an exploration on a worker was set aside: {reason}"));
                Ok(None)
            }
            Self::Failed { reason, is_app: true } => Err(DeviceError::App(reason)),
            Self::Failed { reason, .. } => Err(DeviceError::Setup(reason)),
            Self::Ran { .. } => {
                Err(FleetError::malformed("a worker ran jobs instead of exploring").into())
            }
        }
    }

    /// Writes the executions of jobs down.
    pub fn ran(executions: &[Execution], cost: Cost, remarks: Vec<String>) -> Self {
        let observations = executions.iter().map(|execution| &execution.observations[..]);
        Self::Ran { executions: ExecutionTable::new(observations), cost, remarks }
    }

    /// Returns true if both say that the same was observed. What it cost does not count.
    pub fn agrees_with(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Ran { executions: a, .. }, Self::Ran { executions: b, .. }) => a == b,
            (
                Self::Explored { traces: a, observations: of_a, .. },
                Self::Explored { traces: b, observations: of_b, .. },
            ) => a == b && of_a == of_b,
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::envelope::{Signer, TrustedKeys};
    use crate::packing::{pack, unpack};
    use crate::task::TaskId;
    use retap_fuzz::fuzz;
    use retap_model::{Loss, Observation};

    const WORDS: [&str; 12] = [
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "0",
        "-1",
        "99999999999",
        "\"ran\"",
        "\"set_aside\"",
        "null",
    ];

    fn result() -> TaskResult {
        let lost = Observation::of_loss(Loss::new("gone"));
        let execution = Execution { observations: vec![lost.clone(), lost] };
        TaskResult::ran(&[execution], Cost::default(), vec!["a remark".into()])
    }

    #[test]
    fn a_result_comes_back_as_it_was() {
        let packed = pack(&result()).unwrap();
        let read: TaskResult = unpack(&packed).unwrap();
        assert!(read == result() && read.agrees_with(&result()));
    }

    #[test]
    fn damaged_results_are_read_or_refused() {
        let text = serde_json::to_vec(&result()).unwrap();
        fuzz("results", &[&text], &WORDS, |bytes| {
            // The packed form has a check sum, so the damage is done before it is packed.
            match serde_json::from_slice(bytes) {
                Ok(TaskResult::Ran { executions, .. }) => executions.observations().is_ok(),
                other => other.is_ok(),
            }
        });
        let packed = pack(&result()).unwrap();
        fuzz("packed results", &[&packed], &[], |bytes| unpack::<TaskResult>(bytes).is_ok());
    }

    #[test]
    fn damaged_envelopes_are_opened_or_refused() {
        let (trusted, id) = (TrustedKeys::Everyone, TaskId("a1".into()));
        let sealed = Signer::default().seal_task("c", &crate::envelope::sample_task()).unwrap();
        fuzz("envelopes", &[&sealed], &[], |bytes| trusted.open_task(bytes).is_ok());
        let sealed = Signer::default().seal_result(&id, &result()).unwrap();
        fuzz("sealed results", &[&sealed], &[], |bytes| trusted.open_result(&id, bytes).is_ok());
    }
}
