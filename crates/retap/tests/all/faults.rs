//! `retap bench faults`: whatever strikes an exploration, it ends as if nothing had happened.
#![allow(clippy::unwrap_used)] // a test may panic

use crate::common::{fake, fixture, retap};

#[test]
fn disturbed_explorations_end_as_undisturbed_ones() {
    let (notes, fragile) = (fake("notes.fake"), fake("fragile.fake"));
    let arguments = ["bench", "faults", &notes, &fragile, "--runs", "15", "--max-events", "400"];
    let output = retap(&[&arguments[..], &["--json"]].concat());
    assert_eq!(output.code, 0, "{output:?}");
    let results = output.json();
    let runs = results["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 30);
    let disturbed = runs.iter().filter(|run| run["resumes"].as_u64() > Some(0)).count();
    assert!(disturbed > 0, "some faults struck: {results}");
}

/// A few points only: each takes a process of the embedded device. docs/results-faults.md has hundreds.
#[test]
fn a_killed_device_and_a_killed_retap_change_nothing_on_the_embedded_device() {
    let app = fixture("notes.apk");
    let arguments =
        ["bench", "faults", &app, "--runs", "2", "--max-events", "60", "--strikes", "2"];
    let output =
        retap(&[&arguments[..], &["--fault", "kill-device,kill-retap", "--json"]].concat());
    assert_eq!(output.code, 0, "{output:?}");
    assert_eq!(output.json()["runs"].as_array().unwrap().len(), 2);
}
