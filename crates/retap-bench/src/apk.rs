//! Reading APKs: what `retap diff` and `retap model` find, their processor time and memory, and those of other programs
//! that read the same files.

mod joined;
mod rows;
mod tools;

use retap_apk::Apk;
use retap_engine::{Context, Failure};
use retap_model::coverage::{Coverage, UnitKind};
use retap_model::format::run::{self, RunInfo};
use retap_static::{AppDiff, AppModel, CallGraph, java_method};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use tools::{Ended, Reached};

/// The smallest app of joined code, in megabytes; each next one is twice as large.
const FIRST_JOINED_MB: u64 = 3;

/// What to measure.
#[derive(Debug, Clone)]
pub struct ApkBench {
    pub apks: Vec<PathBuf>,
    /// A Python that has androguard.
    pub androguard: Option<PathBuf>,
    /// FlowDroid's class path, and the framework's classes for it.
    pub flowdroid: Option<(String, PathBuf)>,
    /// The class path of diffuse.
    pub diffuse: Option<String>,
    /// Runs of the apps, to ask which methods call graphs should reach.
    pub runs: Vec<PathBuf>,
    /// The size of the largest app of joined code.
    pub join_mb: Option<u64>,
}

/// The measurements of all apps.
#[derive(Debug, Serialize)]
pub struct ApkResults {
    pub apps: Vec<MeasuredApk>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pairs: Vec<MeasuredPair>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub call_graphs: Vec<MeasuredGraph>,
    /// The first app with ever more code.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub joined: Vec<MeasuredApk>,
}

/// What a process took.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct ProcessCost {
    pub cpu_ms: u64,
    pub peak_mb: u64,
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
    /// Comparing the app with itself. Both are read and hashed; nothing differs.
    pub diff: ProcessCost,
    pub model: ProcessCost,
}

/// Two versions compared.
#[derive(Debug, Serialize)]
pub struct MeasuredPair {
    pub old: String,
    pub new: String,
    pub modified: usize,
    pub added: usize,
    pub removed: usize,
    pub diff: ProcessCost,
    /// None if diffuse was not asked for or cannot read them.
    pub diffuse: Option<ProcessCost>,
    /// New and removed methods that diffuse counts, references to the framework's included.
    pub diffuse_methods: Option<(u64, u64)>,
}

/// The call graph of one app as one program builds it.
#[derive(Debug, Serialize)]
pub struct MeasuredGraph {
    pub app: String,
    pub program: &'static str,
    /// None if the program failed or took too long.
    pub cost: Option<ProcessCost>,
    pub edges: u64,
    /// The app's own methods that it reaches from what Android calls, of all own methods.
    pub reached: usize,
    pub own: usize,
    /// Own methods that ran, and those of them that it reaches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ran: Option<(usize, usize)>,
    /// Those that ran and that it does not reach.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missed: Vec<String>,
}

pub fn run(bench: &ApkBench, context: Context) -> Result<ApkResults, Failure> {
    let folder = tempfile::tempdir()
        .map_err(|error| Failure::input(format!("no temporary folder: {error}")))?;
    let bencher = Bencher { bench, context, folder, ran: ran_methods(&bench.runs)? };
    let apps = bench.apks.iter().map(|path| bencher.measure(path)).collect::<Result<_, _>>()?;
    let mut pairs = Vec::new();
    for versions in bench.apks.windows(2) {
        pairs.extend(bencher.compare(&versions[0], &versions[1])?);
    }
    let mut call_graphs = Vec::new();
    if bench.androguard.is_some() || bench.flowdroid.is_some() {
        for path in &bench.apks {
            call_graphs.extend(bencher.call_graphs(path)?);
        }
    }
    let joined = bencher.joined()?;
    Ok(ApkResults { apps, pairs, call_graphs, joined })
}

struct Bencher<'a> {
    bench: &'a ApkBench,
    context: Context<'a>,
    folder: TempDir,
    /// Methods that ran, by package.
    ran: BTreeMap<String, BTreeSet<String>>,
}

