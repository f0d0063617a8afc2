//! A Python script for Appium's client and its UiAutomator2 driver.

use crate::language::Language;
use crate::query::Query;
use crate::quoting::{java, python};
use crate::shell;
use crate::trace::ExportedTrace;
use retap_model::event::PinchDirection;
use retap_model::format::monkey::keycode;
use retap_model::{Event, Orientation, Target};

/// The size of the area around a point that is pinched.
const PINCH_AREA: i32 = 400;

pub struct Appium;

impl Language for Appium {
    const COMMENT: &'static str = "#";
    const INDENT: &'static str = "    ";

    fn begin(&mut self, trace: &ExportedTrace<'_>) -> Vec<String> {
        let mut lines = vec![
            format!("# {}.", trace.purpose()),
            format!("# The places are those of a screen of {}.", trace.display),
            "# Steps that use the shell need a server with --allow-insecure=uiautomator2:adb_shell.".into(),
            "import time".into(),
            String::new(),
            "from appium import webdriver".into(),
            "from appium.options.android import UiAutomator2Options".into(),
            "from appium.webdriver.common.appiumby import AppiumBy".into(),
            String::new(),
            format!("PACKAGE = {}", python(trace.package())),
            "options = UiAutomator2Options()".into(),
            "options.app_package = PACKAGE".into(),
            "options.app_wait_activity = \"*\"".into(),
        ];
        if let Some(class) = trace.entry {
            lines.push(format!("options.app_activity = {}", python(class)));
        }
        lines.extend([
            "options.no_reset = False".into(),
            "driver = webdriver.Remote(\"http://127.0.0.1:4723\", options=options)".into(),
            "driver.implicitly_wait(5)".into(),
            String::new(),
            String::new(),
            "def find(selector):".into(),
            "    return driver.find_element(AppiumBy.ANDROID_UIAUTOMATOR, selector)".into(),
            String::new(),
            String::new(),
            "def perform(gesture, **arguments):".into(),
            "    driver.execute_script(\"mobile: \" + gesture, arguments)".into(),
            String::new(),
            String::new(),
            "try:".into(),
            "    time.sleep(1)".into(),
        ]);
        lines
    }

    fn step(&mut self, event: &Event, trace: &ExportedTrace<'_>) -> Result<Vec<String>, String> {
        let lines = match event {
            Event::Tap(target) => vec![gesture("clickGesture", target, "")?],
            Event::LongPress(target) => {
                vec![gesture("longClickGesture", target, ", duration=1500")?]
            }
            Event::Drag { from, to, ms } => {
                let at = from.at.ok_or_else(|| format!("the place of {from} is unknown"))?;
                // The driver takes pixels a second.
                let distance = f64::from(to.x - at.x).hypot(f64::from(to.y - at.y));
                let speed = (distance * 1000.0 / f64::from((*ms).max(1))).round().max(1.0);
                vec![format!(
                    "perform(\"dragGesture\", startX={}, startY={}, endX={}, endY={}, speed={speed})",
                    at.x, at.y, to.x, to.y
                )]
            }
            Event::Pinch { on, direction } => vec![pinch(on, *direction)?],
            Event::Text { on, text } => type_into(on, text)?,
            Event::Key(key) => {
                let name = shell::key_name(key)?;
                let code = keycode::code(key).unwrap_or_default();
                vec![format!("driver.press_keycode({code})  # {name}")]
            }
            Event::Rotate(Orientation::Portrait) => {
                vec!["driver.orientation = \"PORTRAIT\"".into()]
            }
            Event::Rotate(Orientation::Landscape) => {
                vec!["driver.orientation = \"LANDSCAPE\"".into()]
            }
            Event::Wait(ms) => vec![format!("time.sleep({})", shell::seconds(*ms))],
            Event::Launch => vec!["driver.activate_app(PACKAGE)".into()],
            Event::Close => vec!["driver.terminate_app(PACKAGE)".into()],
            _ => {
                let commands = shell::commands(event, trace)?;
                let run =
                    |command: &String| format!("perform(\"shell\", command={})", python(command));
                commands.iter().map(run).collect()
            }
        };
        Ok(lines)
    }

    fn end(&mut self, trace: &ExportedTrace<'_>) -> Vec<String> {
        let mut lines = Vec::new();
        if let Some(exception) = trace.exception() {
            lines.extend([
                "    time.sleep(2)".into(),
                "    log = \"\\n\".join(entry[\"message\"] for entry in driver.get_log(\"logcat\"))".into(),
                format!("    assert {} in log, \"the app did not crash as expected\"", python(exception)),
            ]);
        }
        lines.extend(["finally:".into(), "    driver.quit()".into()]);
        lines
    }
}

fn gesture(name: &str, target: &Target, more: &str) -> Result<String, String> {
    match (Query::of(target), target.at) {
        (Some(query), _) => Ok(format!("perform(\"{name}\", elementId={}.id{more})", find(query))),
        (None, Some(at)) => Ok(format!("perform(\"{name}\", x={}, y={}{more})", at.x, at.y)),
        (None, None) => Err(format!("the place of {target} is unknown")),
    }
}

fn pinch(on: &Target, direction: PinchDirection) -> Result<String, String> {
    let name = match direction {
        PinchDirection::Open => "pinchOpenGesture",
        PinchDirection::Close => "pinchCloseGesture",
    };
    match (Query::of(on), on.at) {
        (Some(query), _) => {
            Ok(format!("perform(\"{name}\", elementId={}.id, percent=0.75)", find(query)))
        }
        (None, Some(at)) => {
            let (left, top) = ((at.x - PINCH_AREA / 2).max(0), (at.y - PINCH_AREA / 2).max(0));
            Ok(format!(
                "perform(\"{name}\", left={left}, top={top}, width={PINCH_AREA}, height={PINCH_AREA}, percent=0.75)"
            ))
        }
        (None, None) => Err(format!("the place of {on} is unknown")),
    }
}

fn type_into(on: &Target, text: &str) -> Result<Vec<String>, String> {
    let mut lines = Vec::new();
    let field = match (Query::of(on), on.at) {
        (Some(query), _) => find(query),
        (None, at) => {
            if let Some(at) = at {
                lines.push(format!("perform(\"clickGesture\", x={}, y={})", at.x, at.y));
            }
            "find(\"new UiSelector().focused(true)\")".into()
        }
    };
    lines.push(format!("field = {field}"));
    lines.push("field.clear()".into());
    if !text.is_empty() {
        lines.push(format!("field.send_keys({})", python(text)));
    }
    Ok(lines)
}

/// Returns the call that finds a widget. The selector is Java inside Python.
fn find(query: Query<'_>) -> String {
    let mut selector = String::from("new UiSelector()");
    if let Some(pattern) = query.id_pattern() {
        selector.push_str(&format!(".resourceIdMatches({})", java(&pattern)));
    }
    if let Some(text) = query.text {
        let name = if text.is_cut { "textStartsWith" } else { "text" };
        selector.push_str(&format!(".{name}({})", java(text.value)));
    }
    if let Some(description) = query.description {
        selector.push_str(&format!(".description({})", java(description)));
    }
    format!("find({})", python(&selector))
}
