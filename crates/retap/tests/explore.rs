//! Tests `retap explore` and `bench explore` on fakes.
#![allow(clippy::unwrap_used)] // a test may panic

mod common;

use common::{CommandOutput, assert_refused, fake, retap, retap_command};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::tempdir;

/// Explores the demo app with seed 7.
fn explore(dir: &Path, more: &[&str]) -> CommandOutput {
    let device = fake("notes.fake");
    let out = dir.display().to_string();
    let mut arguments = vec!["explore", "--device", &device, "-o", &out, "--seed", "7", "--json"];
    arguments.extend(more);
    retap(&arguments)
}

/// Removes the fields that differ between two runs that do the same.
fn without_time_and_cost(mut summary: Value) -> Value {
    let fields = summary.as_object_mut().unwrap();
    fields.remove("seconds");
    fields.remove("events_per_second");
    fields.remove("cost");
    fields.remove("cost_by_phase");
    summary
}

#[test]
fn the_same_seed_gives_the_same_result_and_the_same_trace() {
    let temp = tempdir().unwrap();
    let [one, two] = ["one", "two"].map(|name| temp.path().join(name));
    let first = explore(&one, &["--max-events", "5000"]);
    let second = explore(&two, &["--max-events", "5000"]);
    assert_eq!(first.code, 1, "the demo app has crashes: {first:?}");
    assert_eq!(without_time_and_cost(first.json()), without_time_and_cost(second.json()));
    assert_eq!(first.json()["cost"], second.json()["cost"]);
    let trace = |dir: &Path| fs::read(dir.join("trace.jsonl")).unwrap();
    assert!(trace(&one) == trace(&two), "the traces differ");
    assert_eq!(first.json()["events"], 5000);
}

#[test]
fn the_cost_of_a_run_is_divided_among_its_phases_and_what_follows_exploring_is_bounded() {
    let temp = tempdir().unwrap();
    let device = fake("losing.fake");
    let out = temp.path().join("run").display().to_string();
    let arguments = ["explore", "-d", &device, "-o", &out, "--seed", "1", "--max-events", "6000"];
    let summary = retap(&[&arguments[..], &["--json"]].concat()).json();
    let phases = summary["cost_by_phase"].as_object().unwrap();
    for (name, total) in summary["cost"].as_object().unwrap() {
        let sum: u64 = phases.values().map(|cost| cost[name].as_u64().unwrap()).sum();
        assert_eq!(sum, total.as_u64().unwrap(), "{name}: {summary:#}");
    }
    let explored = phases["explore"]["events"].as_u64();
    assert!(explored >= summary["events"].as_u64(), "{summary:#}");
    for phase in ["probe", "verify", "minimize", "measure"] {
        assert!(phases[phase]["events"].as_u64().unwrap() > 0, "{phase}: {summary:#}");
    }
    let effort = |cost: &Value| {
        let count = |name: &str| cost[name].as_u64().unwrap();
        count("events") + 6 * count("restarts") + 12 * count("screenshots")
    };
    let checks: u64 =
        phases.iter().filter(|(phase, _)| *phase != "explore").map(|(_, cost)| effort(cost)).sum();
    // Half of the exploration's effort, and one search that had begun.
    assert!(checks <= effort(&phases["explore"]) / 2 + 500, "{checks}: {summary:#}");
}

#[test]
fn a_success_rate_takes_few_worlds_where_nothing_differs_and_all_where_something_does() {
    let temp = tempdir().unwrap();
    let worlds = |name: &str| {
        let run = temp.path().join(name);
        let (device, out) = (fake(name), run.display().to_string());
        let arguments = ["explore", "-d", &device, "-o", &out, "--seed", "1", "--json"];
        let summary = retap(&[&arguments[..], &["--max-events", "1000"]].concat()).json();
        let crashes = summary["crashes"].as_array().unwrap().iter();
        let runs = |crash: &Value| {
            let folder = run.join("crashes").join(crash["id"].as_str().unwrap());
            let record = fs::read_to_string(folder.join("minimized.json")).unwrap();
            serde_json::from_str::<Value>(&record).unwrap()["success"]["runs"].as_u64().unwrap()
        };
        crashes.map(runs).collect::<BTreeSet<u64>>()
    };
    assert_eq!(worlds("notes.fake"), BTreeSet::from([3]));
    assert!(worlds("flaky.fake").contains(&10), "its crash depends on the world");
}

