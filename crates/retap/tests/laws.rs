//! The crates' laws that are about who knows whom, checked on the real dependency graph.
#![allow(clippy::unwrap_used)] // a test may panic

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// Which of our crates each one may know. What is not listed here does not exist.
const MAY_KNOW: [(&str, &[&str]); 10] = [
    ("retap-model", &[]),
    ("retap-minimize", &[]),
    ("retap-apk", &[]),
    ("retap-device", &["retap-model"]),
    ("retap-embedded", &["retap-model", "retap-device", "retap-apk"]),
    ("retap-oracle", &["retap-model"]),
    ("retap-reduce", &["retap-minimize", "retap-model"]),
    ("retap-report", &["retap-model"]),
    ("retap-explore", &["retap-model", "retap-device", "retap-oracle"]),
    (
        "retap",
        &[
            "retap-model",
            "retap-device",
            "retap-apk",
            "retap-embedded",
            "retap-explore",
            "retap-minimize",
            "retap-oracle",
            "retap-reduce",
            "retap-report",
        ],
    ),
];

/// Only the command line prints, parses flags and draws bars.
const ONLY_IN_THE_COMMAND_LINE: [&str; 5] =
    ["clap", "indicatif", "ctrlc", "tracing-subscriber", "anyhow"];

fn dependencies() -> BTreeMap<String, BTreeSet<String>> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let name = |value: &serde_json::Value| value["name"].as_str().unwrap().to_string();
    packages
        .iter()
        .map(|package| {
            let dependencies = package["dependencies"].as_array().unwrap();
            let used = dependencies.iter().filter(|d| d["kind"].is_null()).map(name);
            (name(package), used.collect())
        })
        .collect()
}

#[test]
fn every_crate_knows_only_whom_its_law_allows() {
    let laws: BTreeMap<&str, &[&str]> = MAY_KNOW.into_iter().collect();
    for (package, used) in dependencies() {
        let allowed = laws.get(package.as_str()).unwrap_or_else(|| panic!("{package} has no law"));
        for known in used.iter().filter(|name| name.starts_with("retap")) {
            assert!(allowed.contains(&known.as_str()), "{package} must not know {known}");
        }
    }
}

#[test]
fn only_the_command_line_talks_to_people() {
    for (package, used) in dependencies() {
        for library in ONLY_IN_THE_COMMAND_LINE {
            assert!(
                package == "retap" || !used.contains(library),
                "{package} must not use {library}"
            );
        }
    }
}
