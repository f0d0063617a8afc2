//! The conformance suite: checks that every device must pass. A [`ConformanceScript`] says where the app
//! has each thing that a check needs.

mod device_under_test;
mod gestures;
mod launch;
mod outcomes;
mod report;
mod script;
mod snapshots;

pub use report::{CheckOutcome, CheckResult, ConformanceReport};
pub use script::{
    ConformanceScript, CounterScript, CrashScript, DialogScript, HoldScript, ListScript,
    TypingScript,
};

use crate::device::Connect;
use device_under_test::{CheckStop, DeviceUnderTest};

type Check = fn(&mut DeviceUnderTest<'_>) -> Result<(), CheckStop>;

/// Every check. Its name is the sentence that it verifies.
const CHECKS: [(&str, Check); 23] = [
    ("installing describes the app", launch::installing_describes),
    ("reset shows the same first screen", launch::same_first_screen),
    ("reset forgets what was done", launch::reset_forgets),
    ("the same events give the same observations", launch::same_observations),
    ("another device gives the same observations", launch::same_on_another_device),
    ("coverage names units of the app", launch::coverage_is_known),
    ("coverage is empty after reset but for the launch", launch::coverage_starts_anew),
    ("waiting lets time pass", launch::waiting_passes_time),
    ("text replaces what the field holds", gestures::text_replaces),
    ("a long press is not a tap", gestures::long_press),
    ("a drag scrolls a list", gestures::scrolling),
    ("rotation turns the screen and back", gestures::rotation),
    ("a dialog covers what is behind it", gestures::dialog_covers),
    ("back closes a dialog", gestures::back_closes_dialog),
    ("a hasty event is one event on one screen", gestures::haste),
    ("back on the first screen leaves the app", outcomes::back_leaves),
    ("a crash is reported once with its stack", outcomes::crash_reported_once),
    ("reset brings back an app that crashed", outcomes::usable_after_crash),
    ("an event on a widget that is gone is missed", outcomes::gone_is_missed),
    ("an event that loses the device is an outcome", outcomes::loss_is_an_outcome),
    ("a saved state can be restored many times", snapshots::restore_many_times),
    ("restoring brings back an app that crashed", snapshots::restore_after_crash),
    ("a screenshot is a picture of the display", snapshots::screenshot),
];

/// Runs every check on devices of one kind. The check after one that fails gets a fresh device.
pub fn check(connect: &dyn Connect, script: &ConformanceScript) -> ConformanceReport {
    let mut device = DeviceUnderTest::new(connect, script);
    let results = CHECKS
        .iter()
        .map(|(name, check)| CheckResult { name, outcome: device.run_check(*check) })
        .collect();
    ConformanceReport { results }
}
