//! Reports of damaged run directories: whatever is wrong is named, and the rest is shown.
#![allow(clippy::unwrap_used)] // a test may panic

use retap_fuzz::fuzz;
use std::fs;
use std::path::{Path, PathBuf};

const WORDS: [&str; 10] = ["{", "}", "[", "]", "\"", ",", "null", "\n", "\\u202e", "<script>"];

/// Copies the sample of a run and returns its files.
fn copy(from: &Path, to: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            fs::create_dir(&to).unwrap();
            copy(&entry.path(), &to, files);
        } else {
            fs::copy(entry.path(), &to).unwrap();
            files.push(to);
        }
    }
}

/// The first byte of an input chooses the file, the rest is its content.
#[test]
fn run_directories() {
    let (run, mut files) = (tempfile::tempdir().unwrap(), Vec::new());
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../retap-model/samples/run");
    copy(&sample, run.path(), &mut files);
    files.sort();
    let good: Vec<Vec<u8>> = files.iter().map(|file| fs::read(file).unwrap()).collect();
    let samples: Vec<Vec<u8>> =
        good.iter().zip(0_u8..).map(|(text, number)| [&[number][..], text].concat()).collect();
    let samples: Vec<&[u8]> = samples.iter().map(Vec::as_slice).collect();
    fuzz("report", &samples, &WORDS, |bytes| {
        let Some((number, content)) = bytes.split_first() else { return false };
        let number = usize::from(*number) % files.len();
        fs::write(&files[number], content).unwrap();
        let report = retap_report::write(run.path(), &retap_report::ReportOptions::default());
        fs::write(&files[number], &good[number]).unwrap();
        report.is_ok_and(|report| report.damage.is_empty())
    });
}
