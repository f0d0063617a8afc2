//! Test APKs that do not fit or do not work: a clear verdict each.

use crate::common::{assert_refused, fixture};
use std::fs;
use tempfile::tempdir;

#[test]
fn tests_that_somebody_else_signed_are_refused() {
    let temp = tempdir().unwrap();
    let mut bytes = fs::read(fixture("notes-test.apk")).unwrap();
    // The certificate names its owner; another name is another certificate.
    const OWNER: &[u8] = b"retap fixtures";
    let found: Vec<usize> = (0..bytes.len()).filter(|at| bytes[*at..].starts_with(OWNER)).collect();
    assert!(!found.is_empty());
    found.into_iter().for_each(|at| bytes[at] = b'R');
    let other = temp.path().join("other.apk");
    fs::write(&other, bytes).unwrap();
    let other = other.display().to_string();
    assert_refused(
        &["test", &fixture("notes.apk"), &other],
        2,
        &["signed by another key", "sign both with one key"],
    );
}

#[test]
fn a_runner_that_the_apk_does_not_have_is_named() {
    let tests = fixture("norunner-test.apk");
    assert_refused(
        &["test", &fixture("notes.apk"), &tests],
        2,
        &["cannot be listed", "dev.retap.fixture.notes.NoSuchRunner"],
    );
}

#[test]
fn a_driver_is_the_app_that_the_tests_belong_to() {
    let [notes, shop, tests] = ["notes.apk", "shop-1.apk", "notes-test.apk"].map(fixture);
    assert_refused(
        &["test", &notes, &tests, "--driver", &shop],
        2,
        &["its tests are for dev.retap.fixture.notes"],
    );
    assert_refused(&["test", &notes, "--driver", &shop], 2, &["TEST.apk"]);
}

#[test]
fn a_device_that_runs_no_tests_is_refused() {
    let files = ["notes.apk", "notes-test.apk"].map(fixture);
    for (flags, words) in [
        (["-d", "adb"], ["embedded device", "am instrument"]),
        (["-s", "emulator-5554"], ["embedded device", "am instrument"]),
        (["-d", "fake:notes.fake"], ["fake", "embedded device"]),
    ] {
        assert_refused(&["test", &files[0], &files[1], flags[0], flags[1]], 2, &words);
    }
}
