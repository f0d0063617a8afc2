//! `retap bench device`: how fast the embedded device is, what it takes of the machine, and whether the
//! same seed gives the same bytes in every process, whatever else the machine has to do.

use super::load::Load;
use super::process;
use super::table::{median, render};
use super::walk::{self, Walk};
use crate::cli::BenchDeviceArgs;
use crate::console::Console;
use crate::failure::{Exit, Failure};
use crate::interrupt;
use retap_device::{Device, Job, Lab};
use retap_embedded::{Embedded, EmbeddedDevice, Listener, Notice, Options};
use retap_model::Event;
use retap_model::format::run::RunError;
use serde::Serialize;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// One app on the bench.
#[derive(Debug, Default, Serialize)]
struct Measured {
    app: String,
    api: Option<u32>,
    /// Why it could not be run; then there is nothing else.
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<String>,
    runs: Vec<Run>,
    /// Events that traces which begin alike did not have to run again.
    events_run: u64,
    events_saved: u64,
}

/// One process, from nothing to its last event.
#[derive(Debug, Serialize)]
struct Run {
    busy_threads: usize,
    cold_start_seconds: f64,
    #[serde(flatten)]
    walk: Walk,
    peak_mb: u64,
}

impl Measured {
    fn digests(&self) -> BTreeSet<&str> {
        self.runs.iter().map(|run| run.walk.digest.as_str()).collect()
    }

    /// Processes in which the first trace did not run again as it had run first.
    fn diverged(&self) -> usize {
        self.runs.iter().filter(|run| run.walk.diverged_again.is_some()).count()
    }

    fn middle(&self, value: impl Fn(&Run) -> f64) -> f64 {
        median(self.runs.iter().map(value))
    }
}

pub fn run(args: &BenchDeviceArgs, console: &Console) -> Result<Exit, Failure> {
    interrupt::listen();
    let apks = if args.apks.is_empty() { fixtures()? } else { args.apks.clone() };
    let mut measured = Vec::new();
    for apk in &apks {
        if interrupt::is_set() {
            break;
        }
        measured.push(measure(apk, args, console)?);
    }
    console.json(&serde_json::json!({ "verb": "bench device", "measured": measured }));
    console.result(&table(&measured));
    let differs = measured.iter().any(|one| one.digests().len() > 1 || one.diverged() > 0);
    Ok(if differs { Exit::Found } else { Exit::Clean })
}

fn fixtures() -> Result<Vec<PathBuf>, Failure> {
    let found = fs::read_dir("fixtures").ok().into_iter().flatten().flatten();
    let mut apks: Vec<PathBuf> = found
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "apk"))
        .collect();
    apks.sort();
    if apks.is_empty() {
        return Err(Failure::input("which apps? Name some APKs; there is no folder fixtures here"));
    }
    Ok(apks)
}

