//! `retap import`: turns recordings of other tools into traces.

use crate::cli::ImportArgs;
use crate::console::Console;
use crate::exit::Exit;
use retap_engine::connection::connect;
use retap_engine::{Failure, Reporter};
use retap_model::app::AppIdentity;
use retap_model::format::monkey::{self, ActivityName, Remark};
use retap_model::format::trace::{self, Header};
use retap_model::format::{FormatError, simplydroid};
use retap_model::trace::StepResult;
use retap_model::{Abstraction, Screen, StateId, Step, Trace};
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

/// A recording in any of the formats.
struct Imported {
    launch: Option<ActivityName>,
    trace: Trace,
    remarks: Vec<Remark>,
}

pub fn run(args: &ImportArgs, console: &Console) -> Result<Exit, Failure> {
    let imported = match args.files.as_slice() {
        [script] => from_monkey(script)?,
        [script, execution] => from_simplydroid(script, execution)?,
        _ => {
            return Err(Failure::input(
                "expected one Monkey script, or script.log followed by its execute.log",
            ));
        }
    };
    for remark in &imported.remarks {
        console.remark(&format!("{}:{remark}", args.files[0].display()));
    }
    let header = Header {
        retap: Header::KIND.into(),
        version: trace::VERSION,
        app: identity(args, imported.launch.as_ref(), console)?,
        device: "imported".into(),
        api: args.device.api,
        display: args.device.screen.unwrap_or_default(),
        outside: args.device.outside.clone(),
        world_seed: 0,
        abstraction: Abstraction::Activity,
    };
    super::write_trace(&args.output, &header, &imported.trace, console)?;
    let events = imported.trace.steps.len();
    console.remark(&format!("{events} events, {} remarks", imported.remarks.len()));
    Ok(Exit::Clean)
}

fn from_monkey(file: &Path) -> Result<Imported, Failure> {
    let script = monkey::read(open(file)?, &file.display().to_string())?;
    let events = script.events.into_iter().map(|placed| placed.event);
    let trace = Trace::of_events(0, events);
    Ok(Imported { launch: script.launch, trace, remarks: script.remarks })
}

fn from_simplydroid(script: &Path, execution: &Path) -> Result<Imported, Failure> {
    let recording = simplydroid::read(
        (open(script)?, &script.display().to_string()),
        (open(execution)?, &execution.display().to_string()),
    )?;
    let package = recording.launch.as_ref().map_or("", |launch| &launch.package).to_string();
    // The log names the activity before each event, which is the result of the event before it.
    let before: Vec<StateId> =
        recording.steps.iter().map(|step| activity_state(&step.before.class)).collect();
    let mut trace = Trace::of_events(0, recording.steps.into_iter().map(|step| step.event));
    trace.start.state = before.first().copied();
    for (Step { result, .. }, state) in trace.steps.iter_mut().zip(before.iter().skip(1)) {
        result.state = Some(*state);
    }
    let outcome = recording.outcome.recorded(&package);
    match trace.steps.last_mut() {
        Some(last) => last.result = StepResult { outcome, ..StepResult::default() },
        None => trace.start.outcome = outcome,
    }
    Ok(Imported { launch: recording.launch, trace, remarks: recording.remarks })
}

fn activity_state(class: &str) -> StateId {
    let screen = Screen { activity: class.to_string(), ..Screen::default() };
    Abstraction::Activity.state(&screen)
}

/// Returns the identity of the app: from its file if it is given, else the package that the script launches.
fn identity(
    args: &ImportArgs,
    launch: Option<&ActivityName>,
    console: &Console,
) -> Result<AppIdentity, Failure> {
    if args.apk.is_some() || args.device.is_fake() {
        let settings = args.device.settings();
        let connection = connect(&settings, args.apk.as_deref(), console.context())?;
        return Ok(connection.connect.connect()?.1.identity);
    }
    let package = launch.map(|launch| launch.package.clone()).ok_or_else(|| {
        Failure::input("the script launches no activity, so its app is unknown: name it with --apk")
    })?;
    Ok(AppIdentity { package, version: String::new(), sha256: String::new() })
}

fn open(file: &Path) -> Result<BufReader<File>, Failure> {
    let opened =
        File::open(file).map_err(|error| FormatError::io(&file.display().to_string(), error))?;
    Ok(BufReader::new(opened))
}
