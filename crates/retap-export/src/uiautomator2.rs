//! A Python script for openatx's uiautomator2.

use crate::language::Language;
use crate::query::Query;
use crate::quoting::python;
use crate::shell;
use crate::trace::ExportedTrace;
use retap_model::event::PinchDirection;
use retap_model::{Event, Orientation, Target};

pub struct UiAutomator2;

impl Language for UiAutomator2 {
    const COMMENT: &'static str = "#";
    const INDENT: &'static str = "";

    fn begin(&mut self, trace: &ExportedTrace<'_>) -> Vec<String> {
        vec![
            format!("# {}.", trace.purpose()),
            format!("# The places are those of a screen of {}.", trace.display),
            "import time".into(),
            String::new(),
            "import uiautomator2".into(),
            String::new(),
            format!("PACKAGE = {}", python(trace.package())),
            "d = uiautomator2.connect()  # ANDROID_SERIAL names one of several devices".into(),
            "d.shell(\"logcat -b crash -c\")".into(),
            "d.set_orientation(\"natural\")".into(),
            "d.app_clear(PACKAGE)".into(),
            "d.app_start(PACKAGE, wait=True)".into(),
            String::new(),
        ]
    }

    fn step(&mut self, event: &Event, trace: &ExportedTrace<'_>) -> Result<Vec<String>, String> {
        let lines = match event {
            Event::Tap(target) => vec![touch(target, "click")?],
            Event::LongPress(target) => vec![touch(target, "long_click")?],
            Event::Drag { from, to, ms } => {
                let at = from.at.ok_or_else(|| format!("the place of {from} is unknown"))?;
                let seconds = shell::seconds(*ms);
                vec![format!("d.swipe({}, {}, {}, {}, {seconds})", at.x, at.y, to.x, to.y)]
            }
            Event::Pinch { on, direction } => {
                let method = match direction {
                    PinchDirection::Open => "pinch_out",
                    PinchDirection::Close => "pinch_in",
                };
                let found = Query::of(on).map(find);
                let found =
                    found.ok_or_else(|| format!("only a widget with a name can {event}"))?;
                vec![format!("{found}.{method}()")]
            }
            Event::Text { on, text } => {
                let field = Query::of(on).map_or_else(|| "d(focused=True)".into(), find);
                let mut lines = Vec::new();
                if let (None, Some(at)) = (Query::of(on), on.at) {
                    lines.push(format!("d.click({}, {})", at.x, at.y));
                }
                lines.push(format!("{field}.set_text({})", python(text)));
                lines
            }
            Event::Rotate(orientation) => {
                vec![format!("d.set_orientation(\"{}\")", orientation_name(*orientation))]
            }
            Event::Wait(ms) => vec![format!("time.sleep({})", shell::seconds(*ms))],
            Event::Launch => vec!["d.app_start(PACKAGE)".into()],
            Event::Close => vec!["d.app_stop(PACKAGE)".into()],
            _ => {
                let commands = shell::commands(event, trace)?;
                commands.iter().map(|command| format!("d.shell({})", python(command))).collect()
            }
        };
        Ok(lines)
    }

    fn end(&mut self, trace: &ExportedTrace<'_>) -> Vec<String> {
        let Some(exception) = trace.exception() else { return Vec::new() };
        vec![
            String::new(),
            "time.sleep(2)".into(),
            "crashes = d.shell(\"logcat -b crash -d\").output".into(),
            format!(
                "assert {} in crashes, \"the app did not crash as expected\"",
                python(exception)
            ),
        ]
    }
}

fn touch(target: &Target, method: &str) -> Result<String, String> {
    match (Query::of(target), target.at) {
        (Some(query), _) => Ok(format!("{}.{method}()", find(query))),
        (None, Some(at)) => Ok(format!("d.{method}({}, {})", at.x, at.y)),
        (None, None) => Err(format!("the place of {target} is unknown")),
    }
}

fn find(query: Query<'_>) -> String {
    let mut properties = Vec::new();
    if let Some(pattern) = query.id_pattern() {
        properties.push(format!("resourceIdMatches={}", python(&pattern)));
    }
    if let Some(text) = query.text {
        let name = if text.is_cut { "textStartsWith" } else { "text" };
        properties.push(format!("{name}={}", python(text.value)));
    }
    if let Some(description) = query.description {
        properties.push(format!("description={}", python(description)));
    }
    format!("d({})", properties.join(", "))
}

fn orientation_name(orientation: Orientation) -> &'static str {
    match orientation {
        Orientation::Portrait => "natural",
        Orientation::Landscape => "left",
        Orientation::ReversePortrait => "upsidedown",
        Orientation::ReverseLandscape => "right",
    }
}
