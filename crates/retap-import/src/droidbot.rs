//! The output folder of DroidBot: one JSON file for each event in `events/`, in the order of their names.

use crate::{ImportError, Recording, shorten};
use retap_model::event::Intent;
use retap_model::format::monkey::ActivityName;
use retap_model::{Event, Key, Point, Selector, Target};
use serde::Deserialize;
use serde_json::Value;

/// A file of the folder `events`.
#[derive(Debug, Deserialize)]
struct EventLog {
    event: DroidBotEvent,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct DroidBotEvent {
    event_type: String,
    name: Option<String>,
    x: Option<f64>,
    y: Option<f64>,
    view: Option<View>,
    start_x: Option<f64>,
    start_y: Option<f64>,
    start_view: Option<View>,
    end_x: Option<f64>,
    end_y: Option<f64>,
    end_view: Option<View>,
    duration: Option<f64>,
    direction: Option<String>,
    text: Option<String>,
    intent: Option<Value>,
}

/// A widget as DroidBot describes it.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct View {
    class: Option<String>,
    resource_id: Option<String>,
    text: Option<String>,
    content_description: Option<String>,
    editable: Option<bool>,
    /// The corners of the widget.
    bounds: Option<[[f64; 2]; 2]>,
}

/// Reads the files of `events/`, each with its content, in the order of their names.
pub fn read<'a>(files: impl Iterator<Item = &'a str>) -> Result<Recording, ImportError> {
    let mut recording = Recording::default();
    for (text, number) in files.zip(1..) {
        let log: EventLog = serde_json::from_str(text).map_err(|error| ImportError::Malformed {
            line: number,
            expected: "an event of DroidBot",
            found: error.to_string(),
        })?;
        add(&mut recording, &log.event, number)?;
    }
    Ok(recording)
}

fn add(recording: &mut Recording, event: &DroidBotEvent, number: usize) -> Result<(), ImportError> {
    let target = target_of(event.view.as_ref(), event.x.zip(event.y));
    let event = match event.event_type.as_str() {
        "touch" | "select" | "unselect" => target.map(Event::Tap),
        "long_touch" => target.map(Event::LongPress),
        "set_text" => {
            let text = event.text.clone().unwrap_or_default();
            target.map(|on| Event::Text { on, text })
        }
        "key" => event.name.as_deref().and_then(|name| Key::new(name).ok()).map(Event::Key),
        "swipe" => swipe(event),
        "scroll" => scroll(event),
        "intent" => return add_intent(recording, event, number),
        // The app is ended before the first event and after the last one.
        "kill_app" if recording.events.is_empty() => return Ok(()),
        "kill_app" => Some(Event::Close),
        "exit" | "manual" => return Ok(()),
        other => {
            recording
                .remark(number, format!("an event of the kind {:?} is unknown", shorten(other)));
            return Ok(());
        }
    };
    match event {
        Some(event) => recording.push(event),
        None => {
            recording.remark(number, "the event names neither a widget nor a place");
            Ok(())
        }
    }
}

/// The first intent launches the app, as a trace begins with a launch anyway.
fn add_intent(
    recording: &mut Recording,
    event: &DroidBotEvent,
    number: usize,
) -> Result<(), ImportError> {
    let command = event.intent.as_ref().and_then(Value::as_str).unwrap_or_default();
    let words: Vec<&str> = command.split_whitespace().collect();
    let component = words.iter().rev().find(|word| word.contains('/') && !word.starts_with('-'));
    let component = component.copied().unwrap_or_default();
    if words.get(1) == Some(&"force-stop") {
        return if recording.events.is_empty() { Ok(()) } else { recording.push(Event::Close) };
    }
    let Some((package, class)) = component.split_once('/') else {
        recording.remark(number, format!("the intent {:?} has no counterpart", shorten(command)));
        return Ok(());
    };
    let class =
        if class.starts_with('.') { format!("{package}{class}") } else { class.to_string() };
    let package = package.to_string();
    if recording.events.is_empty() {
        recording.package = Some(package.clone());
        recording.launch = Some(ActivityName { package, class });
        return Ok(());
    }
    match recording.launch.as_ref().is_some_and(|launch| launch.class == class) {
        true => recording.push(Event::Launch),
        false => {
            let component = format!("{package}/{class}");
            recording.push(Event::Intent(Intent { component, ..Intent::default() }))
        }
    }
}

fn target_of(view: Option<&View>, at: Option<(f64, f64)>) -> Option<Target> {
    let on = view.map(selector_of).filter(|selector| *selector != Selector::default());
    let at = at.map(point).or_else(|| view.and_then(center));
    (on.is_some() || at.is_some()).then_some(Target { on, at })
}

