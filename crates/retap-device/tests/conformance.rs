//! The conformance suite passes on the fake. Every broken device fails exactly the checks of what
//! it breaks.

#![allow(clippy::unwrap_used)] // in what the tests share, too

mod broken;
mod common;

use broken::{BrokenConnect, Flaw};
use retap_device::conformance::{ConformanceScript, check};
use retap_model::{Event, Key};
use std::collections::BTreeSet;

const DESCRIBES: &str = "installing describes the app";
const FIRST_SCREEN: &str = "reset shows the same first screen";
const FORGETS: &str = "reset forgets what was done";
const SAME: &str = "the same events give the same observations";
const ANOTHER: &str = "another device gives the same observations";
const KNOWN_UNITS: &str = "coverage names units of the app";
const ANEW: &str = "coverage is empty after reset but for the launch";
const WAITING: &str = "waiting lets time pass";
const TEXT: &str = "text replaces what the field holds";
const LONG_PRESS: &str = "a long press is not a tap";
const DRAG: &str = "a drag scrolls a list";
const ROTATION: &str = "rotation turns the screen and back";
const DIALOG: &str = "a dialog covers what is behind it";
const BACK_CLOSES: &str = "back closes a dialog";
const HASTE: &str = "a hasty event is one event on one screen";
const BACK_LEAVES: &str = "back on the first screen leaves the app";
const CRASH_ONCE: &str = "a crash is reported once with its stack";
const AFTER_CRASH: &str = "reset brings back an app that crashed";
const MISSED: &str = "an event on a widget that is gone is missed";
const LOSS: &str = "an event that loses the device is an outcome";
const RESTORE: &str = "a saved state can be restored many times";
const RESTORE_CRASHED: &str = "restoring brings back an app that crashed";
const SCREENSHOT: &str = "a screenshot is a picture of the display";

/// Every flaw with the checks that must find it, in the order of the suite.
const FLAWS: [(Flaw, &[&str]); 22] = [
    (Flaw::NamesNoHash, &[DESCRIBES]),
    // The reset shows a title that is not really there, and a restored snapshot shows the real one.
    (Flaw::FirstScreenVaries, &[FIRST_SCREEN, FORGETS, SAME, AFTER_CRASH, RESTORE_CRASHED]),
    (Flaw::ScreenVaries, &[SAME, RESTORE]),
    (Flaw::DevicesDiffer, &[ANOTHER]),
    (Flaw::KeepsData, &[FORGETS, SAME, HASTE]),
    (Flaw::KeepsCoverage, &[SAME, ANEW]),
    (Flaw::InventsUnits, &[KNOWN_UNITS, MISSED]),
    (Flaw::StopsTheClock, &[WAITING]),
    (Flaw::AppendsText, &[TEXT]),
    (Flaw::TapsForLongPresses, &[LONG_PRESS]),
    (Flaw::IgnoresDrags, &[DRAG]),
    (Flaw::IgnoresRotation, &[ROTATION]),
    (Flaw::IgnoresBack, &[BACK_CLOSES, HASTE, BACK_LEAVES]),
    (Flaw::HurriesNoFurther, &[HASTE]),
    (Flaw::HidesMisses, &[DIALOG, HASTE, MISSED]),
    (Flaw::ActsOnMisses, &[HASTE, MISSED]),
    (Flaw::RepeatsCrashes, &[CRASH_ONCE]),
    (Flaw::DiesOfCrashes, &[CRASH_ONCE, AFTER_CRASH, RESTORE_CRASHED]),
    (Flaw::HidesLosses, &[LOSS]),
    (Flaw::RestoresSomethingElse, &[RESTORE, RESTORE_CRASHED]),
    (Flaw::CoversByRestoring, &[RESTORE]),
    (Flaw::TakesNoPictures, &[SCREENSHOT]),
];

/// The script of the conform app, with the key that kills the fake.
fn script() -> ConformanceScript {
    let loss = Some(Event::Key(Key::new("f12").unwrap()));
    ConformanceScript { loss, ..ConformanceScript::conform() }
}

#[test]
fn the_fake_passes_every_check() {
    let report = check(&common::connect("conform.fake"), &script());
    assert!(report.passes() && report.skipped().next().is_none(), "\n{report}");
}

#[test]
fn each_broken_device_fails_the_checks_of_what_it_breaks_and_no_others() {
    for (flaw, expected) in FLAWS {
        let report = check(&BrokenConnect::new(flaw), &script());
        let failed: Vec<&str> = report.failed().collect();
        assert_eq!(failed, expected, "{flaw:?}\n{report}");
    }
}

#[test]
fn every_check_is_failed_by_some_broken_device() {
    let report = check(&common::connect("conform.fake"), &script());
    let all: BTreeSet<&str> = report.results.iter().map(|finding| finding.name).collect();
    let failed: BTreeSet<&str> = FLAWS.iter().flat_map(|(_, failed)| *failed).copied().collect();
    assert_eq!(all, failed);
}

#[test]
fn what_the_script_does_not_name_is_skipped_and_said_so() {
    let report = check(&common::connect("conform.fake"), &ConformanceScript::default());
    assert!(report.passes(), "\n{report}");
    assert!(report.skipped().any(|name| name == TEXT), "\n{report}");
    assert!(report.to_string().contains("the script names no text field"), "{report}");
}
