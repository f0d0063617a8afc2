//! Coverage of a real APK, through the binary: JaCoCo's own command line accepts what a run leaves, its
//! figures are retap's, and a run that was taken up leaves the same as one that was not.
#![allow(clippy::unwrap_used)] // a test may panic

mod common;

use common::{Ran, refuses, retap, root};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::tempdir;

/// As in the agent's `pom.xml`.
const JACOCO: &str = "0.8.13";
const COPY: &str = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy";

fn notes() -> String {
    root().join("fixtures/notes.apk").display().to_string()
}

fn explore(dir: &Path, arguments: &[&str]) -> Ran {
    let (apk, out) = (notes(), dir.display().to_string());
    let fixed = ["explore", &apk, "--seed", "5", "--no-minimize", "--pictures", "0", "--json"];
    retap(&[&fixed, &["-o", &out][..], arguments].concat())
}

#[test]
fn jacocos_own_tools_agree_with_a_run_also_after_it_was_taken_up() {
    let temp = tempdir().unwrap();
    let [whole, parts] = ["whole", "parts"].map(|name| temp.path().join(name));
    // Strategies that go back look at how many events are left, and this run is given more when it is taken up.
    let random = ["--strategy", "random", "--max-events"];
    let result = explore(&whole, &[&random[..], &["60"]].concat()).json();
    let covered = &result["coverage"]["branch"]["covered"];
    assert!(covered.as_u64().unwrap() > 10, "{result}");

    // What was seen, what JaCoCo's library wrote, and what its command line makes of the data.
    let ours = counters_of_result(&result);
    assert_eq!(counters(&whole.join("coverage.xml")), ours);
    assert_eq!(counters(&jacoco_report(&whole, temp.path())), ours);

    explore(&parts, &[&random[..], &["20"]].concat());
    let out = parts.display().to_string();
    let resumed = retap(&["explore", "--resume", "-o", &out, "--max-events", "60", "--json"]);
    assert_eq!(resumed.json()["digest"], result["digest"], "{resumed:?}");
    for name in ["coverage.exec", "coverage.xml", "coverage-classes.jar"] {
        let [whole, parts] = [&whole, &parts].map(|run| fs::read(run.join(name)).unwrap());
        assert!(whole == parts, "{name} differs");
    }
}

#[test]
fn what_counts_can_be_chosen_and_nothing_is_said_loudly() {
    let temp = tempdir().unwrap();
    let one = temp.path().join("one");
    let editor = "dev.retap.fixture.notes.EditorActivity";
    let ran = explore(&one, &["--max-events", "5", "--include", editor, "--exclude", "*$*"]);
    let units = fs::read_to_string(one.join("units.jsonl")).unwrap();
    assert!(units.lines().count() > 20, "{ran:?}");
    assert!(units.lines().all(|unit| unit.contains("EditorActivity")), "{units}");

    let none = temp.path().join("none").display().to_string();
    let arguments =
        ["explore", &notes(), "--seed", "5", "--max-events", "5", "--include", "com.none"];
    let ran = retap(&[&arguments[..], &["--pictures", "0", "-o", &none]].concat());
    assert!(ran.stdout.contains("NO COVERAGE"), "{ran:?}");
    assert!(ran.stderr.contains("nothing is left after --include and --exclude"), "{ran:?}");

    let fake = common::fake("notes.fake");
    refuses(&["explore", "-d", &fake, "--include", "a"], 2, &["what its file says"]);
}

/// Covered and total by JaCoCo's names.
type Counters = BTreeMap<String, (u64, u64)>;

fn counters_of_result(result: &Value) -> Counters {
    let number = |tally: &Value, name: &str| tally[name].as_u64().unwrap();
    let of = |(kind, tally): (&String, &Value)| {
        (kind.to_uppercase(), (number(tally, "covered"), number(tally, "total")))
    };
    result["coverage"].as_object().unwrap().iter().map(of).collect()
}

/// The counters of the whole report: the last ones in the file.
fn counters(xml: &Path) -> Counters {
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
        // Of complexity and classes retap has no units.
        if !["COMPLEXITY", "CLASS"].contains(&kind.as_str()) {
            counters.insert(kind, (covered, covered + missed));
        }
    }
    counters
}

fn jacoco_report(run: &Path, temp: &Path) -> PathBuf {
    let artifact = format!("-Dartifact=org.jacoco:org.jacoco.cli:{JACOCO}:jar:nodeps");
    let folder = format!("-DoutputDirectory={}", temp.display());
    finish(Command::new("mvn").args(["-q", "-B", COPY, &artifact, &folder]).current_dir(temp));
    let xml = temp.join("jacoco.xml");
    finish(
        Command::new("java")
            .arg("-jar")
            .arg(temp.join(format!("org.jacoco.cli-{JACOCO}-nodeps.jar")))
            .arg("report")
            .arg(run.join("coverage.exec"))
            .arg("--classfiles")
            .arg(run.join("coverage-classes.jar"))
            .arg("--xml")
            .arg(&xml),
    );
    xml
}

fn finish(command: &mut Command) {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}
