//! `report.sarif` for code scanning: a crash is a result at the app's own frame that is nearest to the throw, a finding is
//! a result at its activity.
//!
//! A broken property is an error, because the user demanded the property. Other findings are warnings.

mod source_location;

use crate::run::{DescribedStep, ReportedCrash, ReportedFinding, RunData};
use crate::text::simple_class_name;
use retap_model::FindingKind;
use retap_model::format::run::update_summary::DifferenceSummary;
use serde_json::{Value, json};
pub use source_location::SourceLocation;
use std::collections::BTreeSet;

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";
const MAX_FRAMES: usize = 50;

/// Renders the file.
pub fn render(run: &RunData) -> String {
    let exceptions: BTreeSet<&str> =
        run.crashes.iter().map(|crash| crash.exception.as_str()).collect();
    let kinds: BTreeSet<FindingKind> = run.findings.iter().map(|f| f.finding.kind).collect();
    let differences: Vec<&DifferenceSummary> =
        run.update.iter().flat_map(|it| &it.differences).collect();
    let unexplained = || differences.iter().copied().filter(|it| it.unexplained);
    let update_kinds: BTreeSet<&str> = unexplained().map(|it| it.kind.as_str()).collect();
    let rules = exceptions.into_iter().map(crash_rule);
    let rules = rules.chain(kinds.into_iter().map(finding_rule));
    let rules = rules.chain(update_kinds.into_iter().map(update_rule));
    let results = run
        .crashes
        .iter()
        .map(|crash| crash_result(run, crash))
        .chain(run.findings.iter().map(finding_result));
    let results = results.chain(unexplained().map(update_result));
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

fn crash_rule(exception: &str) -> Value {
    json!({
        "id": exception,
        "name": simple_class_name(exception),
        "shortDescription": { "text": format!("The app crashes with {exception}") },
        "defaultConfiguration": { "level": "error" },
    })
}

fn finding_rule(kind: FindingKind) -> Value {
    let text = match kind {
        FindingKind::Rotation => "The app loses state when the display is rotated",
        FindingKind::Background => "The app loses state when it returns from the background",
        FindingKind::Back => "The back key does not leave the screen",
        FindingKind::Layout => "A text is cut off, or a widget lies off the screen",
        FindingKind::Leak => "The system reports a resource leak",
        FindingKind::Property => "A property does not hold",
    };
    json!({
        "id": format!("retap/{kind}"),
        "name": kind,
        "shortDescription": { "text": text },
        "defaultConfiguration": { "level": level_of(kind) },
    })
}

fn update_rule(kind: &str) -> Value {
    let text = match kind {
        "new-crash" => "Only the new version crashes",
        "upgrade-crash" => "The new version crashes on data of the old one",
        "lost-data" => "The new version does not show data of the old one",
        "other-window" => "An event leads to another window than in the old version",
        _ => "The new version shows something else than the old one",
    };
    json!({
        "id": format!("retap/update-{kind}"),
        "name": kind,
        "shortDescription": { "text": text },
        "defaultConfiguration": { "level": update_level(kind) },
    })
}

fn update_level(kind: &str) -> &'static str {
    if kind.ends_with("crash") || kind == "lost-data" { "error" } else { "warning" }
}

/// A difference between two versions lies where the changed code that ran last lies, if any did.
fn update_result(difference: &DifferenceSummary) -> Value {
    let steps = difference.steps.iter().zip(1..);
    let steps: String = steps.map(|(step, number)| format!("\n{number}. {step}")).collect();
    let location = |method: &String| json!({ "logicalLocations": [{ "fullyQualifiedName": method, "kind": "function" }] });
    let locations: Vec<Value> = difference.changed_code.iter().take(1).map(location).collect();
    json!({
        "ruleId": format!("retap/update-{}", difference.kind),
        "level": update_level(&difference.kind),
        "message": { "text": format!("{}{steps}", difference.what) },
        "locations": locations,
        "partialFingerprints": { "retapUpdate/v1": difference.what },
    })
}

fn level_of(kind: FindingKind) -> &'static str {
    if kind == FindingKind::Property { "error" } else { "warning" }
}

fn crash_result(run: &RunData, crash: &ReportedCrash) -> Value {
    let steps = append_steps(&crash.steps);
    let frames = crash.stack.lines().filter_map(SourceLocation::parse).take(MAX_FRAMES);
    let frames: Vec<Value> =
        frames.map(|frame| json!({ "location": render_location(run, &frame) })).collect();
    let location = SourceLocation::parse(&crash.frame);
    let is_sure = crash.has_own_code && crash.doubts.is_empty();
    json!({
        "ruleId": crash.exception,
        "level": if is_sure { "error" } else { "warning" },
        "properties": {
            "confidence": crash.confidence(),
            "doubts": crash.doubts,
            "ownCode": crash.has_own_code,
        },
        "message": { "text": format!("{}: {}{steps}", crash.exception, crash.message) },
        "locations": location.iter().map(|it| render_location(run, it)).collect::<Vec<_>>(),
        "stacks": [{ "frames": frames }],
        "partialFingerprints": { "retapCrash/v1": crash.id },
    })
}

fn finding_result(reported: &ReportedFinding) -> Value {
    let steps = append_steps(&reported.steps);
    let finding = &reported.finding;
    json!({
        "ruleId": format!("retap/{}", finding.kind),
        "level": level_of(finding.kind),
        "message": { "text": format!("{}{steps}", finding.message) },
        "locations": [{
            "logicalLocations": [{ "fullyQualifiedName": finding.activity, "kind": "type" }],
        }],
        "partialFingerprints": { "retapFinding/v1": reported.id },
    })
}

/// Returns the steps as lines to append to a message: each begins with a line break.
fn append_steps(steps: &[DescribedStep]) -> String {
    steps.iter().map(|step| format!("\n{}. {}", step.number, step.description)).collect()
}

/// A file that the user's sources hold is named by its path there, so that code scanning finds it.
fn render_location(run: &RunData, location: &SourceLocation<'_>) -> Value {
    let mut rendered = json!({
        "logicalLocations": [{ "fullyQualifiedName": location.method, "kind": "function" }],
    });
    if let Some(file) = &location.file {
        let found = run.sources.find(file).map(|path| path.display().to_string());
        let uri = percent_encode(found.as_ref().unwrap_or(file));
        let mut physical = json!({ "artifactLocation": { "uri": uri } });
        if let Some(line) = location.line {
            physical["region"] = json!({ "startLine": line });
        }
        rendered["physicalLocation"] = physical;
    }
    rendered
}

/// Encodes a path as a relative URI, because class names may hold any letter.
fn percent_encode(path: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-$".contains(&byte);
    let encode = |byte: u8| match is_plain(byte) {
        true => char::from(byte).to_string(),
        false => format!("%{byte:02X}"),
    };
    path.bytes().map(encode).collect()
}
