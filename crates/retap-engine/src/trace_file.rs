//! Trace files as users name them: `FILE`, `FILE#N` for the N-th trace of a file, or the folder of a crash, a finding
//! or a run.

use crate::Failure;
use retap_model::format::FormatError;
use retap_model::format::run::RunError;
use retap_model::format::trace::{self, Header, TraceReader};
use retap_model::{Suite, Trace};
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

/// The traces in a folder, the best one first.
const IN_FOLDERS: [&str; 2] = ["minimized.jsonl", "trace.jsonl"];

/// Reads the one trace that the name stands for.
pub fn read(name: &str) -> Result<(Header, Trace), Failure> {
    let (file, number) = split(name)?;
    let file = &locate(file).display().to_string();
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
    let inside = IN_FOLDERS.iter().map(|file| path.join(file)).find(|file| file.is_file());
    inside.unwrap_or_else(|| path.to_path_buf())
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
