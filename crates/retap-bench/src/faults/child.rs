//! An exploration in a process of its own, and the fault that strikes it.

use super::fault::{Disturbance, DisturbanceKind, StrikeFrom};
use retap_engine::Failure;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// The exit code of an interrupted run.
const INTERRUPTED: i32 = 130;
const LOOK: Duration = Duration::from_millis(2);

/// Starts explorations of one app.
#[derive(Debug)]
pub struct ExploreCommand<'a> {
    program: &'a Path,
    app: &'a str,
    max_events: String,
    seed: String,
}

/// What a process left behind.
#[derive(Debug, Clone, Default)]
pub struct ChildResult {
    pub digest: Option<String>,
    pub ended: Option<String>,
    pub devices_lost: u64,
    pub exit_code: Option<i32>,
    /// The last line on its standard error.
    pub message: String,
    /// How often the fault struck before the process had ended.
    pub strikes: u32,
    pub times: RunTimes,
}

/// How long the parts of a run took.
#[derive(Debug, Clone, Copy, Default)]
pub struct RunTimes {
    pub until_first_event: Duration,
    pub explored: Duration,
}

impl RunTimes {
    /// Returns the time that one of several strikes has.
    pub fn part(self, strikes: u32) -> Self {
        Self { explored: self.explored / strikes.max(1), ..self }
    }
}

impl ChildResult {
    /// Returns true if the exploration has done everything it was asked for.
    pub fn is_complete(&self) -> bool {
        self.digest.is_some() && self.ended.as_deref() == Some("complete")
    }

    /// Returns true if the run directory is too damaged, and the message says so.
    pub fn refuses_to_resume(&self) -> bool {
        self.exit_code == Some(2) && !self.message.is_empty()
    }
}

impl<'a> ExploreCommand<'a> {
    pub fn new(program: &'a Path, app: &'a str, max_events: u64, seed: u64) -> Self {
        let (max_events, seed) = (max_events.to_string(), seed.to_string());
        Self { program, app, max_events, seed }
    }

    /// Explores into `dir`, with faults one after the other or undisturbed.
    pub fn explore(&self, dir: &Path, faults: &[Disturbance]) -> Result<ChildResult, Failure> {
        let mut command = self.command(faults);
        command.arg("explore");
        if self.app.starts_with("fake:") {
            command.arg("-d");
        }
        command.arg(self.app);
        command.args(["--seed", &self.seed, "--max-events", &self.max_events]);
        command.args(["--no-minimize", "--oracle", "none", "--pictures", "0"]);
        run(command, dir, faults)
    }

    /// Resumes the run in `dir`, with faults or undisturbed.
    pub fn resume(&self, dir: &Path, faults: &[Disturbance]) -> Result<ChildResult, Failure> {
        let mut command = self.command(faults);
        command.args(["explore", "--resume"]);
        run(command, dir, faults)
    }

    /// Explores anew into an emptied `dir`.
    pub fn begin_again(&self, dir: &Path) -> Result<ChildResult, Failure> {
        if dir.exists() {
            std::fs::remove_dir_all(dir).map_err(|error| super::cannot_write(dir, &error))?;
        }
        self.explore(dir, &[])
    }

    /// Returns this program's command. On a full disk a shell limits the length of its files; the signal
    /// that would end it is ignored, so that the write fails as on a full disk.
    fn command(&self, faults: &[Disturbance]) -> Command {
        match faults.iter().find(|fault| fault.kind == DisturbanceKind::FullDisk) {
            Some(fault) => {
                let mut shell = Command::new("sh");
                // The soft limit only: the device has its own disk and raises its limit again.
                let script = format!("trap '' XFSZ; ulimit -S -f {}; exec \"$@\"", fault.blocks);
                shell.args(["-c", &script, "sh"]).arg(self.program);
                shell
            }
            None => Command::new(self.program),
        }
    }
}