impl Bencher<'_> {
    fn measure(&self, path: &Path) -> Result<MeasuredApk, Failure> {
        self.context.reporter.remark(&format!("reading {}", path.display()));
        let apk = open(path)?;
        let diff = AppDiff::compare(&apk, &open(path)?).map_err(|error| refuse(&error))?;
        if !diff.is_empty() {
            return Err(Failure::input(format!("{} differs from itself", path.display())));
        }
        let model = AppModel::read(&apk).map_err(|error| refuse(&error))?;
        let dex = apk.dex_files().map_err(|error| refuse(&error))?;
        Ok(MeasuredApk {
            app: stem(path),
            dex_bytes: dex.iter().map(|file| file.bytes.len()).sum(),
            classes: diff.new.classes,
            methods: diff.new.methods,
            windows: model.windows.len(),
            inputs: model.inputs.len(),
            transitions: model.transitions.len(),
            diff: self.itself(&["diff".as_ref(), path, path])?,
            model: self.itself(&["model".as_ref(), path])?,
        })
    }

    /// Runs this program in a process of its own, as people do.
    fn itself(&self, words: &[&Path]) -> Result<ProcessCost, Failure> {
        let ended = tools::run(&mut tools::retap(words)?, self.folder.path())?;
        let said = || Failure::input(format!("retap {} failed", words[0].display()));
        ended.map(|it| it.cost()).ok_or_else(said)
    }

    /// Compares two versions of one app; nothing for two apps.
    fn compare(&self, old: &Path, new: &Path) -> Result<Option<MeasuredPair>, Failure> {
        let (old_apk, new_apk) = (open(old)?, open(new)?);
        if old_apk.manifest.package != new_apk.manifest.package {
            return Ok(None);
        }
        let sets = AppDiff::compare(&old_apk, &new_apk).map_err(|error| refuse(&error))?.sets();
        let diffuse = match &self.bench.diffuse {
            Some(class_path) => {
                self.other("diffuse", &mut tools::diffuse(class_path, old, new), new)?
            }
            None => None,
        };
        Ok(Some(MeasuredPair {
            old: stem(old),
            new: stem(new),
            modified: sets.modified.len(),
            added: sets.new.len(),
            removed: sets.removed.len(),
            diff: self.itself(&["diff".as_ref(), old, new])?,
            diffuse_methods: diffuse.as_ref().and_then(|it| tools::read_diffuse(&it.printed)),
            diffuse: diffuse.map(|it| it.cost()),
        }))
    }

    fn call_graphs(&self, path: &Path) -> Result<Vec<MeasuredGraph>, Failure> {
        let apk = open(path)?;
        let graph = CallGraph::read(&apk).map_err(|error| refuse(&error))?;
        let ran = self.ran.get(&apk.manifest.package).map(|ran| {
            let has_run = |it: &&String| java_method(it).is_some_and(|it| ran.contains(&it));
            graph.own.iter().filter(has_run).collect::<BTreeSet<&String>>()
        });
        let row = |program, cost: Option<ProcessCost>, reached: &Reached| {
            let is_missed = |it: &&&String| cost.is_some() && !reached.methods.contains(**it);
            let missed: Vec<String> =
                ran.iter().flatten().filter(is_missed).map(|&it| it.clone()).collect();
            MeasuredGraph {
                app: stem(path),
                program,
                cost,
                edges: reached.edges,
                reached: graph.own.intersection(&reached.methods).count(),
                own: graph.own.len(),
                ran: ran.as_ref().map(|ran| (ran.len() - missed.len(), ran.len())),
                missed,
            }
        };
        let mut rows = Vec::new();
        if let Some((class_path, android)) = &self.bench.flowdroid {
            let mut command = tools::flowdroid(class_path, android, path, self.folder.path())?;
            let ended = self.other("FlowDroid", &mut command, path)?;
            let reached = ended.as_ref().map(|it| tools::read_reached(&it.printed));
            rows.push(row("FlowDroid", ended.map(|it| it.cost()), &reached.unwrap_or_default()));
        }
        if let Some(python) = &self.bench.androguard {
            let ended = self.other("androguard", &mut tools::androguard(python, path), path)?;
            let reached = ended.as_ref().map(|it| tools::read_reached(&it.printed));
            rows.push(row("androguard", ended.map(|it| it.cost()), &reached.unwrap_or_default()));
        }
        // The whole model costs more than its call graph alone.
        let cost = self.itself(&["model".as_ref(), path])?;
        let reached = Reached { methods: graph.reached.clone(), edges: graph.calls as u64 };
        rows.push(row("retap", Some(cost), &reached));
        Ok(rows)
    }

    /// Runs another program, and says so if it fails.
    fn other(
        &self,
        name: &str,
        command: &mut std::process::Command,
        path: &Path,
    ) -> Result<Option<Ended>, Failure> {
        self.context.reporter.remark(&format!("{name} reads {}", path.display()));
        let ended = tools::run(command, self.folder.path())?;
        if ended.is_none() {
            self.context.reporter.remark(&format!("{name} gave no answer to {}", path.display()));
        }
        Ok(ended)
    }

    fn joined(&self) -> Result<Vec<MeasuredApk>, Failure> {
        let mut rows = Vec::new();
        let Some(most) = self.bench.join_mb else { return Ok(rows) };
        let mut size = FIRST_JOINED_MB.min(most);
        loop {
            let path = self.folder.path().join(format!("joined-{size}.apk"));
            joined::write(&self.bench.apks, size << 20, &path)?;
            rows.push(self.measure(&path)?);
            if size == most {
                return Ok(rows);
            }
            size = (size * 2).min(most);
        }
    }
}

/// Reads which methods ran in each app's runs.
fn ran_methods(runs: &[PathBuf]) -> Result<BTreeMap<String, BTreeSet<String>>, Failure> {
    let mut ran: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for dir in runs {
        let info: RunInfo = run::read_json(&dir.join(run::INFO), "run")?;
        let mut covered = Coverage::default();
        run::visit_entries(dir, &mut |_, units, _| {
            covered.union_with(units);
        })?;
        let units = run::read_units(dir)?;
        let methods = units.iter().filter(|(_, unit)| unit.kind == UnitKind::Method);
        let names = methods.filter(|(id, _)| covered.contains(*id)).map(|it| it.1.name.clone());
        ran.entry(info.app.package).or_default().extend(names);
    }
    Ok(ran)
}

fn open(path: &Path) -> Result<Apk, Failure> {
    Apk::open(path).map_err(|error| refuse(&error))
}

fn refuse(error: &retap_apk::ApkError) -> Failure {
    Failure::input(error.to_string())
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}
