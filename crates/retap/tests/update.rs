//! Tests `retap update`: input that does not fit, and both versions of the fixture `shop` on the embedded device.
#![allow(clippy::unwrap_used)] // a test may panic

mod common;

use common::{assert_refused, fixture, retap};
use std::fs;
use tempfile::tempdir;

#[test]
fn versions_that_do_not_fit_are_refused() {
    let (old, new, other) = (fixture("shop-1.apk"), fixture("shop-2.apk"), fixture("notes.apk"));
    assert_refused(&["update", &old, &other], 2, &["different apps", "--force"]);
    assert_refused(&["update", &new, &old], 2, &["the order looks wrong", "--force"]);
    assert_refused(&["update", &old, "nowhere.apk"], 2, &["nowhere.apk"]);
}

#[test]
fn two_equal_versions_need_no_test() {
    let apk = fixture("shop-1.apk");
    let output = retap(&["update", &apk, &apk]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(output.stdout.contains("the same"), "{output:?}");
}

#[test]
fn mistakes_in_manual_inputs_have_their_line() {
    let temp = tempdir().unwrap();
    let file = temp.path().join("inputs.json");
    fs::write(&file, "{\"SignIn\": {\n\"Windows\": [],\n\"DataFields\": {}}}").unwrap();
    let (old, new) = (fixture("shop-1.apk"), fixture("shop-2.apk"));
    let file = file.display().to_string();
    assert_refused(&["update", &old, &new, "--inputs", &file], 2, &["line 2", "SignIn"]);
}

#[test]
fn changed_methods_run_and_screens_of_both_versions_are_compared() {
    let temp = tempdir().unwrap();
    let run = temp.path().join("run");
    let (old, new) = (fixture("shop-1.apk"), fixture("shop-2.apk"));
    let out = run.display().to_string();
    let limits = ["--seed", "1", "--max-events", "60", "--no-minimize", "--pictures", "2"];
    let arguments = [&["update", &old, &new, "-o", &out, "--json", "-q"], &limits[..]].concat();
    let output = retap(&arguments);
    assert!(output.code <= 1, "{output:?}");
    let update = &output.json()["update"];
    // Phase 1 alone reaches the coupon, whose button and dialog are new.
    assert!(update["target_methods"]["covered"].as_u64().unwrap() >= 6, "{update}");
    let targets = update["targets"].as_array().unwrap();
    let coupon =
        targets.iter().find(|it| it["method"].as_str().unwrap().contains("askForCoupon()V"));
    assert_eq!(coupon.unwrap()["phase"], 1, "{update}");
    let differences = update["differences"].as_array().unwrap();
    let says = |it: &&serde_json::Value| it["what"].as_str().unwrap().contains("@id/coupon");
    let button = differences.iter().find(says).unwrap_or_else(|| panic!("{update}"));
    assert_eq!(button["unexplained"], false, "a changed layout explains it: {button}");
    for file in ["update.md", "report.html", "model.json", "suite/suite.toml"] {
        assert!(run.join(file).is_file(), "{file} is missing");
    }
    let page = fs::read_to_string(run.join("report.html")).unwrap();
    assert!(page.contains("Differences that the update explains"));
}
