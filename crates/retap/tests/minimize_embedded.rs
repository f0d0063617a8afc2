//! `retap minimize` on the embedded device, through the binary: a recording of SimplyDroid's instrumented
//! Monkey on a small phone, imported, replayed, minimised, and its answer replayed on larger ones.
#![allow(clippy::unwrap_used)] // a test may panic

mod common;

use common::{retap, root};
use std::fs;
use std::path::Path;
use tempfile::tempdir;

const PACKAGE: &str = "dev.retap.fixture.notes";
const SMALL: &str = "480x854@240";

/// Two notes opened and left, then the fault "empty query" of the fixture: the search, and its button with
/// nothing typed. Each with the activity it was done in, and how many lines of `execute.log` it is.
const RECORDED: [(&str, &str, &[&str]); 6] = [
    ("Tap(240.0, 420.0, 0)", "NotesActivity", &["Touch", "Touch", "Throttle"]),
    ("DispatchPress(4)", "EditorActivity", &["Key", "Key", "Throttle"]),
    ("Tap(240.0, 620.0, 0)", "NotesActivity", &["Touch", "Touch", "Throttle"]),
    ("DispatchPress(4)", "EditorActivity", &["Key", "Key", "Throttle"]),
    ("Tap(384.0, 78.0, 0)", "NotesActivity", &["Touch", "Touch", "Throttle"]),
    ("Tap(396.0, 174.0, 0)", "SearchActivity", &["Touch", "Touch"]),
];

/// As a phone of that time would print it, newlines as the tool writes them.
const CRASH: &str = "// CRASH: // java.lang.StringIndexOutOfBoundsException: length=0; index=0$$ \
    \tat java.lang.String.charAt(Native Method)$$ \
    \tat dev.retap.fixture.notes.SearchActivity.capitalised(SearchActivity.java:46)$$ \
    \tat dev.retap.fixture.notes.SearchActivity.search(SearchActivity.java:41)$$ \
    \tat dev.retap.fixture.notes.SearchActivity.lambda$onCreate$1$dev-retap-fixture-notes-SearchActivity(SearchActivity.java:28)$$ \
    \tat dev.retap.fixture.notes.SearchActivity$$ExternalSyntheticLambda1.onClick(D8$$SyntheticClass)$$ \
    \tat android.view.View.performClick(View.java:4204)$$ ";

fn write_logs(dir: &Path) {
    let mut script = String::from("type= user\ncount= 7\nspeed= 1.0\nstart data >>\n");
    script += &format!("LaunchActivity({PACKAGE}, {PACKAGE}.NotesActivity)\n");
    let mut rows = vec![("Activity", "NotesActivity"), ("Throttle", "NotesActivity")];
    for (command, activity, injected) in RECORDED {
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
fn a_published_recording_is_replayed_minimised_and_survives_another_screen_size() {
    let temp = tempdir().unwrap();
    write_logs(temp.path());
    let path = |name: &str| temp.path().join(name).display().to_string();
    let apk = root().join("fixtures/notes.apk").display().to_string();
    let (trace, out) = (path("trace.jsonl"), path("out"));
    let (script, execution) = (path("script.log"), path("execute.log"));
    let imported =
        retap(&["import", &script, &execution, "--apk", &apk, "--screen", SMALL, "-o", &trace]);
    assert_eq!(imported.code, 0, "{imported:?}");

    let replayed = retap(&["replay", &trace, &apk, "--json"]);
    assert_eq!(replayed.json()["reproduced"]["successes"], 1, "{replayed:?}");

    let minimized = retap(&["minimize", &trace, &apk, "-o", &out, "--worlds", "3", "--json"]);
    assert_eq!(minimized.code, 1, "{minimized:?}");
    let json = minimized.json();
    assert_eq!((&json["events_before"], &json["events_after"]), (&6.into(), &2.into()), "{json}");
    assert_eq!(json["success"]["successes"], 3, "{json}");
    assert_eq!(json["steps"][0], "tap \"Search\"", "the widget, not the point: {json}");

    let answer = format!("{out}/minimized.jsonl");
    for screen in [SMALL, "1080x1920@480", "1280x800@160"] {
        let replayed = retap(&["replay", &answer, &apk, "--screen", screen, "--json"]);
        assert_eq!(replayed.json()["reproduced"]["successes"], 1, "{screen}: {replayed:?}");
    }
}

/// The fault "no size": the settings are two events away from the launch.
const NO_SIZE: [&str; 7] = [
    r#"{"tap":{"on":{"description":"More options"}}}"#,
    r#"{"tap":{"on":{"text":"Settings"}}}"#,
    r#"{"tap":{"on":{"text":"Text size"}}}"#,
    r#"{"text":{"on":{"on":{"class":"android.widget.EditText"}},"text":""}}"#,
    r#"{"tap":{"on":{"text":"OK"}}}"#,
    r#"{"key":"back"}"#,
    r#"{"tap":{"on":{"id":"add"}}}"#,
];

#[test]
fn an_answer_begins_straight_at_an_activity_on_request_and_says_so() {
    let temp = tempdir().unwrap();
    let path = |name: &str| temp.path().join(name).display().to_string();
    let apk = root().join("fixtures/notes.apk").display().to_string();
    let header = format!(
        r#"{{"retap":"trace","version":1,"app":{{"package":"{PACKAGE}","sha256":""}},"device":"embedded","display":"1080x1920@480","world_seed":1,"abstraction":"activity"}}"#
    );
    let steps = NO_SIZE.map(|event| format!(r#"{{"event":{event}}}"#)).join("\n");
    let (trace, out) = (path("trace.jsonl"), path("out"));
    fs::write(&trace, format!("{header}\n{{\"start\":1}}\n{steps}\n")).unwrap();
    let flags = ["--oracle", "crash", "--launch-at-activity", "--worlds", "0", "--json"];
    let ran = retap(&[&["minimize", &trace, &apk, "-o", &out][..], &flags].concat());
    assert_eq!(ran.code, 1, "{ran:?}");
    let json = ran.json();
    assert_eq!(json["launched_at"], format!("{PACKAGE}.SettingsActivity"), "{json}");
    assert_eq!(json["events_after"], 6, "{json}");
}
