//! `retap reduce`: loads recordings, reduces them on a lab, and keeps the suite and its proof.

mod evidence;
mod summary;
mod test_choice;
mod verify;

use super::fleet::{LabRequest, open_lab};
use crate::cli::ReduceArgs;
use crate::console::Console;
use crate::exit::Exit;
use crate::interrupt;
use evidence::{Sources, describe_reduction};
use retap_device::Lab;
use retap_engine::connection::{NamedTrace, connect_for_trace};
use retap_engine::reduce::{
    ClassFilter, LabReplay, LoadedTrace, Loader, OriginalCoverage, OriginalFile, OriginalSource,
    original, record, restate,
};
use retap_engine::suite_folder::{self, CoveredTrace, SuiteSettings};
use retap_engine::{DeviceSettings, Failure, Reporter, same_app};
use retap_model::format::reduction::ReductionFile;
use retap_model::format::run::{Lock, write_json};
use retap_model::format::trace::Header;
use retap_model::{App, Coverage};
use retap_reduce::{
    RecordedTrace, ReductionError, ReductionLimits, ReductionOptions, RequirementScope,
    SuiteReduction, reduce,
};
use std::fmt::Write;
use std::path::Path;
use std::time::Instant;
use summary::ReduceSummary;

pub fn run(args: &ReduceArgs, console: &Console) -> Result<Exit, Failure> {
    interrupt::listen();
    if let Some(suite) = &args.verify {
        return verify::run(suite, args, console);
    }
    if test_choice::is_asked(args)? {
        return test_choice::run(args, console);
    }
    let started = Instant::now();
    let mut loader = load(args)?;
    let (name, header) = first_recording(&loader)?;
    let device = device_settings(args, &header, &loader)?;
    let named = NamedTrace { name: &name, header: &header };
    let connection = connect_for_trace(&device, args.apk.as_deref(), named, console.context())?;
    let wanted = LabRequest::new("reduce", &device, args.jobs, &args.fleet);
    let mut lab = open_lab(&connection, wanted, console)?;
    let app = lab.rig().app()?.clone();
    check_app(&header, &app)?;
    check_units(&loader, &app)?;
    record::complete(&mut loader.loaded, args.record, header.abstraction, &mut lab)?;
    let output = args.output.as_deref().unwrap_or(Path::new("suite"));
    let lock = Lock::create(output)?;

    let recordings: Vec<RecordedTrace> = loader.loaded.iter().map(LoadedTrace::recording).collect();
    let has_snapshots = lab.rig().describe()?.snapshots;
    let options = options(args, &app, &recordings, has_snapshots);
    let Reduced { reduction, executions } =
        reduce_on_lab(&mut lab, &header, &recordings, &options, args, console)?;
    lab.take_remarks().iter().for_each(|remark| console.remark(remark));
    if reduction.traces.is_empty() {
        drop(lock);
        remove_empty_output(output);
        return Ok(report_no_suite(&reduction, &loader.loaded, console));
    }
    let suite = Suite {
        header: &header,
        app: &app,
        apk: (!device.is_fake()).then_some(connection.apk.as_path()),
        counted: ClassFilter::of(&device),
        loaded: &loader.loaded,
        scope: &options.scope,
        source: original_source(args),
    };
    let file = suite.write(output, &reduction)?;
    write_report(output, console);
    let summary = ReduceSummary {
        verb: "reduce",
        app: &app.identity.package,
        suite: output.display().to_string(),
        traces: reduction.traces.len(),
        reduction: &file.summary,
        executions,
        cost: lab.cost(),
        seconds: started.elapsed().as_secs_f64(),
    };
    console.json(&summary);
    console.result(&summary.render(args.k));
    Ok(if reduction.stopped { Exit::Interrupted } else { Exit::Clean })
}

