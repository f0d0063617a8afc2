//! `retap bench device`: speed and memory of the embedded device, and whether the same seed gives the same bytes in every
//! process, however busy the machine is.

use crate::difference::RunComparison;
use crate::load::Load;
use crate::process;
use crate::profile::{self, Profile, TimedDevice};
use crate::table::{median, render};
use crate::walk::{self, Walk, WalkSettings};
use retap_device::{Device, DeviceError, Job, Lab};
use retap_embedded::{EmbeddedConnect, EmbeddedOptions, Notice};
use retap_engine::{Context, Failure};
use retap_model::Event;
use retap_model::format::run::RunError;
use serde::Serialize;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

#[derive(Debug, Clone)]
pub struct DeviceBench {
    /// The apps; by default those in the folder `fixtures`.
    pub apks: Vec<PathBuf>,
    pub api: Option<u32>,
    pub events: u64,
    pub runs: u16,
    /// Adds a run that loads the app's classes anew for each clean install.
    pub verify_restarts: bool,
    /// Adds a profile of each app's first run.
    pub profile: bool,
    /// A clean install follows after this many events at the latest.
    pub trace_length: u64,
    /// Threads that keep the machine busy during every second run.
    pub load: usize,
    /// The number of prefixes of the first trace that are run to measure shared prefixes.
    pub prefixes: usize,
    pub jobs: u16,
    /// A folder that keeps every observation of every run, and the flame graphs.
    pub output: Option<PathBuf>,
    pub seed: u64,
    pub world_seed: u64,
}

#[derive(Debug, Serialize)]
pub struct DeviceResults {
    verb: &'static str,
    measured: Vec<MeasuredApp>,
}

impl DeviceResults {
    /// Returns true if runs of one app differ, or if its first trace does not repeat.
    pub fn differ(&self) -> bool {
        self.measured.iter().any(|one| one.digests().len() > 1 || one.diverged() > 0)
    }

    pub fn render(&self) -> String {
        let profiles: String = self
            .measured
            .iter()
            .filter_map(|one| Some(one.profile.as_ref()?.render(&one.app) + "\n"))
            .collect();
        let legend = if profiles.is_empty() { "" } else { profile::LEGEND };
        format!(
            "{}{}{profiles}{legend}",
            table(&self.measured),
            if legend.is_empty() { "" } else { "\n" }
        )
    }
}

/// One app.
#[derive(Debug, Default, Serialize)]
struct MeasuredApp {
    app: String,
    api: Option<u32>,
    /// The reason why the device refuses the app; then there are no runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<String>,
    runs: Vec<MeasuredRun>,
    /// Where the time of the first run went.
    #[serde(skip_serializing_if = "Option::is_none")]
    profile: Option<Profile>,
    /// The first difference between a run and the first one.
    #[serde(skip_serializing_if = "Option::is_none")]
    difference: Option<String>,
    /// Events that the prefixes ran, and events that shared prefixes saved.
    events_run: u64,
    events_saved: u64,
}

/// One process, from its start to its last event.
#[derive(Debug, Serialize)]
struct MeasuredRun {
    busy_threads: usize,
    cold_start_seconds: f64,
    #[serde(flatten)]
    walk: Walk,
    peak_mb: u64,
}

impl MeasuredApp {
    fn digests(&self) -> BTreeSet<&str> {
        self.runs.iter().map(|run| run.walk.digest.as_str()).collect()
    }

    /// Counts the processes in which the first trace did not repeat at the end.
    fn diverged(&self) -> usize {
        self.runs.iter().filter(|run| run.walk.diverged_again.is_some()).count()
    }

    fn median(&self, value: impl Fn(&MeasuredRun) -> f64) -> f64 {
        median(self.runs.iter().map(value))
    }
}

pub fn run(settings: &DeviceBench, context: Context<'_>) -> Result<DeviceResults, Failure> {
    let apks = if settings.apks.is_empty() { fixtures()? } else { settings.apks.clone() };
    let mut measured = Vec::new();
    for apk in &apks {
        if context.is_interrupted() {
            break;
        }
        measured.push(measure(apk, settings, context)?);
    }
    Ok(DeviceResults { verb: "bench device", measured })
}

