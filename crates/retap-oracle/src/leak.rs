//! Leaks that the system reports in the app's log: windows, receivers and services that outlive their activity, and
//! what StrictMode and the database say of resources that were never closed.

use regex::Regex;
use retap_model::{Finding, FindingKind, Observation};
use std::sync::LazyLock;

const WINDOW: &str = "a window that outlives its activity";

/// What a report looks like, and what it is called. The first group, where there is one, is whose it is.
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
    .filter_map(|(pattern, name)| Some((Regex::new(pattern).ok()?, name)))
    .collect()
});

pub fn read(seen: &Observation, package: &str) -> Vec<Finding> {
    seen.log.iter().filter_map(|entry| report(entry, &seen.screen.activity, package)).collect()
}

fn report(entry: &str, activity: &str, package: &str) -> Option<Finding> {
    let (found, name) =
        REPORTS.iter().find_map(|(pattern, name)| Some((pattern.captures(entry)?, *name)))?;
    let owner = found.get(1).map_or("", |owner| owner.as_str());
    let place = entry.lines().filter_map(|line| frame(line, package)).next().unwrap_or_default();
    // Windows that the framework opens by itself (menus) are the framework's to close.
    if name == WINDOW && place.is_empty() {
        return None;
    }
    // Where the owner is an activity it is there that the leak belongs, whatever is in front by now.
    let activity = if owner.starts_with(package) { owner } else { activity };
    let at = if place.is_empty() { String::new() } else { format!(", made in {place}") };
    Some(Finding {
        kind: FindingKind::Leak,
        activity: activity.into(),
        subject: format!("{name} {place}"),
        message: format!("The system reports {name}{at}"),
    })
}

/// The method of a stack's line, if it is the app's own: lines move from build to build, methods do not.
fn frame<'a>(line: &'a str, package: &str) -> Option<&'a str> {
    let method = line.trim().strip_prefix("at ")?.split('(').next()?;
    method.strip_prefix(package).filter(|rest| rest.starts_with('.')).map(|_| method)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_is_a_pattern() {
        assert_eq!(REPORTS.len(), 9);
    }

    #[test]
    fn a_leaked_window_belongs_to_its_activity_and_to_the_method_that_opened_it() {
        let entry = "E/WindowManager: android.view.WindowLeaked: Activity com.a.Main has leaked window \
                     DecorView@6fa1[Main] that was originally added here\n\
                     \tat android.view.ViewRootImpl.<init>(ViewRootImpl.java:1)\n\
                     \tat com.a.Main.ask(Main.java:20)\n\tat com.a.Main.onClick(Main.java:9)";
        let found = report(entry, "com.a.Other", "com.a").unwrap();
        assert_eq!(found.activity, "com.a.Main");
        assert_eq!(found.subject, "a window that outlives its activity com.a.Main.ask");
        let again = entry.replace("6fa1", "77").replace("Main.java:20", "Main.java:25");
        assert_eq!(report(&again, "com.a.Other", "com.a").unwrap().id(), found.id());
        assert_eq!(report("I/App: nothing has leaked", "com.a.Other", "com.a"), None);
    }
}