/// Loads all inputs and puts them into states of one abstraction.
fn load(args: &ReduceArgs) -> Result<Loader, Failure> {
    let mut loader = Loader::default();
    if let Some(suite) = &args.onto {
        if !suite_folder::is_suite(suite) {
            let message = format!("{} holds no {}", suite.display(), suite_folder::MANIFEST);
            return Err(Failure::input(message));
        }
        loader.add(&suite.display().to_string(), true)?;
    }
    args.keep.iter().try_for_each(|name| loader.add(name, true))?;
    args.inputs.iter().try_for_each(|name| loader.add(name, false))?;
    restate::restate(&mut loader.loaded, args.device.abstraction)?;
    Ok(loader)
}

/// Returns the name and header of the first input. A run names its app; a suite given with --onto may lie anywhere.
fn first_recording(loader: &Loader) -> Result<(String, Header), Failure> {
    let first = loader.loaded.iter().find(|one| !one.keep).or(loader.loaded.first());
    first
        .map(|first| (first.name.clone(), first.header.clone()))
        .ok_or_else(|| Failure::input("the inputs hold no trace: nothing to reduce"))
}

fn device_settings(
    args: &ReduceArgs,
    header: &Header,
    loader: &Loader,
) -> Result<DeviceSettings, Failure> {
    let mut device = args.device.settings().as_recorded(header);
    if let Some(counted) = &loader.counted {
        counted.fill(&mut device);
    }
    if header.device == "fake" && !device.is_fake() {
        return Err(Failure::input(
            "these traces were recorded on a fake device: name its file with --device fake:FILE",
        ));
    }
    Ok(device)
}

fn check_app(header: &Header, app: &App) -> Result<(), Failure> {
    match same_app::difference(header, app) {
        None => Ok(()),
        Some(difference) => Err(Failure::input(format!(
            "{difference}: a suite is reduced on the build that it was recorded on; name it with --apk"
        ))),
    }
}

fn check_units(loader: &Loader, app: &App) -> Result<(), Failure> {
    match &loader.units {
        Some(units) if *units != *app.units => Err(Failure::input(
            "the traces count other code units than this device does: give the --include \
             and --exclude that they were recorded with",
        )),
        _ => Ok(()),
    }
}

/// The effort that a step of the suite is worth. A suite is run many times. Where a device has snapshots, a replay
/// costs little, and more of them are worth their price.
const WORTH: u64 = 50;
const WORTH_WITH_SNAPSHOTS: u64 = 1000;

fn options(
    args: &ReduceArgs,
    app: &App,
    recordings: &[RecordedTrace],
    has_snapshots: bool,
) -> ReductionOptions {
    let worth = if has_snapshots { WORTH_WITH_SNAPSHOTS } else { WORTH };
    ReductionOptions {
        scope: scope(args, app),
        cost: args.cost.model(),
        limits: ReductionLimits {
            fragments: args.k.into(),
            candidates: args.candidates,
            nodes: args.nodes,
            minimize: !args.no_minimize,
            effort: args
                .max_events
                .unwrap_or_else(|| ReductionLimits::effort_to_record(recordings)),
            worth: if args.max_events.is_none() { worth } else { 0 },
            ..ReductionLimits::default()
        },
    }
}

fn scope(args: &ReduceArgs, app: &App) -> RequirementScope {
    let units = args.units.kind().map_or_else(Coverage::new, |kind| app.units.of_kind(kind));
    RequirementScope { units, states: !args.no_states, crashes: !args.no_crashes }
}

/// Returns where the recordings are and what of them counts, for `--verify`.
fn original_source(args: &ReduceArgs) -> OriginalSource {
    let onto = args.onto.iter().map(|suite| suite.display().to_string());
    let named = onto.chain(args.keep.iter().chain(&args.inputs).cloned());
    let absolute =
        |name: String| std::path::absolute(&name).map_or(name, |path| path.display().to_string());
    OriginalSource {
        inputs: named.map(absolute).collect(),
        units: args.units.kind(),
        states: !args.no_states,
        crashes: !args.no_crashes,
    }
}

/// A reduction and the number of executions it took.
struct Reduced {
    reduction: SuiteReduction,
    executions: u64,
}

