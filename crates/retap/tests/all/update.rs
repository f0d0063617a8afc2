//! Tests `retap update`: input that does not fit, and both versions of the fixture `shop` on the embedded device.
#![allow(clippy::unwrap_used)] // a test may panic

use crate::common::{assert_refused, fixture, retap};
use retap_embedded::{EmbeddedConnect, EmbeddedOptions, Listener, Notice};
use retap_engine::update::{UpgradeSettings, check_upgrade, repeat_upgrade};
use retap_engine::{Context, ProgressBar, Reporter};
use retap_model::{Event, Selector, Target};
use retap_update::UpgradeFault;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
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
    let junit = fs::read_to_string(run.join("junit.xml")).unwrap();
    assert!(junit.contains("dev.retap.fixture.shop update"), "{junit}");
    let shown = retap(&["update", "--show", &out]);
    assert!(shown.stdout.contains("CatalogActivity") && shown.code == 0, "{shown:?}");
}

#[test]
fn a_file_that_names_no_change_and_a_model_that_is_none_are_refused() {
    let temp = tempdir().unwrap();
    let file = temp.path().join("list");
    fs::write(&file, "\n\n").unwrap();
    let (old, new) = (fixture("shop-1.apk"), fixture("shop-2.apk"));
    let file = file.display().to_string();
    assert_refused(&["update", &old, &new, "--since", &file], 2, &["names no changed file"]);
    assert_refused(&["update", &old, &new, "--model", &file], 2, &[&file]);
    assert_refused(&["update", "--show", &file], 2, &[&file]);
}

#[test]
fn an_old_version_that_does_not_run_leaves_the_comparison_out_and_nothing_else() {
    let temp = tempdir().unwrap();
    let run = temp.path().join("run").display().to_string();
    let (old, new) = (fixture("nolauncher.apk"), fixture("shop-2.apk"));
    let limits = ["--seed", "1", "--max-events", "10", "--no-minimize", "--force"];
    let arguments = [&["update", &old, &new, "-o", &run, "--json", "-q"], &limits[..]].concat();
    let output = retap(&arguments);
    assert!(output.code <= 1, "{output:?}");
    let update = &output.json()["update"];
    assert!(update["target_methods"]["covered"].as_u64().unwrap() > 0, "{update}");
    let summary = fs::read_to_string(Path::new(&run).join("update.md")).unwrap();
    assert!(summary.contains("the old version does not run"), "{summary}");
}

/// A reporter that says nothing.
struct Silence;

impl Reporter for Silence {
    fn remark(&self, _text: &str) {}

    fn progress(&self, _length: Option<u64>) -> Box<dyn ProgressBar> {
        Box::new(Silence)
    }

    fn device_listener(&self) -> Listener {
        Arc::new(|_: Notice<'_>| {})
    }
}

impl ProgressBar for Silence {
    fn update(&self, _position: u64, _message: String) {}

    fn remark(&self, _text: &str) {}
}

/// The planted crash "old count": version 1 keeps a number where version 2 expects a text.
#[test]
fn a_crash_that_only_old_data_cause_is_found_and_nothing_else() {
    let on = |on: Selector| Target { on: Some(on), at: None };
    let text = |text: &str| Selector { text: text.into(), ..Selector::default() };
    let tap = |it: &str| Event::Tap(on(text(it)));
    let address = Selector { id: "address".into(), ..Selector::default() };
    let order = vec![
        tap("Honey"),
        tap("Add to cart"),
        tap("Cart"),
        tap("Checkout"),
        Event::Text { on: on(address), text: "Main Street 1".into() },
        tap("Place order"),
    ];
    let look = order[..3].to_vec();
    let (old, new) = (fixture("shop-1.apk"), fixture("shop-2.apk"));
    let options = EmbeddedOptions::default();
    let connect = EmbeddedConnect::new(PathBuf::from(&new), options, Silence.device_listener());
    let settings = UpgradeSettings {
        connect: &connect,
        old: Path::new(&old),
        new: Path::new(&new),
        package: "dev.retap.fixture.shop",
        world_seed: 1,
    };
    let interrupt = AtomicBool::new(false);
    let context = Context { reporter: &Silence, interrupt: &interrupt };
    let repeated = repeat_upgrade(&order, &[1, 2], settings, context).unwrap();
    assert!(repeated.faults.iter().all(Option::is_some), "as replay --over does: {repeated:?}");
    let check = check_upgrade(&[order, look], settings, context).unwrap();
    assert_eq!((check.sequences, &check.left_out), (2, &None));
    let [found] = check.faults.as_slice() else { panic!("{check:?}") };
    let UpgradeFault::Crash { exception, .. } = &found.fault else { panic!("{found:?}") };
    assert!(exception.ends_with("ClassCastException"), "{found:?}");
    assert_eq!((found.before.len(), found.after.len()), (6, 6), "{found:?}");
}
