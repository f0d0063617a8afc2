//! The files that `retap update` is given besides the APKs.

use retap_engine::Failure;
use retap_model::format::run;
use retap_update::{ManualInputs, SavedModel};
use std::io::Read;
use std::path::Path;

/// Reads values for fields and intents for activities.
pub fn read_manual_inputs(file: Option<&Path>) -> Result<ManualInputs, Failure> {
    let Some(file) = file else { return Ok(ManualInputs::default()) };
    ManualInputs::parse(&read(file)?)
        .map_err(|error| Failure::input(format!("{}: {error}", file.display())))
}

/// Reads the model of a run, given by its file or by the run's directory.
pub fn read_model(path: &Path) -> Result<SavedModel, Failure> {
    let file = if path.is_dir() { path.join("model.json") } else { path.to_path_buf() };
    SavedModel::parse(&read(&file)?)
        .map_err(|error| Failure::input(format!("{}: {error}", file.display())))
}

/// The list of changed files that a run keeps: what standard input said is gone when the run is resumed.
const CHANGED_FILES: &str = "changed-files.txt";

/// Keeps the changed files in the run's directory.
pub fn keep_changed_files(dir: &Path, paths: &[String]) -> Result<(), Failure> {
    if paths.is_empty() {
        return Ok(());
    }
    let text: String = paths.iter().map(|path| format!("{path}\n")).collect();
    Ok(run::write_whole(&dir.join(CHANGED_FILES), text.as_bytes())?)
}

/// Reads the changed files that a run has kept, or those of a list.
pub fn resume_changed_files(dir: &Path, file: Option<&Path>) -> Result<Vec<String>, Failure> {
    let kept = dir.join(CHANGED_FILES);
    if file.is_some() && kept.exists() {
        return read_changed_files(Some(&kept));
    }
    read_changed_files(file)
}

/// Reads a list of changed files, one path on each line. The letters that `git diff --name-status` puts in front are
/// skipped; of a renamed file the new name counts.
pub fn read_changed_files(file: Option<&Path>) -> Result<Vec<String>, Failure> {
    let Some(file) = file else { return Ok(Vec::new()) };
    let text = if file == Path::new("-") {
        let mut text = String::new();
        std::io::stdin()
            .read_to_string(&mut text)
            .map_err(|error| Failure::input(format!("standard input: {error}")))?;
        text
    } else {
        read(file)?
    };
    let path = |line: &str| line.rsplit('\t').next().unwrap_or(line).trim().to_string();
    let paths: Vec<String> = text.lines().map(path).filter(|it| !it.is_empty()).collect();
    if paths.is_empty() {
        return Err(Failure::input(format!("{}: it names no changed file", file.display())));
    }
    Ok(paths)
}

fn read(file: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(file)
        .map_err(|error| Failure::input(format!("{}: {error}", file.display())))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a test may panic
    use super::*;

    #[test]
    fn a_resumed_run_knows_the_changed_files_that_standard_input_named() {
        let dir = tempfile::tempdir().unwrap();
        let paths = vec!["src/Main.java".to_string(), "src/a b.kt".to_string()];
        keep_changed_files(dir.path(), &paths).unwrap();
        assert_eq!(resume_changed_files(dir.path(), Some(Path::new("-"))).unwrap(), paths);
        assert!(resume_changed_files(dir.path(), None).unwrap().is_empty());
    }
}
