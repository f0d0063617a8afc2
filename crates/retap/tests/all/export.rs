//! Tests `retap export`: a crash becomes scripts of other tools. The shell script runs, against an adb that answers
//! like a phone and writes down what it is asked.
#![cfg(unix)]
#![allow(clippy::unwrap_used)] // a test may panic

use crate::common::{CommandOutput, fake, retap};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::{TempDir, tempdir};

const SCRIPTS: [&str; 9] = [
    "adb",
    "appium",
    "espresso",
    "maestro",
    "markdown",
    "monkey",
    "robo",
    "uiautomator",
    "uiautomator2",
];

/// Returns a run with minimised crashes, and the folder of one of them.
fn crash() -> (TempDir, PathBuf) {
    let temp = tempdir().unwrap();
    let run = temp.path().join("run").display().to_string();
    let device = fake("notes.fake");
    retap(&["explore", "-d", &device, "-o", &run, "--seed", "7", "--max-events", "700", "-q"]);
    let folder = Path::new(&run).join("crashes/730828c8564b3f9a");
    assert!(folder.join("minimized.jsonl").is_file());
    (temp, folder)
}

#[test]
fn the_folder_of_a_crash_becomes_a_script_of_every_tool() {
    let (_temp, folder) = crash();
    let folder = folder.display().to_string();
    for format in SCRIPTS {
        let CommandOutput { code, stdout, stderr } = retap(&["export", &folder, "--to", format]);
        assert_eq!(code, 0, "{format}: {stderr}");
        let widget = match format {
            "adb" => "input tap",
            "monkey" => "Tap(",
            _ => "Save",
        };
        assert!(stdout.contains(widget), "{format}: {stdout}");
        let launch = ["launch", "Launch", "LAUNCHER", "app_start", "app_package", "VIEW_CLICKED"];
        // A fake has no launcher activity, which a Monkey script would begin with.
        let launches = format == "monkey" || launch.iter().any(|word| stdout.contains(word));
        assert!(launches, "{format}: {stdout}");
    }
    let report = retap(&["export", &folder, "--to", "markdown"]).stdout;
    assert!(report.contains("at dev.retap.demo.notes.Note.initial(Note.java:31)"), "{report}");
}

#[test]
fn the_shell_script_says_whether_the_app_crashed() {
    let (temp, folder) = crash();
    let script = temp.path().join("crash.sh");
    let output = script.display().to_string();
    let folder = folder.display().to_string();
    assert_eq!(retap(&["export", &folder, "--to", "adb", "-o", &output]).code, 0);
    let crashes = "E AndroidRuntime: java.lang.StringIndexOutOfBoundsException: length=0; index=0";
    let (done, asked) = run_script(&script, temp.path(), crashes);
    assert_eq!(done.code, 0, "{done:?}");
    assert!(done.stdout.contains("Reproduced: java.lang.StringIndexOutOfBounds"), "{done:?}");
    let steps: Vec<&str> = asked.lines().filter(|line| line.contains("input tap")).collect();
    assert_eq!(steps.len(), 2, "{asked}");
    assert!(asked.lines().nth(1) == Some("shell pm clear dev.retap.demo.notes"), "{asked}");
    let (done, _) = run_script(&script, temp.path(), "nothing");
    assert_eq!(done.code, 1, "{done:?}");
}

#[test]
fn what_was_exported_and_imported_again_still_crashes() {
    let (temp, folder) = crash();
    let folder = folder.display().to_string();
    let device = fake("notes.fake");
    for (format, name) in [("maestro", "a.yaml"), ("uiautomator2", "b.py"), ("monkey", "c.txt")] {
        let script = temp.path().join(name).display().to_string();
        let trace = format!("{script}.jsonl");
        assert_eq!(retap(&["export", &folder, "--to", format, "-o", &script]).code, 0);
        let imported = retap(&["import", &script, "-d", &device, "-o", &trace]);
        assert_eq!(imported.code, 0, "{format}: {imported:?}");
        let replayed = retap(&["replay", &trace, "-d", &device, "--json"]);
        let outcomes = replayed.json()["outcomes"].to_string();
        assert!(outcomes.contains("StringIndexOutOfBounds"), "{format}: {replayed:?}");
    }
}

