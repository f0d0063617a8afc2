//! Damaged files of every format of this crate: each is read or refused, and none makes a reader panic.
//! CONTRIBUTING.md says how to run more of them.
#![allow(clippy::unwrap_used)] // a test may panic

use retap_fuzz::fuzz;
use retap_model::format::reduction::ReductionFile;
use retap_model::format::run::minimize_summary::{MinimizeSummary, MinimizedRecord};
use retap_model::format::run::{self, KeptFinding, KeptLimitation, RunInfo, Summary, TravelRow};
use retap_model::format::trace::TraceReader;
use retap_model::format::{monkey, simplydroid, uiautomator};
use retap_model::printable::{printable, printable_json, printable_line};
use retap_model::{Crash, Screen};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const JSON: [&str; 16] = [
    "{",
    "}",
    "[",
    "]",
    "\"",
    ":",
    ",",
    "null",
    "true",
    "1e999",
    "\\u0000",
    "\\ud800",
    "\n",
    "\"start\":7",
    "{}",
    "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
];

const SCRIPT: [&str; 14] = [
    "(",
    ")",
    ",",
    "\n",
    "Tap(",
    "Drag(",
    "PinchZoom(",
    "DispatchString(",
    "UserWait(",
    "RotateScreen(",
    "-1",
    "NaN",
    "start data >>\n",
    "captureDispatchPointer(",
];

const LOG: [&str; 8] =
    [";", "\n", "$$", "// CRASH: ", "\tat ", "MonkeyThrottleEvent", ";1\n", "\0"];

const XML: [&str; 12] = [
    "<",
    ">",
    "/>",
    "&",
    "&#0;",
    "\"",
    "<node",
    "</hierarchy>",
    "<![CDATA[",
    "<!DOCTYPE x [",
    "bounds=\"[0,0][9,9]\"",
    "[",
];

const STACK: [&str; 8] = [
    "\n",
    "Caused by: ",
    "Suppressed: ",
    "\tat com.app.A.b(A.java:1)\n",
    "... 3 more",
    "E/AndroidRuntime(1): ",
    "$",
    "\u{202e}",
];

fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("samples")
}

fn sample(name: &str) -> Vec<u8> {
    fs::read(samples().join(name)).unwrap()
}

/// Fuzzes the reader of a JSON file. What it accepts can be written and read again.
fn fuzz_json<T: Serialize + DeserializeOwned>(name: &str, good: &[u8]) {
    fuzz(name, &[good], &JSON, |bytes| {
        let Ok(value) = serde_json::from_slice::<T>(bytes) else { return false };
        let text = serde_json::to_string(&value).unwrap();
        serde_json::from_str::<T>(&text).unwrap();
        serde_json::from_str::<T>(&printable_json(&text)).unwrap();
        true
    });
}

#[test]
fn traces() {
    let trace = sample("run/trace.jsonl");
    let short: Vec<u8> =
        trace.split_inclusive(|byte| *byte == b'\n').take(5).flatten().copied().collect();
    fuzz("trace", &[&trace, &short], &JSON, |bytes| {
        let first = TraceReader::new(bytes, "file").and_then(|reader| reader.nth(1));
        let all = TraceReader::new(bytes, "file").and_then(TraceReader::suite);
        let _ = all.as_ref().map_err(|error| assert!(error.to_string().starts_with("file")));
        first.is_ok() || all.is_ok()
    });
}

#[test]
fn monkey_scripts() {
    let script = b"type= user\ncount= 3\nspeed= 1.0\nstart data >>\nLaunchActivity(com.app, com.app.Main)\nTap(1,2)\n\
        Drag(5,2,5,9,3)\nPinchZoom(90,50,0,50,110,50,200,50,2)\nDispatchPress(4)\nDispatchString(a%sb)\nUserWait(9)\n";
    fuzz("monkey", &[script], &SCRIPT, |bytes| {
        let Ok(script) = monkey::read(bytes, "file") else { return false };
        let events: Vec<_> = script.events.iter().map(|placed| placed.event.clone()).collect();
        let mut out = Vec::new();
        if monkey::write(&mut out, script.launch.as_ref(), &events).unwrap().is_empty() {
            let again = monkey::read(&out[..], "file").unwrap();
            let again: Vec<_> = again.events.into_iter().map(|placed| placed.event).collect();
            assert_eq!(again, events);
        }
        true
    });
}

#[test]
fn simplydroid_logs() {
    let pair = b"start data >>\nLaunchActivity(com.app,com.app.Main)\nTap(1,2)\nTap(3,4)\n\0\
        1;MonkeyActivityEvent;com.app;com.app.Main;1\n2;MonkeyThrottleEvent;com.app;com.app.Main;1\n\
        3;MonkeyTouchEvent;com.app;com.app.Main;1\n4;MonkeyTouchEvent;com.app;com.app.Main;0\n\
        // CRASH: // java.lang.Error: boo$$ \tat com.app.Main.a(Main.java:7)$$ \n";
    let words: Vec<&str> = LOG.iter().chain(&SCRIPT).copied().collect();
    fuzz("simplydroid", &[pair], &words, |bytes| {
        let mut parts = bytes.splitn(2, |byte| *byte == 0);
        let (script, log) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        simplydroid::read((script, "script"), (log, "log")).is_ok()
    });
}