fn selector_of(view: &View) -> Selector {
    let id = view.resource_id.as_deref().unwrap_or_default();
    let id = id.rsplit('/').next().unwrap_or_default();
    let is_field = view.editable == Some(true);
    let text = view.text.as_deref().filter(|_| !is_field).unwrap_or_default();
    let text: String = text.chars().take(Selector::TEXT_LIMIT).collect();
    Selector {
        id: id.to_string(),
        class: view.class.clone().unwrap_or_default(),
        text,
        description: view.content_description.clone().unwrap_or_default(),
        path: None,
    }
}

fn center(view: &View) -> Option<Point> {
    let [[left, top], [right, bottom]] = view.bounds?;
    Some(point(((left + right) / 2.0, (top + bottom) / 2.0)))
}

fn point((x, y): (f64, f64)) -> Point {
    Point::new(x as i32, y as i32)
}

fn swipe(event: &DroidBotEvent) -> Option<Event> {
    let from = target_of(event.start_view.as_ref(), event.start_x.zip(event.start_y))?;
    let end = event.end_x.zip(event.end_y).map(point);
    let to = end.or_else(|| event.end_view.as_ref().and_then(center))?;
    let ms = event.duration.unwrap_or(200.0).clamp(1.0, 60_000.0) as u32;
    Some(Event::Drag { from, to, ms })
}

/// DroidBot scrolls by a finger that goes over four fifths of the widget, against the direction of the scroll.
fn scroll(event: &DroidBotEvent) -> Option<Event> {
    let mut from = target_of(event.view.as_ref(), event.x.zip(event.y))?;
    let Point { x, y } = from.at?;
    let [[left, top], [right, bottom]] =
        event.view.as_ref().and_then(|view| view.bounds).unwrap_or([[0.0, 0.0], [600.0, 600.0]]);
    let across = ((right - left) * 2.0 / 5.0) as i32;
    let along = ((bottom - top) * 2.0 / 5.0) as i32;
    let (dx, dy) = match event.direction.as_deref().unwrap_or("DOWN") {
        "UP" => (0, along),
        "LEFT" => (across, 0),
        "RIGHT" => (across.saturating_neg(), 0),
        _ => (0, along.saturating_neg()),
    };
    from.at = Some(Point::new(x.saturating_sub(dx), y.saturating_sub(dy)));
    let to = Point::new(x.saturating_add(dx), y.saturating_add(dy));
    Some(Event::Drag { from, to, ms: 500 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use retap_fuzz::fuzz;

    const TOUCH: &str = r#"{"tag":"t","event":{"event_type":"touch","x":null,"y":null,"view":{"class":"android.widget.Button",
        "resource_id":"com.app:id/add","text":"Add","content_description":null,"bounds":[[0,100],[200,300]],"editable":false}},
        "start_state":"a","stop_state":"b","event_str":"TouchEvent"}"#;

    fn event(inner: &str) -> String {
        format!("{{\"event\":{inner}}}")
    }

    #[test]
    fn a_folder_becomes_events_on_widgets() {
        let files = [
            event(r#"{"event_type":"kill_app","stop_intent":"am force-stop com.app"}"#),
            event(r#"{"event_type":"intent","intent":"am start com.app/.Main"}"#),
            TOUCH.to_string(),
            event(
                r#"{"event_type":"set_text","x":5,"y":6,"text":"hi","view":{"resource_id":"com.app:id/f","editable":true,"text":"old"}}"#,
            ),
            event(r#"{"event_type":"key","name":"BACK"}"#),
            event(
                r#"{"event_type":"scroll","direction":"DOWN","view":{"class":"L","bounds":[[0,0],[300,300]]}}"#,
            ),
            event(
                r#"{"event_type":"swipe","start_x":1,"start_y":2,"end_x":3,"end_y":4,"duration":1000}"#,
            ),
            event(r#"{"event_type":"spawn"}"#),
            event(r#"{"event_type":"intent","intent":"am start com.app/.Main"}"#),
        ];
        let recording = read(files.iter().map(String::as_str)).unwrap();
        assert_eq!(recording.package.as_deref(), Some("com.app"));
        assert_eq!(recording.launch.unwrap().class, "com.app.Main");
        let sentences: Vec<String> = recording.events.iter().map(ToString::to_string).collect();
        assert_eq!(
            sentences,
            [
                "tap \"Add\"",
                "type \"hi\" into f",
                "press back",
                "drag the L at (150, 270) to (150, 30)",
                "drag (1, 2) to (3, 4)",
                "launch the app"
            ]
        );
        assert_eq!(recording.remarks.len(), 1);
        assert_eq!(recording.remarks[0].number, 8);
    }

    #[test]
    fn a_file_that_is_no_event_is_refused_by_its_number() {
        let error = read([TOUCH, "{}"].into_iter()).unwrap_err().to_string();
        assert!(error.starts_with("2: expected an event of DroidBot"), "{error}");
    }

    #[test]
    fn damaged_events() {
        fuzz(
            "droidbot",
            &[TOUCH.as_bytes()],
            &["touch", "scroll", "1e999", "-1e9", "null"],
            |bytes| std::str::from_utf8(bytes).is_ok_and(|text| read([text].into_iter()).is_ok()),
        );
    }
}
