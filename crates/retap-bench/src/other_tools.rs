//! Runs other minimisers, as their real programs, on the same generated traces. A trace is a file with a position on
//! each line, and their test is this very binary.

use crate::minimize::MeasuredMinimizer;
use retap_engine::Failure;
use retap_minimize::Candidate;
use retap_minimize::simulation::{Simulation, SplitMix64};
use std::fmt;
use std::fs;
use std::io::{ErrorKind, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::str::FromStr;

/// The parameters of a generated trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GeneratedTrace {
    pub seed: u64,
    pub length: usize,
    pub arms: u32,
    pub flakiness: u64,
}

impl GeneratedTrace {
    pub fn simulation(&self) -> Simulation {
        Simulation::generate(self.seed, self.length, self.arms, self.flakiness)
    }
}

impl fmt::Display for GeneratedTrace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}:{}", self.seed, self.length, self.arms, self.flakiness)
    }
}

impl FromStr for GeneratedTrace {
    type Err = Failure;

    fn from_str(text: &str) -> Result<Self, Failure> {
        let numbers: Vec<u64> = text.split(':').filter_map(|part| part.parse().ok()).collect();
        match numbers[..] {
            [seed, length, arms, flakiness] => {
                Ok(Self { seed, length: length as usize, arms: arms as u32, flakiness })
            }
            _ => {
                Err(Failure::input(format!("expected seed:length:arms:flakiness, found {text:?}")))
            }
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum OtherTool {
    Picire,
    Shrinkray,
}

impl OtherTool {
    pub const ALL: [OtherTool; 2] = [OtherTool::Picire, OtherTool::Shrinkray];

    pub fn name(self) -> &'static str {
        match self {
            OtherTool::Picire => "picire",
            OtherTool::Shrinkray => "shrinkray",
        }
    }

    /// Returns the packages to install.
    fn packages(self) -> &'static str {
        match self {
            // Picire imports pkg_resources, which later versions of setuptools lack.
            OtherTool::Picire => "picire 'setuptools<80'",
            OtherTool::Shrinkray => {
                "shrinkray (with Python 3.12 or newer; older ones get an old shrinkray)"
            }
        }
    }

    fn command(self, dir: &Path, input: &Path, test: &Path) -> Command {
        let mut command = Command::new(self.name());
        match self {
            OtherTool::Picire => {
                command.arg("--input").arg(input).arg("--test").arg(test);
                command.args(["--atom", "line", "--out"]).arg(dir.join("out"));
            }
            OtherTool::Shrinkray => {
                command.args(["--ui", "basic", "--parallelism", "1"]).arg(test).arg(input);
            }
        }
        command.current_dir(dir).stdin(Stdio::null());
        command
    }

    /// Reads its answer.
    fn answer(self, dir: &Path, input: &Path) -> Option<Candidate> {
        let path = match self {
            OtherTool::Picire => dir.join("out").join(input.file_name()?),
            OtherTool::Shrinkray => input.to_path_buf(),
        };
        Some(read_candidate(&fs::read_to_string(path).ok()?))
    }
}

/// The reason why a tool has no result for a trace.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum MissingReason {
    NotInstalled,
    Failed(String),
}

impl MissingReason {
    pub fn describe(&self, tool: OtherTool) -> String {
        let name = tool.name();
        match self {
            MissingReason::NotInstalled => {
                format!("{name} is not installed: pip install {}", tool.packages())
            }
            MissingReason::Failed(why) => format!("{name} {why}"),
        }
    }
}

/// Runs the tool on a trace and counts its oracle calls.
pub fn run(tool: OtherTool, trace: &GeneratedTrace) -> Result<MeasuredMinimizer, MissingReason> {
    let cannot = |error: std::io::Error| MissingReason::Failed(format!("failed: {error}"));
    let dir = std::env::temp_dir().join(format!("retap-bench-{}", std::process::id()));
    fs::create_dir_all(&dir).map_err(cannot)?;
    let measured = run_in(tool, trace, &dir).map_err(|error| match error.kind() {
        ErrorKind::NotFound => MissingReason::NotInstalled,
        _ => cannot(error),
    });
    let _ = fs::remove_dir_all(&dir);
    measured?.ok_or_else(|| MissingReason::Failed("ended without an answer".into()))
}

