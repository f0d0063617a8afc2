//! Tests the coverage of a real APK. JaCoCo's command-line tool reads the files of a run and counts the same coverage,
//! and a resumed run writes the same files as an uninterrupted one.
#![allow(clippy::unwrap_used)] // a test may panic

mod instrument;

use crate::common::{CommandOutput, assert_refused, fixture, retap};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::tempdir;

/// The version in the agent's `pom.xml`.
const JACOCO_VERSION: &str = "0.8.13";
const COPY_GOAL: &str = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy";

fn explore(dir: &Path, arguments: &[&str]) -> CommandOutput {
    let (apk, out) = (fixture("notes.apk"), dir.display().to_string());
    let fixed_arguments =
        ["explore", &apk, "--seed", "5", "--no-minimize", "--pictures", "0", "--json"];
    retap(&[&fixed_arguments, &["-o", &out][..], arguments].concat())
}

#[test]
fn jacoco_counts_the_same_coverage_and_a_resumed_run_writes_the_same_files() {
    let temp = tempdir().unwrap();
    let [uninterrupted, resumed] = ["uninterrupted", "resumed"].map(|name| temp.path().join(name));
    // Strategies that return to earlier states look at the number of events left, and the resumed run gets more
    // events when it continues. Random events do not depend on that number.
    let random = ["--strategy", "random", "--max-events"];
    let summary = explore(&uninterrupted, &[&random[..], &["60"]].concat()).json();
    let covered_branches = &summary["coverage"]["branch"]["covered"];
    assert!(covered_branches.as_u64().unwrap() > 0, "the comparison needs coverage: {summary}");

    // The coverage that retap counted, the report that JaCoCo's library wrote, and JaCoCo's tool on the same data.
    let counted = read_counters_of_summary(&summary);
    assert_eq!(read_counters(&uninterrupted.join("coverage.xml")), counted);
    assert_eq!(read_counters(&write_jacoco_report(&uninterrupted, temp.path())), counted);

    explore(&resumed, &[&random[..], &["20"]].concat());
    let out = resumed.display().to_string();
    let output = retap(&["explore", "--resume", "-o", &out, "--max-events", "60", "--json"]);
    assert_eq!(output.json()["digest"], summary["digest"], "{output:?}");
    for name in ["coverage.exec", "coverage.xml", "coverage-classes.jar"] {
        let [expected, actual] =
            [&uninterrupted, &resumed].map(|run| fs::read(run.join(name)).unwrap());
        assert!(expected == actual, "{name} differs");
    }
}

#[test]
fn include_and_exclude_choose_the_counted_classes_and_no_coverage_is_reported() {
    let temp = tempdir().unwrap();
    let one_class = temp.path().join("one-class");
    let editor = "dev.retap.fixture.notes.EditorActivity";
    let output =
        explore(&one_class, &["--max-events", "5", "--include", editor, "--exclude", "*$*"]);
    let units = fs::read_to_string(one_class.join("units.jsonl")).unwrap();
    assert!(units.lines().count() > 0, "{output:?}");
    assert!(units.lines().all(|unit| unit.contains("EditorActivity")), "{units}");

    let no_class = temp.path().join("no-class").display().to_string();
    let apk = fixture("notes.apk");
    let arguments = ["explore", &apk, "--seed", "5", "--max-events", "5", "--include", "com.none"];
    let output = retap(&[&arguments[..], &["--pictures", "0", "-o", &no_class]].concat());
    assert!(output.stdout.contains("NO COVERAGE"), "{output:?}");
    assert!(output.stderr.contains("nothing is left after --include and --exclude"), "{output:?}");

    let fake = crate::common::fake("notes.fake");
    assert_refused(
        &["explore", "-d", &fake, "--include", "a"],
        2,
        &["a fake app names what it covers in its file"],
    );
}

/// The covered units of one kind and all units of that kind.
#[derive(Debug, PartialEq)]
struct Counter {
    covered: u64,
    total: u64,
}

/// The counters by the names that JaCoCo gives to the kinds of units.
type Counters = BTreeMap<String, Counter>;

fn read_counters_of_summary(summary: &Value) -> Counters {
    let read = |(kind, counts): (&String, &Value)| {
        let number = |name: &str| counts[name].as_u64().unwrap();
        (kind.to_uppercase(), Counter { covered: number("covered"), total: number("total") })
    };
    summary["coverage"].as_object().unwrap().iter().map(read).collect()
}

/// Reads the counters of the whole report, which are the last ones in the file.
fn read_counters(xml: &Path) -> Counters {
    let text = fs::read_to_string(xml).unwrap();
    let end = text.rsplit("</package>").next().unwrap();
    let attribute = |tag: &str, name: &str| {
        let value = tag.split(&format!("{name}=\"")).nth(1).unwrap();
        value.split('"').next().unwrap().to_owned()
    };
    let mut counters = Counters::new();
    for tag in end.split("<counter ").skip(1) {
        let number = |name| attribute(tag, name).parse::<u64>().unwrap();
        let (covered, missed) = (number("covered"), number("missed"));
        let kind = attribute(tag, "type");
        // retap has no units for complexity and classes.
        if !["COMPLEXITY", "CLASS"].contains(&kind.as_str()) {
            counters.insert(kind, Counter { covered, total: covered + missed });
        }
    }
    counters
}

/// Writes the XML report of a run with JaCoCo's command-line tool and returns its path.
fn write_jacoco_report(run: &Path, temp: &Path) -> PathBuf {
    let artifact = format!("-Dartifact=org.jacoco:org.jacoco.cli:{JACOCO_VERSION}:jar:nodeps");
    let folder = format!("-DoutputDirectory={}", temp.display());
    run_successfully(
        Command::new("mvn").args(["-q", "-B", COPY_GOAL, &artifact, &folder]).current_dir(temp),
    );
    let xml = temp.join("jacoco.xml");
    run_successfully(
        Command::new("java")
            .arg("-jar")
            .arg(temp.join(format!("org.jacoco.cli-{JACOCO_VERSION}-nodeps.jar")))
            .arg("report")
            .arg(run.join("coverage.exec"))
            .arg("--classfiles")
            .arg(run.join("coverage-classes.jar"))
            .arg("--xml")
            .arg(&xml),
    );
    xml
}

/// Runs a command and asserts that it succeeds.
fn run_successfully(command: &mut Command) {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}
