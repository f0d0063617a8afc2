//! The fixture apps against the limits of the embedded device. Nothing is started.

use proptest::prelude::*;
use proptest::sample::Index;
use retap_apk::Apk;
use retap_embedded::{API_LEVELS, Compatibility, MissingFeature, find_missing_features};
use std::fs;
use std::path::PathBuf;

fn fixture(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(name)
}

#[test]
fn compatibility_names_the_reason() {
    let check = |name: &str, expected: &str| {
        let apk = Apk::open(fixture(name)).unwrap();
        let code = apk.code().unwrap().code;
        let compatibility = Compatibility::check(&apk, &code, API_LEVELS).to_string();
        assert!(compatibility.starts_with(expected), "{name}: {compatibility}");
    };
    check("notes.apk", "runs at API level ");
    check("nolauncher.apk", "cannot run: it has no launcher activity");
    check("native.apk", "runs at API level 29\nwarning: native code does not run here");
}

#[test]
fn features_that_the_device_lacks_are_found_in_the_code() {
    let missing = |name: &str| -> Vec<MissingFeature> {
        let apk = Apk::open(fixture(name)).unwrap();
        find_missing_features(&apk.code().unwrap().code, &apk.manifest.package)
    };
    assert_eq!(missing("notes.apk"), []);
    let hostile = missing("hostile.apk");
    let features: Vec<_> = hostile.iter().map(|missing| missing.feature).collect();
    assert_eq!(features, ["network", "other programs"]);
    assert!(
        hostile[1].classes.contains("dev.retap.fixture.hostile.ResourceAttempts"),
        "{hostile:?}"
    );
}

proptest! {
    #[test]
    fn an_edited_archive_is_refused_or_its_compatibility_is_known(
        edits in prop::collection::vec((any::<Index>(), any::<u8>()), 1..12),
    ) {
        let mut bytes = fs::read(fixture("notes.apk")).unwrap();
        let length = bytes.len();
        for (at, value) in edits {
            bytes[at.index(length)] = value;
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("edited.apk");
        fs::write(&path, bytes).unwrap();
        if let Ok(apk) = Apk::open(path)
            && let Ok(app) = apk.code()
        {
            let compatibility = Compatibility::check(&apk, &app.code, API_LEVELS);
            prop_assert!(!compatibility.to_string().is_empty());
        }
    }
}
