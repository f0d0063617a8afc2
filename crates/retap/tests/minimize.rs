//! `retap minimize` on the fake device, through the binary.
#![allow(clippy::unwrap_used)] // a test may panic

mod common;

use common::{command, fake, refuses, retap};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::{TempDir, tempdir};

/// A trace of the DalvikExplorer example: 36 taps, one on each activity's own button, ending in the crash.
fn dalvik() -> (TempDir, String) {
    let temp = tempdir().unwrap();
    let path = temp.path().join("dalvik.jsonl");
    let source = fs::read_to_string(common::root().join("fakes/dalvik.fake")).unwrap();
    let sha256 = retap(&["doctor", "-d", &fake("dalvik.fake"), "--json"]);
    assert_eq!(sha256.code, 0);
    let package = source.lines().find_map(|l| l.strip_prefix("app ")).unwrap();
    let package = package.split(' ').next().unwrap();
    let mut lines = vec![format!(
        r#"{{"retap":"trace","version":1,"app":{{"package":"{package}","sha256":""}},"device":"fake","display":"1080x1920@480","world_seed":1,"abstraction":"activity"}}"#
    )];
    lines.push(r#"{"start":1}"#.into());
    for event in 2..=36 {
        lines.push(format!(r#"{{"event":{{"tap":{{"on":{{"id":"e{event}"}}}}}}}}"#));
    }
    fs::write(&path, lines.join("\n") + "\n").unwrap();
    (temp, path.display().to_string())
}

fn minimize(trace: &str, app: &str, out: &Path, more: &[&str]) -> common::Ran {
    let device = fake(app);
    let out = out.display().to_string();
    let mut arguments = vec!["minimize", trace, "-d", &device, "-o", &out, "--json"];
    arguments.extend(more);
    command(&arguments).env("RETAP_CACHE", out).output().unwrap().into()
}

#[test]
fn the_papers_example_comes_down_to_its_three_taps_in_the_papers_number_of_runs() {
    let (temp, trace) = dalvik();
    for (algorithm, runs) in [("hdd", 6), ("bhdd", 6), ("lhdd", 4)] {
        let out = temp.path().join(algorithm);
        let ran =
            minimize(&trace, "dalvik.fake", &out, &["--oracle", "crash", "--algorithm", algorithm]);
        assert_eq!(ran.code, 1, "{ran:?}");
        let json = ran.json();
        assert_eq!(
            json["events_after"], 3,
            "the launch is not an event: ⟨22,23,36⟩ are left: {json}"
        );
        assert_eq!(json["oracle_calls"], runs, "{algorithm}");
    }
    let dd = minimize(
        &trace,
        "dalvik.fake",
        &temp.path().join("dd"),
        &["--oracle", "crash", "--algorithm", "dd"],
    );
    assert_eq!(dd.json()["events_after"], 3);
    assert!(dd.json()["oracle_calls"].as_u64().unwrap() > 18, "several times the others'");
}

/// A crash of the demo app, found by a short exploration and left as long as it was found.
fn found(id_of: impl Fn(&serde_json::Value) -> bool) -> (TempDir, PathBuf) {
    let temp = tempdir().unwrap();
    let dir = temp.path().join("run");
    let out = dir.display().to_string();
    let ran = retap(&[
        "explore",
        "-d",
        &fake("notes.fake"),
        "-o",
        &out,
        "--seed",
        "7",
        "--max-events",
        "5000",
        "--no-minimize",
        // Random traces hold most that does not matter.
        "--strategy",
        "random",
        "--json",
    ]);
    let json = ran.json();
    let crash = json["crashes"].as_array().unwrap().iter().find(|crash| id_of(crash)).unwrap();
    let trace = dir.join(crash["trace"].as_str().unwrap());
    (temp, trace)
}

#[test]
fn the_answer_replays_to_the_same_crash_and_every_algorithm_finds_one() {
    let (temp, trace) = found(|crash| crash["events"].as_u64().unwrap() > 5);
    let trace = trace.display().to_string();
    for algorithm in ["auto", "dd", "hdd", "bhdd", "lhdd", "nd", "probdd", "cdd"] {
        let out = temp.path().join(algorithm);
        let ran = minimize(&trace, "notes.fake", &out, &["--algorithm", algorithm]);
        let json = ran.json();
        assert!(
            json["events_after"].as_u64() < json["events_before"].as_u64(),
            "{algorithm} {json}"
        );
        assert_eq!(json["success"]["successes"], 20, "{algorithm}");
        let answer = out.join("minimized.jsonl").display().to_string();
        let replayed = retap(&["replay", &answer, "-d", &fake("notes.fake"), "--json"]);
        assert_eq!(replayed.json()["reproduced"]["successes"], 1, "{algorithm}");
    }
}

#[test]
fn any_number_of_devices_finds_the_same_answer() {
    let (temp, trace) = found(|crash| crash["events"].as_u64().unwrap() > 5);
    let trace = trace.display().to_string();
    let answer = |jobs: &str| {
        let out = temp.path().join(jobs);
        minimize(&trace, "notes.fake", &out, &["-j", jobs, "--runs", "5", "--vary-world"]);
        fs::read_to_string(out.join("minimized.jsonl")).unwrap()
    };
    assert_eq!(answer("1"), answer("3"));
}

#[test]
fn what_is_known_is_not_run_again_after_a_resume() {
    let (temp, trace) = found(|crash| crash["events"].as_u64().unwrap() > 5);
    let trace = trace.display().to_string();
    let out = temp.path().join("out");
    let short = minimize(&trace, "notes.fake", &out, &["--budget", "4"]);
    assert_eq!(short.json()["ended"], "budget_spent", "{short:?}");
    assert!(out.join("minimized.jsonl").exists(), "the best so far is on disk");
    let known = fs::read_to_string(out.join("oracle.jsonl")).unwrap();
    let dir = out.display().to_string();
    let resumed = command(&["minimize", "--resume", "-o", &dir, "--budget", "1000", "--json"])
        .env("RETAP_CACHE", &dir)
        .output()
        .unwrap();
    let resumed = common::Ran::from(resumed);
    assert_eq!(resumed.json()["ended"], "complete", "{resumed:?}");
    let after = fs::read_to_string(out.join("oracle.jsonl")).unwrap();
    assert!(after.starts_with(&known), "what was known stays");
    let distinct: std::collections::BTreeSet<&str> = after.lines().collect();
    assert_eq!(distinct.len(), after.lines().count(), "nothing was asked twice");
}

#[test]
fn any_oracle_will_do() {
    let (temp, trace) = found(|crash| crash["events"].as_u64().unwrap() > 5);
    let trace = trace.display().to_string();
    let activity = minimize(
        &trace,
        "notes.fake",
        &temp.path().join("a"),
        &["--oracle", "activity:EditorActivity"],
    );
    // The list opens it, at once or by its menu.
    let events = activity.json()["events_after"].as_u64().unwrap();
    assert!(activity.code == 0 && (1..=2).contains(&events), "{activity:?}");
    let program = "cmd:grep -q TransactionTooLarge";
    let asked = minimize(&trace, "notes.fake", &temp.path().join("c"), &["--oracle", program]);
    assert_eq!(
        (asked.code, &asked.json()["events_after"]),
        (0, &serde_json::json!(3)),
        "{asked:?}"
    );
}

#[test]
fn what_cannot_be_minimised_is_said_plainly() {
    let (temp, trace) = found(|_| true);
    let name = trace.display().to_string();
    let device = fake("notes.fake");
    let out = |name: &str| temp.path().join(name).display().to_string();
    let text = fs::read_to_string(&trace).unwrap();

    // Without its last line the trace ends in no crash.
    let lines: Vec<&str> = text.lines().collect();
    let tame = temp.path().join("tame.jsonl");
    fs::write(&tame, lines[..lines.len() - 1].join("\n") + "\n").unwrap();
    refuses(
        &["minimize", &tame.display().to_string(), "-d", &device, "-o", &out("1")],
        2,
        &["--oracle"],
    );

    // Without its first step it does not come to the crash it names.
    let cut: Vec<&str> =
        lines.iter().enumerate().filter(|(n, _)| *n != 2).map(|(_, l)| *l).collect();
    let broken = temp.path().join("broken.jsonl");
    fs::write(&broken, cut.join("\n") + "\n").unwrap();
    let words = ["does not show", "0 of 1 runs", "--vary-world"];
    refuses(
        &["minimize", &broken.display().to_string(), "-d", &device, "-o", &out("2")],
        3,
        &words,
    );

    let missing =
        ["minimize", &name, "-d", &device, "-o", &out("3"), "--oracle", "cmd:/no/such/program"];
    refuses(&missing, 2, &["/no/such/program"]);
    refuses(
        &["minimize", &name, "-d", &device, "--runs", "3", "--required", "4", "-o", &out("4")],
        2,
        &["4 successes in 3 runs"],
    );
    refuses(
        &["minimize", &name, "-d", &fake("conform.fake"), "-o", &out("5")],
        2,
        &["the trace is of"],
    );
    refuses(&["minimize"], 2, &["TRACE"]);
}

#[test]
fn a_program_that_answers_differently_each_time_is_warned_of_and_used() {
    let (temp, trace) = dalvik();
    let count = temp.path().join("count");
    fs::write(&count, "").unwrap();
    // No to every fourth question, whatever it is about.
    let program = format!(
        "cmd:cat > /dev/null; echo >> '{0}'; test $(( $(wc -l < '{0}') % 4 )) -ne 0",
        count.display()
    );
    let out = temp.path().join("out");
    let ran = minimize(&trace, "dalvik.fake", &out, &["--oracle", &program]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.stderr.contains("yes in 6 of 8"), "{ran:?}");
    assert!(out.join("minimized.jsonl").is_file());
}

#[test]
fn the_report_shows_every_screen_of_the_answer_and_names_its_activities() {
    let (temp, trace) = dalvik();
    let out = temp.path().join("out");
    let ran = minimize(&trace, "dalvik.fake", &out, &["--oracle", "crash"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    let page = fs::read_to_string(out.join("report.html")).unwrap();
    let steps = ran.json()["events_after"].as_u64().unwrap() as usize;
    assert_eq!(page.matches("The screen before this step").count(), steps, "{page}");
    let states = fs::read_to_string(out.join("states.jsonl")).unwrap();
    let first: serde_json::Value = serde_json::from_str(states.lines().next().unwrap()).unwrap();
    let activity = first["activity"].as_str().unwrap().rsplit('.').next().unwrap();
    assert!(page.contains(&format!(" in {activity}")), "{activity}");
}
