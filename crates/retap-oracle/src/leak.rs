//! Leaks that the system reports in the app's log: windows, receivers and services that outlive their
//! activity, and resources that StrictMode and the database report as never closed.

use regex::Regex;
use retap_model::{Finding, FindingKind, Observation};
use std::sync::LazyLock;

const WINDOW: &str = "a window that outlives its activity";

/// The reports: a pattern and the name of the leak. The pattern's first group, if any, is the owner.
static REPORTS: LazyLock<Vec<(Regex, &str)>> = LazyLock::new(|| {
    [
        (r"Activity (\S+) has leaked window", WINDOW),
        (r"(\S+) has leaked IntentReceiver", "a receiver that is never unregistered"),
        (r"(\S+) has leaked ServiceConnection", "a service that is never unbound"),
        (
            r"A resource was acquired at attached stack trace but never released",
            "a resource that is never released",
        ),
        (r"A resource failed to call ", "a resource that is never closed"),
        (
            r"class (\S+); instances=\d+; limit=\d+",
            "more instances of an activity than there should be",
        ),
        (
            r"SQLiteConnection object for database '[^']*' was leaked",
            "a database that is never closed",
        ),
        (
            r"Finalizing a Cursor that has not been deactivated or closed",
            "a cursor that is never closed",
        ),
        (
            r"StrictMode policy violation[^\n]*: (?:\S*\.)?(\w*Leak\w*)",
            "what StrictMode calls a leak",
        ),
    ]
    .into_iter()
    .filter_map(|(pattern, name)| {
        let regex = Regex::new(pattern);
        debug_assert!(regex.is_ok(), "the pattern {pattern:?} is invalid");
        Some((regex.ok()?, name))
    })
    .collect()
});

/// Returns a finding for every leak that the observation's log reports.
pub fn find_reports(observation: &Observation, package: &str) -> Vec<Finding> {
    let activity = &observation.screen.activity;
    observation.log.iter().filter_map(|entry| parse_report(entry, activity, package)).collect()
}

fn parse_report(entry: &str, activity: &str, package: &str) -> Option<Finding> {
    let (found, name) =
        REPORTS.iter().find_map(|(pattern, name)| Some((pattern.captures(entry)?, *name)))?;
    let owner = found.get(1).map_or("", |owner| owner.as_str());
    let place =
        entry.lines().filter_map(|line| own_method(line, package)).next().unwrap_or_default();
    // The framework must close the windows that it opens by itself, such as menus.
    if name == WINDOW && place.is_empty() {
        return None;
    }
    // A leak belongs to the activity that owns it, whatever is in front by now.
    let activity = if owner.starts_with(package) { owner } else { activity };
    let at = if place.is_empty() { String::new() } else { format!(", made in {place}") };
    Some(Finding {
        kind: FindingKind::Leak,
        activity: activity.into(),
        subject: format!("{name} {place}"),
        message: format!("The system reports {name}{at}"),
    })
}

/// Returns the method of a stack's line if it is the app's own. The line number is left out, because it
/// changes from build to build.
fn own_method<'a>(line: &'a str, package: &str) -> Option<&'a str> {
    let method = line.trim().strip_prefix("at ")?.split('(').next()?;
    method.strip_prefix(package).filter(|rest| rest.starts_with('.')).map(|_| method)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_compiles() {
        assert_eq!(REPORTS.len(), 9);
    }

    #[test]
    fn a_leaked_window_belongs_to_its_activity_and_to_the_method_that_opened_it() {
        let entry = "E/WindowManager: android.view.WindowLeaked: Activity com.a.Main has leaked window \
                     DecorView@6fa1[Main] that was originally added here\n\
                     \tat android.view.ViewRootImpl.<init>(ViewRootImpl.java:1)\n\
                     \tat com.a.Main.ask(Main.java:20)\n\tat com.a.Main.onClick(Main.java:9)";
        let found = parse_report(entry, "com.a.Other", "com.a").unwrap();
        assert_eq!(found.activity, "com.a.Main");
        assert_eq!(found.subject, "a window that outlives its activity com.a.Main.ask");
        let again = entry.replace("6fa1", "77").replace("Main.java:20", "Main.java:25");
        assert_eq!(parse_report(&again, "com.a.Other", "com.a").unwrap().id(), found.id());
        assert_eq!(parse_report("I/App: nothing has leaked", "com.a.Other", "com.a"), None);
    }
}
