//! A Java test for androidx.test.uiautomator. It belongs into a test APK that does not instrument the app itself:
//! clearing the app's data would end the test.

use crate::language::Language;
use crate::query::Query;
use crate::quoting::java;
use crate::shell;
use crate::trace::ExportedTrace;
use retap_model::event::PinchDirection;
use retap_model::{Event, Key, Orientation, Point, Target};

/// The time between two points of a gesture, as UI Automator injects them.
const GESTURE_STEP_MS: u32 = 5;

pub struct UiAutomator;

impl Language for UiAutomator {
    const COMMENT: &'static str = "//";
    const INDENT: &'static str = "    ";

    fn begin(&mut self, trace: &ExportedTrace<'_>) -> Vec<String> {
        let mut lines: Vec<String> = format!(
            r#"// {purpose}.
// The places are those of a screen of {display}.
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertTrue;

import android.os.SystemClock;
import androidx.test.ext.junit.runners.AndroidJUnit4;
import androidx.test.platform.app.InstrumentationRegistry;
import androidx.test.uiautomator.By;
import androidx.test.uiautomator.BySelector;
import androidx.test.uiautomator.UiDevice;
import androidx.test.uiautomator.UiObject2;
import androidx.test.uiautomator.Until;
import java.util.regex.Pattern;
import org.junit.Test;
import org.junit.runner.RunWith;

@RunWith(AndroidJUnit4.class)
public class RetapTest {{
  private final UiDevice device = UiDevice.getInstance(InstrumentationRegistry.getInstrumentation());

  private UiObject2 find(BySelector selector) {{
    UiObject2 found = device.wait(Until.findObject(selector), 5000);
    assertNotNull("nothing is " + selector, found);
    return found;
  }}

  @Test
  public void repeatsTheTrace() throws Exception {{
    device.executeShellCommand("logcat -b crash -c");"#,
            purpose = trace.purpose(),
            display = trace.display,
        )
        .lines()
        .map(str::to_string)
        .collect();
        // No command may need quotation marks; without an activity the launcher's intent finds it.
        let entry = trace.entry.filter(|class| execute(class).is_ok());
        for command in shell::clean_launch(&ExportedTrace { entry, ..*trace }) {
            let call = execute(&command).unwrap_or_else(|reason| format!("// LEFT OUT: {reason}"));
            lines.push(format!("    {call}"));
        }
        lines.push("    device.waitForIdle();".into());
        lines
    }

    fn step(&mut self, event: &Event, trace: &ExportedTrace<'_>) -> Result<Vec<String>, String> {
        let mut lines = match event {
            Event::Tap(target) => {
                vec![touch(target, "click()", |at| format!("device.click({}, {});", at.x, at.y))?]
            }
            Event::LongPress(target) => vec![touch(target, "longClick()", |Point { x, y }| {
                let steps = shell::LONG_PRESS_MS / GESTURE_STEP_MS;
                format!("device.swipe({x}, {y}, {x}, {y}, {steps});")
            })?],
            Event::Drag { from, to, ms } => {
                let at = from.at.ok_or_else(|| format!("the place of {from} is unknown"))?;
                let steps = (ms / GESTURE_STEP_MS).max(1);
                vec![format!("device.swipe({}, {}, {}, {}, {steps});", at.x, at.y, to.x, to.y)]
            }
            Event::Pinch { on, direction } => {
                let method = match direction {
                    PinchDirection::Open => "pinchOpen(0.75f)",
                    PinchDirection::Close => "pinchClose(0.75f)",
                };
                let query = Query::of(on);
                let query =
                    query.ok_or_else(|| format!("only a widget with a name can {event}"))?;
                vec![format!("{}.{method};", find(query))]
            }
            Event::Text { on, text } => type_into(on, text),
            Event::Key(key) if *key == Key::back() => vec!["device.pressBack();".into()],
            Event::Key(key) if *key == Key::home() => vec!["device.pressHome();".into()],
            Event::Rotate(orientation) => vec![rotate(*orientation)?],
            Event::Wait(ms) => vec![format!("SystemClock.sleep({ms});")],
            // Each of its calls waits for the app to come to rest.
            Event::Hasty(_) => return Err(format!("UI Automator cannot {event}")),
            _ => {
                let commands = shell::commands(event, trace)?;
                commands.iter().map(|command| execute(command)).collect::<Result<_, _>>()?
            }
        };
        lines.push("device.waitForIdle();".into());
        Ok(lines)
    }

    fn end(&mut self, trace: &ExportedTrace<'_>) -> Vec<String> {
        let mut lines = Vec::new();
        if let Some(exception) = trace.exception() {
            lines.extend([
                "    SystemClock.sleep(2000);".into(),
                "    String crashes = device.executeShellCommand(\"logcat -b crash -d\");".into(),
                format!(
                    "    assertTrue(\"the app did not crash as expected\", crashes.contains({}));",
                    java(exception)
                ),
            ]);
        }
        lines.extend(["  }".into(), "}".into()]);
        lines
    }
}

fn touch(target: &Target, method: &str, at: impl Fn(Point) -> String) -> Result<String, String> {
    match (Query::of(target), target.at) {
        (Some(query), _) => Ok(format!("{}.{method};", find(query))),
        (None, Some(point)) => Ok(at(point)),
        (None, None) => Err(format!("the place of {target} is unknown")),
    }
}

fn type_into(on: &Target, text: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let field = match (Query::of(on), on.at) {
        (Some(query), _) => find(query),
        (None, at) => {
            lines.extend(at.map(|at| format!("device.click({}, {});", at.x, at.y)));
            "find(By.focused(true))".into()
        }
    };
    lines.push(format!("{field}.setText({});", java(text)));
    lines
}

fn rotate(orientation: Orientation) -> Result<String, String> {
    let method = match orientation {
        Orientation::Portrait => "setOrientationNatural",
        Orientation::Landscape => "setOrientationLeft",
        Orientation::ReverseLandscape => "setOrientationRight",
        Orientation::ReversePortrait => {
            return Err("UI Automator cannot turn the screen upside down".into());
        }
    };
    Ok(format!("device.{method}();"))
}

/// Returns the call that runs a command. UI Automator cuts it at its blanks and knows no quotation marks.
fn execute(command: &str) -> Result<String, String> {
    if let Some(seconds) = command.strip_prefix("sleep ") {
        return Ok(format!("SystemClock.sleep((long) ({seconds} * 1000));"));
    }
    if command.contains(['\'', '"', '\\', '|', '&', ';', '<', '>', '$', '`', '\n']) {
        return Err(format!("a test cannot run the command {command}"));
    }
    Ok(format!("device.executeShellCommand({});", java(command)))
}

fn find(query: Query<'_>) -> String {
    let mut parts: Vec<String> = Vec::new();
    if let Some(pattern) = query.id_pattern() {
        parts.push(format!("res(Pattern.compile({}))", java(&pattern)));
    }
    if let Some(text) = query.text {
        let name = if text.is_cut { "textStartsWith" } else { "text" };
        parts.push(format!("{name}({})", java(text.value)));
    }
    if let Some(description) = query.description {
        parts.push(format!("desc({})", java(description)));
    }
    format!("find(By.{})", parts.join("."))
}