fn fixtures() -> Result<Vec<PathBuf>, Failure> {
    let found = fs::read_dir("fixtures").ok().into_iter().flatten().flatten();
    let mut apks: Vec<PathBuf> = found
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "apk"))
        .collect();
    apks.sort();
    if apks.is_empty() {
        return Err(Failure::input(
            "no apps given: name some APKs (there is no folder fixtures here)",
        ));
    }
    Ok(apks)
}

fn measure(apk: &Path, args: &DeviceBench, context: Context<'_>) -> Result<MeasuredApp, Failure> {
    let name = apk.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let mut measured = MeasuredApp { app: name, ..MeasuredApp::default() };
    let runs = args.runs + u16::from(args.verify_restarts);
    let progress = context.progress(Some(args.events * runs as u64));
    let mut first_trace = Vec::new();
    let mut comparison = RunComparison::default();
    for number in 0..runs {
        let busy_threads = if number % 2 == 1 { args.load } else { 0 };
        let _load = Load::new(busy_threads);
        let started = Instant::now();
        let options = EmbeddedOptions {
            reloads_classes: number >= args.runs,
            records_samples: args.profile && number == 0,
            ..options(args)
        };
        let (mut device, app, first) = match TimedDevice::start(apk, options, args.world_seed) {
            Err(DeviceError::App(why)) => {
                measured.refused = Some(why);
                return Ok(measured);
            }
            started => started?,
        };
        comparison.begin();
        let cold_start_seconds = started.elapsed().as_secs_f64();
        measured.api = device.embedded.describe().api;
        let done = number as u64 * args.events;
        let settings = WalkSettings {
            seed: args.seed,
            world_seed: args.world_seed,
            events: args.events,
            trace_length: args.trace_length,
        };
        let mut log = open_log(args, &measured.app, number)?;
        let (walk, beginning) =
            walk::walk(&mut device, first, settings, &mut |walked, observation| {
                progress.update(done + walked, measured.app.clone());
                if runs > 1 {
                    comparison.add(observation, &app.units);
                }
                if let Some((file, path)) = &mut log {
                    writeln!(file, "{observation:?}").map_err(RunError::io(path))?;
                }
                Ok(!context.is_interrupted())
            })?;
        let peak_mb = device.embedded.process_id().map_or(0, process::peak_mb);
        measured.runs.push(MeasuredRun { busy_threads, cold_start_seconds, walk, peak_mb });
        first_trace = beginning.events;
        if let Some(profile) = device.into_profile()? {
            if let Some(folder) = &args.output {
                profile.write(folder, &measured.app)?;
            }
            measured.profile = Some(profile);
        }
    }
    measured.difference = comparison.found();
    if !context.is_interrupted() && args.prefixes > 0 {
        share_prefixes(apk, args, &first_trace, context, &mut measured)?;
    }
    Ok(measured)
}

/// Opens the file that gets every observation of a run, one line each, so that `diff` finds where two runs differ.
fn open_log(
    args: &DeviceBench,
    app: &str,
    run: u16,
) -> Result<Option<(BufWriter<File>, PathBuf)>, Failure> {
    let Some(folder) = &args.output else { return Ok(None) };
    fs::create_dir_all(folder).map_err(RunError::io(folder))?;
    let path = folder.join(format!("{app}-{}.txt", run + 1));
    let file = File::create(&path).map_err(RunError::io(&path))?;
    Ok(Some((BufWriter::new(file), path)))
}

fn options(args: &DeviceBench) -> EmbeddedOptions {
    EmbeddedOptions { api: args.api, ..EmbeddedOptions::default() }
}

