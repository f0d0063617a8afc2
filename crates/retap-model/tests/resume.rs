//! A run directory is read back as it was recorded, and a damaged one is refused.

#![allow(clippy::unwrap_used)] // in helpers, too

use retap_model::app::{AppIdentity, Display};
use retap_model::format::run::{INFO, Recorder, RunInfo, STATES, TRACE, screen_path};
use retap_model::{Abstraction, Coverage, Event, Key, Observation, Outcome, Screen, Units};
use std::path::PathBuf;
use std::sync::Arc;

/// A directory that is removed at the end of a test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("retap-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        Self(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn info() -> RunInfo {
    RunInfo {
        retap: RunInfo::KIND.into(),
        version: RunInfo::VERSION,
        retap_version: "0".into(),
        verb: "explore".into(),
        arguments: Vec::new(),
        seed: 1,
        world_seed: 1,
        app: AppIdentity { package: "p".into(), version: "1".into(), sha256: "00".into() },
        apk: "p.fake".into(),
        device: "fake".into(),
        api: None,
        display: Display::default(),
        outside: Vec::new(),
        abstraction: Abstraction::Activity,
    }
}

fn observation(activity: &str) -> Observation {
    Observation {
        screen: Arc::new(Screen { activity: activity.into(), ..Screen::default() }),
        coverage: Arc::new(Coverage::new()),
        elapsed_ms: 0,
        outcome: Outcome::Running,
        log: Vec::new(),
        host_limitations: Vec::new(),
    }
}

fn record(folder: &Folder) {
    let mut recorder = Recorder::create(&folder.0, info(), &Units::default()).unwrap();
    recorder.record_start(1, &observation("p.Main")).unwrap();
    recorder.record_step(&Event::Key(Key::back()), &observation("p.Other")).unwrap();
    recorder.flush().unwrap();
}

fn resume(folder: &Folder) -> Result<usize, String> {
    let mut entries = 0;
    let resumed = Recorder::resume(&folder.0, &mut |_, _, _| entries += 1);
    resumed.map(|_| entries).map_err(|error| error.to_string())
}

#[test]
fn every_recorded_entry_is_visited_on_resume() {
    let folder = Folder::new("resume");
    record(&folder);
    assert_eq!(resume(&folder), Ok(2));
    assert!(folder.0.join(INFO).is_file());
}

#[test]
fn a_state_that_was_recorded_twice_is_refused() {
    let folder = Folder::new("twice");
    record(&folder);
    let path = folder.0.join(STATES);
    let states = std::fs::read_to_string(&path).unwrap();
    let first = states.lines().next().unwrap();
    std::fs::write(&path, format!("{states}{first}\n")).unwrap();
    let error = resume(&folder).unwrap_err();
    assert!(error.contains("states.jsonl:3: expected each state once"), "{error}");
}

#[test]
fn a_run_whose_files_were_cut_goes_on_from_the_last_entry_that_is_whole() {
    let folder = Folder::new("cut");
    record(&folder);
    let path = folder.0.join(STATES);
    let states = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, &states[..states.len() - 5]).unwrap();
    assert_eq!(resume(&folder), Ok(1), "the row of the second state is cut");
    let screen = screen_path(&folder.0, observation("p.Main").screen.id());
    std::fs::write(screen, "{").unwrap();
    let error = resume(&folder).unwrap_err();
    assert!(error.contains("cannot be resumed"), "nothing is whole: {error}");
}

#[test]
fn a_killed_run_loses_few_entries() {
    let folder = Folder::new("buffered");
    let mut recorder = Recorder::create(&folder.0, info(), &Units::default()).unwrap();
    recorder.record_start(1, &observation("p.Main")).unwrap();
    for steps in 1..=100 {
        recorder
            .record_step(&Event::Key(Key::new("back").unwrap()), &observation("p.Main"))
            .unwrap();
        let trace = std::fs::read_to_string(folder.0.join(TRACE)).unwrap();
        // A header and a start come before the steps.
        assert!(trace.lines().count() + 16 > steps + 2, "after {steps} steps");
    }
}

#[test]
fn a_run_whose_files_are_removed_meanwhile_ends_with_an_error() {
    let folder = Folder::new("removed");
    let mut recorder = Recorder::create(&folder.0, info(), &Units::default()).unwrap();
    recorder.record_start(1, &observation("p.Main")).unwrap();
    recorder.flush().unwrap();
    std::fs::rename(folder.0.join(TRACE), folder.0.join("elsewhere")).unwrap();
    recorder.record_step(&Event::Key(Key::new("back").unwrap()), &observation("p.Main")).unwrap();
    let error = recorder.flush().unwrap_err().to_string();
    assert!(error.contains("trace.jsonl") && error.contains("removed or replaced"), "{error}");
}
