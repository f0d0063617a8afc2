//! Fleets of processes on the loopback: workers and coordinators are killed in turn, and nothing of it shows in the results.
#![allow(clippy::unwrap_used)] // a test may panic

#[cfg(feature = "long-tests")]
use crate::common::fixture;
use crate::common::{CommandOutput, fake, retap, retap_command};
use retap_fleet::LocalServer;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// A server and worker processes.
struct ProcessFleet {
    folder: tempfile::TempDir,
    server: LocalServer,
    workers: Vec<Child>,
    kills: usize,
}

impl ProcessFleet {
    fn start(workers: usize) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let server = LocalServer::start(folder.path(), "").unwrap();
        let mut fleet = Self { folder, server, workers: Vec::new(), kills: 0 };
        fleet.workers = (0..workers).map(|_| fleet.start_worker()).collect();
        fleet
    }

    fn start_worker(&self) -> Child {
        let arguments = ["worker", "--fleet", self.server.url(), "--redeliver-after", "1s", "-q"];
        retap_command(&arguments).stderr(Stdio::null()).spawn().unwrap()
    }

    /// Kills the next worker and starts another in its place.
    fn kill_worker(&mut self) {
        let next = self.kills % self.workers.len();
        self.workers[next].kill().unwrap();
        self.workers[next].wait().unwrap();
        self.workers[next] = self.start_worker();
        self.kills += 1;
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Runs a verb on the fleet.
    fn run(&self, arguments: &[&str]) -> CommandOutput {
        retap(&[arguments, &["--fleet", self.server.url(), "-j", "3", "--json"]].concat())
    }

    /// Runs a verb on the fleet while workers are killed in turn. Its first coordinator is killed too, after a while. The
    /// output folder `-o` of each coordinator is named after its number.
    fn run_disturbed(&mut self, arguments: &[&str], pause: Duration) -> CommandOutput {
        for coordinator in 0.. {
            let output = self.path().join(format!("out-{coordinator}")).display().to_string();
            let fleet = ["-o", &output, "--fleet", self.server.url(), "-j", "3", "--json"];
            let mut command = retap_command(&[arguments, &fleet].concat());
            let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
            let started = Instant::now();
            thread::sleep(pause);
            while child.try_wait().unwrap().is_none() {
                assert!(started.elapsed() < Duration::from_secs(600), "the campaign never ends");
                self.kill_worker();
                if coordinator == 0 {
                    child.kill().unwrap();
                    child.wait().unwrap();
                    break;
                }
                thread::sleep(pause);
            }
            if coordinator > 0 {
                return child.wait_with_output().unwrap().into();
            }
        }
        unreachable!("some coordinator ends")
    }
}

impl Drop for ProcessFleet {
    fn drop(&mut self) {
        for worker in &mut self.workers {
            let _ = worker.kill();
            let _ = worker.wait();
        }
    }
}

/// Explores a fake here and returns the run's directory.
fn explore_here(folder: &Path, name: &str, events: &str) -> String {
    let run = folder.join("run").display().to_string();
    let fake = fake(name);
    let arguments = ["explore", "-d", &fake, "--seed", "7", "--max-events", events, "-o", &run];
    let output =
        retap(&[&arguments[..], &["--no-minimize", "--strategy", "random", "-q"]].concat());
    assert!(output.code <= 1, "{output:?}");
    run
}

/// Explores a fake on a calm fleet of one worker and on a fleet of three whose processes are killed.
fn explore_twice(events: &str, pause: Duration) -> (serde_json::Value, serde_json::Value) {
    let notes = fake("notes.fake");
    let arguments =
        ["explore", "-d", &notes, "--seed", "7", "--max-events", events, "--no-minimize"];
    let calm = ProcessFleet::start(1);
    let output = calm.path().join("out").display().to_string();
    let expected = calm.run(&[&arguments[..], &["-o", &output]].concat()).json();
    let mut fleet = ProcessFleet::start(3);
    let found = fleet.run_disturbed(&arguments, pause).json();
    assert!(fleet.kills > 0, "somebody was killed");
    (expected, found)
}

