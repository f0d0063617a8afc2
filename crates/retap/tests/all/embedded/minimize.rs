//! Tests `retap minimize` on the embedded device.
#![allow(clippy::unwrap_used)] // a test may panic

use crate::common::{fixture, retap};
use std::fs;
use std::path::Path;
use tempfile::tempdir;

const PACKAGE: &str = "dev.retap.fixture.notes";
const SMALL_SCREEN: &str = "480x854@240";

/// An event in the two logs of SimplyDroid's instrumented Monkey.
struct MonkeyEvent {
    /// The line in `script.log`.
    command: &'static str,
    /// The activity in the foreground.
    activity: &'static str,
    /// The kinds of the lines in `execute.log`.
    injected: &'static [&'static str],
}

const TAP: &[&str] = &["Touch", "Touch", "Throttle"];
const PRESS: &[&str] = &["Key", "Key", "Throttle"];

/// Opens and leaves two notes, then causes the fixture's fault "empty query": opens the search and taps its button
/// without typing a query.
const RECORDED: [MonkeyEvent; 6] = [
    MonkeyEvent { command: "Tap(240.0, 420.0, 0)", activity: "NotesActivity", injected: TAP },
    MonkeyEvent { command: "DispatchPress(4)", activity: "EditorActivity", injected: PRESS },
    MonkeyEvent { command: "Tap(240.0, 620.0, 0)", activity: "NotesActivity", injected: TAP },
    MonkeyEvent { command: "DispatchPress(4)", activity: "EditorActivity", injected: PRESS },
    MonkeyEvent { command: "Tap(384.0, 78.0, 0)", activity: "NotesActivity", injected: TAP },
    // The crash follows at once, so that no throttle event is injected.
    MonkeyEvent {
        command: "Tap(396.0, 174.0, 0)",
        activity: "SearchActivity",
        injected: &["Touch", "Touch"],
    },
];

/// The crash as a phone of that time prints it. The tool writes `$$` for a newline.
const CRASH: &str = "// CRASH: // java.lang.StringIndexOutOfBoundsException: length=0; index=0$$ \
    \tat java.lang.String.charAt(Native Method)$$ \
    \tat dev.retap.fixture.notes.SearchActivity.capitalised(SearchActivity.java:46)$$ \
    \tat dev.retap.fixture.notes.SearchActivity.search(SearchActivity.java:41)$$ \
    \tat dev.retap.fixture.notes.SearchActivity.lambda$onCreate$1$dev-retap-fixture-notes-SearchActivity(SearchActivity.java:28)$$ \
    \tat dev.retap.fixture.notes.SearchActivity$$ExternalSyntheticLambda1.onClick(D8$$SyntheticClass)$$ \
    \tat android.view.View.performClick(View.java:4204)$$ ";

/// Writes `script.log` and `execute.log`.
fn write_logs(dir: &Path) {
    let mut script = String::from("type= user\ncount= 7\nspeed= 1.0\nstart data >>\n");
    script += &format!("LaunchActivity({PACKAGE}, {PACKAGE}.NotesActivity)\n");
    // Pairs of an event's kind and the activity in the foreground.
    let mut rows = vec![("Activity", "NotesActivity"), ("Throttle", "NotesActivity")];
    for MonkeyEvent { command, activity, injected } in RECORDED {
        script += &format!("{command}\n");
        rows.extend(injected.iter().map(|kind| (*kind, activity)));
    }
    let lines = rows.iter().enumerate().map(|(at, (kind, activity))| {
        format!("{};Monkey{kind}Event;{PACKAGE};{PACKAGE}.{activity};1\n", at + 1)
    });
    let log: String = lines.chain([format!("{CRASH}\n")]).collect();
    fs::write(dir.join("script.log"), script).unwrap();
    fs::write(dir.join("execute.log"), log).unwrap();
}

#[test]
fn an_imported_monkey_log_is_minimised_and_its_answer_replays_on_other_screen_sizes() {
    let temp = tempdir().unwrap();
    write_logs(temp.path());
    let path = |name: &str| temp.path().join(name).display().to_string();
    let apk = fixture("notes.apk");
    let (trace, out) = (path("trace.jsonl"), path("out"));
    let (script_log, execute_log) = (path("script.log"), path("execute.log"));
    let imported = retap(&[
        "import",
        &script_log,
        &execute_log,
        "--apk",
        &apk,
        "--screen",
        SMALL_SCREEN,
        "-o",
        &trace,
    ]);
    assert_eq!(imported.code, 0, "{imported:?}");

    let replayed = retap(&["replay", &trace, &apk, "--json"]);
    assert_eq!(replayed.json()["reproduced"]["successes"], 1, "{replayed:?}");

    let minimized = retap(&["minimize", &trace, &apk, "-o", &out, "--worlds", "3", "--json"]);
    assert_eq!(minimized.code, 1, "{minimized:?}");
    let json = minimized.json();
    assert_eq!((&json["events_before"], &json["events_after"]), (&6.into(), &2.into()), "{json}");
    assert_eq!(json["success"]["successes"], 3, "{json}");
    assert_eq!(
        json["steps"][0], "tap \"Search\"",
        "the step names the widget, not the point: {json}"
    );

    let answer = format!("{out}/minimized.jsonl");
    for screen in [SMALL_SCREEN, "1080x1920@480", "1280x800@160"] {
        let replayed = retap(&["replay", &answer, &apk, "--screen", screen, "--json"]);
        assert_eq!(replayed.json()["reproduced"]["successes"], 1, "{screen}: {replayed:?}");
    }
}

/// The events to the fixture's fault "no size". They reach the settings two events after the launch.
const NO_SIZE_EVENTS: [&str; 7] = [
    r#"{"tap":{"on":{"description":"More options"}}}"#,
    r#"{"tap":{"on":{"text":"Settings"}}}"#,
    r#"{"tap":{"on":{"text":"Text size"}}}"#,
    r#"{"text":{"on":{"on":{"class":"android.widget.EditText"}},"text":""}}"#,
    r#"{"tap":{"on":{"text":"OK"}}}"#,
    r#"{"key":"back"}"#,
    r#"{"tap":{"on":{"id":"add"}}}"#,
];

#[test]
fn launch_at_activity_replaces_the_events_to_an_activity_by_its_launch() {
    let temp = tempdir().unwrap();
    let path = |name: &str| temp.path().join(name).display().to_string();
    let apk = fixture("notes.apk");
    let header = format!(
        r#"{{"retap":"trace","version":1,"app":{{"package":"{PACKAGE}","sha256":""}},"device":"embedded","display":"1080x1920@480","world_seed":1,"abstraction":"activity"}}"#
    );
    let steps = NO_SIZE_EVENTS.map(|event| format!(r#"{{"event":{event}}}"#)).join("\n");
    let (trace, out) = (path("trace.jsonl"), path("out"));
    fs::write(&trace, format!("{header}\n{{\"start\":1}}\n{steps}\n")).unwrap();
    let flags = ["--oracle", "crash", "--launch-at-activity", "--worlds", "0", "--json"];
    let output = retap(&[&["minimize", &trace, &apk, "-o", &out][..], &flags].concat());
    assert_eq!(output.code, 1, "{output:?}");
    let json = output.json();
    assert_eq!(json["launched_at"], format!("{PACKAGE}.SettingsActivity"), "{json}");
    assert_eq!(json["events_after"], 6, "a launch replaces the first two of seven events: {json}");
}
