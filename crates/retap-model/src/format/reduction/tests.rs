use super::*;
use crate::rate::Rate;
use serde_json::{Value, json};

fn size() -> Value {
    json!({ "steps": 1, "restarts": 1, "cost": 2, "ms": 3 })
}

/// A file with every field and every kind of item.
fn whole() -> Value {
    json!({
        "retap": "reduction", "version": 1,
        "app": { "package": "com.app", "version": "1", "sha256": "" },
        "ended": "complete",
        "stages": {
            "recorded": size(), "selected": size(), "phase_1": size(), "phase_2": size(), "phase_3": size(),
        },
        "lower_bound": { "cost": 2, "method": "flow_of_any" },
        "gap": 0.5,
        "tally": {
            "candidates": 1, "replayed": 1, "faithful": 1, "short": 0, "known": 0, "cut": 0, "traces_saved": 0,
            "expanded": 0, "rounds": 1, "attempts": 1, "sufficient": 1, "effort": 16, "limits_hit": 0,
        },
        "quarantined": [{ "trace": "a", "step": 2, "steps": 3, "rate": { "successes": 1, "runs": 2 } }],
        "unstable": [{ "need": "state 1", "trace": "a", "step": 3 }],
        "unexamined": ["b"],
        "traces": [{ "trace": "001", "kept": false, "fragments": ["a launch and step 1"] }],
        "covered": [{ "need": "state 2", "by": "001", "step": 1 }],
        "removed": [{ "trace": "a", "steps": [2, 3], "kind": "loop", "covered": "0" }],
    })
}

#[test]
fn a_file_is_read_and_written_without_loss() {
    let read: ReductionFile = serde_json::from_value(whole()).unwrap();
    assert_eq!(read.removed[0].steps, StepRange { first: 2, last: 3 });
    assert_eq!(read.summary.quarantined[0].rate, Rate { successes: 1, runs: 2 });
    assert_eq!(serde_json::to_value(&read).unwrap(), whole());
}

#[test]
fn fields_are_written_in_their_documented_order() {
    let read: ReductionFile = serde_json::from_value(whole()).unwrap();
    let text = serde_json::to_string(&read).unwrap();
    let names = [
        "retap",
        "version",
        "app",
        "ended",
        "stages",
        "lower_bound",
        "gap",
        "tally",
        "quarantined",
        "unstable",
        "unexamined",
        "traces",
        "covered",
        "removed",
    ];
    // The top-level name is looked for behind the one before it: nested items repeat some names.
    let mut rest = text.as_str();
    for name in names {
        let at = rest.find(&format!("\"{name}\":"));
        assert!(at.is_some(), "{name} is missing behind the others in {text}");
        rest = &rest[at.unwrap()..];
    }
}

#[test]
fn a_missing_field_is_an_error_that_names_it() {
    for name in whole().as_object().unwrap().keys() {
        let mut lacking = whole();
        lacking.as_object_mut().unwrap().remove(name);
        let error = ReductionFile::parse(&lacking.to_string(), "f").unwrap_err().to_string();
        assert!(error.contains(&format!("missing field `{name}`")), "{error}");
    }
}

#[test]
fn suites_of_before_phase_3_are_still_read() {
    let mut old = whole();
    old["stages"].as_object_mut().unwrap().remove("phase_3");
    for name in ["attempts", "sufficient", "effort"] {
        old["tally"].as_object_mut().unwrap().remove(name);
    }
    let read: ReductionFile = serde_json::from_value(old).unwrap();
    assert_eq!(read.summary.stages.reduced(), read.summary.stages.phase_2);
}

#[test]
fn a_file_of_another_version_is_refused_as_such() {
    let text = r#"{"retap":"reduction","version":2}"#;
    let error = ReductionFile::parse(text, "f").unwrap_err().to_string();
    assert!(error.contains("version 1") && error.contains("version 2"), "{error}");
}
