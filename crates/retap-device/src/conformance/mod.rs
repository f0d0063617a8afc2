//! One set of checks that any device can be put through. A [`Script`] says where in the app at hand
//! each thing is found; the checks say what has to come of it.

mod gestures;
mod launch;
mod outcomes;
mod report;
mod script;
mod subject;
mod travel;

pub use report::{Finding, Report, Verdict};
pub use script::{DialogScript, HoldScript, ListScript, Script, TypingScript};

use crate::device::Connect;
use subject::{Stop, Subject};

type Check = fn(&mut Subject<'_>) -> Result<(), Stop>;

/// Every check, named by the sentence that it makes true.
const CHECKS: [(&str, Check); 21] = [
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
    ("back on the first screen leaves the app", outcomes::back_leaves),
    ("a crash is reported once with its stack", outcomes::crash_reported_once),
    ("reset brings back an app that crashed", outcomes::usable_after_crash),
    ("an event on a widget that is gone is missed", outcomes::gone_is_missed),
    ("a saved state can be restored many times", travel::restore_many_times),
    ("restoring brings back an app that crashed", travel::restore_after_crash),
    ("a screenshot is a picture of the display", travel::screenshot),
];

/// Puts devices of one kind through every check. A check that loses the device costs only itself.
pub fn check(connect: &dyn Connect, script: &Script) -> Report {
    let mut subject = Subject::new(connect, script);
    let findings = CHECKS
        .iter()
        .map(|(name, check)| Finding { name, verdict: subject.judge(*check) })
        .collect();
    Report { findings }
}
