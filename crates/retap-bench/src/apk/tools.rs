//! The programs that read APKs, each as a process of its own, and what they say they found.

use super::ProcessCost;
use crate::process;
use retap_engine::Failure;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const ANDROGUARD: &str = include_str!("androguard.py");
const FLOWDROID: &str = include_str!("CallGraph.java");
/// FlowDroid may take so much memory.
const FLOWDROID_HEAP: &str = "-Xmx4g";
/// A process's peak is asked for this often; its last moments are not seen.
const LOOK: Duration = Duration::from_millis(5);
/// A program that takes longer is ended.
const PATIENCE: Duration = Duration::from_secs(30 * 60);

/// What a process took, and what it printed.
#[derive(Debug)]
pub struct Ended {
    pub cpu_ms: u64,
    pub peak_mb: u64,
    pub printed: String,
}

impl Ended {
    pub fn cost(&self) -> ProcessCost {
        ProcessCost { cpu_ms: self.cpu_ms, peak_mb: self.peak_mb }
    }
}

/// The methods that a call graph reaches, and the number of its edges.
#[derive(Debug, Default)]
pub struct Reached {
    pub methods: BTreeSet<String>,
    pub edges: u64,
}

/// Runs a program to its end; nothing if it cannot be started, fails or takes too long.
pub fn run(command: &mut Command, folder: &Path) -> Result<Option<Ended>, Failure> {
    let cannot = |error: std::io::Error| Failure::input(format!("{}: {error}", folder.display()));
    let output = folder.join("printed.txt");
    let file = File::create(&output).map_err(cannot)?;
    let before = process::children_cpu_ms(std::process::id());
    let started = command.stdin(Stdio::null()).stdout(file).stderr(Stdio::null()).spawn();
    let Ok(mut child) = started else { return Ok(None) };
    let (begin, mut peak_mb) = (Instant::now(), 0);
    let status = loop {
        peak_mb = peak_mb.max(process::peak_mb(child.id()));
        if let Some(status) = child.try_wait().map_err(cannot)? {
            break status;
        }
        if begin.elapsed() > PATIENCE {
            child.kill().and_then(|()| child.wait()).map_err(cannot)?;
            return Ok(None);
        }
        std::thread::sleep(LOOK);
    };
    if !status.success() {
        return Ok(None);
    }
    let cpu_ms = process::children_cpu_ms(std::process::id()).saturating_sub(before);
    let printed = String::from_utf8_lossy(&fs::read(&output).map_err(cannot)?).into_owned();
    Ok(Some(Ended { cpu_ms, peak_mb, printed }))
}

/// This program, with results as JSON.
pub fn retap(words: &[&Path]) -> Result<Command, Failure> {
    let itself = std::env::current_exe()
        .map_err(|error| Failure::input(format!("this program cannot be found: {error}")))?;
    let mut command = Command::new(itself);
    command.args(words).arg("--json");
    Ok(command)
}

pub fn androguard(python: &Path, apk: &Path) -> Command {
    let mut command = Command::new(python);
    command.args(["-c", ANDROGUARD]).arg(apk);
    command
}

/// Java compiles and runs the program from its source.
pub fn flowdroid(
    class_path: &str,
    android: &Path,
    apk: &Path,
    folder: &Path,
) -> Result<Command, Failure> {
    let source = folder.join("CallGraph.java");
    fs::write(&source, FLOWDROID)
        .map_err(|error| Failure::input(format!("{}: {error}", source.display())))?;
    let mut command = Command::new("java");
    command.args([FLOWDROID_HEAP, "-cp", class_path]).arg(source).arg(apk).arg(android);
    Ok(command)
}

pub fn diffuse(class_path: &str, old: &Path, new: &Path) -> Command {
    let mut command = Command::new("java");
    command.args(["-cp", class_path, "com.jakewharton.diffuse.Diffuse", "diff"]).arg(old).arg(new);
    command
}

/// Reads what the programs above print of a call graph.
pub fn read_reached(printed: &str) -> Reached {
    let mut reached = Reached::default();
    for line in printed.lines() {
        if let Some(method) = line.strip_prefix("method ") {
            reached.methods.insert(method.to_owned());
        } else if let Some(edges) = line.strip_prefix("edges ") {
            reached.edges = edges.parse().unwrap_or(0);
        }
    }
    reached
}

/// Reads the new and removed methods from diffuse's table: `methods │ 5 │ 6 │ +1 │ 5 │ 6 │ +1 (+1 -0)`.
pub fn read_diffuse(printed: &str) -> Option<(u64, u64)> {
    let row = printed.lines().find(|line| line.trim_start().starts_with("methods "))?;
    let (_, change) = row.trim_end().trim_end_matches(')').rsplit_once('(')?;
    let (new, removed) = change.split_once(' ')?;
    Some((new.trim_start_matches('+').parse().ok()?, removed.trim_start_matches('-').parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_programs_print_is_read() {
        let reached = read_reached("noise\nmethod La;->b()V\nmethod La;->c()V\nedges 7\n");
        assert_eq!((reached.methods.len(), reached.edges), (2, 7));
        let table = " types   │ 1 │\n methods │ 210 │ 212 │ +2 │ 207 │ 209 │ +2 (+3 -1) \n";
        assert_eq!(read_diffuse(table), Some((3, 1)));
        assert_eq!(read_diffuse("nothing"), None);
    }
}
