//! The verbs over adb: the binary → stock adb server → `retap-adbd` → a fake that stands in for the APK's app.
#![cfg(unix)]
#![allow(clippy::unwrap_used)] // a test may panic

#[path = "../../../../retap-adb/tests/chain/phone.rs"]
#[allow(dead_code)] // each test program needs a part
pub mod phone;

use crate::common::{CommandOutput, fake, fixture, retap, retap_command};
use phone::{ServedPhone, is_here, is_long_wanted};
use serde_json::Value;
use std::collections::BTreeSet;

fn over_adb(phone: &ServedPhone, arguments: &[&str]) -> CommandOutput {
    let mut command = retap_command(arguments);
    command.args(["-s", &phone.serial]);
    command.env("ANDROID_ADB_SERVER_PORT", phone.server_port.to_string());
    command.env("HOME", phone.environment().home.unwrap());
    command.env_remove("ADB_SERVER_SOCKET").env_remove("ANDROID_SERIAL").env_remove("ANDROID_HOME");
    command.output().unwrap().into()
}

fn crash_ids(summary: &Value) -> BTreeSet<String> {
    let crashes = summary["crashes"].as_array().unwrap().iter();
    crashes.map(|crash| crash["id"].as_str().unwrap().to_string()).collect()
}

#[test]
fn the_verbs_find_replay_minimise_and_reduce_the_same_crash_over_adb_as_directly() {
    if !is_here() || !is_long_wanted() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let temp = |name: &str| folder.path().join(name).display().to_string();
    let direct = retap(&[
        "explore",
        "-d",
        &fake("conform.fake"),
        "--seed",
        "3",
        "--max-events",
        "200",
        "--json",
        "-q",
        "-o",
        &temp("direct"),
    ]);
    let known = crash_ids(&direct.json());
    let phone = ServedPhone::of_fake("conform.fake", None);
    let (apk, run) = (fixture("conform.apk"), temp("adb"));
    let explored = over_adb(
        &phone,
        &["explore", &apk, "--seed", "3", "--max-events", "40", "--json", "-q", "-o", &run],
    );
    assert_eq!(explored.code, 1, "{explored:?}");
    let summary = explored.json();
    let found = crash_ids(&summary);
    assert!(!found.is_empty() && found.is_subset(&known), "{found:?} of {known:?}");
    let crash = format!("{run}/crashes/{}", found.first().unwrap());
    let minimized = format!("{crash}/minimized.jsonl");
    let replayed = over_adb(&phone, &["replay", &minimized, "--runs", "2", "--json"]);
    assert_eq!(replayed.code, 1, "{replayed:?}");
    assert_eq!(replayed.json()["reproduced"]["successes"], 2, "{replayed:?}");
    let shorter = over_adb(
        &phone,
        &["minimize", &format!("{crash}/trace.jsonl"), "--json", "-q", "-o", &temp("shorter")],
    );
    assert_eq!(shorter.code, 1, "{shorter:?}");
    let reduced = over_adb(&phone, &["reduce", &run, "--json", "-q", "-o", &temp("suite")]);
    assert!(reduced.code <= 1, "{reduced:?}");
    let alike =
        over_adb(&phone, &["replay", &minimized, "--force", "--against", &fake("conform.fake")]);
    assert_eq!(alike.code, 0, "{alike:?}");
    let other = over_adb(
        &phone,
        &["replay", &minimized, "--force", "--against", &fake("notes.fake"), "--json"],
    );
    assert_eq!(other.code, 1, "{other:?}");
    let differences = other.json()["differences"].as_array().unwrap().clone();
    assert!(
        differences.iter().any(|it| it["what"] == "activity" && it["step"] == 0),
        "{differences:?}"
    );
}