/// Returns `None` if the tool left no answer. An error of kind `NotFound` means that the program is missing: all files exist.
fn run_in(
    tool: OtherTool,
    trace: &GeneratedTrace,
    dir: &Path,
) -> std::io::Result<Option<MeasuredMinimizer>> {
    let (input, log, test) = (dir.join("trace.txt"), dir.join("log.txt"), dir.join("test.sh"));
    let positions: Vec<String> = (0..trace.length.max(4)).map(|at| at.to_string()).collect();
    fs::write(&input, positions.join("\n") + "\n")?;
    fs::write(&log, "")?;
    let itself = std::env::current_exe()?;
    let script = format!(
        "#!/bin/sh\nexec '{}' bench judge {trace} '{}' \"$1\"\n",
        itself.display(),
        log.display()
    );
    fs::write(&test, script)?;
    fs::set_permissions(&test, fs::Permissions::from_mode(0o755))?;
    let ran = tool.command(dir, &input, &test).output()?;
    if !ran.status.success() {
        let said = String::from_utf8_lossy(&ran.stderr);
        return Err(std::io::Error::other(said.lines().last().unwrap_or("no word").to_string()));
    }
    let Some(answer) = tool.answer(dir, &input) else { return Ok(None) };
    let calls = fs::read_to_string(&log)?;
    let simulation = trace.simulation();
    Ok(Some(MeasuredMinimizer {
        minimizer: tool.name().to_string(),
        trace: trace.to_string(),
        oracle_calls: calls.lines().count() as u64,
        // The tool asks one question at a time here.
        rounds: calls.lines().count() as u64,
        events_executed: calls.lines().filter_map(|line| line.parse::<u64>().ok()).sum(),
        events_saved: 0,
        events_before: simulation.events.len(),
        events_after: answer.len(),
        success: f64::from(u8::from(simulation.run(&answer).has_crashed())),
    }))
}

/// One oracle call of another tool.
#[derive(Debug, Clone)]
pub struct ToolQuestion {
    /// `seed:length:arms:flakiness` of the generated trace.
    pub trace: String,
    /// Gets one line for every call: the number of events it ran.
    pub log: PathBuf,
    /// The candidate: a position on each line.
    pub candidate: PathBuf,
}

/// Answers an oracle call of another tool: true if the candidate crashes.
pub fn answer(question: &ToolQuestion) -> Result<bool, Failure> {
    let ToolQuestion { trace, log, candidate } = question;
    let unreadable =
        |path: &Path, error: std::io::Error| Failure::input(format!("{}: {error}", path.display()));
    let trace: GeneratedTrace = trace.parse()?;
    let text = fs::read_to_string(candidate).map_err(|e| unreadable(candidate, e))?;
    let candidate = read_candidate(&text);
    let simulation = trace.simulation();
    let known = candidate.positions().iter().all(|&at| (at as usize) < simulation.events.len());
    let crash = if known { simulation.run(&candidate).crashed_after } else { None };
    let calls = fs::read_to_string(log).map_err(|e| unreadable(log, e))?.lines().count();
    let mut file = fs::File::options().append(true).open(log).map_err(|e| unreadable(log, e))?;
    writeln!(file, "{}", crash.unwrap_or(candidate.len())).map_err(|e| unreadable(log, e))?;
    let fails_by_chance =
        SplitMix64(trace.seed ^ (calls as u64) << 32).below(1000) < trace.flakiness;
    Ok(crash.is_some() && !fails_by_chance)
}

/// Reads a candidate. Lines that are not positions are ignored, because tools may cut a line anywhere.
fn read_candidate(text: &str) -> Candidate {
    text.lines().filter_map(|line| line.trim().parse::<u32>().ok()).collect()
}