#[test]
fn uiautomator_dumps() {
    let dump = b"<?xml version='1.0' encoding='UTF-8'?>\n<hierarchy rotation=\"0\"><node text=\"Tom &amp; J\" \
        class=\"a.EditText\" package=\"com.app\" clickable=\"true\" bounds=\"[0,0][9,9]\"><android.widget.Button \
        content-desc=\"x&#10;y\" bounds=\"[-1,2][3,4]\"/></node><!-- c --></hierarchy>\n";
    fuzz("uiautomator", &[dump], &XML, |bytes| {
        let Ok(screen) = uiautomator::read(bytes, "file") else { return false };
        let mut out = Vec::new();
        uiautomator::write(&mut out, &screen, uiautomator::Dialect::Class).unwrap();
        uiautomator::read(&out[..], "file").unwrap();
        true
    });
}

#[test]
fn stacks() {
    let stack =
        b"java.lang.RuntimeException: outer\n\tat a.B.c(B.java:1)\n\tat com.app.D.e(D.java:2)\n\
        Caused by: java.lang.Error: inner\n\tat com.app.D.f(D.java:3)\n\t... 1 more\n";
    fuzz("stack", &[stack], &STACK, |bytes| {
        let text = String::from_utf8_lossy(bytes).into_owned();
        assert!(!printable(&text).contains('\u{1b}') && !printable_line(&text).contains('\n'));
        let crash = Crash::new("main", text);
        let _ = (crash.identity("com.app"), crash.place("com.app"), crash.has_own_code("com.app"));
        let _ = (crash.message(), crash.innermost_class(), crash.mentions("com.app"));
        true
    });
}

#[test]
fn screens() {
    fuzz_json::<Screen>("screen", &sample("screen.json"));
}

#[test]
fn settings_and_results_of_runs() {
    fuzz_json::<RunInfo>("run-info", &sample("run/run.json"));
    fuzz_json::<Summary>("result", &sample("run/result.json"));
    fuzz_json::<MinimizeSummary>("minimize-result", &sample("minimize-result.json"));
    let crash = fs::read_dir(samples().join("run/crashes")).unwrap().next().unwrap().unwrap();
    fuzz_json::<MinimizedRecord>(
        "minimized",
        &fs::read(crash.path().join("minimized.json")).unwrap(),
    );
}

#[test]
fn findings_limitations_and_travel() {
    let finding = br#"{"finding":{"kind":"layout","activity":"Main","subject":"save","message":"cut"},"events":3}"#;
    fuzz_json::<KeptFinding>("finding", finding);
    fuzz_json::<KeptLimitation>("limitation", br#"{"what":"native: no camera","events":2}"#);
    let travel = sample("run/travel.jsonl");
    fuzz_json::<TravelRow>("travel", travel.split(|byte| *byte == b'\n').next().unwrap());
}

#[test]
fn reductions() {
    let (folder, good) = (tempfile::tempdir().unwrap(), sample("reduction.json"));
    fuzz("reduction", &[&good], &JSON, |bytes| {
        fs::write(folder.path().join(ReductionFile::FILE), bytes).unwrap();
        ReductionFile::read(folder.path()).is_ok()
    });
}

/// Returns a run directory whose files can be damaged one at a time.
fn run_directory() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in [run::INFO, run::TRACE, run::STATES, run::UNITS, run::COVERAGE, run::TRAVEL] {
        fs::copy(samples().join("run").join(name), folder.path().join(name)).unwrap();
    }
    folder
}

fn fuzz_run(name: &str, file: &str, read: impl Fn(&Path) -> bool) {
    let run = run_directory();
    fuzz(name, &[&sample(&format!("run/{file}"))], &JSON, |bytes| {
        fs::write(run.path().join(file), bytes).unwrap();
        read(run.path())
    });
}

#[test]
fn run_directories_with_a_damaged_trace() {
    fuzz_run("run-trace", run::TRACE, |run| run::visit_entries(run, &mut |_, _, _| {}).is_ok());
}

#[test]
fn run_directories_with_damaged_states() {
    fuzz_run("run-states", run::STATES, |run| {
        run::read_states(run).is_ok() | run::visit_entries(run, &mut |_, _, _| {}).is_ok()
    });
}

#[test]
fn run_directories_with_damaged_units() {
    fuzz_run("run-units", run::UNITS, |run| {
        run::read_units(run).is_ok_and(|units| run::read_coverage(run, &units).is_ok())
    });
}

#[test]
fn run_directories_with_damaged_coverage() {
    fuzz_run("run-coverage", run::COVERAGE, |run| {
        let units = run::read_units(run).unwrap();
        run::read_coverage(run, &units).is_ok() | run::visit_entries(run, &mut |_, _, _| {}).is_ok()
    });
}