fn measure(apk: &Path, args: &BenchDeviceArgs, console: &Console) -> Result<Measured, Failure> {
    let name = apk.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let mut measured = Measured { app: name, ..Measured::default() };
    let progress = console.progress(Some(args.events * args.runs as u64));
    let mut events = Vec::new();
    for number in 0..args.runs {
        let busy_threads = if number % 2 == 1 { args.load } else { 0 };
        let _load = Load::new(busy_threads);
        let started = Instant::now();
        let listener: Listener = Arc::new(|_: Notice<'_>| {});
        let mut device = EmbeddedDevice::here(options(args), listener)?;
        match device.install(apk) {
            Err(retap_device::DeviceError::App(why)) => {
                measured.refused = Some(why);
                return Ok(measured);
            }
            installed => installed?,
        };
        let first = device.reset(args.world_seed)?;
        let cold_start_seconds = started.elapsed().as_secs_f64();
        measured.api = device.describe().api;
        let done = number as u64 * args.events;
        let plan = walk::Plan {
            seed: args.seed,
            world_seed: args.world_seed,
            events: args.events,
            trace_length: args.trace_length,
        };
        let mut kept = keep(args, &measured.app, number)?;
        let (walk, beginning) = walk::walk(&mut device, first, plan, &mut |walked, seen| {
            progress.update(done + walked, measured.app.clone());
            if let Some((file, path)) = &mut kept {
                writeln!(file, "{seen:?}").map_err(RunError::io(path))?;
            }
            Ok(!interrupt::is_set())
        })?;
        let peak_mb = device.process_id().map_or(0, process::peak_mb);
        measured.runs.push(Run { busy_threads, cold_start_seconds, walk, peak_mb });
        events = beginning.events;
    }
    if !interrupt::is_set() && args.beginnings > 0 {
        share_prefixes(apk, args, &events, &mut measured)?;
    }
    Ok(measured)
}

/// Where everything that a run saw is written, a line for each observation: where two runs differ, so
/// do two lines.
fn keep(
    args: &BenchDeviceArgs,
    app: &str,
    run: u16,
) -> Result<Option<(BufWriter<File>, PathBuf)>, Failure> {
    let Some(folder) = &args.output else { return Ok(None) };
    fs::create_dir_all(folder).map_err(RunError::io(folder))?;
    let path = folder.join(format!("{app}-{}.txt", run + 1));
    let file = File::create(&path).map_err(RunError::io(&path))?;
    Ok(Some((BufWriter::new(file), path)))
}

fn options(args: &BenchDeviceArgs) -> Options {
    Options { api: args.api, ..Options::default() }
}

/// What a search for the first event that matters asks for: longer and longer beginnings of one trace.
fn share_prefixes(
    apk: &Path,
    args: &BenchDeviceArgs,
    events: &[Event],
    measured: &mut Measured,
) -> Result<(), Failure> {
    let connect = Embedded::new(apk.to_owned(), options(args), Arc::new(|_: Notice<'_>| {}));
    let mut lab = Lab::new(&connect, args.jobs.into(), &interrupt::INTERRUPTED);
    let jobs: Vec<Job> = (1..=args.beginnings)
        .map(|part| events[..events.len() * part / args.beginnings].to_vec())
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

/// What the columns mean, for who sees them for the first time.
const LEGEND: &str = "\
cold s: from nothing to the first screen; reset ms: a clean install and launch; warm: events/s of the
second half; CPU ms: processor time of an event there, resets included; agent: its share of the time of
an event, the rest is the pipe; early, late MB: resident after a quarter and at the end; runs: whether all
saw the same; again: whether the first trace did when run again at the end; saved: events that shared
beginnings did not run again
";

fn row(one: &Measured) -> Vec<String> {
    if let Some(why) = &one.refused {
        return vec![format!("{}: {why}", one.app)];
    }
    let asked = one.events_run + one.events_saved;
    let share = if asked == 0 { 0.0 } else { 100.0 * one.events_saved as f64 / asked as f64 };
    vec![
        one.app.clone(),
        one.api.map(|api| api.to_string()).unwrap_or_default(),
        format!("{:.1}", one.middle(|run| run.cold_start_seconds)),
        format!("{:.0}", one.middle(|run| run.walk.reset_ms)),
        format!("{:.0}", one.middle(|run| run.walk.events_per_second)),
        format!("{:.0}", one.middle(|run| run.walk.warm_events_per_second)),
        format!("{:.1}", one.middle(|run| run.walk.warm_cpu_ms)),
        format!("{:.0}%", 100.0 * one.middle(|run| run.walk.agent_share)),
        format!("{:.0}", one.middle(|run| run.peak_mb as f64)),
        format!("{:.0}", one.middle(|run| run.walk.memory_at(0.25) as f64)),
        format!("{:.0}", one.middle(|run| run.walk.memory_at(1.0) as f64)),
        format!("{:.0}", one.middle(|run| run.walk.resets as f64)),
        match one.digests().len() {
            1 => format!("{} same", one.runs.len()),
            different => format!("{different} DIFFER"),
        },
        if one.diverged() == 0 { "same".into() } else { format!("{} DIFFER", one.diverged()) },
        format!("{share:.0}%"),
    ]
}

fn table(measured: &[Measured]) -> String {
    let (ran, refused): (Vec<&Measured>, Vec<&Measured>) =
        measured.iter().partition(|one| one.refused.is_none());
    let mut rows: Vec<Vec<String>> = ran.iter().map(|one| row(one)).collect();
    if rows.len() > 1 {
        rows.push(middle_row(&ran));
    }
    let refused: String = refused.into_iter().map(|one| row(one).concat() + "\n").collect();
    format!("{}{refused}\n{LEGEND}", render(&HEAD, &rows))
}

/// Medians over the apps.
fn middle_row(apps: &[&Measured]) -> Vec<String> {
    let over = |value: fn(&Run) -> f64| median(apps.iter().map(|one| one.middle(value)));
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
