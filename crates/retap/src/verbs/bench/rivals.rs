//! Other tools' minimisers, run as the real programs they are on the same generated traces: a trace is
//! a file with a position on each line, and their test is this very binary.

use super::minimize::Measured;
use crate::cli::JudgeArgs;
use crate::failure::{Exit, Failure};
use retap_minimize::Candidate;
use retap_minimize::simulation::{Chance, Simulation};
use std::fmt;
use std::fs;
use std::io::{ErrorKind, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::str::FromStr;

/// A generated trace, by what it is generated from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Case {
    pub seed: u64,
    pub length: usize,
    pub arms: u32,
    pub flakiness: u64,
}

impl Case {
    pub fn simulation(&self) -> Simulation {
        Simulation::generate(self.seed, self.length, self.arms, self.flakiness)
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}:{}", self.seed, self.length, self.arms, self.flakiness)
    }
}

impl FromStr for Case {
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
pub enum Rival {
    Picire,
    Shrinkray,
}

impl Rival {
    pub const ALL: [Rival; 2] = [Rival::Picire, Rival::Shrinkray];

    pub fn name(self) -> &'static str {
        match self {
            Rival::Picire => "picire",
            Rival::Shrinkray => "shrinkray",
        }
    }

    /// What to install to have it.
    fn packages(self) -> &'static str {
        match self {
            // It imports pkg_resources, which later ones no longer have.
            Rival::Picire => "picire 'setuptools<80'",
            Rival::Shrinkray => {
                "shrinkray (with Python 3.12 or newer; older ones get an old shrinkray)"
            }
        }
    }

    fn command(self, dir: &Path, input: &Path, test: &Path) -> Command {
        let mut command = Command::new(self.name());
        match self {
            Rival::Picire => {
                command.arg("--input").arg(input).arg("--test").arg(test);
                command.args(["--atom", "line", "--out"]).arg(dir.join("out"));
            }
            Rival::Shrinkray => {
                command.args(["--ui", "basic", "--parallelism", "1"]).arg(test).arg(input);
            }
        }
        command.current_dir(dir).stdin(Stdio::null());
        command
    }

    /// Where it leaves its answer.
    fn answer(self, dir: &Path, input: &Path) -> Option<Candidate> {
        let path = match self {
            Rival::Picire => dir.join("out").join(input.file_name()?),
            Rival::Shrinkray => input.to_path_buf(),
        };
        Some(read_candidate(&fs::read_to_string(path).ok()?))
    }
}

/// Why a rival has nothing to show for a trace.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Absence {
    NotInstalled,
    Failed(String),
}

impl Absence {
    pub fn sentence(&self, rival: Rival) -> String {
        let name = rival.name();
        match self {
            Absence::NotInstalled => {
                format!("{name} is not installed: pip install {}", rival.packages())
            }
            Absence::Failed(why) => format!("{name} {why}"),
        }
    }
}

/// What it took.
pub fn run(rival: Rival, case: &Case) -> Result<Measured, Absence> {
    let cannot = |error: std::io::Error| Absence::Failed(format!("failed: {error}"));
    let dir = std::env::temp_dir().join(format!("retap-bench-{}", std::process::id()));
    fs::create_dir_all(&dir).map_err(cannot)?;
    let measured = run_in(rival, case, &dir).map_err(|error| match error.kind() {
        ErrorKind::NotFound => Absence::NotInstalled,
        _ => cannot(error),
    });
    let _ = fs::remove_dir_all(&dir);
    measured?.ok_or_else(|| Absence::Failed("ended without an answer".into()))
}

/// Nothing where it left no answer. An error of kind `NotFound` is the program's: all files are there.
fn run_in(rival: Rival, case: &Case, dir: &Path) -> std::io::Result<Option<Measured>> {
    let (input, log, test) = (dir.join("trace.txt"), dir.join("log.txt"), dir.join("test.sh"));
    let positions: Vec<String> = (0..case.length.max(4)).map(|at| at.to_string()).collect();
    fs::write(&input, positions.join("\n") + "\n")?;
    fs::write(&log, "")?;
    let itself = std::env::current_exe()?;
    let script = format!(
        "#!/bin/sh\nexec '{}' bench judge {case} '{}' \"$1\"\n",
        itself.display(),
        log.display()
    );
    fs::write(&test, script)?;
    fs::set_permissions(&test, fs::Permissions::from_mode(0o755))?;
    let ran = rival.command(dir, &input, &test).output()?;
    if !ran.status.success() {
        let said = String::from_utf8_lossy(&ran.stderr);
        return Err(std::io::Error::other(said.lines().last().unwrap_or("no word").to_string()));
    }
    let Some(answer) = rival.answer(dir, &input) else { return Ok(None) };
    let calls = fs::read_to_string(&log)?;
    let simulation = case.simulation();
    Ok(Some(Measured {
        minimizer: rival.name().to_string(),
        trace: case.to_string(),
        oracle_calls: calls.lines().count() as u64,
        // It asks one question at a time here.
        rounds: calls.lines().count() as u64,
        events_executed: calls.lines().filter_map(|line| line.parse::<u64>().ok()).sum(),
        events_saved: 0,
        events_before: simulation.actions.len(),
        events_after: answer.len(),
        success: f64::from(u8::from(simulation.run(&answer).0.is_some())),
    }))
}

/// One question of a rival: exit code 0 when the candidate crashes. Leaves the events it took in the log.
pub fn judge(args: &JudgeArgs) -> Result<Exit, Failure> {
    let unreadable =
        |path: &Path, error: std::io::Error| Failure::input(format!("{}: {error}", path.display()));
    let case: Case = args.case.parse()?;
    let text = fs::read_to_string(&args.candidate).map_err(|e| unreadable(&args.candidate, e))?;
    let candidate = read_candidate(&text);
    let simulation = case.simulation();
    let known = candidate.positions().iter().all(|&at| (at as usize) < simulation.actions.len());
    let (crash, _) = if known { simulation.run(&candidate) } else { (None, 0) };
    let calls =
        fs::read_to_string(&args.log).map_err(|e| unreadable(&args.log, e))?.lines().count();
    let mut log =
        fs::File::options().append(true).open(&args.log).map_err(|e| unreadable(&args.log, e))?;
    writeln!(log, "{}", crash.unwrap_or(candidate.len())).map_err(|e| unreadable(&args.log, e))?;
    let unlucky = Chance(case.seed ^ (calls as u64) << 32).below(1000) < case.flakiness;
    Ok(if crash.is_some() && !unlucky { Exit::Clean } else { Exit::Found })
}

/// Lines that are no positions are no events.
fn read_candidate(text: &str) -> Candidate {
    text.lines().filter_map(|line| line.trim().parse::<u32>().ok()).collect()
}