#[test]
fn killed_workers_and_a_killed_coordinator_change_nothing_of_an_exploration() {
    let (expected, found) = explore_twice("3000", Duration::from_millis(400));
    assert_eq!(found["digest"], expected["digest"]);
    assert_eq!(found["events"], expected["events"]);
    assert_eq!(found["events"], 3000);
}

#[test]
fn a_trace_is_minimised_on_a_disturbed_fleet_as_it_is_here() {
    let mut fleet = ProcessFleet::start(3);
    let run = explore_here(fleet.path(), "notes.fake", "1500");
    let crashes = std::fs::read_dir(Path::new(&run).join("crashes")).unwrap();
    let crash = crashes.flatten().map(|entry| entry.path()).min().unwrap();
    let trace = crash.join("trace.jsonl").display().to_string();
    let notes = fake("notes.fake");
    let here = fleet.path().join("here").display().to_string();
    let arguments = ["minimize", &trace, "-d", &notes];
    let expected = retap(&[&arguments[..], &["-j", "3", "-o", &here, "--json"]].concat());
    assert_eq!(expected.code, 1, "{expected:?}");
    let found = fleet.run_disturbed(&arguments, Duration::from_millis(300));
    assert_eq!(found.code, 1, "{found:?}");
    let answer = |folder: &str| std::fs::read(fleet.path().join(folder).join("minimized.jsonl"));
    assert_eq!(answer("out-1").unwrap(), answer("here").unwrap());
    assert_eq!(found.json()["events_after"], expected.json()["events_after"]);
}

#[test]
fn a_suite_is_reduced_on_a_fleet_as_it_is_here() {
    let fleet = ProcessFleet::start(2);
    let run = explore_here(fleet.path(), "notes.fake", "600");
    let notes = fake("notes.fake");
    let folder = |name: &str| fleet.path().join(name).display().to_string();
    let (here, elsewhere) = (folder("here"), folder("elsewhere"));
    let arguments = ["reduce", &run, "-d", &notes, "-o"];
    let expected = retap(&[&arguments[..], &[&here, "-j", "3", "--json"]].concat());
    assert_eq!(expected.code, 0, "{expected:?}");
    let found = fleet.run(&[&arguments[..], &[&elsewhere]].concat());
    assert_eq!(found.code, 0, "{found:?}");
    let read = |folder: &str| {
        let entries = std::fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path());
        let mut files: Vec<_> =
            entries.filter(|path| path.extension().is_some_and(|it| it == "jsonl")).collect();
        files.sort();
        let read = |path: &std::path::PathBuf| {
            (path.file_name().unwrap().to_owned(), std::fs::read(path).unwrap())
        };
        files.iter().map(read).collect::<Vec<_>>()
    };
    assert!(!read(&here).is_empty());
    assert_eq!(read(&elsewhere), read(&here));
}

/// Returns every file with this name below a folder, by its path there.
fn files_named(folder: &Path, name: &str) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for path in std::fs::read_dir(next).unwrap().flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.file_name().is_some_and(|it| it == name) {
                let bytes = std::fs::read(&path).unwrap();
                found.insert(path.strip_prefix(folder).unwrap().to_owned(), bytes);
            }
        }
    }
    found
}

#[test]
fn a_bench_of_strategies_records_on_a_fleet_what_it_records_here() {
    let fleet = ProcessFleet::start(2);
    let (notes, vault) = (fake("notes.fake"), fake("vault.fake"));
    let arguments = [
        "bench",
        "explore",
        "--apps",
        &notes,
        &vault,
        "--strategies",
        "random",
        "auto:without=walk",
        "--runs",
        "2",
        "--max-events",
        "150",
        "-o",
    ];
    let folder = |name: &str| fleet.path().join(name).display().to_string();
    let (here, elsewhere) = (folder("here"), folder("elsewhere"));
    let expected = retap(&[&arguments[..], &[&here, "--json"]].concat());
    assert_eq!(expected.code, 0, "{expected:?}");
    let found = fleet.run(&[&arguments[..], &[&elsewhere]].concat());
    assert_eq!(found.code, 0, "{found:?}");
    for name in ["trace.jsonl", "curve.json"] {
        let read = |folder: &str| files_named(Path::new(folder), name);
        assert!(read(&here).len() >= 8, "a run for each app, strategy and seed");
        assert_eq!(read(&elsewhere), read(&here), "{name}");
    }
}

