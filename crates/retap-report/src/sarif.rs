//! `report.sarif`: every crash a result with the place of its throw, for code scanning.

use crate::crash::FoundCrash;
use crate::place::Place;
use crate::run::Run;
use crate::sentence::short;
use serde_json::{Value, json};
use std::collections::BTreeSet;

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";
const MOST_FRAMES: usize = 50;

pub fn render(run: &Run) -> String {
    let exceptions: BTreeSet<&str> =
        run.crashes.iter().map(|crash| crash.exception.as_str()).collect();
    let rule = |exception: &&str| {
        json!({
            "id": exception,
            "name": short(exception),
            "shortDescription": { "text": format!("The app crashes with {exception}") },
            "defaultConfiguration": { "level": "error" },
        })
    };
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "retap",
                "version": run.info.retap_version,
                "rules": exceptions.iter().map(rule).collect::<Vec<_>>(),
            }},
            "results": run.crashes.iter().map(result).collect::<Vec<_>>(),
        }],
    });
    format!("{log:#}\n")
}

fn result(crash: &FoundCrash) -> Value {
    let steps: String =
        crash.steps.iter().map(|step| format!("\n{}. {}", step.number, step.sentence)).collect();
    let frames = crash.stack.lines().filter_map(Place::parse).take(MOST_FRAMES);
    let frames: Vec<Value> = frames.map(|place| json!({ "location": location(&place) })).collect();
    let place = Place::parse(&crash.place);
    json!({
        "ruleId": crash.exception,
        "level": "error",
        "message": { "text": format!("{}: {}{steps}", crash.exception, crash.message) },
        "locations": place.iter().map(location).collect::<Vec<_>>(),
        "stacks": [{ "frames": frames }],
        "partialFingerprints": { "retapCrash/v1": crash.id },
    })
}

fn location(place: &Place<'_>) -> Value {
    let mut location = json!({
        "logicalLocations": [{ "fullyQualifiedName": place.method, "kind": "function" }],
    });
    if let Some(file) = &place.file {
        let mut physical = json!({ "artifactLocation": { "uri": percent_encoded(file) } });
        if let Some(line) = place.line {
            physical["region"] = json!({ "startLine": line });
        }
        location["physicalLocation"] = physical;
    }
    location
}

/// A path as a relative URI: class names may hold any letter.
fn percent_encoded(path: &str) -> String {
    let keep = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-$".contains(&byte);
    path.bytes()
        .map(|byte| if keep(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}
