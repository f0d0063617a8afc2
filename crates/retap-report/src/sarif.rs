//! `report.sarif`: every crash a result with the place of its throw, for code scanning; every other finding a result
//! with its activity. A broken property is an error, because the user demanded it; the others are warnings.

use crate::crash::FoundCrash;
use crate::finding::Found;
use crate::place::Place;
use crate::run::Run;
use crate::sentence::short;
use retap_model::FindingKind;
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
    let kinds: BTreeSet<FindingKind> = run.findings.iter().map(|f| f.finding.kind).collect();
    let rules = exceptions.iter().map(rule).chain(kinds.iter().map(|kind| of_kind(*kind)));
    let results = run.crashes.iter().map(result).chain(run.findings.iter().map(of_finding));
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "retap",
                "version": run.info.retap_version,
                "rules": rules.collect::<Vec<_>>(),
            }},
            "results": results.collect::<Vec<_>>(),
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

fn of_kind(kind: FindingKind) -> Value {
    let text = match kind {
        FindingKind::Rotation => "What was there is lost when the display is turned",
        FindingKind::Background => "What was there is lost when the app comes back",
        FindingKind::Back => "Back does not lead out",
        FindingKind::Layout => "A text is cut, or a widget lies off the screen",
        FindingKind::Leak => "The system reports a leak",
        FindingKind::Property => "A property does not hold",
    };
    json!({
        "id": format!("retap/{kind}"),
        "name": kind,
        "shortDescription": { "text": text },
        "defaultConfiguration": { "level": level(kind) },
    })
}

fn level(kind: FindingKind) -> &'static str {
    if kind == FindingKind::Property { "error" } else { "warning" }
}

fn of_finding(found: &Found) -> Value {
    let steps: String =
        found.steps.iter().map(|step| format!("\n{}. {}", step.number, step.sentence)).collect();
    let activity = &found.finding.activity;
    json!({
        "ruleId": format!("retap/{}", found.finding.kind),
        "level": level(found.finding.kind),
        "message": { "text": format!("{}{steps}", found.finding.message) },
        "locations": [{
            "logicalLocations": [{ "fullyQualifiedName": activity, "kind": "type" }],
        }],
        "partialFingerprints": { "retapFinding/v1": found.id },
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