#[test]
fn a_folder_of_droidbot_is_imported_and_one_of_something_else_is_refused() {
    let temp = tempdir().unwrap();
    let events = temp.path().join("out/events");
    fs::create_dir_all(&events).unwrap();
    let view = |id: &str| {
        format!(r#"{{"resource_id":"dev.retap.demo.notes:id/{id}","bounds":[[0,0],[9,9]]}}"#)
    };
    for (number, id) in ["add", "save"].iter().enumerate() {
        let event = format!(r#"{{"event":{{"event_type":"touch","view":{}}}}}"#, view(id));
        fs::write(events.join(format!("event_{number}.json")), event).unwrap();
    }
    let folder = temp.path().join("out").display().to_string();
    let trace = temp.path().join("t.jsonl").display().to_string();
    let device = fake("notes.fake");
    let imported = retap(&["import", &folder, "-d", &device, "-o", &trace]);
    assert_eq!(imported.code, 0, "{imported:?}");
    let replayed = retap(&["replay", &trace, "-d", &device, "--json"]);
    assert!(
        replayed.json()["outcomes"].to_string().contains("StringIndexOutOfBounds"),
        "{replayed:?}"
    );
    let empty = temp.path().display().to_string();
    let refused = retap(&["import", &empty, "-d", &device]);
    assert_eq!(refused.code, 2, "{refused:?}");
    assert!(refused.stderr.contains("events/event_*.json"), "{refused:?}");
}

#[test]
fn a_run_with_one_crash_is_a_trace_and_one_with_several_lists_them() {
    let (_temp, folder) = crash();
    let run = folder.parent().unwrap().parent().unwrap();
    let shown = run.display().to_string();
    let several = retap(&["export", &shown, "--to", "adb"]);
    assert_eq!(several.code, 2, "{several:?}");
    assert!(
        several.stderr.contains("crashes; name one of them")
            && several.stderr.contains("730828c8564b3f9a"),
        "{several:?}"
    );
    for other in fs::read_dir(run.join("crashes")).unwrap().flatten() {
        if other.path() != folder {
            fs::remove_dir_all(other.path()).unwrap();
        }
    }
    assert_eq!(retap(&["export", &shown, "--to", "adb"]).code, 0);
}

/// Runs a script with an adb whose crash buffer holds a text. Returns what adb was asked, a line each.
fn run_script(script: &Path, folder: &Path, crashes: &str) -> (CommandOutput, String) {
    let (adb, asked) = (folder.join("adb"), folder.join("asked"));
    let stub = format!(
        "#!/bin/sh\necho \"$@\" >> '{}'\ncase \"$*\" in 'logcat -b crash -d') echo '{crashes}';; esac\n",
        asked.display()
    );
    fs::write(&adb, stub).unwrap();
    fs::set_permissions(&adb, fs::Permissions::from_mode(0o755)).unwrap();
    let _ = fs::remove_file(&asked);
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap());
    let output =
        Command::new("sh").arg(script).env("PATH", path).env("PAUSE", "0").output().unwrap();
    (output.into(), fs::read_to_string(asked).unwrap())
}

#[test]
fn a_step_that_the_format_cannot_say_is_named_and_ends_with_2() {
    let (temp, folder) = crash();
    let text = fs::read_to_string(folder.join("minimized.jsonl")).unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    lines.insert(2, r#"{"event":{"wait":10}}"#);
    let trace = temp.path().join("waits.jsonl");
    fs::write(&trace, lines.join("\n") + "\n").unwrap();
    let exported = retap(&["export", &trace.display().to_string(), "--to", "maestro"]);
    assert_eq!(exported.code, 2, "{exported:?}");
    assert!(exported.stdout.contains("# LEFT OUT: Maestro cannot wait 10 ms"), "{exported:?}");
    assert!(exported.stderr.contains("leaves out 1 of 3 steps"), "{exported:?}");
}

#[test]
fn an_export_without_a_format_names_the_formats() {
    let refused = retap(&["export", "some.jsonl"]);
    assert_eq!(refused.code, 2, "{refused:?}");
    for format in SCRIPTS {
        assert!(refused.stderr.contains(&format!("--to {format}")), "{refused:?}");
    }
}
