//! Campaigns on a fleet whose processes are killed at random or whose network falls apart, each compared with the same
//! campaign undisturbed.

use super::process_fleet::{DEVICES, Kills, ProcessFleet, run_here};
use crate::table;
use retap_engine::{Context, Failure};
use retap_minimize::simulation::SplitMix64;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

const WORKERS: usize = 3;
/// Events of the recording that is minimised and reduced.
const RECORDED: u64 = 1500;
/// The network falls apart after this time.
const CALM: Duration = Duration::from_secs(3);

#[derive(Debug, Clone)]
pub struct FleetFaultBench {
    /// An APK, or `fake:FILE`.
    pub app: String,
    pub max_events: u64,
    pub seed: u64,
    /// Somebody is killed about this often.
    pub pause: Duration,
    /// How long the network is apart, if it falls apart.
    pub partition: Option<Duration>,
    /// The folder for the run directories.
    pub folder: PathBuf,
    /// This binary.
    pub program: PathBuf,
}

#[derive(Debug, Clone, Default, Serialize)]
pub struct FleetFaultResults {
    pub runs: Vec<FleetFaultRun>,
    /// What this machine does not let the bench try.
    pub left_out: Vec<String>,
}

/// A campaign on a disturbed fleet.
#[derive(Debug, Clone, Serialize)]
pub struct FleetFaultRun {
    pub verb: String,
    pub fault: String,
    pub events: u64,
    /// Tasks of the last coordinator, and the results that the server has: the same number, if each counts once.
    pub tasks: u64,
    pub results: u64,
    /// Tasks that gave something else when they ran again, and those that were set aside.
    pub differences: u64,
    pub set_aside: u64,
    pub workers_killed: u64,
    pub coordinators_killed: u64,
    pub seconds: f64,
    /// The answer is that of the undisturbed campaign.
    pub is_same: bool,
}

impl FleetFaultRun {
    /// Returns true if every execution counts exactly once, and the answer is the same.
    pub fn is_whole(&self) -> bool {
        self.is_same && self.tasks == self.results && self.differences + self.set_aside == 0
    }
}

/// Runs all campaigns.
pub fn run_faults(
    bench: &FleetFaultBench,
    context: Context<'_>,
) -> Result<FleetFaultResults, Failure> {
    let mut results = FleetFaultResults::default();
    let mut random = SplitMix64(bench.seed);
    context.remark("explore, undisturbed");
    let explore = bench.explore();
    let explore: Vec<&str> = explore.iter().map(String::as_str).collect();
    let calm = ProcessFleet::start(&bench.program, None, 1)?;
    let expected = calm.run(&explore, &bench.folder.join("calm"))?;
    drop(calm);
    let is_same = |found: &Value| {
        found["digest"].is_string()
            && ["digest", "events"].iter().all(|field| found[field] == expected[field])
    };
    context.remark("explore, with kills");
    let (run, found) = bench.disturb(&explore, "explore", &mut random)?;
    results.runs.push(FleetFaultRun { is_same: is_same(&found), ..run });
    context.remark("minimize and reduce, with kills");
    for (verb, input) in bench.record()? {
        if context.is_interrupted() {
            return Ok(results);
        }
        let mut words = vec![verb, &input];
        words.extend(bench.app.starts_with("fake:").then_some(["-d", &bench.app]).iter().flatten());
        let here = bench.folder.join(format!("{verb}-here"));
        run_here(&bench.program, &[&words[..], &["-j", DEVICES]].concat(), &here)?;
        let (run, _) = bench.disturb(&words, verb, &mut random)?;
        let is_same = answers(&here)? == answers(&bench.folder.join(verb))?;
        results.runs.push(FleetFaultRun { is_same, ..run });
    }
    if let Some(partition) = bench.partition {
        context.remark("explore, with a network that falls apart");
        match Namespace::open() {
            Ok(namespace) => {
                let (run, found) = bench.part(&explore, &namespace, partition)?;
                results.runs.push(FleetFaultRun { is_same: is_same(&found), ..run });
            }
            Err(why) => results.left_out.push(format!("the partition was not tried: {why}")),
        }
    }
    Ok(results)
}

impl FleetFaultBench {
    fn explore(&self) -> Vec<String> {
        let mut words = vec!["explore".to_string()];
        words.extend(self.app.starts_with("fake:").then(|| "-d".to_string()));
        let (seed, max_events) = (self.seed.to_string(), self.max_events.to_string());
        let limits = ["--seed", &seed, "--max-events", &max_events];
        let quick = ["--no-minimize", "--oracle", "none", "--pictures", "0"];
        words.push(self.app.clone());
        words.extend(limits.into_iter().chain(quick).map(String::from));
        words
    }

    /// Records a run here. Returns what is minimised and what is reduced.
    fn record(&self) -> Result<Vec<(&'static str, String)>, Failure> {
        let run = self.folder.join("recorded");
        let mut words = self.explore();
        let budget = words.iter().position(|word| word == "--max-events").map_or(0, |at| at + 1);
        words[budget] = RECORDED.min(self.max_events).to_string();
        words.extend(["--strategy", "random"].map(String::from));
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        run_here(&self.program, &words, &run)?;
        let crashes = std::fs::read_dir(run.join("crashes")).into_iter().flatten().flatten();
        let crash = crashes.map(|entry| entry.path().join("trace.jsonl")).min();
        let minimize = crash.map(|crash| ("minimize", crash.display().to_string()));
        Ok(minimize.into_iter().chain([("reduce", run.display().to_string())]).collect())
    }

