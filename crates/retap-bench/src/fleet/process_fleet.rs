//! A fleet of processes of this very binary on the loopback, whose workers and coordinators can be killed.

use retap_engine::Failure;
use retap_fleet::LocalServer;
use retap_minimize::simulation::SplitMix64;
use serde_json::Value;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// The devices that a verb uses at the same time.
pub const DEVICES: &str = "3";
const LOOK: Duration = Duration::from_millis(20);
/// Coordinators that are killed at most, so that one can end.
const MAX_COORDINATORS: u64 = 3;
/// A campaign that takes longer never ends.
const NEVER_ENDS: Duration = Duration::from_secs(7200);

pub struct ProcessFleet<'p> {
    program: &'p Path,
    /// The network namespace of all processes, if they have one.
    namespace: Option<&'p str>,
    server: LocalServer,
    workers: Vec<Child>,
    folder: tempfile::TempDir,
}

/// Who was killed.
#[derive(Debug, Clone, Copy, Default)]
pub struct Kills {
    pub workers: u64,
    pub coordinators: u64,
}

impl<'p> ProcessFleet<'p> {
    pub fn start(
        program: &'p Path,
        namespace: Option<&'p str>,
        workers: usize,
    ) -> Result<Self, Failure> {
        let folder = tempfile::tempdir().map_err(cannot_run)?;
        let server = match namespace {
            Some(namespace) => LocalServer::start_in_namespace(folder.path(), namespace),
            None => LocalServer::start(folder.path(), ""),
        };
        let server = server.map_err(|error| Failure::Device(error.into()))?;
        let mut fleet = Self { program, namespace, server, workers: Vec::new(), folder };
        for _ in 0..workers {
            let worker = fleet.start_worker()?;
            fleet.workers.push(worker);
        }
        Ok(fleet)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = match self.namespace {
            None => Command::new(self.program),
            Some(namespace) => {
                let mut command = Command::new("ip");
                command.args(["netns", "exec", namespace]).arg(self.program);
                command
            }
        };
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    fn start_worker(&self) -> Result<Child, Failure> {
        let arguments = ["worker", "--fleet", self.server.url(), "--redeliver-after", "2s", "-q"];
        self.command(&arguments).spawn().map_err(cannot_run)
    }

    /// Starts a coordinator, whose summary goes to a file.
    pub fn start_verb(&self, arguments: &[&str], output: &Path) -> Result<Child, Failure> {
        let fleet = ["--fleet", self.server.url(), "-j", DEVICES, "--json", "-q", "-o"];
        let mut command = self.command(&[arguments, &fleet].concat());
        command.arg(output).stdout(std::fs::File::create(self.summary()).map_err(cannot_run)?);
        command.spawn().map_err(cannot_run)
    }

    fn summary(&self) -> std::path::PathBuf {
        self.folder.path().join("summary.json")
    }

    /// Waits for a coordinator and returns its summary.
    pub fn finish(&self, mut coordinator: Child) -> Result<Value, Failure> {
        let status = coordinator.wait().map_err(cannot_run)?;
        read_summary(&self.summary(), status.code())
    }

    /// Runs a verb while nobody is killed.
    pub fn run(&self, arguments: &[&str], output: &Path) -> Result<Value, Failure> {
        self.finish(self.start_verb(arguments, output)?)
    }

    /// Runs a verb while somebody is killed after each pause, about as long as the given one. Each coordinator writes into a
    /// folder of its own; the last one's is `output`.
    pub fn run_disturbed(
        &mut self,
        arguments: &[&str],
        output: &Path,
        pause: Duration,
        random: &mut SplitMix64,
    ) -> Result<(Value, Kills), Failure> {
        let mut kills = Kills::default();
        let began = Instant::now();
        let mut coordinator = self.start_verb(arguments, output)?;
        loop {
            let percent = 50 + random.below(101) as u32;
            if ends_within(&mut coordinator, pause * percent / 100)? {
                return Ok((self.finish(coordinator)?, kills));
            }
            if began.elapsed() > NEVER_ENDS {
                kill(&mut coordinator);
                return Err(Failure::input("the campaign on the disturbed fleet never ends"));
            }
            let victim = random.below(self.workers.len() as u64 + 1) as usize;
            if victim < self.workers.len() {
                kill(&mut self.workers[victim]);
                self.workers[victim] = self.start_worker()?;
                kills.workers += 1;
            } else if kills.coordinators < MAX_COORDINATORS {
                kill(&mut coordinator);
                kills.coordinators += 1;
                let unfinished = output.with_extension(format!("killed-{}", kills.coordinators));
                if output.exists() {
                    std::fs::rename(output, unfinished).map_err(cannot_run)?;
                }
                coordinator = self.start_verb(arguments, output)?;
            }
        }
    }

    /// Returns what `retap fleet status` says.
    pub fn status(&self) -> Result<Value, Failure> {
        let arguments = ["fleet", "status", "--fleet", self.server.url(), "--json"];
        let output =
            self.command(&arguments).stdout(Stdio::piped()).output().map_err(cannot_run)?;
        Ok(serde_json::from_slice(&output.stdout).unwrap_or_default())
    }
}

impl Drop for ProcessFleet<'_> {
    fn drop(&mut self) {
        self.workers.iter_mut().for_each(kill);
    }
}

fn kill(child: &mut Child) {
    let _ = child.kill();
    let _ = child.wait();
}

fn ends_within(child: &mut Child, time: Duration) -> Result<bool, Failure> {
    let began = Instant::now();
    while began.elapsed() < time {
        if child.try_wait().map_err(cannot_run)?.is_some() {
            return Ok(true);
        }
        thread::sleep(LOOK);
    }
    Ok(false)
}

/// Runs a verb of this binary without a fleet, and returns its summary.
pub fn run_here(program: &Path, arguments: &[&str], output: &Path) -> Result<Value, Failure> {
    let mut command = Command::new(program);
    command.args(arguments).args(["--json", "-q", "-o"]).arg(output).stdin(Stdio::null());
    let ran = command.stderr(Stdio::null()).output().map_err(cannot_run)?;
    let folder = tempfile::tempdir().map_err(cannot_run)?;
    let file = folder.path().join("summary.json");
    std::fs::write(&file, &ran.stdout).map_err(cannot_run)?;
    read_summary(&file, ran.status.code())
}

/// Reads a summary. A run that found something ends with 1.
fn read_summary(file: &Path, code: Option<i32>) -> Result<Value, Failure> {
    let text = std::fs::read(file).map_err(cannot_run)?;
    let summary: Option<Value> = serde_json::from_slice(&text).ok();
    match summary.filter(|_| matches!(code, Some(0 | 1))) {
        Some(summary) => Ok(summary),
        None => Err(Failure::input(format!("retap ended with the code {code:?}"))),
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it is passed to map_err")]
fn cannot_run(error: std::io::Error) -> Failure {
    Failure::input(format!("cannot run retap: {error}"))
}
