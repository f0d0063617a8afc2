//! A Robo script of Firebase Test Lab: a list of actions as JSON. Robo launches the app by itself. What is not a tap
//! or a text is a command of the shell.

use crate::language::{LeftOut, Script};
use crate::query::Query;
use crate::shell;
use crate::trace::ExportedTrace;
use retap_model::Event;
use retap_model::printable::printable_json;
use serde_json::{Value, json};

pub fn write(trace: &ExportedTrace<'_>) -> Script {
    let mut actions = Vec::new();
    let mut left_out = Vec::new();
    for (index, event) in trace.events().enumerate() {
        match action(event, trace) {
            Ok(action) => actions.extend(action),
            Err(reason) => left_out.push(LeftOut { number: index + 1, reason }),
        }
    }
    let text = format!("{:#}\n", Value::Array(actions));
    Script {
        text: printable_json(&text).into_owned(),
        left_out,
        steps: trace.trace.steps.len(),
        remarks: Vec::new(),
    }
}

fn action(event: &Event, trace: &ExportedTrace<'_>) -> Result<Vec<Value>, String> {
    let on_widget = match event {
        Event::Tap(target) => Query::of(target).map(|query| {
            json!({ "eventType": "VIEW_CLICKED", "elementDescriptors": [descriptor(query)] })
        }),
        Event::Text { on, text } => Query::of(on).map(|query| {
            json!({
                "eventType": "VIEW_TEXT_CHANGED",
                "replacementText": text,
                "elementDescriptors": [descriptor(query)],
            })
        }),
        Event::Wait(ms) => Some(json!({ "eventType": "WAIT", "delayTime": ms })),
        _ => None,
    };
    if let Some(action) = on_widget {
        return Ok(vec![action]);
    }
    let run = |command| json!({ "eventType": "ADB_SHELL_COMMAND", "command": command });
    Ok(shell::commands(event, trace)?.into_iter().map(run).collect())
}

fn descriptor(query: Query<'_>) -> Value {
    let mut descriptor = serde_json::Map::new();
    if let Some(pattern) = query.id_pattern() {
        descriptor.insert("resourceIdRegex".into(), pattern.into());
    }
    match query.text {
        Some(text) if text.is_cut => descriptor.insert("textRegex".into(), text.pattern().into()),
        Some(text) => descriptor.insert("text".into(), text.value.into()),
        None => None,
    };
    if let Some(description) = query.description {
        descriptor.insert("contentDescription".into(), description.into());
    }
    Value::Object(descriptor)
}
