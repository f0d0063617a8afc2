//! A suite as people keep it: a folder with `suite.toml`, one small trace file each in `traces/`, and what
//! its steps covered. Names come from what a trace does, so that a suite that grows renames nothing.

use crate::failure::Failure;
use crate::trace_file;
use retap_model::format::run::{RunError, write_sets, write_whole};
use retap_model::format::trace::Header;
use retap_model::hash::StableHasher;
use retap_model::{Coverage, Trace, Units};
use serde::{Deserialize, Serialize};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

pub const MANIFEST: &str = "suite.toml";

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Always `suite`.
    pub retap: String,
    pub version: u32,
    pub package: String,
    /// Where its app lay, seen from here; without meaning once it holds another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub apk: Option<PathBuf>,
    /// Whose coverage counts, as `--include` and `--exclude` said when it was recorded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub include: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exclude: Vec<String>,
    #[serde(default, rename = "trace")]
    pub traces: Vec<Listed>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Listed {
    pub name: String,
    pub events: usize,
    /// How the trace ends, for people.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub ends: String,
}

/// A trace of a suite as it was read.
#[derive(Debug)]
pub struct Member {
    pub name: String,
    pub file: PathBuf,
    pub header: Header,
    pub trace: Trace,
}

pub fn is_suite(path: &Path) -> bool {
    path.join(MANIFEST).is_file()
}

pub fn manifest(folder: &Path) -> Result<Manifest, Failure> {
    let path = folder.join(MANIFEST);
    let text = std::fs::read_to_string(&path).map_err(RunError::io(&path))?;
    let manifest: Manifest =
        toml::from_str(&text).map_err(|error| refuse(folder, &error.to_string()))?;
    if manifest.retap != "suite" || manifest.version != 1 {
        return Err(refuse(folder, "expected retap = \"suite\" and version = 1"));
    }
    Ok(manifest)
}

fn refuse(folder: &Path, why: &str) -> Failure {
    Failure::input(format!("{}: {why}", folder.join(MANIFEST).display()))
}

pub fn read(folder: &Path) -> Result<Vec<Member>, Failure> {
    let member = |Listed { name, .. }: Listed| {
        let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
        if name.is_empty() || !plain {
            let why = format!("expected a name of letters, digits, - and _, found {name:?}");
            return Err(refuse(folder, &why));
        }
        let file = folder.join("traces").join(format!("{name}.jsonl"));
        let (header, trace) = trace_file::read(&file.display().to_string())?;
        Ok(Member { name, file, header, trace })
    };
    manifest(folder)?.traces.into_iter().map(member).collect()
}

/// What a suite was recorded with.
#[derive(Debug)]
pub struct Origin<'a> {
    pub header: &'a Header,
    pub units: &'a Units,
    pub apk: Option<&'a Path>,
    pub include: &'a [String],
    pub exclude: &'a [String],
}

/// Writes a suite into a new folder; answers the names it gave.
pub fn write(
    folder: &Path,
    Origin { header, units, apk, include, exclude }: &Origin<'_>,
    traces: &[(Trace, Vec<Arc<Coverage>>)],
) -> Result<Vec<String>, Failure> {
    let files = folder.join("traces");
    std::fs::create_dir_all(&files).map_err(RunError::io(&files))?;
    let sets = traces.iter().flat_map(|(_, covered)| covered.iter().map(AsRef::as_ref));
    write_sets(folder, units, sets)?;
    let mut listed: Vec<Listed> = Vec::new();
    for (trace, covered) in traces {
        let trace = with_coverage(trace, covered);
        let mut name = name(&trace);
        while listed.iter().any(|other| other.name == name) {
            name.push('x');
        }
        write_whole(&files.join(format!("{name}.jsonl")), &trace_file::to_bytes(header, &trace)?)?;
        let outcome = &trace.last().outcome;
        let ends = if outcome.is_running() { String::new() } else { outcome.to_string() };
        listed.push(Listed { name, events: trace.steps.len(), ends });
    }
    let names = listed.iter().map(|listed| listed.name.clone()).collect();
    let package = header.app.package.clone();
    let manifest = Manifest {
        retap: "suite".into(),
        version: 1,
        package,
        apk: apk.and_then(|apk| relative(apk, folder)),
        include: include.to_vec(),
        exclude: exclude.to_vec(),
        traces: listed,
    };
    let text = toml::to_string(&manifest).map_err(|error| Failure::input(error.to_string()))?;
    write_whole(&folder.join(MANIFEST), text.as_bytes())?;
    Ok(names)
}

/// The way from a folder to a file, so that both can move together.
fn relative(file: &Path, folder: &Path) -> Option<PathBuf> {
    let (file, folder) = (file.canonicalize().ok()?, folder.canonicalize().ok()?);
    let common = file.components().zip(folder.components()).take_while(|(a, b)| a == b).count();
    let up = folder.components().skip(common).map(|_| Component::ParentDir);
    Some(up.chain(file.components().skip(common)).collect())
}

/// The trace with what was covered when it was last run. Screens stay with the run that saw them.
fn with_coverage(trace: &Trace, covered: &[Arc<Coverage>]) -> Trace {
    let mut trace = trace.clone();
    let leds =
        std::iter::once(&mut trace.start).chain(trace.steps.iter_mut().map(|s| &mut s.result));
    for (result, units) in leds.zip(covered) {
        result.screen = None;
        result.coverage = (!units.is_empty()).then(|| units.id());
    }
    trace
}

/// What the last event does, in a few words, and a hash of all of them.
fn name(trace: &Trace) -> String {
    let mut hasher = StableHasher::new("trace name");
    hasher.u64(trace.world_seed);
    trace.events().for_each(|event| {
        hasher.str(&event.to_string());
    });
    let last = trace.steps.last().map_or("launch".into(), |step| step.event.to_string());
    let letters = last.to_lowercase().replace(|c: char| !c.is_ascii_alphanumeric(), " ");
    let mut words: String = letters.split_whitespace().take(4).collect::<Vec<_>>().join("-");
    words.truncate(40);
    format!("{words}-{:08x}", hasher.finish() as u32)
}
