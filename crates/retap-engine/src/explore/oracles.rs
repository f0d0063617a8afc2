//! The oracles of an exploration: reading properties, probing after the run, and verifying what they found.

use super::evidence;
use crate::minimize::Judge;
use crate::{Context, Failure, trace_file};
use retap_device::{Job, Lab};
use retap_explore::{Exploration, ProbeLimits};
use retap_model::format::run::{self, KeptFinding, finding_folder, read_findings, write_finding};
use retap_model::{App, Event, Oracle};
use retap_oracle::{Oracles, Properties};
use std::path::Path;
use std::time::{Duration, Instant};

/// Probing may take a quarter of the run's events, and at least [`MIN_PROBE_EVENTS`].
const PROBE_SHARE: u64 = 4;
const MIN_PROBE_EVENTS: u64 = 1_000;
const MAX_PROBED_STATES: usize = 200;
const MAX_PROBE_TIME: Duration = Duration::from_secs(120);
const MIN_PROBE_TIME: Duration = Duration::from_secs(10);

/// Reads a file of properties. Errors name the file and the line.
pub fn read_properties(file: &Path) -> Result<Properties, Failure> {
    let name = file.display();
    let text = std::fs::read_to_string(file)
        .map_err(|error| Failure::input(format!("{name}: {error}")))?;
    Properties::parse(&text).map_err(|error| Failure::input(format!("{name}:{error}")))
}

/// Returns how long probing may take: a quarter of the run's time limit, within bounds.
pub fn probe_time(run_limit: Option<Duration>) -> Duration {
    run_limit.map_or(MAX_PROBE_TIME, |limit| (limit / 4).clamp(MIN_PROBE_TIME, MAX_PROBE_TIME))
}

/// Runs the active oracles: rotates, leaves and presses back in the states that the run met.
pub fn probe(
    exploration: &mut Exploration<'_>,
    lab: &mut Lab<'_>,
    max_time: Duration,
    context: Context<'_>,
) -> Result<(), Failure> {
    let started = Instant::now();
    let progress = context.progress(None);
    let events = (exploration.totals().events / PROBE_SHARE).max(MIN_PROBE_EVENTS);
    let mut probed = 0;
    let effort = ProbeLimits { events, states: MAX_PROBED_STATES };
    Ok(exploration.probe(lab.rig(), effort, &mut || {
        probed += 1;
        progress.update(probed, format!("probing state {probed}"));
        !context.is_interrupted() && started.elapsed() < max_time
    })?)
}

/// The settings for verifying the findings of a run.
#[derive(Debug, Clone, Copy)]
pub struct VerifySettings<'a> {
    pub app: &'a App,
    pub run: &'a Path,
    pub oracles: &'a Oracles,
    pub minimizes: bool,
}

/// Shows every finding a second time and minimises it. A finding that does not show again is dismissed, because a false
/// alarm costs the user more than a missed fault.
pub fn verify_findings(
    lab: &mut Lab<'_>,
    settings: VerifySettings<'_>,
    context: Context<'_>,
) -> Result<(), Failure> {
    let VerifySettings { app, run, oracles, minimizes } = settings;
    let found = read_findings(run);
    found.remarks.iter().for_each(|remark| context.remark(remark));
    for kept in found.kept.into_iter().filter(|kept| kept.dismissed.is_none()) {
        let (kind, id) = (kept.finding.kind, kept.finding.id());
        let folder = finding_folder(run, id);
        let judge = Judge::new(Oracle::Finding(kind, Some(id)), app, oracles.abstraction)
            .with_properties(&oracles.properties);
        let verified = if minimizes {
            evidence::minimize(lab, &folder, &judge, context)
        } else {
            show_again(lab, &folder, &judge)
        };
        match verified {
            Err(Failure::NotReproduced(why)) => {
                tracing::info!("{kind} {id} is dismissed: {why}");
                write_finding(run, &KeptFinding { dismissed: Some(why), ..kept })?;
            }
            other => other?,
        }
    }
    Ok(())
}

fn show_again(lab: &mut Lab<'_>, folder: &Path, judge: &Judge) -> Result<(), Failure> {
    let (_, trace) = trace_file::read(&folder.join(run::TRACE).display().to_string())?;
    let events: Vec<Event> = trace.events().cloned().collect();
    lab.rig().forget_position();
    let execution = lab.run(&Job { world_seed: trace.world_seed, events: events.clone() })?;
    if !judge.holds(&events, &execution)? {
        return Err(Failure::NotReproduced("a second run did not show it".into()));
    }
    evidence::picture_last_screen(lab.rig(), &trace, folder)
}
