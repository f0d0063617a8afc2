//! Running the binary as a person would.
#![allow(dead_code, clippy::unwrap_used)] // every test file uses its own part; a test may panic

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

pub fn fake(name: &str) -> String {
    format!("fake:{}", root().join("fakes").join(name).display())
}

pub fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_retap"));
    command.args(arguments);
    command
}

pub struct Ran {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Ran {
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|_| panic!("no JSON: {self:?}"))
    }
}

impl std::fmt::Debug for Ran {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "exit {}\n{}\n{}", self.code, self.stdout, self.stderr)
    }
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

pub fn retap(arguments: &[&str]) -> Ran {
    command(arguments).output().unwrap().into()
}

/// Runs, expects this exit code and these words on standard error.
pub fn refuses(arguments: &[&str], code: i32, words: &[&str]) {
    let ran = retap(arguments);
    assert_eq!(ran.code, code, "{arguments:?}\n{ran:?}");
    for word in words {
        assert!(ran.stderr.contains(word), "{word:?} is missing for {arguments:?}\n{ran:?}");
    }
    assert!(!ran.stderr.contains("panicked"), "{ran:?}");
}