/// Runs a command to its end, with the faults on the way.
fn run(mut command: Command, dir: &Path, faults: &[Disturbance]) -> Result<ChildResult, Failure> {
    command.args(["--json", "-q", "-o"]).arg(dir).stdin(Stdio::null());
    // Files, because nobody reads a pipe while the fault strikes.
    let output = tempfile::NamedTempFile::new().map_err(cannot_run)?;
    let errors = tempfile::NamedTempFile::new().map_err(cannot_run)?;
    command.stdout(output.reopen().map_err(cannot_run)?);
    command.stderr(errors.reopen().map_err(cannot_run)?);
    let began = Instant::now();
    let mut recorded = trace_length(dir);
    let mut child = command.spawn().map_err(cannot_run)?;
    let mut strikes = 0;
    let mut times = RunTimes::default();
    for fault in faults {
        strikes += u32::from(strike(&mut child, fault, dir, recorded).map_err(cannot_run)?);
        // The next one waits until the run goes on: a device that is killed again and again while it starts ends it.
        recorded = trace_length(dir);
    }
    if faults.is_empty() {
        await_first_event(&mut child, dir, recorded).map_err(cannot_run)?;
        times.until_first_event = began.elapsed();
    }
    let status = child.wait().map_err(cannot_run)?;
    times.explored = began.elapsed().saturating_sub(times.until_first_event);
    let read = |file: &tempfile::NamedTempFile| std::fs::read_to_string(file.path());
    let summary: Value =
        serde_json::from_str(&read(&output).map_err(cannot_run)?).unwrap_or_default();
    let errors = read(&errors).map_err(cannot_run)?;
    let text = |field: &str| summary[field].as_str().map(str::to_string);
    let said = errors.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let is_interrupted = status.code() == Some(INTERRUPTED);
    Ok(ChildResult {
        digest: text("digest"),
        ended: text("ended"),
        devices_lost: summary["cost"]["devices_lost"].as_u64().unwrap_or(0),
        exit_code: status.code(),
        message: if is_interrupted { String::new() } else { said.to_string() },
        strikes,
        times,
    })
}

fn trace_length(dir: &Path) -> u64 {
    let trace = dir.join(retap_model::format::run::TRACE);
    std::fs::metadata(trace).map_or(0, |trace| trace.len())
}

/// Waits until the process records, beyond what was recorded before. Returns false if it has ended before.
fn await_first_event(child: &mut Child, dir: &Path, recorded: u64) -> std::io::Result<bool> {
    while trace_length(dir) <= recorded {
        if child.try_wait()?.is_some() {
            return Ok(false);
        }
        thread::sleep(LOOK);
    }
    Ok(true)
}

/// Waits for the moment of the fault and lets it strike. Returns false if the process has ended before, or has no
/// device to kill.
fn strike(
    child: &mut Child,
    fault: &Disturbance,
    dir: &Path,
    recorded: u64,
) -> std::io::Result<bool> {
    if fault.kind == DisturbanceKind::FullDisk {
        return Ok(true);
    }
    if fault.from == StrikeFrom::FirstEvent && !await_first_event(child, dir, recorded)? {
        return Ok(false);
    }
    let began = Instant::now();
    while began.elapsed() < fault.after {
        if child.try_wait()?.is_some() {
            return Ok(false);
        }
        thread::sleep(LOOK);
    }
    let retap = child.id();
    match fault.kind {
        DisturbanceKind::KillDevice => {
            let devices = devices_of(retap);
            devices.iter().for_each(|id| send(*id, Signal::KILL));
            return Ok(!devices.is_empty());
        }
        DisturbanceKind::KillRetap | DisturbanceKind::CutFile | DisturbanceKind::ClockJump => {
            send(retap, Signal::KILL);
        }
        DisturbanceKind::Interrupt => {
            let signals = [Signal::INT, Signal::TERM, Signal::HUP];
            send(retap, signals[(fault.choice % 3) as usize]);
        }
        DisturbanceKind::Stop => {
            let devices = devices_of(retap);
            // One or the other, or both.
            let stopped: Vec<u32> = match fault.choice % 3 {
                0 => vec![retap],
                1 if !devices.is_empty() => devices,
                _ => devices.into_iter().chain([retap]).collect(),
            };
            stopped.iter().for_each(|id| send(*id, Signal::STOP));
            thread::sleep(fault.lasts);
            stopped.iter().for_each(|id| send(*id, Signal::CONT));
        }
        DisturbanceKind::FullDisk => {}
    }
    Ok(true)
}

/// Sends a signal. A process that has ended meanwhile needs none.
fn send(id: u32, signal: Signal) {
    if let Some(process) = i32::try_from(id).ok().and_then(Pid::from_raw) {
        let _ = kill_process(process, signal);
    }
}

/// Returns the processes that this one has started, by the system's table.
fn devices_of(parent: u32) -> Vec<u32> {
    let tasks = std::fs::read_dir(format!("/proc/{parent}/task")).into_iter().flatten().flatten();
    let children = tasks.filter_map(|task: std::fs::DirEntry| {
        let file: PathBuf = task.path().join("children");
        std::fs::read_to_string(file).ok()
    });
    children
        .flat_map(|ids| ids.split_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<_>>())
        .collect()
}

#[expect(clippy::needless_pass_by_value, reason = "it is passed to map_err")]
fn cannot_run(error: std::io::Error) -> Failure {
    Failure::input(format!("cannot run retap: {error}"))
}
