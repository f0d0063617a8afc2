//! A suite folder: `reduction.json` and the traces beside it.

use crate::ReportError;
use crate::run::{DescribedStep, KnownStates, describe_last_steps, read_first_trace};
use retap_model::Coverage;
use retap_model::format::reduction::{CoveredRequirement, ReductionFile};
use std::collections::BTreeMap;
use std::path::Path;

/// The content of a suite folder.
#[derive(Debug)]
pub struct SuiteData {
    pub reduction: ReductionFile,
    /// The steps of each trace by its name. A trace that cannot be read has none.
    steps: BTreeMap<String, Vec<DescribedStep>>,
    /// The folder that all recordings have in common, with its slash; empty if there is none.
    sources_folder: String,
    /// One error for each damaged trace.
    pub damage: Vec<String>,
}

/// A step of a suite's trace; step zero is the launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct SuiteStep<'a> {
    pub trace: &'a str,
    pub step: u64,
}

impl SuiteData {
    /// Reads a suite folder.
    ///
    /// # Errors
    /// Fails if `reduction.json` is missing, damaged or lacks a field.
    pub fn read(dir: &Path) -> Result<Self, ReportError> {
        if !crate::is_suite(dir) {
            return Err(ReportError::NoSuite(dir.to_path_buf()));
        }
        let reduction = ReductionFile::read(dir)?;
        let steps = reduction.traces.iter().map(|trace| &trace.trace);
        let mut damage = Vec::new();
        let steps = steps.map(|name| (name.clone(), read_steps(dir, name, &mut damage))).collect();
        let sources_folder = common_folder(&reduction).to_string();
        Ok(Self { reduction, steps, sources_folder, damage })
    }

    /// Returns the folder that all recordings have in common, with its slash; empty if there is none.
    pub fn sources_folder(&self) -> &str {
        &self.sources_folder
    }

    /// Returns the name of a recording without the folder that all have in common.
    pub fn short_source<'a>(&self, source: &'a str) -> &'a str {
        source.strip_prefix(&*self.sources_folder).unwrap_or(source)
    }

    /// Returns the steps of a trace.
    pub fn steps_of(&self, trace: &str) -> &[DescribedStep] {
        self.steps.get(trace).map_or(&[], Vec::as_slice)
    }

    /// Returns the requirements that each step of a trace is the first to cover, as indices into the list of covered
    /// requirements.
    pub fn requirements_by_step(&self, trace: &str) -> BTreeMap<u64, Coverage> {
        let mut steps: BTreeMap<u64, Coverage> = BTreeMap::new();
        let covered = self.reduction.covered.iter().enumerate();
        for (index, covered) in covered.filter(|(_, covered)| covered.trace == trace) {
            steps.entry(covered.step).or_default().insert(index as u32);
        }
        steps
    }

    /// Groups requirements by the step that covers them now.
    pub fn group_by_covering_step(
        &self,
        requirements: &Coverage,
    ) -> BTreeMap<SuiteStep<'_>, Coverage> {
        let mut steps: BTreeMap<SuiteStep<'_>, Coverage> = BTreeMap::new();
        for index in requirements.iter() {
            let covered = self.reduction.covered.get(index as usize);
            if let Some(CoveredRequirement { trace, step, .. }) = covered {
                steps.entry(SuiteStep { trace, step: *step }).or_default().insert(index);
            }
        }
        steps
    }
}

fn common_folder(reduction: &ReductionFile) -> &str {
    let fragments = reduction.traces.iter().flat_map(|trace| &trace.fragments);
    let removed = reduction.removed.iter().map(|removed| &removed.trace);
    let mut sources = fragments.chain(removed).map(String::as_str);
    let Some(first) = sources.next() else { return "" };
    let shared = sources.fold(first, |shared, source| {
        let same = shared.chars().zip(source.chars()).take_while(|(a, b)| a == b);
        &shared[..same.map(|(c, _)| c.len_utf8()).sum()]
    });
    shared.rfind('/').map_or("", |slash| &shared[..=slash])
}

fn read_steps(dir: &Path, trace: &str, damage: &mut Vec<String>) -> Vec<DescribedStep> {
    // A name is a file's name and never a path: the file may come from somebody else.
    if trace.contains(['/', '\\']) {
        return Vec::new();
    }
    let trace = read_first_trace(&dir.join("traces").join(format!("{trace}.jsonl")), damage);
    trace.map_or_else(Vec::new, |t| describe_last_steps(&t, &KnownStates::new(), usize::MAX))
}