fn reduce_on_lab(
    lab: &mut Lab<'_>,
    header: &Header,
    recordings: &[RecordedTrace],
    options: &ReductionOptions,
    args: &ReduceArgs,
    console: &Console,
) -> Result<Reduced, Failure> {
    let deterministic = lab.rig().describe()?.deterministic;
    let progress = console.progress(None);
    let mut replay = LabReplay {
        lab,
        abstraction: header.abstraction,
        package: header.app.package.clone(),
        runs: if deterministic && !args.vary_world { 1 } else { args.runs },
        vary_world: args.vary_world,
        repeats: deterministic,
        executed: 0,
        seconds: 0.0,
        interrupt: &interrupt::INTERRUPTED,
        on_progress: Box::new(|done| progress.update(done, format!("{done} replays"))),
    };
    let reduction = reduce(recordings, options, &mut replay).map_err(|error| match error {
        ReductionError::IncompleteRecording(missing) => Failure::input(missing.to_string()),
        ReductionError::Replay(error) => error.into(),
    })?;
    Ok(Reduced { reduction, executions: replay.executed })
}

/// Everything besides the reduction that a suite folder holds.
struct Suite<'a> {
    header: &'a Header,
    app: &'a App,
    /// `None` where the device carries its app.
    apk: Option<&'a Path>,
    counted: ClassFilter,
    loaded: &'a [LoadedTrace],
    scope: &'a RequirementScope,
    source: OriginalSource,
}

impl Suite<'_> {
    /// Writes the suite folder: the traces, the coverage of the original, and the proof.
    fn write(&self, output: &Path, reduction: &SuiteReduction) -> Result<ReductionFile, Failure> {
        let traces: Vec<CoveredTrace> = reduction
            .traces
            .iter()
            .map(|one| CoveredTrace { trace: one.trace.clone(), covered: one.covered.clone() })
            .collect();
        let settings = SuiteSettings {
            header: self.header,
            units: &self.app.units,
            apk: self.apk,
            include: &self.counted.include,
            exclude: &self.counted.exclude,
        };
        let names = suite_folder::write(output, &settings, &traces)?;
        let loaded = self.loaded.iter().enumerate();
        let examined = loaded.filter(|(at, _)| !reduction.unexamined.contains(at));
        let original = OriginalCoverage::of(examined.map(|(_, one)| one), self.scope)
            .without(&reduction.unstable);
        let original = OriginalFile { source: Some(self.source.clone()), coverage: original };
        write_json(&output.join(original::FILE), &original)?;
        let sources = Sources {
            header: self.header,
            loaded: self.loaded,
            names: &names,
            units: &self.app.units,
        };
        let file = describe_reduction(reduction, &sources);
        write_json(&output.join(ReductionFile::FILE), &file)?;
        Ok(file)
    }
}

/// Writes the page of the suite. A failure is only remarked, because the suite is on disk already.
fn write_report(output: &Path, console: &Console) {
    if let Err(error) = retap_report::write_suite(output) {
        console.remark(&format!("the report cannot be written: {error}"));
    }
}

/// Reports that no trace replays, and how often each did.
fn report_no_suite(reduction: &SuiteReduction, loaded: &[LoadedTrace], console: &Console) -> Exit {
    console.json(&serde_json::json!({
        "verb": "reduce",
        "ended": if reduction.stopped { "interrupted" } else { "complete" },
        "quarantined": reduction.quarantined,
    }));
    if reduction.stopped {
        console.result("Interrupted before any trace was replayed: there is no suite");
        return Exit::Interrupted;
    }
    let mut text = String::from("No trace replays, so there is nothing to reduce\n");
    for quarantined in &reduction.quarantined {
        let name = &loaded[quarantined.trace].name;
        let _ = writeln!(text, "  {name}: faithful in {}", quarantined.rate);
    }
    console.result(&text);
    Exit::DoesNotReproduce
}

/// Removes the lock and its folder. A folder that holds more stays.
fn remove_empty_output(output: &Path) {
    let _ = std::fs::remove_file(output.join(".lock"));
    let _ = std::fs::remove_dir(output);
}
