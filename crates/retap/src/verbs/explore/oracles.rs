//! The oracles of `retap explore`: which were asked for, what they cost, and what becomes of their findings.

use super::evidence;
use crate::cli::{ExploreArgs, OracleChoice};
use crate::console::Console;
use crate::failure::Failure;
use crate::minimizing::Judge;
use crate::{interrupt, trace_file};
use retap_device::{Job, Lab};
use retap_explore::{Effort, Exploration};
use retap_model::format::run::{self, KeptFinding, finding_folder, read_findings, write_finding};
use retap_model::{App, Event, FindingKind, Oracle};
use retap_oracle::{Oracles, Properties};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Asking takes a quarter of the run's events at most, and not fewer than these are worth the while.
const SHARE: u64 = 4;
const LEAST_EVENTS: u64 = 1_000;
const MOST_STATES: usize = 200;
const MOST_TIME: Duration = Duration::from_secs(120);
const LEAST_TIME: Duration = Duration::from_secs(10);

pub fn choose(args: &ExploreArgs, app: &App) -> Result<Oracles, Failure> {
    let mut kinds = OracleChoice::kinds(&args.oracle).map_err(Failure::input)?;
    let properties = match &args.properties {
        Some(file) => read_properties(file)?,
        None => Properties::default(),
    };
    if !properties.is_empty() {
        kinds.insert(FindingKind::Property);
    }
    let oracles = Oracles::new(kinds, app, args.device.recorded_abstraction());
    Ok(Oracles { properties: Arc::new(properties), ..oracles })
}

pub fn read_properties(file: &Path) -> Result<Properties, Failure> {
    let name = file.display();
    let text = std::fs::read_to_string(file)
        .map_err(|error| Failure::input(format!("{name}: {error}")))?;
    Properties::parse(&text).map_err(|error| Failure::input(format!("{name}:{error}")))
}

/// How long asking may take: of a run that is limited by time a quarter.
pub fn patience(limit: Option<Duration>) -> Duration {
    limit.map_or(MOST_TIME, |limit| (limit / 4).clamp(LEAST_TIME, MOST_TIME))
}

/// Puts the questions of the oracles that ask.
pub fn ask(
    exploration: &mut Exploration<'_>,
    lab: &mut Lab<'_>,
    patience: Duration,
    console: &Console,
) -> Result<(), Failure> {
    let begun = Instant::now();
    let progress = console.progress(None);
    let events = (exploration.findings().events / SHARE).max(LEAST_EVENTS);
    let mut asked = 0;
    Ok(exploration.probe(lab.rig(), Effort { events, states: MOST_STATES }, &mut || {
        asked += 1;
        progress.update(asked, format!("asking the oracles, state {asked}"));
        !interrupt::is_set() && begun.elapsed() < patience
    })?)
}

/// Every finding is shown a second time and minimised, or at least pictured. One that does not show again is
/// dismissed: a false alarm costs more than a fault that is missed.
pub fn finish(
    lab: &mut Lab<'_>,
    app: &App,
    run: &Path,
    (oracles, minimizes): (&Oracles, bool),
    console: &Console,
) -> Result<(), Failure> {
    for kept in read_findings(run).into_iter().filter(|kept| kept.dismissed.is_none()) {
        let (kind, id) = (kept.finding.kind, kept.finding.id());
        let folder = finding_folder(run, id);
        let judge = Judge::new(Oracle::Finding(kind, Some(id)), app, oracles.abstraction)
            .with_properties(&oracles.properties);
        let done = if minimizes {
            evidence::minimize(lab, &folder, &judge, console)
        } else {
            show_again(lab, &folder, &judge)
        };
        match done {
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
    lab.rig().leave();
    let execution = lab.run(&Job { world_seed: trace.world_seed, events: events.clone() })?;
    if !judge.holds(&events, &execution)? {
        return Err(Failure::NotReproduced("a second run did not show it".into()));
    }
    evidence::picture(lab.rig(), &trace, folder)
}
