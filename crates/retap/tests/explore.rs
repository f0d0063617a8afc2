//! `retap explore` on the fake device, through the binary.
#![allow(clippy::unwrap_used)] // a test may panic

mod common;

use common::{command, fake, refuses, retap};
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};
use tempfile::tempdir;

fn explore(dir: &Path, more: &[&str]) -> common::Ran {
    let device = fake("notes.fake");
    let out = dir.display().to_string();
    let mut arguments = vec!["explore", "--device", &device, "-o", &out, "--seed", "7", "--json"];
    arguments.extend(more);
    retap(&arguments)
}

/// A summary without what differs between two runs of the same thing.
fn timeless(mut summary: serde_json::Value) -> serde_json::Value {
    let fields = summary.as_object_mut().unwrap();
    fields.remove("seconds");
    fields.remove("events_per_second");
    fields.remove("cost");
    summary
}

#[test]
fn the_same_seed_gives_the_same_result_and_the_same_trace() {
    let temp = tempdir().unwrap();
    let [one, two] = ["one", "two"].map(|name| temp.path().join(name));
    let first = explore(&one, &["--max-events", "5000"]);
    let second = explore(&two, &["--max-events", "5000"]);
    assert_eq!(first.code, 1, "the demo app has crashes: {first:?}");
    assert_eq!(timeless(first.json()), timeless(second.json()));
    assert_eq!(first.json()["cost"], second.json()["cost"]);
    let trace = |dir: &Path| fs::read(dir.join("trace.jsonl")).unwrap();
    assert!(trace(&one) == trace(&two), "the traces differ");
    assert_eq!(first.json()["events"], 5000);
}

#[test]
fn another_seed_explores_otherwise() {
    let temp = tempdir().unwrap();
    let device = fake("notes.fake");
    let digest = |seed: &str| {
        let out = temp.path().join(seed).display().to_string();
        let ran = retap(&[
            "explore",
            "-d",
            &device,
            "-o",
            &out,
            "--seed",
            seed,
            "--max-events",
            "500",
            "--json",
        ]);
        ran.json()["digest"].clone()
    };
    assert_ne!(digest("1"), digest("2"));
}

#[test]
fn a_killed_run_is_resumed_and_ends_as_if_nothing_had_happened() {
    let temp = tempdir().unwrap();
    let whole = temp.path().join("whole");
    let killed = temp.path().join("killed");
    let device = fake("notes.fake");
    for strategy in ["random", "random-restart", "timemachine", "auto"] {
        let [whole, killed] = [&whole, &killed].map(|dir| dir.join(strategy));
        let limits = ["--max-events", "60000", "--strategy", strategy];
        let expected = explore(&whole, &limits);
        let out = killed.display().to_string();
        let mut arguments = vec!["explore", "-d", &device, "-o", &out, "--seed", "7", "-q"];
        arguments.extend(limits);
        kill_after(&arguments, &killed.join("trace.jsonl"), 1 << 20);
        let resumed = retap(&["explore", "--resume", "-o", &out, "--json"]);
        assert_eq!(resumed.code, 1, "{resumed:?}");
        assert_eq!(timeless(resumed.json()), timeless(expected.json()));
        let read = |dir: &Path, file: &str| fs::read(dir.join(file)).unwrap();
        for file in ["trace.jsonl", "states.jsonl"] {
            assert!(read(&whole, file) == read(&killed, file), "{file} differs ({strategy})");
        }
    }
}

