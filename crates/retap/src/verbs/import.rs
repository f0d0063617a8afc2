//! `retap import`: turns recordings of other tools into traces.

use crate::cli::ImportArgs;
use crate::console::Console;
use crate::exit::Exit;
use retap_engine::connection::connect;
use retap_engine::{Failure, Reporter};
use retap_import::{ImportError, Recording, droidbot, maestro, monkey_log, uiautomator2};
use retap_model::app::AppIdentity;
use retap_model::format::monkey::{self, Remark};
use retap_model::format::trace::{self, Header};
use retap_model::format::{FormatError, simplydroid};
use retap_model::trace::StepResult;
use retap_model::{Abstraction, Screen, StateId, Step, Trace};
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

/// The largest script or log that is read.
const MAX_BYTES: u64 = 64 << 20;

/// A recording in any of the formats.
struct Imported {
    package: Option<String>,
    trace: Trace,
    remarks: Vec<Remark>,
}

pub fn run(args: &ImportArgs, console: &Console) -> Result<Exit, Failure> {
    let display = args.device.screen.unwrap_or_default();
    let imported = match args.files.as_slice() {
        [folder] if folder.is_dir() => from_droidbot(folder)?,
        [script] => match extension(script).as_str() {
            "yaml" | "yml" => of_recording(maestro::read(&read(script)?, display), script)?,
            "py" => of_recording(uiautomator2::read(&read(script)?, display), script)?,
            _ => from_monkey(script)?,
        },
        [script, execution] => from_simplydroid(script, execution)?,
        _ => {
            return Err(Failure::input(
                "expected one script, log or folder, or script.log followed by its execute.log",
            ));
        }
    };
    for remark in &imported.remarks {
        console.remark(&format!("{}:{remark}", args.files[0].display()));
    }
    let header = Header {
        retap: Header::KIND.into(),
        version: trace::VERSION,
        app: identity(args, imported.package.as_deref(), console)?,
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

/// Reads a Monkey script, or what Monkey printed.
fn from_monkey(file: &Path) -> Result<Imported, Failure> {
    let text = read(file)?;
    if monkey_log::is_log(&text) {
        return of_recording(monkey_log::read(&text), file);
    }
    let script = monkey::read(text.as_bytes(), &file.display().to_string())?;
    let events = script.events.into_iter().map(|placed| placed.event);
    let trace = Trace::of_events(0, events);
    let package = script.launch.map(|launch| launch.package);
    Ok(Imported { package, trace, remarks: script.remarks })
}

/// Reads the events of an output folder of DroidBot, in the order of their names.
fn from_droidbot(folder: &Path) -> Result<Imported, Failure> {
    let events = folder.join("events");
    let entries = std::fs::read_dir(&events).map_err(|error| {
        Failure::input(format!(
            "{}: {error}; a folder of DroidBot holds events/event_*.json",
            events.display()
        ))
    })?;
    let is_event = |path: &PathBuf| extension(path) == "json";
    let mut files: Vec<PathBuf> =
        entries.flatten().map(|entry| entry.path()).filter(is_event).collect();
    files.sort();
    let texts = files.iter().map(|file| read(file)).collect::<Result<Vec<String>, Failure>>()?;
    of_recording(droidbot::read(texts.iter().map(String::as_str)), &events)
}

fn of_recording(
    recording: Result<Recording, ImportError>,
    file: &Path,
) -> Result<Imported, Failure> {
    let recording =
        recording.map_err(|error| Failure::input(format!("{}:{error}", file.display())))?;
    Ok(Imported {
        package: recording.package,
        trace: Trace::of_events(0, recording.events),
        remarks: recording.remarks,
    })
}

fn extension(path: &Path) -> String {
    path.extension().map_or_else(String::new, |end| end.to_string_lossy().to_lowercase())
}

/// Reads a text that is not too large.
fn read(file: &Path) -> Result<String, Failure> {
    let name = file.display().to_string();
    let mut text = String::new();
    let opened = File::open(file).map_err(|error| FormatError::io(&name, error))?;
    opened
        .take(MAX_BYTES + 1)
        .read_to_string(&mut text)
        .map_err(|error| FormatError::io(&name, error))?;
    if text.len() as u64 > MAX_BYTES {
        return Err(Failure::input(format!(
            "{name}: a file of more than {} MB is not read",
            MAX_BYTES >> 20
        )));
    }
    Ok(text)
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
    let package = recording.launch.map(|launch| launch.package);
    Ok(Imported { package, trace, remarks: recording.remarks })
}

fn activity_state(class: &str) -> StateId {
    let screen = Screen { activity: class.to_string(), ..Screen::default() };
    Abstraction::Activity.state(&screen)
}

/// Returns the identity of the app: from its file if it is given, else the package that the script launches.
fn identity(
    args: &ImportArgs,
    package: Option<&str>,
    console: &Console,
) -> Result<AppIdentity, Failure> {
    if args.apk.is_some() || args.device.is_fake() {
        let settings = args.device.settings();
        let connection = connect(&settings, args.apk.as_deref(), console.context())?;
        return Ok(connection.connect.connect()?.1.identity);
    }
    let package = package
        .ok_or_else(|| Failure::input("the recording does not name its app: name it with --apk"))?;
    Ok(AppIdentity { package: package.into(), version: String::new(), sha256: String::new() })
}

fn open(file: &Path) -> Result<BufReader<File>, Failure> {
    let opened =
        File::open(file).map_err(|error| FormatError::io(&file.display().to_string(), error))?;
    Ok(BufReader::new(opened))
}
