//! Suites as people keep them: a folder with `suite.toml`, one small trace file each in `traces/`, and the coverage
//! of their steps. A trace is named after its events, so that a suite that grows renames nothing.

use crate::{Failure, trace_file};
use retap_model::format::run::{RunError, write_coverage, write_whole};
use retap_model::format::trace::Header;
use retap_model::hash::StableHasher;
use retap_model::{Coverage, Trace, Units};
use serde::{Deserialize, Serialize};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// The file that makes a folder a suite.
pub const MANIFEST: &str = "suite.toml";

/// The content of `suite.toml`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SuiteManifest {
    /// Always `suite`.
    pub retap: String,
    pub version: u32,
    pub package: String,
    /// The app's file, relative to the folder. Only a hint: readers check the app's hash.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub apk: Option<PathBuf>,
    /// `--include` and `--exclude` of the recording.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub include: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exclude: Vec<String>,
    #[serde(default, rename = "trace")]
    pub traces: Vec<ListedTrace>,
}

/// A trace's entry in `suite.toml`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListedTrace {
    pub name: String,
    pub events: usize,
    /// The outcome of the last event, for people.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub ends: String,
}

/// A trace read from a suite.
#[derive(Debug)]
pub struct SuiteTrace {
    pub name: String,
    pub file: PathBuf,
    pub header: Header,
    pub trace: Trace,
}

/// A trace to write, with the coverage of its launch and of each step.
#[derive(Debug, Clone)]
pub struct CoveredTrace {
    pub trace: Trace,
    pub covered: Vec<Arc<Coverage>>,
}

/// The settings that all traces of a suite were recorded with.
#[derive(Debug, Clone, Copy)]
pub struct SuiteSettings<'a> {
    pub header: &'a Header,
    pub units: &'a Units,
    pub apk: Option<&'a Path>,
    pub include: &'a [String],
    pub exclude: &'a [String],
}

pub fn is_suite(path: &Path) -> bool {
    path.join(MANIFEST).is_file()
}

pub fn read_manifest(folder: &Path) -> Result<SuiteManifest, Failure> {
    let path = folder.join(MANIFEST);
    let text = std::fs::read_to_string(&path).map_err(RunError::io(&path))?;
    let manifest: SuiteManifest =
        toml::from_str(&text).map_err(|error| refuse(folder, &error.to_string()))?;
    if manifest.retap != "suite" || manifest.version != 1 {
        return Err(refuse(folder, "expected retap = \"suite\" and version = 1"));
    }
    Ok(manifest)
}

fn refuse(folder: &Path, why: &str) -> Failure {
    Failure::input(format!("{}: {why}", folder.join(MANIFEST).display()))
}

/// Reads all traces of a suite, in the order of its manifest.
pub fn read(folder: &Path) -> Result<Vec<SuiteTrace>, Failure> {
    let read_one = |ListedTrace { name, .. }: ListedTrace| {
        let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
        if name.is_empty() || !plain {
            let why = format!("expected a name of letters, digits, - and _, found {name:?}");
            return Err(refuse(folder, &why));
        }
        let file = folder.join("traces").join(format!("{name}.jsonl"));
        let (header, trace) = trace_file::read(&file.display().to_string())?;
        Ok(SuiteTrace { name, file, header, trace })
    };
    read_manifest(folder)?.traces.into_iter().map(read_one).collect()
}

/// Writes a suite into a new folder and returns the names of its traces.
pub fn write(
    folder: &Path,
    settings: &SuiteSettings<'_>,
    traces: &[CoveredTrace],
) -> Result<Vec<String>, Failure> {
    let files = folder.join("traces");
    std::fs::create_dir_all(&files).map_err(RunError::io(&files))?;
    let sets = traces.iter().flat_map(|one| one.covered.iter().map(AsRef::as_ref));
    write_coverage(folder, settings.units, sets)?;
    let mut listed: Vec<ListedTrace> = Vec::new();
    for one in traces {
        let trace = with_coverage(one);
        let mut name = name_of(&trace);
        while listed.iter().any(|other| other.name == name) {
            name.push('x');
        }
        let bytes = trace_file::to_bytes(settings.header, &trace)?;
        write_whole(&files.join(format!("{name}.jsonl")), &bytes)?;
        let outcome = &trace.last().outcome;
        let ends = if outcome.is_running() { String::new() } else { outcome.to_string() };
        listed.push(ListedTrace { name, events: trace.steps.len(), ends });
    }
    let names = listed.iter().map(|listed| listed.name.clone()).collect();
    write_manifest(folder, settings, listed)?;
    Ok(names)
}

fn write_manifest(
    folder: &Path,
    settings: &SuiteSettings<'_>,
    traces: Vec<ListedTrace>,
) -> Result<(), Failure> {
    let manifest = SuiteManifest {
        retap: "suite".into(),
        version: 1,
        package: settings.header.app.package.clone(),
        apk: settings.apk.and_then(|apk| relative(apk, folder)),
        include: settings.include.to_vec(),
        exclude: settings.exclude.to_vec(),
        traces,
    };
    let text = toml::to_string(&manifest).map_err(|error| Failure::input(error.to_string()))?;
    Ok(write_whole(&folder.join(MANIFEST), text.as_bytes())?)
}

/// Returns the file's path relative to the folder, so that both can move together.
fn relative(file: &Path, folder: &Path) -> Option<PathBuf> {
    let (file, folder) = (file.canonicalize().ok()?, folder.canonicalize().ok()?);
    let common = file.components().zip(folder.components()).take_while(|(a, b)| a == b).count();
    let up = folder.components().skip(common).map(|_| Component::ParentDir);
    Some(up.chain(file.components().skip(common)).collect())
}

/// Returns the trace with the ids of its coverage. Screens stay with the run that observed them.
fn with_coverage(CoveredTrace { trace, covered }: &CoveredTrace) -> Trace {
    assert_eq!(covered.len(), trace.steps.len() + 1, "every step of a suite has its coverage");
    let mut trace = trace.clone();
    let steps = trace.steps.iter_mut().map(|step| &mut step.result);
    for (result, units) in std::iter::once(&mut trace.start).chain(steps).zip(covered) {
        result.screen = None;
        result.coverage = (!units.is_empty()).then(|| units.id());
    }
    trace
}

/// Names a trace by the first words of its last event and a hash of all its events.
fn name_of(trace: &Trace) -> String {
    let mut hasher = StableHasher::new("trace name");
    hasher.u64(trace.world_seed);
    trace.events().for_each(|event| {
        hasher.str(&event.stable_name());
    });
    let last = trace.steps.last().map_or("launch".into(), |step| step.event.stable_name());
    let letters = last.to_lowercase().replace(|c: char| !c.is_ascii_alphanumeric(), " ");
    let mut words: String = letters.split_whitespace().take(4).collect::<Vec<_>>().join("-");
    words.truncate(40);
    format!("{words}-{:08x}", hasher.finish() as u32)
}