/// `kill -9` as soon as the file has this many bytes: in the middle of things, whatever the machine.
fn kill_after(arguments: &[&str], file: &Path, bytes: u64) {
    let mut child = command(arguments).spawn().unwrap();
    let begun = Instant::now();
    while fs::metadata(file).map_or(0, |found| found.len()) < bytes {
        assert!(begun.elapsed() < Duration::from_secs(60), "{} never grew", file.display());
        assert!(child.try_wait().unwrap().is_none(), "it ended before it could be killed");
        std::thread::yield_now();
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn ctrl_c_keeps_everything_and_says_so_by_its_exit_code() {
    let temp = tempdir().unwrap();
    let dir = temp.path().join("run");
    let device = fake("notes.fake");
    let out = dir.display().to_string();
    let child = command(&["explore", "-d", &device, "-o", &out, "--time", "60s", "--json"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let begun = Instant::now();
    while fs::metadata(dir.join("trace.jsonl")).map_or(0, |found| found.len()) < 100_000 {
        assert!(begun.elapsed() < Duration::from_secs(30), "nothing was recorded");
        std::thread::yield_now();
    }
    let status =
        std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(status.unwrap().success());
    let ran: common::Ran = child.wait_with_output().unwrap().into();
    assert_eq!(ran.code, 130, "{ran:?}");
    assert_eq!(ran.json()["ended"], "interrupted");
    let trace = fs::read_to_string(dir.join("trace.jsonl")).unwrap();
    let json = ran.json();
    let told = |field: &str| json[field].as_u64().unwrap();
    let recorded = told("events") + told("restarts") + told("returns") + told("returns_failed");
    // The fake has snapshots: ways back are written and cost nothing.
    let free: u64 = trace
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
        .filter_map(|row| row["return"]["steps"].as_u64())
        .sum();
    let lines = trace.lines().count() as u64;
    assert_eq!(lines, recorded + free + 1, "every event is on disk, after the header");
}

#[test]
fn no_screen_is_stored_twice_and_every_step_finds_its_own() {
    let temp = tempdir().unwrap();
    let dir = temp.path().join("run");
    explore(&dir, &["--max-events", "3000"]);
    let trace = fs::read_to_string(dir.join("trace.jsonl")).unwrap();
    let mut named = std::collections::BTreeSet::new();
    for line in trace.lines().skip(1) {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        named.insert(row["screen"].as_str().unwrap().to_string());
    }
    let mut stored = std::collections::BTreeSet::new();
    for folder in fs::read_dir(dir.join("screens")).unwrap().flatten() {
        for file in fs::read_dir(folder.path()).unwrap().flatten() {
            let path = file.path();
            if path.extension().is_some_and(|e| e == "json") {
                stored.insert(path.file_stem().unwrap().to_string_lossy().into_owned());
            }
        }
    }
    assert_eq!(named, stored);
}

#[test]
fn every_crash_is_kept_with_a_trace_that_replays_to_it() {
    let temp = tempdir().unwrap();
    let dir = temp.path().join("run");
    let summary = explore(&dir, &["--max-events", "5000"]).json();
    let crashes = summary["crashes"].as_array().unwrap();
    assert!(crashes.len() >= 2, "{summary}");
    for crash in crashes {
        let trace = dir.join(crash["trace"].as_str().unwrap()).display().to_string();
        let replayed = retap(&["replay", &trace, "-d", &fake("notes.fake"), "--json"]);
        assert_eq!(replayed.code, 1, "{replayed:?}");
        assert_eq!(replayed.json()["reproduced"]["successes"], 1);
        assert_eq!(replayed.json()["faithful"]["successes"], 1);
    }
}

#[test]
fn a_directory_that_holds_something_is_left_alone() {
    let temp = tempdir().unwrap();
    fs::write(temp.path().join("precious.txt"), "mine").unwrap();
    let out = temp.path().display().to_string();
    let device = fake("notes.fake");
    let arguments = ["explore", "-d", &device, "-o", &out, "--max-events", "5"];
    refuses(&arguments, 2, &["already holds files", "--resume"]);
    assert_eq!(fs::read_to_string(temp.path().join("precious.txt")).unwrap(), "mine");
}

#[test]
fn a_directory_in_use_is_refused() {
    let temp = tempdir().unwrap();
    let dir = temp.path().join("run");
    let out = dir.display().to_string();
    let device = fake("notes.fake");
    let mut other =
        command(&["explore", "-d", &device, "-o", &out, "--time", "60s", "-q"]).spawn().unwrap();
    while !dir.join("run.json").exists() {
        std::thread::yield_now();
    }
    refuses(&["explore", "--resume", "-o", &out], 2, &["in use by another retap"]);
    other.kill().unwrap();
    other.wait().unwrap();
}

#[test]
fn bad_usage_is_answered_with_what_to_do() {
    let temp = tempdir().unwrap();
    let nothing = temp.path().join("nothing").display().to_string();
    let device = fake("notes.fake");
    refuses(&["explore", "--frobnicate"], 2, &["--frobnicate", "--help"]);
    refuses(&["explore"], 2, &["Name an APK", "fake:FILE"]);
    refuses(&["explore", "-d", "toaster"], 2, &["expected embedded or fake:FILE"]);
    refuses(&["explore", "-d", "fake:/nowhere.fake"], 2, &["/nowhere.fake", "No such file"]);
    refuses(&["explore", "-d", &device, "x.apk"], 2, &["not both"]);
    refuses(&["explore", "--resume", "-o", &nothing], 2, &["no run to resume"]);
    refuses(&["explore", "--resume"], 2, &["--output"]);
    refuses(&["explore", "-d", &device, "--time", "soon"], 2, &["90s, 10m or 2h"]);
    refuses(&["explore", "-d", &device, "--abstraction", "vague"], 2, &["reducers:L5"]);
    refuses(&["explore", "-d", &device, "-o", "/proc/retap"], 2, &["/proc/retap"]);
}

#[test]
fn a_full_disk_ends_the_run_with_a_message() {
    // /dev/full takes the place of the disk: every write to it fails as on a full one.
    if !Path::new("/dev/full").exists() {
        return;
    }
    let temp = tempdir().unwrap();
    let dir = temp.path().join("run");
    let out = dir.display().to_string();
    explore(&dir, &["--max-events", "100"]);
    fs::remove_file(dir.join("coverage.jsonl")).unwrap();
    std::os::unix::fs::symlink("/dev/full", dir.join("coverage.jsonl")).unwrap();
    let ran = retap(&["explore", "--resume", "-o", &out, "--max-events", "9000"]);
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(ran.stderr.contains("coverage.jsonl"), "{ran:?}");
}

/// Runs with these lines on standard input.
fn session(arguments: &[&str], lines: &str) -> common::Ran {
    use std::io::Write;
    use std::process::Stdio;
    let mut child = command(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    child.wait_with_output().unwrap().into()
}

#[test]
fn a_person_goes_back_to_a_state_by_its_name_and_the_session_is_a_run_like_any_other() {
    let temp = tempdir().unwrap();
    let dir = temp.path().join("run");
    let out = dir.display().to_string();
    let device = fake("notes.fake");
    let arguments =
        ["explore", "-d", &device, "-o", &out, "--seed", "1", "--interactive", "--json"];
    let ran = session(
        &arguments,
        "do 1\nsave editor\nrestart\ngo editor\ngo nowhere\nlist\ngraph\nquit\n",
    );
    assert_eq!(ran.code, 0, "{ran:?}");
    let json = ran.json();
    assert_eq!(
        (&json["events"], &json["restarts"], &json["returns"]),
        (&1.into(), &2.into(), &1.into())
    );
    for said in ["is editor", "no state \"nowhere\"", "1 returns", "tap \"New note\" → "] {
        assert!(ran.stderr.contains(said), "{said:?} is missing: {ran:?}");
    }
    let resumed =
        session(&["explore", "--resume", "-o", &out, "--interactive", "--json"], "auto 3\n");
    assert!(resumed.json()["events"].as_u64().unwrap() > 1, "{resumed:?}");
}

#[test]
fn recorded_traces_are_run_first() {
    let temp = tempdir().unwrap();
    let [one, two] = ["one", "two"].map(|name| temp.path().join(name));
    explore(&one, &["--max-events", "40", "--strategy", "random", "--trace-length", "20"]);
    let seeds = one.display().to_string();
    explore(&two, &["--max-events", "60", "--seed-traces", &seeds]);
    let events = |dir: &Path| -> Vec<serde_json::Value> {
        let text = fs::read_to_string(dir.join("trace.jsonl")).unwrap();
        let rows =
            text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        rows.map(|row| row["event"].clone()).filter(|event| !event.is_null()).collect()
    };
    let (recorded, seeded) = (events(&one), events(&two));
    assert_eq!(recorded[..40], seeded[..40]);
}

/// It is gone before anything can be done.
const LEAVES: &str = "
app com.example.leaves 1.0
start door covers start
screen door activity Door
  button stay \"Stay\"
on door tap -> exit covers left
on door key back -> exit
on door launch -> exit
";

#[test]
fn an_app_that_leaves_at_once_and_a_device_that_is_lost_end_no_run() {
    let temp = tempdir().unwrap();
    let lost = format!("fault lose at event 150 once\n{LEAVES}");
    for (name, app) in [("leaves", LEAVES), ("lost", &lost)] {
        let file = temp.path().join(format!("{name}.fake"));
        fs::write(&file, app).unwrap();
        let device = format!("fake:{}", file.display());
        for strategy in ["random", "timemachine", "auto"] {
            let out = temp.path().join(format!("{name}-{strategy}")).display().to_string();
            let arguments = ["explore", "-d", &device, "-o", &out, "--seed", "1", "--json"];
            let more = ["--strategy", strategy, "--max-events", "400"];
            let ran = retap(&[&arguments[..], &more].concat());
            assert_eq!(ran.code, 0, "{ran:?}");
            assert_eq!(ran.json()["events"], 400, "{ran:?}");
            assert_eq!(ran.json()["cost"]["devices_lost"], u64::from(name == "lost"));
        }
    }
}

#[test]
fn strategies_are_measured_side_by_side_and_no_run_is_made_twice() {
    let temp = tempdir().unwrap();
    let out = temp.path().join("bench").display().to_string();
    let app = fake("vault.fake");
    let arguments = [
        "bench",
        "explore",
        "--apps",
        &app,
        "--strategies",
        "random",
        "auto:without=walk",
        "--runs",
        "3",
        "--max-events",
        "300",
        "-o",
        &out,
        "--json",
    ];
    let first = retap(&arguments);
    assert_eq!(first.code, 0, "{first:?}");
    let json = first.json();
    assert_eq!(json["measured"].as_array().unwrap().len(), 6);
    assert_eq!(json["comparisons"][0]["ours"], "auto:without=walk");
    for file in ["results.csv", "results.md", "results.json", "report.html"] {
        assert!(Path::new(&out).join(file).exists(), "{file}");
    }
    let trace = Path::new(&out).join("runs/vault/random/1/trace.jsonl");
    let made = fs::metadata(&trace).unwrap().modified().unwrap();
    let second = retap(&arguments);
    assert_eq!(first.json()["measured"], second.json()["measured"]);
    assert_eq!(fs::metadata(&trace).unwrap().modified().unwrap(), made);
    let fewer = arguments.map(|argument| if argument == "300" { "200" } else { argument });
    assert_eq!(retap(&fewer).json()["measured"][0]["events"], 200, "those are other runs");
    refuses(
        &["bench", "explore", "--apps", &app, "--strategies", "clever", "-o", &out],
        2,
        &["clever"],
    );
}

#[test]
fn several_explorers_make_one_run_that_can_be_taken_up_by_any_number() {
    let temp = tempdir().unwrap();
    for strategy in ["auto", "random-restart"] {
        let run = temp.path().join(strategy);
        let ran = explore(&run, &["--max-events", "4000", "-j", "3", "--strategy", strategy]);
        assert_eq!(ran.code, 1, "the demo app has crashes: {ran:?}");
        let first = ran.json();
        let events = first["events"].as_u64().unwrap();
        assert!((4000..4100).contains(&events), "{first}");
        assert!(first["restarts"].as_u64().unwrap() >= 3, "each begins with a launch: {first}");
        // What a further device minimised beside them is in the result, and it could be read when it was found.
        for crash in first["crashes"].as_array().unwrap() {
            assert!(crash["minimized"].is_string(), "{crash}");
        }
        let log = std::fs::read_to_string(run.join("debug.log")).unwrap();
        assert!(!log.contains("not minimised beside"), "{log}");
        // Whatever was written is a whole trace of one explorer: each runs again as it ran.
        for number in [1, 2, 3] {
            let trace = format!("{}#{number}", run.join("trace.jsonl").display());
            let replayed = retap(&["replay", &trace, "-d", &fake("notes.fake"), "--json"]);
            assert_eq!(replayed.json()["faithful"]["successes"], 1, "{replayed:?}");
        }
        let out = run.display().to_string();
        for (events, jobs) in [("4500", "2"), ("5000", "1")] {
            let resumed =
                ["explore", "--resume", "-o", &out, "--max-events", events, "-j", jobs, "--json"];
            let resumed = retap(&resumed).json();
            let wanted: u64 = events.parse().unwrap();
            assert!(
                (wanted..wanted + 100).contains(&resumed["events"].as_u64().unwrap()),
                "{resumed}"
            );
            assert!(
                resumed["crashes"].as_array().unwrap().len()
                    >= first["crashes"].as_array().unwrap().len()
            );
        }
    }
}

#[test]
fn leaving_parts_out_is_compared_with_the_whole() {
    let temp = tempdir().unwrap();
    let out = temp.path().join("bench").display().to_string();
    let app = fake("vault.fake");
    let ran = retap(&[
        "bench",
        "explore",
        "--apps",
        &app,
        "--ablate",
        "--runs",
        "2",
        "--max-events",
        "100",
        "-o",
        &out,
        "--json",
    ]);
    let comparisons = ran.json()["comparisons"].clone();
    let theirs = |c: &serde_json::Value| c["theirs"].as_str().unwrap().to_string();
    let theirs: Vec<String> = comparisons.as_array().unwrap().iter().map(theirs).collect();
    let parts = ["kin", "walk", "return", "text", "forms", "shake"];
    assert_eq!(theirs, parts.map(|part| format!("auto:without={part}")));
}
