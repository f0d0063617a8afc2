//! Runs that are killed, interrupted, resumed, or meet a full disk, a lost device and an app that exits.

use super::{explore, without_time_and_cost};
use crate::common::{CommandOutput, assert_refused, fake, retap, retap_command};
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::tempdir;

#[test]
fn a_killed_run_that_is_resumed_gives_the_same_result_as_an_uninterrupted_one() {
    let temp = tempdir().unwrap();
    let uninterrupted = temp.path().join("uninterrupted");
    let killed = temp.path().join("killed");
    let device = fake("notes.fake");
    for strategy in ["random", "random-restart", "timemachine", "auto"] {
        let [uninterrupted, killed] = [&uninterrupted, &killed].map(|dir| dir.join(strategy));
        let limits = ["--max-events", "60000", "--strategy", strategy];
        let expected = explore(&uninterrupted, &limits);
        let out = killed.display().to_string();
        let mut arguments = vec!["explore", "-d", &device, "-o", &out, "--seed", "7", "-q"];
        arguments.extend(limits);
        kill_after(&arguments, &killed.join("trace.jsonl"), 1 << 20);
        let resumed = retap(&["explore", "--resume", "-o", &out, "--json"]);
        assert_eq!(resumed.code, 1, "{resumed:?}");
        assert_eq!(without_time_and_cost(resumed.json()), without_time_and_cost(expected.json()));
        let read = |dir: &Path, file: &str| fs::read(dir.join(file)).unwrap();
        for file in ["trace.jsonl", "states.jsonl"] {
            let is_equal = read(&uninterrupted, file) == read(&killed, file);
            assert!(is_equal, "{file} differs ({strategy})");
        }
    }
}

