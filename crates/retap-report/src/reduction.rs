//! `reduction.json` of a suite folder, and the traces beside it. Every field has a default: what a version
//! did not write is not shown.

use crate::ReportError;
use crate::crash::read_trace;
use crate::step::{ToldStep, tell};
use retap_model::format::run::read_json;
use retap_model::{Coverage, Rate};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

pub const FILE: &str = "reduction.json";

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Reduction {
    pub app: Named,
    pub ended: String,
    pub stages: Stages,
    pub lower_bound: Option<Bound>,
    pub gap: Option<f64>,
    pub tally: BTreeMap<String, u64>,
    pub quarantined: Vec<Quarantined>,
    pub unstable: Vec<Lost>,
    pub unexamined: Vec<String>,
    pub traces: Vec<SuiteTrace>,
    pub covered: Vec<Covered>,
    pub removed: Vec<Removed>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Named {
    pub package: String,
    pub version: String,
}

#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(default)]
pub struct Stages {
    pub recorded: Size,
    pub selected: Size,
    pub phase_1: Size,
    pub phase_2: Size,
    /// Not there in suites of before.
    phase_3: Option<Size>,
}

impl Stages {
    /// What the suite came to.
    pub fn reduced(&self) -> Size {
        self.phase_3.unwrap_or(self.phase_2)
    }
}

#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(default)]
pub struct Size {
    pub steps: u64,
    pub restarts: u64,
    pub cost: u64,
}

#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(default)]
pub struct Bound {
    pub cost: u64,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Quarantined {
    pub trace: String,
    pub step: u64,
    pub steps: u64,
    pub rate: Rate,
}

/// Something that was recorded and not seen again.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Lost {
    pub need: String,
    pub trace: String,
    pub step: u64,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct SuiteTrace {
    pub trace: String,
    pub kept: bool,
    pub fragments: Vec<String>,
    /// Read from the trace itself; empty where that cannot be read.
    #[serde(skip)]
    pub steps: Vec<ToldStep>,
}

/// Something that a recording covered, and the step that covers it now.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Covered {
    pub need: String,
    pub by: String,
    pub step: usize,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Removed {
    pub trace: String,
    pub steps: (u64, u64),
    pub kind: String,
    /// Places in [`Reduction::covered`].
    pub covered: Coverage,
}

impl Reduction {
    pub fn read(dir: &Path) -> Result<Self, ReportError> {
        let path = dir.join(FILE);
        if !path.is_file() {
            return Err(ReportError::NoSuite(dir.to_path_buf()));
        }
        let mut reduction: Self = read_json(&path, "what a reduction did")?;
        for one in &mut reduction.traces {
            // A name is a file's name and never a path.
            if one.trace.contains(['/', '\\']) {
                continue;
            }
            let file = dir.join("traces").join(format!("{}.jsonl", one.trace));
            let told = read_trace(&file).map(|trace| tell(&trace, &BTreeMap::new(), usize::MAX));
            one.steps = told.unwrap_or_default();
        }
        Ok(reduction)
    }

    /// Which places in `covered` each step of a trace answers for; step zero is the launch.
    pub fn by_step(&self, trace: &str) -> BTreeMap<usize, Coverage> {
        let mut steps: BTreeMap<usize, Coverage> = BTreeMap::new();
        for (place, covered) in self.covered.iter().enumerate().filter(|(_, c)| c.by == trace) {
            steps.entry(covered.step).or_default().insert(place as u32);
        }
        steps
    }

    /// Who covers these now: places by trace and step.
    pub fn coverers<'a>(&'a self, places: &Coverage) -> BTreeMap<(&'a str, usize), Coverage> {
        let mut coverers: BTreeMap<(&str, usize), Coverage> = BTreeMap::new();
        for place in places.iter() {
            if let Some(Covered { by, step, .. }) = self.covered.get(place as usize) {
                coverers.entry((by, *step)).or_default().insert(place);
            }
        }
        coverers
    }
}
