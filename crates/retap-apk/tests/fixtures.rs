//! The fixture apps, as aapt and d8 made them.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::PathBuf;

use retap_apk::{Apk, LaunchMode, Verdict, absences};

fn open(name: &str) -> Apk {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    Apk::open(folder.join(name)).unwrap()
}

#[test]
fn the_manifest_of_notes_is_read_through_its_resources() {
    let apk = open("notes.apk");
    let manifest = &apk.manifest;
    assert_eq!(manifest.package, "dev.retap.fixture.notes");
    assert_eq!(manifest.application.label.as_deref(), Some("Notes"));
    assert_eq!(manifest.application.theme.as_deref(), Some("@style/Notes"));
    assert!(manifest.min_sdk <= manifest.target_sdk);
    assert_eq!(apk.launcher().unwrap().activity, "dev.retap.fixture.notes.NotesActivity");
    let own = |activity: &&retap_apk::Activity| {
        activity.component.name.starts_with("dev.retap.fixture.notes.")
            && activity.launch_mode == LaunchMode::Standard
    };
    assert_eq!(manifest.activities.iter().filter(own).count(), manifest.activities.len());
}

#[test]
fn the_summary_of_a_manifest_is_plain_json() {
    let json = serde_json::to_value(&open("notes.apk").manifest).unwrap();
    assert_eq!(json["package"], "dev.retap.fixture.notes");
    assert_eq!(json["activities"][0]["launch_mode"], "standard");
    let actions = &json["activities"][0]["filters"][0]["actions"];
    assert_eq!(*actions, serde_json::json!(["android.intent.action.MAIN"]));
}

#[test]
fn every_activity_of_notes_is_a_class_that_calls_the_framework() {
    let apk = open("notes.apk");
    let app = apk.code().unwrap();
    for activity in &apk.manifest.activities {
        let name = &activity.component.name;
        let class = app.code.class(&format!("L{};", name.replace('.', "/"))).unwrap();
        let on_create = class.methods.iter().find(|method| &*method.name == "onCreate").unwrap();
        let calls: Vec<_> =
            app.code.framework_calls(on_create).map(|method| method.to_string()).collect();
        assert!(calls.iter().any(|call| call.starts_with("Landroid/app/")), "{name}: {calls:?}");
    }
    let ownership = app.code.ownership(&apk.manifest.package);
    assert_eq!(ownership.own.into_keys().collect::<Vec<_>>(), ["dev.retap.fixture.notes"]);
}

#[test]
fn verdicts_name_the_reason() {
    let check = |name: &str, expected: &str| {
        let apk = open(name);
        let verdict = Verdict::of(&apk, &apk.code().unwrap().code, 23..=35).to_string();
        assert!(verdict.starts_with(expected), "{name}: {verdict}");
    };
    check("notes.apk", "runs at API level ");
    check("nolauncher.apk", "cannot run: it has no launcher activity");
    check("native.apk", "cannot run: native code, which needs a phone, is loaded by dev.retap");
}

#[test]
fn what_a_phone_has_and_the_embedded_device_has_not_is_found_in_the_code() {
    let absent = |name: &str| {
        let apk = open(name);
        absences(&apk.code().unwrap().code, &apk.manifest.package)
    };
    assert_eq!(absent("notes.apk"), []);
    let hostile = absent("hostile.apk");
    let parts: Vec<_> = hostile.iter().map(|absence| absence.part).collect();
    assert_eq!(parts, ["network", "other programs"]);
    assert!(
        hostile[1].classes.contains("dev.retap.fixture.hostile.ResourceAttempts"),
        "{hostile:?}"
    );
}
