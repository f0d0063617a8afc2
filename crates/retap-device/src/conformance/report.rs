//! What came of a device's checks.

use std::fmt;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    pub findings: Vec<Finding>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    pub name: &'static str,
    pub verdict: Verdict,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    Pass,
    Fail(String),
    /// The device cannot do it, or the script does not say where it is found.
    Skipped(String),
}

impl Report {
    pub fn failed(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.findings.iter().filter(|f| matches!(f.verdict, Verdict::Fail(_))).map(|f| f.name)
    }

    pub fn skipped(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.findings.iter().filter(|f| matches!(f.verdict, Verdict::Skipped(_))).map(|f| f.name)
    }

    pub fn passes(&self) -> bool {
        self.failed().next().is_none()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Finding { name, verdict } in &self.findings {
            match verdict {
                Verdict::Pass => writeln!(f, "pass  {name}")?,
                Verdict::Fail(reason) => writeln!(f, "FAIL  {name}: {reason}")?,
                Verdict::Skipped(reason) => writeln!(f, "skip  {name}: {reason}")?,
            }
        }
        Ok(())
    }
}