    /// Runs a verb on a fleet whose processes are killed.
    fn disturb(
        &self,
        words: &[&str],
        verb: &str,
        random: &mut SplitMix64,
    ) -> Result<(FleetFaultRun, Value), Failure> {
        let mut fleet = ProcessFleet::start(&self.program, None, WORKERS)?;
        let began = Instant::now();
        let output = self.folder.join(verb);
        let (found, kills) = fleet.run_disturbed(words, &output, self.pause, random)?;
        Ok((describe(verb, "kill -9", &found, kills, began, &fleet.status()?), found))
    }

    /// Runs a verb on a fleet that loses its network for a while.
    fn part(
        &self,
        words: &[&str],
        namespace: &Namespace,
        partition: Duration,
    ) -> Result<(FleetFaultRun, Value), Failure> {
        let fleet = ProcessFleet::start(&self.program, Some(&namespace.0), WORKERS)?;
        let began = Instant::now();
        let mut coordinator = fleet.start_verb(words, &self.folder.join("parted"))?;
        thread::sleep(CALM);
        let has_ended = coordinator.try_wait().is_ok_and(|ended| ended.is_some());
        namespace.set_network("down")?;
        thread::sleep(partition);
        namespace.set_network("up")?;
        let found = fleet.finish(coordinator)?;
        let seconds = partition.as_secs();
        let when = if has_ended { " after its end" } else { "" };
        let fault = format!("no network for {seconds} s{when}");
        let status = fleet.status()?;
        Ok((describe("explore", &fault, &found, Kills::default(), began, &status), found))
    }
}

fn describe(
    verb: &str,
    fault: &str,
    found: &Value,
    kills: Kills,
    began: Instant,
    status: &Value,
) -> FleetFaultRun {
    let campaign = &status["campaigns"][0];
    let number = |value: &Value| value.as_u64().unwrap_or(0);
    let lines = |value: &Value| value.as_array().map_or(0, Vec::len) as u64;
    let events = [&found["events"], &campaign["events"]].into_iter().find_map(Value::as_u64);
    FleetFaultRun {
        verb: verb.into(),
        fault: fault.into(),
        events: events.unwrap_or(0),
        tasks: number(&campaign["tasks"]),
        results: number(&status["results"]),
        differences: lines(&campaign["differences"]),
        set_aside: lines(&campaign["set_aside"]),
        workers_killed: kills.workers,
        coordinators_killed: kills.coordinators,
        seconds: began.elapsed().as_secs_f64(),
        is_same: false,
    }
}

/// Returns the traces in a folder of answers, by the names of their files.
fn answers(folder: &Path) -> Result<BTreeMap<PathBuf, Vec<u8>>, Failure> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let traces = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
    let read = |path: PathBuf| {
        let bytes = std::fs::read(&path)
            .map_err(|error| Failure::input(format!("{}: {error}", path.display())))?;
        Ok((path.file_name().unwrap_or_default().into(), bytes))
    };
    let answers: BTreeMap<PathBuf, Vec<u8>> = traces.map(read).collect::<Result<_, Failure>>()?;
    if answers.is_empty() {
        return Err(Failure::input(format!("{} holds no answer", folder.display())));
    }
    Ok(answers)
}

/// A network namespace, in which only its own loopback leads anywhere. It goes when this is dropped.
struct Namespace(String);

impl Namespace {
    fn open() -> Result<Self, String> {
        let namespace = Self(format!("retap-{}", std::process::id()));
        ip(&["netns", "add", &namespace.0])?;
        namespace.set_network("up").map_err(|failure| failure.to_string())?;
        Ok(namespace)
    }

    fn set_network(&self, state: &str) -> Result<(), Failure> {
        ip(&["-n", &self.0, "link", "set", "lo", state]).map_err(Failure::input)
    }
}

impl Drop for Namespace {
    fn drop(&mut self) {
        let _ = ip(&["netns", "delete", &self.0]);
    }
}

fn ip(arguments: &[&str]) -> Result<(), String> {
    let ran = Command::new("ip").args(arguments).output();
    let ran = ran.map_err(|error| format!("the program ip does not start: {error}"))?;
    if ran.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&ran.stderr);
    Err(format!("it needs root (ip {}: {})", arguments.join(" "), said.trim()))
}

impl FleetFaultResults {
    /// Returns true if every campaign is whole.
    pub fn is_whole(&self) -> bool {
        self.runs.iter().all(FleetFaultRun::is_whole)
    }

    pub fn render(&self) -> String {
        let head = [
            "verb",
            "fault",
            "workers killed",
            "coordinators killed",
            "events",
            "tasks",
            "results",
            "set aside",
            "differences",
            "seconds",
            "same answer",
        ];
        let row = |one: &FleetFaultRun| {
            vec![
                one.verb.clone(),
                one.fault.clone(),
                one.workers_killed.to_string(),
                one.coordinators_killed.to_string(),
                one.events.to_string(),
                one.tasks.to_string(),
                one.results.to_string(),
                one.set_aside.to_string(),
                one.differences.to_string(),
                format!("{:.0}", one.seconds),
                if one.is_same { "yes" } else { "no" }.into(),
            ]
        };
        let mut text = table::render(&head, &self.runs.iter().map(row).collect::<Vec<_>>());
        self.left_out.iter().for_each(|line| text += &format!("\n{line}"));
        text
    }
}