#[test]
fn another_seed_gives_another_run() {
    let temp = tempdir().unwrap();
    let device = fake("notes.fake");
    let digest = |seed: &str| {
        let out = temp.path().join(seed).display().to_string();
        let output = retap(&[
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
        output.json()["digest"].clone()
    };
    assert_ne!(digest("1"), digest("2"));
}

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
fn every_screen_of_the_trace_is_stored_once() {
    let temp = tempdir().unwrap();
    let dir = temp.path().join("run");
    explore(&dir, &["--max-events", "3000"]);
    let trace = fs::read_to_string(dir.join("trace.jsonl")).unwrap();
    let mut recorded = BTreeSet::new();
    for line in trace.lines().skip(1) {
        let row: Value = serde_json::from_str(line).unwrap();
        recorded.insert(row["screen"].as_str().unwrap().to_string());
    }
    let mut stored = BTreeSet::new();
    for folder in fs::read_dir(dir.join("screens")).unwrap().flatten() {
        for file in fs::read_dir(folder.path()).unwrap().flatten() {
            let path = file.path();
            if path.extension().is_some_and(|extension| extension == "json") {
                stored.insert(path.file_stem().unwrap().to_string_lossy().into_owned());
            }
        }
    }
    assert_eq!(recorded, stored);
}

#[test]
fn every_crash_is_kept_with_a_trace_that_replays_to_it() {
    let temp = tempdir().unwrap();
    let dir = temp.path().join("run");
    let summary = explore(&dir, &["--max-events", "5000"]).json();
    let crashes = summary["crashes"].as_array().unwrap();
    // The demo app has four crashes at different depths. Which of them a run finds depends on its seed and strategy.
    assert!((2..=4).contains(&crashes.len()), "{summary}");
    for crash in crashes {
        let trace = dir.join(crash["trace"].as_str().unwrap()).display().to_string();
        let replayed = retap(&["replay", &trace, "-d", &fake("notes.fake"), "--json"]);
        assert_eq!(replayed.code, 1, "{replayed:?}");
        assert_eq!(replayed.json()["reproduced"]["successes"], 1);
        assert_eq!(replayed.json()["faithful"]["successes"], 1);
    }
}

#[test]
fn a_directory_with_files_is_refused_and_left_unchanged() {
    let temp = tempdir().unwrap();
    fs::write(temp.path().join("other.txt"), "text").unwrap();
    let out = temp.path().display().to_string();
    let device = fake("notes.fake");
    let arguments = ["explore", "-d", &device, "-o", &out, "--max-events", "5"];
    assert_refused(&arguments, 2, &["already holds files", "--resume"]);
    assert_eq!(fs::read_to_string(temp.path().join("other.txt")).unwrap(), "text");
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
fn a_wrong_argument_is_refused_with_advice() {
    let temp = tempdir().unwrap();
    let missing = temp.path().join("missing").display().to_string();
    let device = fake("notes.fake");
    assert_refused(&["explore", "--frobnicate"], 2, &["--frobnicate", "--help"]);
    assert_refused(&["explore"], 2, &["name an APK", "fake:FILE"]);
    assert_refused(&["explore", "-d", "toaster"], 2, &["expected embedded or fake:FILE"]);
    assert_refused(&["explore", "-d", "fake:/nowhere.fake"], 2, &["/nowhere.fake", "No such file"]);
    assert_refused(&["explore", "-d", &device, "x.apk"], 2, &["not both"]);
    assert_refused(&["explore", "--resume", "-o", &missing], 2, &["no run to resume"]);
    assert_refused(&["explore", "--resume"], 2, &["--output"]);
    assert_refused(&["explore", "--resume", "-o", &missing, "-d", &device], 2, &["--device"]);
    assert_refused(&["explore", "-d", &device, "--time", "soon"], 2, &["90s, 10m or 2h"]);
    assert_refused(&["explore", "-d", &device, "--abstraction", "vague"], 2, &["reducers:L5"]);
    assert_refused(&["explore", "-d", &device, "-o", "/proc/retap"], 2, &["/proc/retap"]);
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

#[test]
fn the_events_of_seed_traces_run_first() {
    let temp = tempdir().unwrap();
    let [one, two] = ["one", "two"].map(|name| temp.path().join(name));
    explore(&one, &["--max-events", "40", "--strategy", "random", "--trace-length", "20"]);
    let seed_traces = one.display().to_string();
    explore(&two, &["--max-events", "60", "--seed-traces", &seed_traces]);
    let events = |dir: &Path| -> Vec<Value> {
        let text = fs::read_to_string(dir.join("trace.jsonl")).unwrap();
        let rows = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        rows.map(|row| row["event"].clone()).filter(|event| !event.is_null()).collect()
    };
    let (recorded, seeded) = (events(&one), events(&two));
    assert_eq!(recorded[..40], seeded[..40]);
}

/// A fake that exits at every event.
const EXITING_APP: &str = "
app com.example.exiting 1.0
start door covers start
screen door activity Door
  button stay \"Stay\"
on door tap -> exit covers left
on door key back -> exit
on door launch -> exit
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
fn bench_explore_says_which_known_crashes_were_found_and_when() {
    let temp = tempdir().unwrap();
    let [out, known] = ["bench", "known.tsv"].map(|name| temp.path().join(name));
    let lines = "# app\texception\tframe\nnotes\tStringIndexOutOfBoundsException\tNote.initial\n\
                 notes\tNullPointerException\tNowhere.never\nother\tError\tA.b\n";
    fs::write(&known, lines).unwrap();
    let [out, known] = [out, known].map(|path| path.display().to_string());
    let app = fake("notes.fake");
    let mut arguments = vec!["bench", "explore", "--apps", &app, "--strategies", "auto", "--json"];
    arguments.extend(["--runs", "2", "--max-events", "400", "-o", &out, "--known", &known]);
    let output = retap(&arguments);
    let results = output.json();
    let [found, missed] = &results["known"].as_array().unwrap()[..] else { panic!("{output:?}") };
    let after = found["found_after"].as_array().unwrap();
    assert!(!after.is_empty() && after.iter().all(|events| events.as_u64().unwrap() <= 400));
    assert_eq!(missed["found_after"], serde_json::json!([]));
    let text = fs::read_to_string(Path::new(&out).join("results.md")).unwrap();
    assert!(text.contains("## Known crashes"), "{text}");
    fs::write(&known, "notes\n").unwrap();
    assert_eq!(retap(&arguments).code, 2);
}

#[test]
fn bench_explore_compares_strategies_and_keeps_finished_runs() {
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
    let first_written = fs::metadata(&trace).unwrap().modified().unwrap();
    let second = retap(&arguments);
    assert_eq!(first.json()["measured"], second.json()["measured"]);
    assert_eq!(fs::metadata(&trace).unwrap().modified().unwrap(), first_written);
    let fewer_events = arguments.map(|argument| if argument == "300" { "200" } else { argument });
    assert_eq!(
        retap(&fewer_events).json()["measured"][0]["events"],
        200,
        "other limits need other runs"
    );
    assert_refused(
        &["bench", "explore", "--apps", &app, "--strategies", "clever", "-o", &out],
        2,
        &["clever"],
    );
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
fn bench_explore_compares_auto_with_auto_without_each_part() {
    let temp = tempdir().unwrap();
    let out = temp.path().join("bench").display().to_string();
    let app = fake("vault.fake");
    let output = retap(&[
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
    let comparisons = output.json()["comparisons"].clone();
    let name = |comparison: &Value| comparison["theirs"].as_str().unwrap().to_string();
    let names: Vec<String> = comparisons.as_array().unwrap().iter().map(name).collect();
    let parts = ["families", "walk", "return", "text", "forms", "escape"];
    assert_eq!(names, parts.map(|part| format!("auto:without={part}")));
}
