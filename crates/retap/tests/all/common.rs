//! Runs the `retap` binary as a user does, and reads its answer.
#![allow(clippy::unwrap_used)] // a test may panic

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Returns the root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Returns the value of `--device` for a fake in the folder `fakes`.
pub fn fake(name: &str) -> String {
    format!("fake:{}", root().join("fakes").join(name).display())
}

/// Returns the path of an APK in the folder `fixtures`.
pub fn fixture(name: &str) -> String {
    root().join("fixtures").join(name).display().to_string()
}

/// Returns the binary with these arguments, for a test that starts it on its own.
pub fn retap_command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_retap"));
    command.args(arguments);
    command
}

/// The exit code and the texts of a finished command.
pub struct CommandOutput {
    /// The exit code, or -1 if a signal ended the process.
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl CommandOutput {
    /// Parses the standard output of a command that ran with `--json`.
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("standard output is not JSON: {error}\n{self:?}"))
    }
}

impl std::fmt::Debug for CommandOutput {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "exit {}\n{}\n{}", self.code, self.stdout, self.stderr)
    }
}

impl From<Output> for CommandOutput {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// Runs the binary with these arguments until it ends.
pub fn retap(arguments: &[&str]) -> CommandOutput {
    retap_command(arguments).output().unwrap().into()
}

/// Asserts that the binary ends with this exit code and prints all these texts on standard error.
pub fn assert_refused(arguments: &[&str], code: i32, texts: &[&str]) {
    let output = retap(arguments);
    assert_eq!(output.code, code, "wrong exit code for {arguments:?}\n{output:?}");
    for text in texts {
        assert!(output.stderr.contains(text), "{text:?} is missing for {arguments:?}\n{output:?}");
    }
    assert!(!output.stderr.contains("panicked"), "retap panicked\n{output:?}");
}

/// Returns the text of a trace file with these events, without states and coverage.
pub fn format_trace(package: &str, events: &[&str]) -> String {
    let header = format!(
        r#"{{"retap":"trace","version":1,"app":{{"package":"{package}","sha256":""}},"device":"fake","display":"1080x1920@480","world_seed":1,"abstraction":"layout"}}"#
    );
    let steps: String = events.iter().map(|event| format!("{{\"event\":{event}}}\n")).collect();
    format!("{header}\n{{\"start\":1}}\n{steps}")
}

/// Explores a fake with exactly these events and returns the summary. Recorded in this way, a trace does not depend on
/// the strategy and its seed.
pub fn record_events(run: &Path, app: &str, package: &str, events: &[&str]) -> serde_json::Value {
    let trace = run.with_extension("jsonl");
    fs::write(&trace, format_trace(package, events)).unwrap();
    let [out, trace] = [run, &trace].map(|path| path.display().to_string());
    let (device, count) = (fake(app), events.len().to_string());
    let output = retap(&[
        "explore",
        "-d",
        &device,
        "-o",
        &out,
        "--seed-traces",
        &trace,
        "--max-events",
        &count,
        "--seed",
        "1",
        "--no-minimize",
        "--json",
        "-q",
    ]);
    assert!(output.code <= 1, "{output:?}");
    output.json()
}
