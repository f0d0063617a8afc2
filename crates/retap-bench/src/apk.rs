//! Reading APKs: the sizes of what `retap diff` and `retap model` read, their processor time and memory, and androguard's
//! on the same files.

use crate::process;
use crate::table;
use retap_apk::Apk;
use retap_engine::{Context, Failure};
use retap_static::{AppDiff, AppModel};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What androguard does here: parse everything and build its call graph.
const ANDROGUARD: &str = "import sys, logging\n\
try:\n    from loguru import logger; logger.remove()\nexcept ImportError: pass\n\
from androguard.misc import AnalyzeAPK\n\
apk, dex, analysis = AnalyzeAPK(sys.argv[1])\n\
print(len(list(analysis.get_methods())), analysis.get_call_graph().number_of_edges())";

/// What to measure.
#[derive(Debug, Clone)]
pub struct ApkBench {
    pub apks: Vec<PathBuf>,
    /// A Python that has androguard, to measure it beside retap.
    pub androguard: Option<PathBuf>,
}

/// The measurements of all apps.
#[derive(Debug, Serialize)]
pub struct ApkResults {
    pub apps: Vec<MeasuredApk>,
}

/// The measurements of one app.
#[derive(Debug, Serialize)]
pub struct MeasuredApk {
    pub app: String,
    pub dex_bytes: usize,
    pub classes: usize,
    pub methods: usize,
    pub windows: usize,
    pub inputs: usize,
    pub transitions: usize,
    pub call_edges: usize,
    /// Processor milliseconds of comparing the app with itself. Both are read and hashed; nothing differs.
    pub diff_ms: u64,
    pub model_ms: u64,
    /// The most memory of this process so far, in megabytes: the peak of the largest app measured.
    pub peak_mb: u64,
    /// Processor milliseconds of androguard.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub androguard_ms: Option<u64>,
    /// Methods and call edges that androguard counts, libraries and the framework's methods included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub androguard_counts: Option<String>,
}

pub fn run(bench: &ApkBench, context: Context) -> Result<ApkResults, Failure> {
    let mut apps = Vec::new();
    for path in &bench.apks {
        context.reporter.remark(&format!("reading {}", path.display()));
        apps.push(measure(path, bench.androguard.as_deref())?);
    }
    Ok(ApkResults { apps })
}

fn measure(path: &Path, python: Option<&Path>) -> Result<MeasuredApk, Failure> {
    let refuse = |error: retap_apk::ApkError| Failure::input(error.to_string());
    let start = process::cpu_ms(std::process::id());
    let (old, new) = (Apk::open(path).map_err(refuse)?, Apk::open(path).map_err(refuse)?);
    let diff = AppDiff::compare(&old, &new).map_err(refuse)?;
    if !diff.is_empty() {
        return Err(Failure::input(format!("{} differs from itself", path.display())));
    }
    let compared = process::cpu_ms(std::process::id());
    let model = AppModel::read(&Apk::open(path).map_err(refuse)?).map_err(refuse)?;
    let modelled = process::cpu_ms(std::process::id());
    let dex_bytes = new.dex_files().map_err(refuse)?.iter().map(|file| file.bytes.len()).sum();
    let androguard = python.and_then(|python| androguard(python, path));
    Ok(MeasuredApk {
        app: path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
        dex_bytes,
        classes: diff.new.classes,
        methods: diff.new.methods,
        windows: model.windows.len(),
        inputs: model.inputs.len(),
        transitions: model.transitions.len(),
        call_edges: model.call_graph.calls,
        diff_ms: compared.saturating_sub(start),
        model_ms: modelled.saturating_sub(compared),
        peak_mb: process::peak_mb(std::process::id()),
        androguard_ms: androguard.as_ref().map(|it| it.0),
        androguard_counts: androguard.map(|it| it.1),
    })
}

/// Runs androguard and returns its processor time and what it counted; nothing if it fails.
fn androguard(python: &Path, apk: &Path) -> Option<(u64, String)> {
    let before = process::children_cpu_ms(std::process::id());
    let output = Command::new(python)
        .args(["-c", ANDROGUARD])
        .arg(apk)
        .stderr(Stdio::null())
        .output()
        .ok()
        .filter(|output| output.status.success())?;
    let counts = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    Some((process::children_cpu_ms(std::process::id()).saturating_sub(before), counts))
}

impl ApkResults {
    pub fn render(&self) -> String {
        let head = [
            "app",
            "dex KB",
            "classes",
            "methods",
            "windows",
            "inputs",
            "transitions",
            "diff CPU ms",
            "model CPU ms",
            "peak MB",
            "androguard CPU ms",
            "ratio",
        ];
        let row = |it: &MeasuredApk| {
            let ratio = it.androguard_ms.map(|other| other as f64 / it.model_ms.max(1) as f64);
            vec![
                it.app.clone(),
                (it.dex_bytes / 1024).to_string(),
                it.classes.to_string(),
                it.methods.to_string(),
                it.windows.to_string(),
                it.inputs.to_string(),
                it.transitions.to_string(),
                it.diff_ms.to_string(),
                it.model_ms.to_string(),
                it.peak_mb.to_string(),
                it.androguard_ms.map_or("–".to_owned(), |it| it.to_string()),
                ratio.map_or("–".to_owned(), |it| format!("{it:.0}×")),
            ]
        };
        table::render(&head, &self.apps.iter().map(row).collect::<Vec<_>>())
    }
}
