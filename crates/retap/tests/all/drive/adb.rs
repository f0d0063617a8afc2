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
    over_phones(&[phone], arguments)
}

/// Runs the binary with these phones, all of them at the adb server of the first.
fn over_phones(phones: &[&ServedPhone], arguments: &[&str]) -> CommandOutput {
    let mut command = retap_command(arguments);
    for phone in phones {
        command.args(["-s", &phone.serial]);
    }
    let phone = phones[0];
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

const EXPLORE: [&str; 6] = ["--seed", "3", "--max-events", "40", "--json", "-q"];

/// Returns the number of units of each kind that can be covered.
fn totals(summary: &Value) -> Vec<&Value> {
    let kinds = ["instruction", "branch", "line", "method"];
    kinds.iter().map(|kind| &summary["coverage"][kind]["total"]).collect()
}

#[test]
fn the_verbs_give_the_same_on_the_embedded_device_over_adb_as_directly() {
    if !is_here() || !is_long_wanted() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let temp = |name: &str| folder.path().join(name).display().to_string();
    // The phone runs the instrumented app; what was recorded of the plain one runs on the plain one.
    let (apk, counted) = (fixture("notes.apk"), temp("counted.apk"));
    let made = retap(&["instrument", &apk, "-o", &counted, "-q"]);
    assert_eq!(made.code, 0, "{made:?}");
    let phone = ServedPhone::of_embedded();
    let (run, run_over_adb) = (temp("direct"), temp("adb"));
    let explored = retap(&[&["explore", &apk, "-o", &run], EXPLORE.as_slice()].concat());
    let arguments = [&["explore", &counted, "-o", &run_over_adb], EXPLORE.as_slice()].concat();
    let explored_over_adb = over_adb(&phone, &arguments);
    assert_eq!(
        (explored.code, explored_over_adb.code),
        (1, 1),
        "{explored:?}{explored_over_adb:?}"
    );
    let (direct, over) = (explored.json(), explored_over_adb.json());
    assert_eq!(totals(&direct), totals(&over), "the same units count");
    assert!(over["coverage"]["method"]["covered"].as_u64() > Some(0), "{over}");
    assert_eq!(over["host_limitations"], serde_json::json!({}));
    for crash in direct["crashes"].as_array().unwrap() {
        let id = crash["id"].as_str().unwrap();
        let trace = format!("{run}/crashes/{id}/trace.jsonl");
        let minimized = format!("{run}/crashes/{id}/minimized.jsonl");
        let alike = over_adb(&phone, &["replay", &minimized, &apk, "--against", "embedded"]);
        assert_eq!(alike.code, 0, "{alike:?}");
        let replayed = over_adb(&phone, &["replay", &minimized, &apk, "--runs", "2", "--json"]);
        assert_eq!(replayed.json()["reproduced"]["successes"], 2, "{replayed:?}");
        let shorter =
            over_adb(&phone, &["minimize", &trace, &apk, "--json", "-q", "-o", &temp(id)]);
        assert_eq!(shorter.json()["steps"], crash["steps"], "{shorter:?}");
    }
    let suite = retap(&["reduce", &run, "--json", "-q", "-o", &temp("suite")]);
    let suite_over_adb =
        over_adb(&phone, &["reduce", &run_over_adb, "--json", "-q", "-o", &temp("suite-adb")]);
    for reduced in [suite, suite_over_adb] {
        let summary = reduced.json();
        assert_eq!(summary["ended"], "complete", "{reduced:?}");
        let cost = |stage: &str| summary["stages"][stage]["cost"].as_u64().unwrap();
        assert!(cost("phase_3") < cost("recorded"), "{reduced:?}");
    }
}

#[test]
fn an_update_is_compared_on_two_phones_as_on_two_embedded_devices() {
    if !is_here() || !is_long_wanted() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let temp = |name: &str| folder.path().join(name).display().to_string();
    let plain = ["shop-1.apk", "shop-2.apk"].map(fixture);
    let counted = ["1.apk", "2.apk"].map(temp);
    for (apk, counted) in plain.iter().zip(&counted) {
        let made = retap(&["instrument", apk, "-o", counted, "-q"]);
        assert_eq!(made.code, 0, "{made:?}");
    }
    let (direct, over, alone) = (temp("direct"), temp("adb"), temp("alone"));
    let [old, new] = &plain;
    let line = [&["update", old, new, "-o", &direct], EXPLORE.as_slice()].concat();
    let direct = retap(&line).json();
    let phones = [ServedPhone::of_embedded(), ServedPhone::of_embedded()];
    let [old, new] = &counted;
    let line = [&["update", old, new, "-o", &over], EXPLORE.as_slice()].concat();
    let over = over_phones(&[&phones[0], &phones[1]], &line).json();
    let targets = |summary: &Value| summary["update"]["target_methods"]["total"].clone();
    assert_eq!(targets(&direct), targets(&over), "the same methods have changed");
    for summary in [&direct, &over] {
        assert!(summary["update"]["target_methods"]["covered"].as_u64() > Some(0), "{summary}");
        assert_eq!(summary["update"]["old"]["version"], "1.0", "{summary}");
        assert!(!summary["update"]["differences"].as_array().unwrap().is_empty(), "{summary}");
    }
    let line = [&["update", old, new, "-o", &alone], EXPLORE.as_slice()].concat();
    let alone = over_adb(&phones[0], &line);
    assert!(alone.stdout.contains("is in use: name more devices with -s"), "{alone:?}");
}
