//! What a page without an app offers to open: the runs and APKs that lie here.

use retap_engine::run_directory;
use serde::Serialize;
use std::path::{Path, PathBuf};

const MAX_CHOICES: usize = 200;

/// Something to open.
#[derive(Debug, Clone, Serialize)]
pub struct Choice {
    pub path: PathBuf,
    /// `run` or `app`.
    pub kind: &'static str,
    pub title: String,
}

impl Choice {
    /// Lists the runs of a folder, the newest first, and the APKs and fakes of another.
    pub fn list(runs: &Path, apps: &Path) -> Vec<Self> {
        let mut choices: Vec<Self> =
            entries(runs).into_iter().rev().filter_map(Self::of_run).collect();
        choices.extend(entries(apps).into_iter().filter_map(Self::of_app));
        choices.truncate(MAX_CHOICES);
        choices
    }

    fn of_run(path: PathBuf) -> Option<Self> {
        let info = run_directory::read_info(&path).ok()?;
        if info.verb != "explore" {
            return None;
        }
        let title = format!("{} {}", info.app.package, info.app.version);
        Some(Self { path, kind: "run", title })
    }

    fn of_app(path: PathBuf) -> Option<Self> {
        let end = path.extension()?.to_str()?.to_lowercase();
        let is_app = matches!(end.as_str(), "apk" | "apks" | "fake");
        let title = path.file_name()?.to_string_lossy().into_owned();
        is_app.then_some(Self { path, kind: "app", title })
    }
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}
