//! The page of a suite folder.
#![allow(clippy::unwrap_used)] // a test may panic

use retap_report::ReportError;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use tempfile::tempdir;

const HOSTILE: &str = "<retap-x onload=1>";

/// A reduction in which every list has an item. `HOSTILE` stands wherever an app or a file name can put a text.
fn reduction() -> Value {
    let size = |steps: u64| json!({ "steps": steps, "restarts": 1, "cost": steps + 1, "ms": 0 });
    json!({
        "retap": "reduction", "version": 1,
        "app": { "package": "com.app", "version": HOSTILE, "sha256": "" },
        "ended": "interrupted",
        "stages": {
            "recorded": size(9), "selected": size(6), "phase_1": size(5), "phase_2": size(4), "phase_3": size(3),
        },
        "lower_bound": { "cost": 3, "method": "flow" },
        "gap": 0.25,
        "tally": {
            "candidates": 1, "replayed": 1, "faithful": 1, "short": 0, "known": 0, "cut": 0, "traces_saved": 0,
            "expanded": 0, "rounds": 1, "attempts": 1, "sufficient": 1, "effort": 16, "limits_hit": 0,
        },
        "quarantined": [{ "trace": HOSTILE, "step": 2, "steps": 3, "rate": { "successes": 1, "runs": 2 } }],
        "unstable": [{ "need": HOSTILE, "trace": "a", "step": 3 }],
        "unexamined": [HOSTILE],
        "traces": [{ "trace": "001", "kept": true, "fragments": [HOSTILE] }],
        "covered": [
            { "need": HOSTILE, "by": "001", "step": 1 },
            { "need": "state 2", "by": "001", "step": 1 },
        ],
        "removed": [{ "trace": HOSTILE, "steps": [2, 3], "kind": "loop", "covered": "0-1" }],
    })
}

fn write_reduction(folder: &Path, reduction: &Value) {
    fs::write(folder.join("reduction.json"), reduction.to_string()).unwrap();
}

#[test]
fn the_page_shows_sizes_exclusions_and_the_proof() {
    let folder = tempdir().unwrap();
    write_reduction(folder.path(), &reduction());
    let page = fs::read_to_string(retap_report::write_suite(folder.path()).unwrap().html).unwrap();
    for words in [
        "interrupted",
        "3.0×",
        "25%",
        "Lower bound",
        "replays in <b>1 of 2</b> runs",
        "from step 2 of 3",
        "before it examined 1 trace ",
        "kept unchanged",
        "Loop, steps 2–3 of",
        "<a href=\"#001-1\">",
        "1–2",
    ] {
        assert!(page.contains(words), "{words} is missing in\n{page}");
    }
    assert!(!page.contains("<retap-x"));
}

#[test]
fn a_reduction_that_lacks_a_field_is_refused_by_the_field_s_name() {
    let folder = tempdir().unwrap();
    let mut lacking = reduction();
    lacking.as_object_mut().unwrap().remove("gap");
    write_reduction(folder.path(), &lacking);
    let error = retap_report::write_suite(folder.path()).unwrap_err();
    assert!(error.to_string().contains("missing field `gap`"), "{error}");
}

#[test]
fn a_folder_without_a_reduction_is_no_suite() {
    let folder = tempdir().unwrap();
    assert!(!retap_report::is_suite(folder.path()));
    let error = retap_report::write_suite(folder.path()).unwrap_err();
    assert!(matches!(error, ReportError::NoSuite(_)), "{error}");
}
