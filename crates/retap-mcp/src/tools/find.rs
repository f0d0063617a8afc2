//! Tools that explore, show crashes, keep traces and carry them elsewhere.

use super::{Nothing, Tool, arguments, schema_of};
use crate::answer::{
    ToolAnswer, describe_crash, describe_crash_whole, describe_explored, describe_replay,
};
use crate::toolbox::Toolbox;
use retap_drive::export_trace;
use retap_engine::Failure;
use retap_export::ScriptFormat;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

/// The most events that one call explores: a longer one would keep a conversation waiting.
const MAX_EVENTS: u64 = 20_000;
const MAX_RUNS: u32 = 100;

pub const EXPLORE: Tool = Tool {
    name: "explore",
    description: "Let retap try this many events by itself, from where the app is now, and look for crashes. About ten to a \
hundred events a second.",
    read_only: false,
    schema: schema_of::<ExploreArguments>,
    call: explore,
};

pub const CRASHES: Tool = Tool {
    name: "crashes",
    description: "All crashes that this session has met, the shortest first.",
    read_only: true,
    schema: schema_of::<Nothing>,
    call: crashes,
};

pub const CRASH: Tool = Tool {
    name: "crash",
    description: "One crash: exception, place, stack, and the fewest steps that cause it. Minimises it first unless told not to.",
    read_only: false,
    schema: schema_of::<CrashArguments>,
    call: crash,
};

pub const SAVE_TRACE: Tool = Tool {
    name: "save_trace",
    description: "Save everything done since the last clean install as a trace file that `replay` and `export` take.",
    read_only: false,
    schema: schema_of::<SaveTraceArguments>,
    call: save_trace,
};

pub const REPLAY: Tool = Tool {
    name: "replay",
    description: "Replay a crash of this session, or a trace file, in several worlds, and compare step by step.",
    read_only: false,
    schema: schema_of::<ReplayArguments>,
    call: replay,
};

pub const EXPORT: Tool = Tool {
    name: "export",
    description: "A crash or trace as a script: adb, maestro, espresso, uiautomator, uiautomator2, appium, robo, monkey, or a bug \
report in markdown.",
    read_only: true,
    schema: schema_of::<ExportArguments>,
    call: export,
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ExploreArguments {
    /// The number of events, at most 20000.
    events: u64,
}

fn explore(toolbox: &mut Toolbox, value: Value) -> Result<ToolAnswer, Failure> {
    let ExploreArguments { events } = arguments(value)?;
    if !(1..=MAX_EVENTS).contains(&events) {
        return Err(Failure::input(format!("expected 1 to {MAX_EVENTS} events, found {events}")));
    }
    let part = toolbox.ask(move |session| session.explore(events))?;
    Ok(ToolAnswer::text(&describe_explored(&part)))
}

fn crashes(toolbox: &mut Toolbox, value: Value) -> Result<ToolAnswer, Failure> {
    arguments::<Nothing>(value)?;
    let crashes = toolbox.ask(|session| Ok(session.crashes()))?;
    if crashes.is_empty() {
        return Ok(ToolAnswer::text("No crash so far. Next: `explore`."));
    }
    Ok(ToolAnswer::text(&crashes.iter().map(describe_crash).collect::<String>()))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct CrashArguments {
    /// The id of the crash, or its beginning.
    id: String,
    /// Reduce its trace to the fewest steps first; true by default.
    #[serde(default = "yes")]
    minimize: bool,
}

fn yes() -> bool {
    true
}

fn crash(toolbox: &mut Toolbox, value: Value) -> Result<ToolAnswer, Failure> {
    let CrashArguments { id, minimize } = arguments(value)?;
    let crash = toolbox.ask(move |session| {
        let id = session.find_crash(&id)?;
        let known = session.crash(id);
        match known {
            Some(known) if known.minimized || !minimize => Ok(known),
            _ => session.minimize(id),
        }
    })?;
    Ok(ToolAnswer::text(&describe_crash_whole(&crash)))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SaveTraceArguments {
    /// A name of letters, digits, - and _.
    name: String,
}

fn save_trace(toolbox: &mut Toolbox, value: Value) -> Result<ToolAnswer, Failure> {
    let SaveTraceArguments { name } = arguments(value)?;
    let saved = toolbox.ask(move |session| session.save_trace(&name))?;
    Ok(ToolAnswer::text(&format!("{} events are in {}", saved.events, saved.file.display())))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ReplayArguments {
    /// The id of a crash of this session, or the path of a trace.
    trace: String,
    /// The number of runs, each in another world; 1 by default.
    #[serde(default)]
    runs: Option<u32>,
}

fn replay(toolbox: &mut Toolbox, value: Value) -> Result<ToolAnswer, Failure> {
    let ReplayArguments { trace, runs } = arguments(value)?;
    let file = trace_of(toolbox, &trace)?;
    let runs = runs.unwrap_or(1).clamp(1, MAX_RUNS);
    let replayed = toolbox.ask(move |session| session.replay(&file, runs))?;
    Ok(ToolAnswer::text(&describe_replay(&replayed)))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ExportArguments {
    /// The id of a crash of this session, or the path of a trace.
    trace: String,
    /// adb, maestro, espresso, uiautomator, uiautomator2, appium, robo, monkey or markdown.
    format: String,
}

fn export(toolbox: &mut Toolbox, value: Value) -> Result<ToolAnswer, Failure> {
    let ExportArguments { trace, format } = arguments(value)?;
    let format: ScriptFormat = format.parse().map_err(Failure::input)?;
    let file = trace_of(toolbox, &trace)?;
    let script = export_trace(&file, format, None)?;
    let left_out = script.left_out.iter();
    let left_out: String =
        left_out.map(|step| format!("LEFT OUT: step {}: {}\n", step.number, step.reason)).collect();
    Ok(ToolAnswer::text(&format!("{left_out}{}", script.text)))
}

/// Returns the file of a crash of the session, or of a trace that is within reach.
fn trace_of(toolbox: &mut Toolbox, name: &str) -> Result<String, Failure> {
    let crash = name.to_string();
    let folder = toolbox.ask(move |session| {
        let id = session.find_crash(&crash)?;
        session.crash(id).map(|known| known.folder).ok_or_else(|| Failure::input("no such crash"))
    });
    match folder {
        Ok(folder) => Ok(folder),
        Err(_) => {
            let mut access = toolbox.settings.access.clone();
            access.allow_folder(&toolbox.settings.output);
            Ok(access.check(name)?.display().to_string())
        }
    }
}
