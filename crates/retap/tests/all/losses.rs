//! Events that lose the device: an outcome that is recorded, set aside, replayed and minimised, while the run goes on.
#![allow(clippy::unwrap_used)] // a test may panic

use crate::common::{fake, retap};
use std::fs;
use tempfile::tempdir;

const HALT: &str = "device lost: the agent ended with status 3";

#[test]
fn an_event_that_loses_the_device_is_recorded_set_aside_and_can_be_minimised() {
    let temp = tempdir().unwrap();
    let device = fake("fragile.fake");
    let dir = temp.path().join("run");
    let out = dir.display().to_string();
    let arguments = ["explore", "-d", &device, "--seed", "1", "--max-events", "200", "--json"];
    let minimal = ["--oracle", "none", "--no-minimize", "--pictures", "0", "-o", &out];
    let output = retap(&[&arguments[..], &minimal[..]].concat());
    assert_eq!(output.code, 0, "{output:?}");
    let summary = output.json();
    assert_eq!((&summary["ended"], &summary["events"]), (&"complete".into(), &200.into()));
    let met: u64 =
        summary["host_limitations"].as_object().unwrap().values().filter_map(|n| n.as_u64()).sum();
    assert!(summary["host_limitations"][HALT].as_u64() >= Some(1), "{summary}");
    assert_eq!(summary["cost"]["devices_lost"], 3 * met, "each event was tried three times");
    assert!(met < 20, "explorers set such events aside: {met}");
    let page = fs::read_to_string(dir.join("report.html")).unwrap();
    assert!(page.contains("device lost"), "the report names it");

    let limitation = &summary["limitations"][0];
    let trace = dir.join(limitation["trace"].as_str().unwrap()).display().to_string();
    assert!(fs::read_to_string(&trace).unwrap().contains("\"outcome\":\"device_lost\""));
    let output = retap(&["replay", &trace, "-d", &device]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(output.stdout.contains("device lost"), "{output:?}");
    let answer = temp.path().join("minimized").display().to_string();
    let output = retap(&["minimize", &trace, "-d", &device, "-o", &answer, "--json"]);
    assert_eq!(output.code, 0, "{output:?}");
    let minimized =
        fs::read_to_string(temp.path().join("minimized").join("minimized.jsonl")).unwrap();
    assert!(minimized.contains("device_lost"), "{minimized}");
    let suite = temp.path().join("suite").display().to_string();
    let output = retap(&["reduce", &out, "-d", &device, "-o", &suite]);
    assert_eq!(output.code, 0, "{output:?}");
}