/// Runs longer and longer prefixes of one trace, as a search for the first event that matters does.
fn share_prefixes(
    apk: &Path,
    args: &DeviceBench,
    events: &[Event],
    context: Context<'_>,
    measured: &mut MeasuredApp,
) -> Result<(), Failure> {
    let connect = EmbeddedConnect::new(apk.to_owned(), options(args), Arc::new(|_: Notice<'_>| {}));
    let mut lab = Lab::new(&connect, args.jobs.into(), context.interrupt);
    let jobs: Vec<Job> = (1..=args.prefixes)
        .map(|part| events[..events.len() * part / args.prefixes].to_vec())
        .map(|events| Job { world_seed: args.world_seed, events })
        .collect();
    lab.run_all(&jobs, retap_device::NEVER_STOP)?;
    measured.events_run = lab.cost().events;
    measured.events_saved = lab.cost().events_saved;
    Ok(())
}

const HEAD: [&str; 15] = [
    "app", "API", "cold s", "reset ms", "events/s", "warm", "CPU ms", "agent", "peak MB",
    "early MB", "late MB", "resets", "runs", "again", "saved",
];

/// Explains the columns.
const LEGEND: &str = "\
cold s: from nothing to the first screen; reset ms: a clean install and launch; warm: events/s of the
second half; CPU ms: processor time of an event there, resets included; agent: its share of the time of
an event, the rest is the pipe; early, late MB: resident after a quarter and at the end; runs: whether all
observed the same; again: whether the first trace repeated at the end; saved: events that shared prefixes
did not run again
";

fn row(one: &MeasuredApp) -> Vec<String> {
    if let Some(why) = &one.refused {
        return vec![format!("{}: {why}", one.app)];
    }
    let asked = one.events_run + one.events_saved;
    let share = if asked == 0 { 0.0 } else { 100.0 * one.events_saved as f64 / asked as f64 };
    vec![
        one.app.clone(),
        one.api.map(|api| api.to_string()).unwrap_or_default(),
        format!("{:.1}", one.median(|run| run.cold_start_seconds)),
        format!("{:.0}", one.median(|run| run.walk.reset_ms)),
        format!("{:.0}", one.median(|run| run.walk.events_per_second)),
        format!("{:.0}", one.median(|run| run.walk.warm_events_per_second)),
        format!("{:.1}", one.median(|run| run.walk.warm_cpu_ms)),
        format!("{:.0}%", 100.0 * one.median(|run| run.walk.agent_share)),
        format!("{:.0}", one.median(|run| run.peak_mb as f64)),
        format!("{:.0}", one.median(|run| run.walk.memory_at(0.25) as f64)),
        format!("{:.0}", one.median(|run| run.walk.memory_at(1.0) as f64)),
        format!("{:.0}", one.median(|run| run.walk.resets as f64)),
        match one.digests().len() {
            1 => format!("{} same", one.runs.len()),
            different => format!("{different} DIFFER"),
        },
        if one.diverged() == 0 { "same".into() } else { format!("{} DIFFER", one.diverged()) },
        format!("{share:.0}%"),
    ]
}

fn table(measured: &[MeasuredApp]) -> String {
    let (ran, refused): (Vec<&MeasuredApp>, Vec<&MeasuredApp>) =
        measured.iter().partition(|one| one.refused.is_none());
    let mut rows: Vec<Vec<String>> = ran.iter().map(|one| row(one)).collect();
    if rows.len() > 1 {
        rows.push(median_row(&ran));
    }
    let differences: String = ran
        .iter()
        .filter_map(|one| Some(format!("{} differs {}\n", one.app, one.difference.as_ref()?)))
        .collect();
    let refused: String = refused.into_iter().map(|one| row(one).concat() + "\n").collect();
    format!("{}{differences}{refused}\n{LEGEND}", render(&HEAD, &rows))
}

/// Returns a row with the medians over all apps.
fn median_row(apps: &[&MeasuredApp]) -> Vec<String> {
    let over = |value: fn(&MeasuredRun) -> f64| median(apps.iter().map(|one| one.median(value)));
    vec![
        "median".into(),
        String::new(),
        format!("{:.1}", over(|run| run.cold_start_seconds)),
        format!("{:.0}", over(|run| run.walk.reset_ms)),
        format!("{:.0}", over(|run| run.walk.events_per_second)),
        format!("{:.0}", over(|run| run.walk.warm_events_per_second)),
        format!("{:.1}", over(|run| run.walk.warm_cpu_ms)),
        format!("{:.0}%", 100.0 * over(|run| run.walk.agent_share)),
        format!("{:.0}", over(|run| run.peak_mb as f64)),
        format!("{:.0}", over(|run| run.walk.memory_at(0.25) as f64)),
        format!("{:.0}", over(|run| run.walk.memory_at(1.0) as f64)),
    ]
}