#[test]
#[cfg(feature = "long-tests")]
fn both_versions_of_an_update_are_compared_on_a_fleet_as_they_are_here() {
    let fleet = ProcessFleet::start(1);
    let (old, new) = (fixture("shop-1.apk"), fixture("shop-2.apk"));
    let folder = |name: &str| fleet.path().join(name).display().to_string();
    let (here, elsewhere) = (folder("here"), folder("elsewhere"));
    let limits = ["--seed", "1", "--max-events", "40", "--phases", "1", "--pictures", "0"];
    let arguments = [&["update", &old, &new][..], &limits].concat();
    let expected = retap(&[&arguments[..], &["-o", &here, "-j", "3", "--json", "-q"]].concat());
    assert!(expected.code <= 1, "{expected:?}");
    let found = fleet.run(&[&arguments[..], &["-o", &elsewhere]].concat());
    assert_eq!(found.code, expected.code, "{found:?}");
    assert_eq!(found.json()["update"], expected.json()["update"]);
    assert_eq!(found.json()["digest"], expected.json()["digest"]);
    let status = retap(&["fleet", "status", "--fleet", fleet.server.url(), "--json"]).json();
    let campaigns = status["campaigns"].as_array().unwrap();
    // One for each version; both ran something.
    assert_eq!(campaigns.len(), 2, "{status}");
    assert!(campaigns.iter().all(|one| one["events"].as_u64() > Some(0)), "{status}");
}

#[test]
fn a_fleet_whose_members_sign_and_trust_each_other_works_and_a_stranger_is_refused() {
    let fleet = ProcessFleet::start(0);
    let key = |name: &str| {
        let file = fleet.path().join(name).display().to_string();
        let made = retap(&["fleet", "key", &file]);
        (file, made.stdout.trim().to_string())
    };
    let ((asks, of_asks), (works, of_works)) = (key("asks.key"), key("works.key"));
    let worker = ["worker", "--fleet", fleet.server.url(), "-q", "--trust", &of_asks];
    let mut command = retap_command(&[&worker[..], &["--fleet-key", &works]].concat());
    let mut worker = command.stderr(Stdio::null()).spawn().unwrap();
    let run = explore_here(fleet.path(), "notes.fake", "300");
    let trace = format!("{run}/trace.jsonl#1");
    let notes = fake("notes.fake");
    let replay = |trusts: &str| {
        let keys = ["--fleet-key", &asks, "--trust", trusts];
        fleet.run(&[&["replay", &trace, "-d", &notes][..], &keys].concat())
    };
    let ran = replay(&of_works);
    let refused = replay(&of_asks);
    let _ = (worker.kill(), worker.wait());
    assert!(ran.code <= 1, "{ran:?}");
    assert_eq!(refused.code, 4, "{refused:?}");
    assert!(refused.stderr.contains("who is not trusted"), "{refused:?}");
    assert!(refused.stderr.contains("--fleet-key"), "{refused:?}");
}

#[test]
fn a_fleet_says_plainly_what_it_cannot_do() {
    crate::common::assert_refused(
        &["fleet", "status", "--fleet", "nats://127.0.0.1:1"],
        4,
        &["the fleet's server does not answer", "127.0.0.1:1"],
    );
    crate::common::assert_refused(
        &["worker", "--fleet", "nats://192.0.2.1:4222"],
        4,
        &["is not on this machine", "--trust"],
    );
}
