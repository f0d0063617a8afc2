//! `run.json`, `result.json` and what `--json` prints fit the schemas in `docs/schemas`.
#![allow(clippy::unwrap_used)] // a test may panic

use crate::common::{fake, fixture, retap, root};
use serde_json::Value;
use std::fs;
use std::path::Path;
use tempfile::tempdir;

/// Asserts that a value fits a published schema.
pub fn check(what: &str, value: &Value, schema: &str) {
    let file = root().join("docs/schemas").join(format!("{schema}.schema.json"));
    let schema: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<String> = validator
        .iter_errors(value)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{what}: {errors:#?}\n{value:#}");
}

pub fn check_file(file: &Path, schema: &str) {
    let value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    check(&file.display().to_string(), &value, schema);
}

/// Runs a command with `--json` and asserts that its answer fits a schema.
fn check_command(arguments: &[&str], schema: &str) {
    let output = retap(&[arguments, &["--json", "-q"]].concat());
    assert!(output.code <= 1, "{output:?}");
    check(&format!("{arguments:?}"), &output.json(), schema);
}

#[test]
fn what_verbs_on_fakes_answer_fits_its_published_schema() {
    let temp = tempdir().unwrap();
    for (app, events) in [("notes.fake", "700"), ("losing.fake", "100")] {
        let device = fake(app);
        let folder = |name: &str| temp.path().join(format!("{app}-{name}")).display().to_string();
        let [run, suite, min] = ["run", "suite", "min"].map(folder);
        check_command(
            &["explore", "-d", &device, "--seed", "7", "--max-events", events, "-o", &run],
            "result",
        );
        check_file(&Path::new(&run).join("run.json"), "run");
        check_file(&Path::new(&run).join("result.json"), "result");
        check_command(&["report", &run], "report");
        check_command(&["replay", &format!("{run}/trace.jsonl#1"), "-d", &device], "replay");
        check_command(&["reduce", &run, "-d", &device, "-o", &suite], "reduce");
        check_command(&["replay", &suite, "-d", &device], "suite");
        check_command(&["reduce", "--verify", &suite, "-d", &device], "verify");
        let crashes = Path::new(&run).join("crashes");
        let Some(crash) = fs::read_dir(crashes).ok().and_then(|mut all| all.next()) else {
            continue;
        };
        let trace = crash.unwrap().path().join("trace.jsonl").display().to_string();
        check_command(&["minimize", &trace, "-d", &device, "-o", &min], "result");
        check_file(&Path::new(&min).join("run.json"), "run");
        check_file(&Path::new(&min).join("result.json"), "result");
    }
}

#[test]
fn what_verbs_on_files_answer_fits_its_published_schema() {
    let (old, new) = (fixture("shop-1.apk"), fixture("shop-2.apk"));
    check_command(&["diff", &old, &new], "diff");
    check_command(&["model", &new], "model");
    check_command(&["doctor"], "doctor");
}