/// Kills the command as soon as the file has this many bytes. A time limit would depend on the speed of the machine.
fn kill_after(arguments: &[&str], file: &Path, bytes: u64) {
    let mut child = retap_command(arguments).spawn().unwrap();
    let start = Instant::now();
    while fs::metadata(file).map_or(0, |metadata| metadata.len()) < bytes {
        assert!(start.elapsed() < Duration::from_secs(60), "{} does not grow", file.display());
        assert!(child.try_wait().unwrap().is_none(), "the command ended before it could be killed");
        std::thread::yield_now();
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn ctrl_c_keeps_every_event_and_exits_with_130() {
    let temp = tempdir().unwrap();
    let dir = temp.path().join("run");
    let device = fake("notes.fake");
    let out = dir.display().to_string();
    let child = retap_command(&["explore", "-d", &device, "-o", &out, "--time", "60s", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let start = Instant::now();
    while fs::metadata(dir.join("trace.jsonl")).map_or(0, |metadata| metadata.len()) < 100_000 {
        assert!(start.elapsed() < Duration::from_secs(30), "the run records no events");
        std::thread::yield_now();
    }
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.unwrap().success());
    let output: CommandOutput = child.wait_with_output().unwrap().into();
    assert_eq!(output.code, 130, "{output:?}");
    assert_eq!(output.json()["ended"], "interrupted");
    let trace = fs::read_to_string(dir.join("trace.jsonl")).unwrap();
    let json = output.json();
    let count = |field: &str| json[field].as_u64().unwrap();
    let counted = count("events") + count("restarts") + count("returns") + count("returns_failed");
    // The trace file lists the events of each return's path. A snapshot spares most of them, and only the others run
    // and are counted.
    let events_of_returns: u64 = trace
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .filter_map(|row| row["return"]["steps"].as_u64())
        .sum();
    let lines = trace.lines().count() as u64;
    let header = 1;
    let counted_twice = count("return_events");
    assert_eq!(
        lines + counted_twice,
        header + counted + events_of_returns,
        "every counted event is on disk"
    );
}

#[test]
fn a_directory_in_use_is_refused() {
    let temp = tempdir().unwrap();
    let dir = temp.path().join("run");
    let out = dir.display().to_string();
    let device = fake("notes.fake");
    let mut other_process =
        retap_command(&["explore", "-d", &device, "-o", &out, "--time", "60s", "-q"])
            .spawn()
            .unwrap();
    while !dir.join("run.json").exists() {
        std::thread::yield_now();
    }
    assert_refused(&["explore", "--resume", "-o", &out], 2, &["in use by another retap"]);
    other_process.kill().unwrap();
    other_process.wait().unwrap();
}

#[test]
fn a_full_disk_ends_the_run_with_a_message() {
    // Every write to /dev/full fails like a write to a full disk.
    if !Path::new("/dev/full").exists() {
        return;
    }
    let temp = tempdir().unwrap();
    let dir = temp.path().join("run");
    let out = dir.display().to_string();
    explore(&dir, &["--max-events", "100"]);
    fs::remove_file(dir.join("coverage.jsonl")).unwrap();
    std::os::unix::fs::symlink("/dev/full", dir.join("coverage.jsonl")).unwrap();
    let output = retap(&["explore", "--resume", "-o", &out, "--max-events", "9000"]);
    assert_eq!(output.code, 2, "{output:?}");
    assert!(output.stderr.contains("coverage.jsonl"), "{output:?}");
}

/// Runs the binary with these lines on standard input.
fn retap_with_input(arguments: &[&str], lines: &str) -> CommandOutput {
    let mut child = retap_command(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    child.wait_with_output().unwrap().into()
}

#[test]
fn an_interactive_run_returns_to_a_named_state_and_can_be_resumed() {
    let temp = tempdir().unwrap();
    let dir = temp.path().join("run");
    let out = dir.display().to_string();
    let device = fake("notes.fake");
    let arguments =
        ["explore", "-d", &device, "-o", &out, "--seed", "1", "--interactive", "--json"];
    let output = retap_with_input(
        &arguments,
        "do 1\nsave editor\nrestart\ngo editor\ngo nowhere\nlist\ngraph\nquit\n",
    );
    assert_eq!(output.code, 0, "{output:?}");
    let json = output.json();
    assert_eq!(
        (&json["events"], &json["restarts"], &json["returns"]),
        (&1.into(), &2.into(), &1.into())
    );
    for text in ["is editor", "no state \"nowhere\"", "1 returns", "tap \"New note\" → "] {
        assert!(output.stderr.contains(text), "{text:?} is missing: {output:?}");
    }
    let resumed = retap_with_input(
        &["explore", "--resume", "-o", &out, "--interactive", "--json"],
        "auto 3\n",
    );
    assert!(resumed.json()["events"].as_u64().unwrap() > 1, "{resumed:?}");
}

/// A fake that exits at every event.
const EXITING_APP: &str = "
app com.example.exiting 1.0
start door covers start
screen door activity Door
  button stay \"Stay\"
on door tap -> exit covers left
on door key back -> exit
on door launch if events > 0 -> exit
";

#[test]
fn a_run_goes_on_after_the_app_exits_and_after_the_device_is_lost() {
    let temp = tempdir().unwrap();
    let lost_device = format!("fault lose at event 150 once\n{EXITING_APP}");
    for (name, app) in [("exiting", EXITING_APP), ("lost", &lost_device)] {
        let file = temp.path().join(format!("{name}.fake"));
        fs::write(&file, app).unwrap();
        let device = format!("fake:{}", file.display());
        for strategy in ["random", "timemachine", "auto"] {
            let out = temp.path().join(format!("{name}-{strategy}")).display().to_string();
            let arguments = ["explore", "-d", &device, "-o", &out, "--seed", "1", "--json"];
            let limits = ["--strategy", strategy, "--max-events", "400"];
            let output = retap(&[&arguments[..], &limits].concat());
            assert_eq!(output.code, 0, "{output:?}");
            assert_eq!(output.json()["events"], 400, "{output:?}");
            assert_eq!(output.json()["cost"]["devices_lost"], u64::from(name == "lost"));
        }
    }
}

#[test]
fn a_run_of_several_explorers_can_be_resumed_by_any_number_of_them() {
    let temp = tempdir().unwrap();
    for strategy in ["auto", "random-restart"] {
        let run = temp.path().join(strategy);
        let output = explore(&run, &["--max-events", "4000", "-j", "3", "--strategy", strategy]);
        assert_eq!(output.code, 1, "the demo app has crashes: {output:?}");
        let first = output.json();
        let events = first["events"].as_u64().unwrap();
        // Each explorer ends its current move after the limit is reached. A return is a move too, and its path is at
        // most as long as a trace.
        assert!((4000..5000).contains(&events), "{first}");
        let restarts = first["restarts"].as_u64().unwrap();
        assert!(restarts >= 3, "each explorer begins with a launch: {first}");
        // Another device minimises crashes in the background. It must be able to read each crash when it is found.
        for crash in first["crashes"].as_array().unwrap() {
            assert!(crash["minimized"].is_string(), "{crash}");
        }
        let log = fs::read_to_string(run.join("debug.log")).unwrap();
        assert!(!log.contains("is not minimised in the background"), "{log}");
        // The explorers write to one file. Each trace in it belongs to one explorer and replays.
        for number in [1, 2, 3] {
            let trace = format!("{}#{number}", run.join("trace.jsonl").display());
            let replayed = retap(&["replay", &trace, "-d", &fake("notes.fake"), "--json"]);
            assert_eq!(replayed.json()["faithful"]["successes"], 1, "{replayed:?}");
        }
        let out = run.display().to_string();
        for (events, jobs) in [("4500", "2"), ("5000", "1")] {
            let arguments =
                ["explore", "--resume", "-o", &out, "--max-events", events, "-j", jobs, "--json"];
            let resumed = retap(&arguments).json();
            let limit: u64 = events.parse().unwrap();
            let events = resumed["events"].as_u64().unwrap();
            // A return is a move too, and its path is at most as long as a trace.
            let longest_path = 1000;
            assert!((limit..limit + longest_path).contains(&events), "{resumed}");
            let crashes = |summary: &Value| summary["crashes"].as_array().unwrap().len();
            assert!(crashes(&resumed) >= crashes(&first), "a resumed run keeps its crashes");
        }
    }
}

#[test]
fn a_run_that_is_finished_says_so_when_it_is_resumed() {
    let temp = tempdir().unwrap();
    let dir = temp.path().join("run");
    let first = explore(&dir, &["--max-events", "60"]);
    let out = dir.display().to_string();
    let resumed = retap(&["explore", "--resume", "-o", &out, "--json"]);
    assert_eq!(without_time_and_cost(resumed.json()), without_time_and_cost(first.json()));
    assert!(resumed.stderr.contains("This run is finished: it has its 60 events"), "{resumed:?}");
    let further = retap(&["explore", "--resume", "-o", &out, "--json", "--max-events", "80"]);
    assert_eq!(further.json()["events"], 80, "{further:?}");
    assert!(!further.stderr.contains("finished"), "{further:?}");
}
