//! An exploration in legs, for devices elsewhere. A leg explores apart from the run, from a state that the run knows, with a
//! budget of events. Legs run side by side in waves; the run adds their traces in order and plans the next wave from what
//! it then knows. So a run depends on its seed and the number of legs alone, never on who was faster.

use super::settings::{ExploreSettings, StrategyKind};
use super::strategy;
use crate::Failure;
use retap_device::{DeviceError, Job, Lab};
use retap_explore::{
    ExplorationLimits, FinishedTrace, SeededStrategy, StateGraph, TeamSettings, explore_apart,
};
use retap_model::format::run::{RunInfo, TravelRow};
use retap_model::trace::Return;
use retap_model::{Event, Observation, Trace, WorldSeed};
use std::path::Path;

/// The events of a leg at most. Longer ones learn less from the others.
const LEG_EVENTS: u64 = 500;
/// The distance between the seeds of two legs, so that their random streams never meet.
const SEED_DISTANCE: u64 = 1 << 32;

/// Where a leg begins and how far it goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LegPlan {
    pub seed: u64,
    /// The events from the launch to the state that it begins at.
    pub path: Vec<Event>,
    /// The path counts.
    pub max_events: u64,
}

/// Plans the next legs. The first begins at the launch, the others at the states that were visited least.
pub fn plan_wave(
    graph: &StateGraph,
    seed: u64,
    legs: u16,
    events_so_far: u64,
    events_left: u64,
) -> Vec<LegPlan> {
    let legs = u64::from(legs.max(1));
    let max_events = events_left.div_ceil(legs).clamp(1, LEG_EVENTS);
    let mut states: Vec<_> = graph.nodes().filter(|(_, node)| node.is_destination()).collect();
    states.sort_by_key(|(state, node)| (node.visits, graph.path_length(*state), *state));
    let paths = states.into_iter().filter_map(|(state, _)| graph.recorded_path(state));
    // Half the budget is for what is new.
    let mut paths = paths.filter(|path| !path.is_empty() && path.len() as u64 <= max_events / 2);
    let plan = |number: u64| {
        let stream = events_so_far.wrapping_add(number).wrapping_mul(SEED_DISTANCE);
        let path = if number == 0 { Vec::new() } else { paths.next().unwrap_or_default() };
        LegPlan { seed: seed.wrapping_add(stream), path, max_events }
    };
    let needed = events_left.div_ceil(max_events).min(legs);
    (0..needed).map(plan).collect()
}

/// Refuses settings that name files or programs of this machine: a leg runs elsewhere.
pub fn check_settings(settings: &ExploreSettings) -> Result<(), Failure> {
    let is_local = matches!(settings.strategy, StrategyKind::Program(_))
        || settings.learn_from.is_some()
        || !settings.seed_traces.is_empty();
    if is_local {
        return Err(Failure::input(
            "cmd:PROGRAM, --learn-from and --seed-traces name things of this machine: they cannot go with --fleet",
        ));
    }
    Ok(())
}

/// Returns a trace of a leg, if its parts fit together.
pub fn read_trace(
    job: Job,
    began_with: Option<Return>,
    travel: Vec<TravelRow>,
    observations: Vec<Observation>,
) -> Result<FinishedTrace, Failure> {
    let path = began_with.map_or(0, |returns| returns.steps);
    if observations.len() != job.events.len() + 1 || path > job.events.len() {
        let text = "a worker's trace does not fit its observations";
        return Err(DeviceError::Setup(text.into()).into());
    }
    let trace = Trace::of_events(job.world_seed, job.events);
    Ok(FinishedTrace { trace, began_with, observations, travel })
}

/// Explores one leg, and returns its traces.
pub fn run_leg(
    lab: &mut Lab<'_>,
    settings: &ExploreSettings,
    plan: &LegPlan,
    world_seed: WorldSeed,
    apk: &Path,
) -> Result<Vec<FinishedTrace>, Failure> {
    check_settings(settings)?;
    let app = lab.rig().app()?.clone();
    let description = lab.rig().describe()?.clone();
    let info = RunInfo {
        retap: RunInfo::KIND.into(),
        version: RunInfo::VERSION,
        retap_version: env!("CARGO_PKG_VERSION").into(),
        verb: "explore".into(),
        arguments: Vec::new(),
        seed: plan.seed,
        world_seed,
        app: app.identity.clone(),
        apk: String::new(),
        device: description.kind,
        api: description.api,
        display: description.display,
        outside: settings.device.outside.clone(),
        abstraction: settings.device.recorded_abstraction(),
    };
    let settings = ExploreSettings { max_events: Some(plan.max_events), ..settings.clone() };
    let mut strategy = strategy::build(&settings, plan.seed, &app, apk)?;
    if !plan.path.is_empty() {
        strategy = Box::new(SeededStrategy::new(vec![plan.path.clone()], strategy));
    }
    let team = TeamSettings {
        limits: ExplorationLimits {
            max_events: plan.max_events,
            trace_length: settings.trace_length,
        },
        interesting: settings.interesting(),
        shares_traces: false,
    };
    Ok(explore_apart(lab.rig(), strategy.as_mut(), &info, team)?)
}
