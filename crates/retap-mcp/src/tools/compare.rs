//! Compares two versions of an app with `retap update`, which runs as a program of its own beside the session.

use super::{Tool, arguments, schema_of};
use crate::answer::ToolAnswer;
use crate::toolbox::Toolbox;
use retap_engine::Failure;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use std::fmt::Write;
use std::process::{Command, Stdio};

const DEFAULT_EVENTS: u64 = 300;
const MAX_EVENTS: u64 = 5_000;
/// Differences that are listed with their steps.
const MAX_DIFFERENCES: usize = 10;

pub const COMPARE: Tool = Tool {
    name: "compare",
    description: "Test what changed between two APKs: reaches the changed code, replays the same events on the old version, and \
lists new crashes and screens that differ without a reason. Takes minutes.",
    read_only: false,
    schema: schema_of::<CompareArguments>,
    call: compare,
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct CompareArguments {
    /// The APK of the old version.
    old: String,
    /// The APK of the new version.
    new: String,
    /// The most events; 300 by default, at most 5000.
    #[serde(default)]
    events: Option<u64>,
}

fn compare(toolbox: &mut Toolbox, value: Value) -> Result<ToolAnswer, Failure> {
    let CompareArguments { old, new, events } = arguments(value)?;
    let access = &toolbox.settings.access;
    let (old, new) = (access.check(&old)?, access.check(&new)?);
    let events = events.unwrap_or(DEFAULT_EVENTS).clamp(1, MAX_EVENTS).to_string();
    let number =
        (1..).find(|number| !toolbox.settings.output.join(format!("compare-{number}")).exists());
    let run = toolbox.settings.output.join(format!("compare-{}", number.unwrap_or(1)));
    let output = Command::new(&toolbox.settings.program)
        .arg("update")
        .args([&old, &new])
        .args(["--max-events", &events, "--seed", &toolbox.settings.seed.to_string()])
        .args(["--json", "--quiet", "--output"])
        .arg(&run)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| Failure::input(format!("retap update cannot be started: {error}")))?;
    let summary: Value = serde_json::from_slice(&output.stdout).map_err(|_| {
        Failure::input(format!(
            "retap update failed: {}",
            String::from_utf8_lossy(&output.stderr).trim()
        ))
    })?;
    let place = run.display();
    Ok(ToolAnswer::text(&format!("{}\nEverything is in {place}", describe(&summary))))
}

fn describe(summary: &Value) -> String {
    let update = &summary["update"];
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "{} of {} changed methods ran, {} screens of both versions were compared.",
        update["target_methods"]["covered"],
        update["target_methods"]["total"],
        update["compared"]["screens"]
    );
    let all = update["differences"].as_array().cloned().unwrap_or_default();
    let (unexplained, explained): (Vec<&Value>, Vec<&Value>) =
        all.iter().partition(|difference| difference["unexplained"] == true);
    let _ = writeln!(
        text,
        "{} differences that nothing explains, {} that the change explains.",
        unexplained.len(),
        explained.len()
    );
    for difference in unexplained.iter().take(MAX_DIFFERENCES) {
        let _ = writeln!(text, "- {}", difference["what"].as_str().unwrap_or_default());
        for (step, number) in difference["steps"].as_array().into_iter().flatten().zip(1..) {
            let _ = writeln!(text, "  {number}. {}", step.as_str().unwrap_or_default());
        }
    }
    for crash in summary["crashes"].as_array().into_iter().flatten() {
        let _ = writeln!(
            text,
            "Crash of the new version: {} {} at {}",
            crash["exception"].as_str().unwrap_or_default(),
            crash["message"].as_str().unwrap_or_default(),
            crash["place"].as_str().unwrap_or_default()
        );
    }
    text
}
