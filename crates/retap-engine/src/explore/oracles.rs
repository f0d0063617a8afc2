//! The oracles of an exploration: reading properties, and probing after the run.

use super::check_budget::CheckBudget;
use crate::{Context, Failure};
use retap_device::Lab;
use retap_explore::{Exploration, ProbeLimits};
use retap_model::RunPhase;
use retap_oracle::Properties;
use std::path::Path;

/// Probing may take half of what is left for checks; the other half is for what it finds.
const PROBE_SHARE: u64 = 2;
const MAX_PROBED_STATES: usize = 200;

/// Reads a file of properties. Errors name the file and the line.
pub fn read_properties(file: &Path) -> Result<Properties, Failure> {
    let name = file.display();
    let text = std::fs::read_to_string(file)
        .map_err(|error| Failure::input(format!("{name}: {error}")))?;
    Properties::parse(&text).map_err(|error| Failure::input(format!("{name}:{error}")))
}

/// Runs the active oracles: rotates, leaves and presses back in the states that the run met.
pub fn probe(
    exploration: &mut Exploration<'_>,
    lab: &mut Lab<'_>,
    budget: &CheckBudget,
    context: Context<'_>,
) -> Result<(), Failure> {
    let progress = context.progress(None);
    let mut probed = 0;
    let effort = budget.effort_left(lab) / PROBE_SHARE;
    let limits = ProbeLimits { effort, states: MAX_PROBED_STATES };
    let result = exploration.probe(lab.rig(), limits, &mut || {
        probed += 1;
        progress.update(probed, format!("probing state {probed}"));
        !context.is_interrupted() && !budget.is_out_of_time()
    });
    lab.charge(RunPhase::Probe);
    Ok(result?)
}
