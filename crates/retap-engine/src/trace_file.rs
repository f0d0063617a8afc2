//! Trace files as users name them: `FILE`, `FILE#N` for the N-th trace of a file, or a folder: that of a crash or a finding,
//! a run with one crash or one trace, or a suite with one trace.

use crate::Failure;
use crate::suite_folder::is_suite;
use retap_model::format::FormatError;
use retap_model::format::run::RunError;
use retap_model::format::trace::{self, Header, TraceReader};
use retap_model::{Suite, Trace};
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

/// The traces in a folder, the best one first.
const IN_FOLDERS: [&str; 2] = ["minimized.jsonl", "trace.jsonl"];
/// The traces of a folder that an error lists.
const MAX_LISTED: usize = 10;

/// Reads the one trace that the name stands for.
pub fn read(name: &str) -> Result<(Header, Trace), Failure> {
    let (file, number) = split(name)?;
    if number.is_none() {
        check_choice(Path::new(file))?;
    }
    let located = locate(file);
    if located.is_dir() {
        return Err(Failure::input(format!(
            "{file} holds no trace: name a trace file, the folder of a crash, or a run with one crash"
        )));
    }
    let file = &located.display().to_string();
    let reader = open(file)?;
    let header = reader.header().clone();
    if let Some(number) = number {
        return Ok((header, reader.nth(number)?));
    }
    let Suite { mut traces } = reader.suite()?;
    match traces.len() {
        0 => Err(Failure::input(format!("{file} holds no trace yet, only a header"))),
        1 => Ok((header, traces.remove(0))),
        n => Err(Failure::input(format!(
            "{file} holds {n} traces; name one of them, from {file}#1 to {file}#{n}"
        ))),
    }
}

/// Reads all traces of a file, or the one that `FILE#N` names.
pub fn read_all(name: &str) -> Result<Vec<Trace>, Failure> {
    let (file, number) = split(name)?;
    let reader = open(&locate(file).display().to_string())?;
    Ok(match number {
        Some(number) => vec![reader.nth(number)?],
        None => reader.suite()?.traces,
    })
}

/// Returns the file of traces that a name stands for, without its `#N`.
pub fn locate(name: &str) -> PathBuf {
    let path = Path::new(name);
    if let [crash] = folders_of(&path.join("crashes")).as_slice() {
        return locate(&crash.display().to_string());
    }
    if let [trace] = files_of(&path.join("traces")).as_slice()
        && is_suite(path)
    {
        return trace.clone();
    }
    let inside = IN_FOLDERS.iter().map(|file| path.join(file)).find(|file| file.is_file());
    inside.unwrap_or_else(|| path.to_path_buf())
}

/// Refuses a folder that stands for several traces, and lists them.
fn check_choice(folder: &Path) -> Result<(), Failure> {
    let (what, mut found) = match is_suite(folder) {
        true => ("traces", files_of(&folder.join("traces"))),
        false => ("crashes", folders_of(&folder.join("crashes"))),
    };
    if found.len() < 2 {
        return Ok(());
    }
    let number = found.len();
    found.truncate(MAX_LISTED);
    let mut list: Vec<String> = found.iter().map(|path| path.display().to_string()).collect();
    if number > list.len() {
        list.push("…".into());
    }
    let folder = folder.display();
    Err(Failure::input(format!(
        "{folder} has {number} {what}; name one of them:\n  {}",
        list.join("\n  ")
    )))
}

fn folders_of(path: &Path) -> Vec<PathBuf> {
    list(path, |path| path.is_dir())
}

fn files_of(path: &Path) -> Vec<PathBuf> {
    list(path, |path| path.extension().is_some_and(|end| end == "jsonl"))
}

fn list(folder: &Path, wanted: fn(&Path) -> bool) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> =
        entries.map(|entry| entry.path()).filter(|path| wanted(path)).collect();
    found.sort();
    found
}

/// Returns the bytes of a file that holds this one trace.
pub fn to_bytes(header: &Header, trace: &Trace) -> Result<Vec<u8>, RunError> {
    let mut bytes = Vec::new();
    let written = trace::write_header(&mut bytes, header)
        .and_then(|()| trace::write_trace(&mut bytes, trace));
    written.map_err(RunError::io(Path::new("a trace")))?;
    Ok(bytes)
}

fn split(name: &str) -> Result<(&str, Option<usize>), Failure> {
    match name.rsplit_once('#') {
        Some((file, number)) if !Path::new(name).exists() => {
            let number = number.parse().ok().filter(|&n: &usize| n > 0).ok_or_else(|| {
                Failure::input(format!("expected FILE#N with N from 1, found {name:?}"))
            })?;
            Ok((file, Some(number)))
        }
        _ => Ok((name, None)),
    }
}

fn open(file: &str) -> Result<TraceReader<BufReader<File>>, Failure> {
    let opened = File::open(file).map_err(|error| FormatError::io(file, error))?;
    Ok(TraceReader::new(BufReader::new(opened), file)?)
}
