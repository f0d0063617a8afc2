//! Loads runs, suites and traces as recordings of one app.

use super::ClassFilter;
use crate::{Failure, suite_folder, trace_file};
use retap_model::app::AppIdentity;
use retap_model::coverage::CoverageId;
use retap_model::format::run::{self, read_coverage, read_units};
use retap_model::format::trace::{Header, TraceReader};
use retap_model::{Coverage, Trace, Units};
use retap_reduce::RecordedTrace;
use std::collections::BTreeMap;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A trace with the coverage of its steps, where that is known.
#[derive(Debug)]
pub struct LoadedTrace {
    /// `run/trace.jsonl#3`: the proof and messages use this name.
    pub name: String,
    pub file: PathBuf,
    pub header: Header,
    pub trace: Trace,
    pub covered: Option<Vec<Arc<Coverage>>>,
    /// The trace stays in the suite as it is.
    pub keep: bool,
}

impl LoadedTrace {
    pub fn recording(&self) -> RecordedTrace {
        RecordedTrace {
            trace: self.trace.clone(),
            covered: self.covered.clone().unwrap_or_default(),
            keep: self.keep,
        }
    }
}

#[derive(Debug, Default)]
pub struct Loader {
    pub loaded: Vec<LoadedTrace>,
    /// The table of code units that all coverage refers to; `None` until a folder has one.
    pub units: Option<Units>,
    /// The classes whose coverage counts, where a run or suite says so.
    pub counted: Option<ClassFilter>,
    folders: BTreeMap<PathBuf, Sets>,
}

type Sets = Arc<BTreeMap<CoverageId, Arc<Coverage>>>;

impl Loader {
    /// Adds a run directory, a suite folder, a file of traces, or one trace of a file.
    pub fn add(&mut self, name: &str, keep: bool) -> Result<(), Failure> {
        let path = Path::new(name);
        if suite_folder::is_suite(path) {
            for one in suite_folder::read(path)? {
                let name = one.file.display().to_string();
                self.push(&one.file, name, one.header, one.trace, keep)?;
            }
            return Ok(());
        }
        let file = if path.is_dir() { path.join(run::TRACE) } else { path.to_path_buf() };
        if !file.is_file() && name.contains('#') {
            let (header, trace) = trace_file::read(name)?;
            let file = name.rsplit_once('#').map_or(name, |(file, _)| file);
            return self.push(Path::new(file), name.to_string(), header, trace, keep);
        }
        if path.is_dir() && !file.is_file() {
            return Err(Failure::input(format!(
                "{name} is neither a run nor a suite: it holds no {} and no {}",
                run::TRACE,
                suite_folder::MANIFEST
            )));
        }
        let opened = std::fs::File::open(&file).map_err(run::RunError::io(&file))?;
        let shown = file.display().to_string();
        let reader = TraceReader::new(BufReader::new(opened), &shown)?;
        let header = reader.header().clone();
        for (at, trace) in reader.suite()?.traces.into_iter().enumerate() {
            let name = format!("{shown}#{}", at + 1);
            self.push(&file, name, header.clone(), trace, keep)?;
        }
        Ok(())
    }

    fn push(
        &mut self,
        file: &Path,
        name: String,
        header: Header,
        trace: Trace,
        keep: bool,
    ) -> Result<(), Failure> {
        if let Some(first) = self.loaded.first() {
            check_same(first, &name, &header)?;
        }
        let covered = match self.sets(file)? {
            Some(sets) => covered(&trace, &sets),
            None => None,
        };
        let file = file.to_path_buf();
        self.loaded.push(LoadedTrace { name, file, header, trace, covered, keep });
        Ok(())
    }

    /// Returns the coverage sets of the run or suite around a trace file.
    fn sets(&mut self, file: &Path) -> Result<Option<Sets>, Failure> {
        let file = std::path::absolute(file).map_err(run::RunError::io(file))?;
        let holds = |folder: &&Path| folder.join(run::UNITS).is_file();
        let Some(folder) = file.ancestors().skip(1).take(3).find(holds) else { return Ok(None) };
        if let Some(sets) = self.folders.get(folder) {
            return Ok(Some(Arc::clone(sets)));
        }
        if self.counted.is_none() {
            self.counted = ClassFilter::in_folder(folder)?;
        }
        let units = read_units(folder)?;
        let sets = Arc::new(read_coverage(folder, &units)?);
        match &self.units {
            Some(known) if *known != units => {
                let path = folder.join(run::UNITS);
                return Err(Failure::input(format!(
                    "{} lists other code units than the traces before it, so that they cannot be \
                     compared: were they recorded with other --include and --exclude?",
                    path.display()
                )));
            }
            _ => self.units = Some(units),
        }
        self.folders.insert(folder.to_path_buf(), Arc::clone(&sets));
        Ok(Some(sets))
    }
}

/// Returns the coverage of the launch and every step, or `None` if a set is missing.
fn covered(
    trace: &Trace,
    sets: &BTreeMap<CoverageId, Arc<Coverage>>,
) -> Option<Vec<Arc<Coverage>>> {
    let coverage_after = |step| match trace.result_after(step).coverage {
        None => Some(Arc::default()),
        Some(id) => sets.get(&id).cloned(),
    };
    (0..=trace.steps.len()).map(coverage_after).collect()
}

fn check_same(first: &LoadedTrace, name: &str, header: &Header) -> Result<(), Failure> {
    let (a, b) = (&first.header, header);
    let (other, one) = if a.app.package != b.app.package {
        (format!("of {}", b.app.package), format!("of {}", a.app.package))
    } else if a.app.sha256 != b.app.sha256 {
        let build = |header: &Header| {
            let AppIdentity { version, sha256, .. } = &header.app;
            format!("of version {version} (sha256 {}…)", sha256.get(..8).unwrap_or(sha256))
        };
        (build(b), build(a))
    } else if (&a.device, a.api, a.display, &a.outside) != (&b.device, b.api, b.display, &b.outside)
    {
        let place = |header: &Header| {
            let api = header.api.map_or(String::new(), |api| format!(" at API level {api}"));
            let outside = match &header.outside[..] {
                [] => String::new(),
                changes => format!(" and --outside {}", changes.join(" --outside ")),
            };
            format!("of {}{api} with {}{outside}", header.device, header.display)
        };
        (place(b), place(a))
    } else {
        return Ok(());
    };
    Err(Failure::input(format!(
        "{name} is {other}, {} is {one}: a suite is of one app in one build on one device",
        first.name
    )))
}
