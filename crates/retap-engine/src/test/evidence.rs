//! What is kept of a failure: its stack, its log, the last screen before it, and the test's steps.

use crate::{Failure, trace_file};
use retap_embedded::KeptScreen;
use retap_model::Trace;
use retap_model::format::run::{RunError, write_json, write_whole};
use retap_model::format::trace::Header;
use retap_test::{TestAttempt, TestName};
use std::fs;
use std::path::{Path, PathBuf};

/// The failure of one test, with the screen before it if there was one.
#[derive(Debug, Clone)]
pub struct TestEvidence<'a> {
    pub test: &'a TestName,
    pub attempt: &'a TestAttempt,
    pub kept: Option<KeptScreen>,
    /// The test's steps on the app alone.
    pub trace: Option<(Header, Trace)>,
}

impl TestEvidence<'_> {
    /// Writes the evidence below the run's folder `failures`; returns its own folder.
    pub fn write(&self, run: &Path) -> Result<PathBuf, Failure> {
        let folder = run.join("failures").join(folder_name(self.test));
        fs::create_dir_all(&folder).map_err(RunError::io(&folder))?;
        write_whole(&folder.join("stack.txt"), self.attempt.end.explanation().as_bytes())?;
        write_whole(&folder.join("log.txt"), self.attempt.log.join("\n").as_bytes())?;
        if let Some(KeptScreen { screen, png, .. }) = &self.kept {
            if !png.is_empty() {
                write_whole(&folder.join("screen.png"), png)?;
            }
            if let Some(screen) = screen {
                write_json(&folder.join("screen.json"), screen)?;
            }
        }
        if let Some((header, trace)) = &self.trace {
            write_whole(&folder.join("trace.jsonl"), &trace_file::to_bytes(header, trace)?)?;
        }
        Ok(folder)
    }
}

/// Returns a plain name: tests may have any characters in theirs.
fn folder_name(test: &TestName) -> String {
    const LIMIT: usize = 150;
    let plain = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '_' };
    let class = test.class.rsplit('.').next().unwrap_or_default();
    let name: String = format!("{class}.{}", test.method).chars().take(LIMIT).map(plain).collect();
    if name.starts_with(['.', '-']) { format!("_{name}") } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_never_chooses_where_its_evidence_lies() {
        for (class, method, expected) in [
            ("a.B", "c", "B.c"),
            ("a.B", "c[../../x]", "B.c_.._.._x_"),
            ("..", "..", "_..."),
            ("a.B", "/etc", "B._etc"),
        ] {
            assert_eq!(folder_name(&TestName::new(class, method)), expected);
        }
    }
}
