//! `retap export`: turns a trace into a script of another tool.

use crate::cli::{ExportArgs, ExportFormat};
use crate::console::Console;
use crate::exit::Exit;
use clap::ValueEnum;
use retap_drive::export_trace;
use retap_engine::{Failure, Reporter};
use retap_export::ScriptFormat;

pub fn run(args: &ExportArgs, console: &Console) -> Result<Exit, Failure> {
    let format = args.to.ok_or_else(|| Failure::input(formats()))?;
    let script = export_trace(&args.trace, format.into(), args.activity.as_deref())?;
    for remark in &script.remarks {
        console.remark(remark);
    }
    super::write_output(&args.output, script.text.as_bytes(), console)?;
    if script.left_out.is_empty() {
        return Ok(Exit::Clean);
    }
    let steps = script.left_out.iter().map(|step| format!("{}: {}", step.number, step.reason));
    Err(Failure::input(format!(
        "the script leaves out {} of {} steps:\n  {}",
        script.left_out.len(),
        script.steps,
        steps.collect::<Vec<_>>().join("\n  ")
    )))
}

/// Returns what `--to` takes, one format a line.
fn formats() -> String {
    let lines = ExportFormat::value_variants().iter().filter_map(|format| {
        let value = format.to_possible_value()?;
        let help = value.get_help().map(ToString::to_string).unwrap_or_default();
        Some(format!("\n  --to {:<14}{help}", value.get_name()))
    });
    format!("say which script to write:{}", lines.collect::<String>())
}

impl From<ExportFormat> for ScriptFormat {
    fn from(format: ExportFormat) -> Self {
        match format {
            ExportFormat::Adb => Self::Adb,
            ExportFormat::Appium => Self::Appium,
            ExportFormat::Espresso => Self::Espresso,
            ExportFormat::Maestro => Self::Maestro,
            ExportFormat::Markdown => Self::Markdown,
            ExportFormat::Monkey => Self::Monkey,
            ExportFormat::Robo => Self::Robo,
            ExportFormat::UiAutomator => Self::UiAutomator,
            ExportFormat::UiAutomator2 => Self::UiAutomator2,
        }
    }
}
