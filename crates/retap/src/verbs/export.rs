//! `retap export`: turns a trace into a script of another tool.

use crate::cli::{ExportArgs, ExportFormat};
use crate::console::Console;
use crate::exit::Exit;
use retap_engine::{Failure, Reporter, trace_file};
use retap_export::{ExportedTrace, ScriptFormat};
use retap_model::Trace;
use retap_model::format::monkey::{self, ActivityName};
use retap_model::format::trace::Header;
use std::fs;
use std::path::PathBuf;

/// The longest stack that a bug report shows.
const MAX_STACK: u64 = 256 << 10;

/// A script, and the steps that it does not perform.
struct Exported {
    script: Vec<u8>,
    left_out: Vec<String>,
}

pub fn run(args: &ExportArgs, console: &Console) -> Result<Exit, Failure> {
    let (header, trace) = trace_file::read(&args.trace)?;
    let Exported { script, left_out } = match script_format(args.to) {
        Some(format) => export(format, args, &header, &trace)?,
        None => export_to_monkey(args, header, &trace, console)?,
    };
    super::write_output(&args.output, &script, console)?;
    if left_out.is_empty() {
        return Ok(Exit::Clean);
    }
    let (count, steps) = (left_out.len(), trace.steps.len());
    Err(Failure::input(format!(
        "the script leaves out {count} of {steps} steps:\n  {}",
        left_out.join("\n  ")
    )))
}

fn script_format(to: ExportFormat) -> Option<ScriptFormat> {
    Some(match to {
        ExportFormat::Adb => ScriptFormat::Adb,
        ExportFormat::Appium => ScriptFormat::Appium,
        ExportFormat::Espresso => ScriptFormat::Espresso,
        ExportFormat::Maestro => ScriptFormat::Maestro,
        ExportFormat::Markdown => ScriptFormat::Markdown,
        ExportFormat::Robo => ScriptFormat::Robo,
        ExportFormat::UiAutomator => ScriptFormat::UiAutomator,
        ExportFormat::UiAutomator2 => ScriptFormat::UiAutomator2,
        ExportFormat::Monkey => return None,
    })
}

fn export(
    format: ScriptFormat,
    args: &ExportArgs,
    header: &Header,
    trace: &Trace,
) -> Result<Exported, Failure> {
    for name in args.activity.iter().chain([&header.app.package]) {
        if !is_java_name(name) {
            return Err(Failure::input(format!("no package or class can be named {name:?}")));
        }
    }
    let folder = trace_file::locate(&args.trace).parent().map(PathBuf::from).unwrap_or_default();
    let stack = read_stack(&folder.join("stack.txt"));
    let picture = folder.join("last.png");
    let picture = picture.is_file().then(|| picture.display().to_string());
    let exported = ExportedTrace {
        app: &header.app,
        api: header.api,
        display: header.display,
        entry: args.activity.as_deref(),
        trace,
        stack: stack.as_deref(),
        name: &args.trace,
        picture: picture.as_deref(),
    };
    let script = retap_export::write(format, &exported);
    let left_out = script.left_out.iter();
    Ok(Exported {
        left_out: left_out.map(|step| format!("{}: {}", step.number, step.reason)).collect(),
        script: script.text.into_bytes(),
    })
}

fn is_java_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '_' | '$'))
}

/// Returns the stack in the folder of a crash, if the trace lies in one.
fn read_stack(file: &std::path::Path) -> Option<String> {
    let size = fs::metadata(file).ok().filter(fs::Metadata::is_file)?.len();
    (size <= MAX_STACK).then(|| fs::read_to_string(file).ok())?
}

fn export_to_monkey(
    args: &ExportArgs,
    header: Header,
    trace: &Trace,
    console: &Console,
) -> Result<Exported, Failure> {
    let package = header.app.package;
    let launch = args.activity.clone().map(|class| ActivityName { package, class });
    let mut script = Vec::new();
    let remarks = monkey::write(&mut script, launch.as_ref(), trace.events())
        .map_err(|error| Failure::input(error.to_string()))?;
    for remark in &remarks.less_exact {
        console.remark(&format!("event {remark}"));
    }
    let left_out = remarks.left_out.iter().map(ToString::to_string).collect();
    Ok(Exported { script, left_out })
}
