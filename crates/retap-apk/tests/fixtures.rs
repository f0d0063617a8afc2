//! The fixture apps, as made by aapt and d8.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::PathBuf;

use retap_apk::{Apk, LaunchMode};

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
fn a_manifest_serialises_as_plain_json() {
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
