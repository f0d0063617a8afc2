//! The conformance suite over adb.

use crate::phone::{ServedPhone, is_here, is_long_wanted};
use retap_device::conformance::{ConformanceReport, ConformanceScript, check};

/// A phone tells nothing of coverage and claims no determinism; it takes no event that ends it.
const SKIPPED: [&str; 6] = [
    "the same events give the same observations",
    "another device gives the same observations",
    "coverage names units of the app",
    "an event that loses the device is an outcome",
    "a saved state can be restored many times",
    "restoring brings back an app that crashed",
];

fn expect_conforming(report: &ConformanceReport) {
    assert!(report.passes(), "\n{report}");
    let skipped: Vec<&str> = report.skipped().collect();
    assert_eq!(skipped, SKIPPED, "\n{report}");
}

#[test]
fn a_fake_behind_adb_conforms() {
    if !is_here() {
        return;
    }
    let phone = ServedPhone::of_fake("conform.fake", None);
    expect_conforming(&check(&phone.connect("conform.apk"), &ConformanceScript::conform()));
}

#[test]
fn the_embedded_device_behind_adb_conforms() {
    if !is_here() || !is_long_wanted() {
        return;
    }
    let phone = ServedPhone::of_embedded();
    expect_conforming(&check(&phone.connect("conform.apk"), &ConformanceScript::conform()));
}
