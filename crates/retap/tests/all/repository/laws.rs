//! The laws about which crate knows which, checked on the real dependency graph.
#![allow(clippy::unwrap_used)] // a test may panic

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// The crates of ours that each crate may know, tests included. A crate that is not listed does not exist.
const MAY_KNOW: [(&str, &[&str]); 25] = [
    ("retap-fuzz", &[]),
    ("retap-model", &[]),
    ("retap-minimize", &[]),
    ("retap-apk", &[]),
    ("retap-static", &["retap-apk"]),
    ("retap-device", &["retap-model"]),
    ("retap-embedded", &["retap-model", "retap-device", "retap-apk"]),
    ("retap-fleet", &["retap-model", "retap-device"]),
    ("retap-adb", &["retap-model", "retap-device", "retap-apk"]),
    ("retap-adbd", &["retap-model", "retap-device", "retap-apk"]),
    ("retap-oracle", &["retap-model"]),
    ("retap-test", &["retap-model"]),
    ("retap-reduce", &["retap-minimize", "retap-model"]),
    ("retap-picture", &[]),
    ("retap-export", &["retap-model"]),
    ("retap-import", &["retap-model"]),
    ("retap-report", &["retap-model", "retap-export", "retap-picture"]),
    ("retap-explore", &["retap-model", "retap-device", "retap-oracle"]),
    ("retap-update", &["retap-model", "retap-explore", "retap-static"]),
    (
        "retap-engine",
        &[
            "retap-model",
            "retap-device",
            "retap-adb",
            "retap-apk",
            "retap-embedded",
            "retap-explore",
            "retap-minimize",
            "retap-oracle",
            "retap-reduce",
            "retap-static",
            "retap-test",
            "retap-update",
        ],
    ),
    (
        "retap-bench",
        &[
            "retap-apk",
            "retap-static",
            "retap-model",
            "retap-device",
            "retap-embedded",
            "retap-engine",
            "retap-explore",
            "retap-fleet",
            "retap-minimize",
            "retap-reduce",
        ],
    ),
    (
        "retap-drive",
        &[
            "retap-model",
            "retap-device",
            "retap-embedded",
            "retap-engine",
            "retap-explore",
            "retap-export",
            "retap-oracle",
        ],
    ),
    ("retap-mcp", &["retap-model", "retap-engine", "retap-drive", "retap-export", "retap-picture"]),
    (
        "retap-serve",
        &[
            "retap-model",
            "retap-engine",
            "retap-drive",
            "retap-export",
            "retap-picture",
            "retap-report",
        ],
    ),
    (
        "retap",
        &[
            "retap-adb",
            "retap-adbd",
            "retap-drive",
            "retap-fleet",
            "retap-import",
            "retap-mcp",
            "retap-serve",
            "retap-apk",
            "retap-bench",
            "retap-model",
            "retap-device",
            "retap-embedded",
            "retap-engine",
            "retap-explore",
            "retap-export",
            "retap-minimize",
            "retap-oracle",
            "retap-reduce",
            "retap-report",
            "retap-static",
            "retap-test",
            "retap-update",
        ],
    ),
];

/// The crates of ours that only tests of a crate may know. Tests of every crate may damage its inputs.
const TESTS_MAY_KNOW: [(&str, &[&str]); 3] = [
    ("retap-reduce", &["retap-device"]),
    ("retap-adb", &["retap-adbd", "retap-embedded"]),
    ("retap-adbd", &["retap-embedded"]),
];

/// The crate that damages the inputs of readers.
const DAMAGE: &str = "retap-fuzz";

/// Only the command line prints, parses flags and draws bars.
const ONLY_IN_THE_COMMAND_LINE: [&str; 5] =
    ["clap", "indicatif", "ctrlc", "tracing-subscriber", "anyhow"];

/// The dependencies of a crate, by name.
struct Dependencies {
    package: String,
    normal: BTreeSet<String>,
    /// Dependencies of its tests and build script.
    other: BTreeSet<String>,
}

fn dependencies() -> Vec<Dependencies> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let name = |value: &serde_json::Value| value["name"].as_str().unwrap().to_string();
    let read = |package: &serde_json::Value| {
        let all = package["dependencies"].as_array().unwrap();
        let (normal, other): (Vec<_>, Vec<_>) = all.iter().partition(|one| one["kind"].is_null());
        Dependencies {
            package: name(package),
            normal: normal.into_iter().map(name).collect(),
            other: other.into_iter().map(name).collect(),
        }
    };
    metadata["packages"].as_array().unwrap().iter().map(read).collect()
}

#[test]
fn every_crate_knows_only_the_crates_its_law_allows() {
    let laws: BTreeMap<&str, &[&str]> = MAY_KNOW.into_iter().collect();
    let test_laws: BTreeMap<&str, &[&str]> = TESTS_MAY_KNOW.into_iter().collect();
    for Dependencies { package, normal, other } in dependencies() {
        let allowed = laws.get(package.as_str()).unwrap_or_else(|| panic!("{package} has no law"));
        let in_tests = test_laws.get(package.as_str()).copied().unwrap_or_default();
        for known in normal.iter().filter(|name| name.starts_with("retap")) {
            assert!(allowed.contains(&known.as_str()), "{package} must not know {known}");
        }
        for known in other.iter().filter(|name| name.starts_with("retap")) {
            let known = known.as_str();
            let is_allowed =
                allowed.contains(&known) || in_tests.contains(&known) || known == DAMAGE;
            assert!(is_allowed, "tests of {package} must not know {known}");
        }
    }
}

#[test]
fn only_the_command_line_talks_to_people() {
    for Dependencies { package, normal, other } in dependencies() {
        for library in ONLY_IN_THE_COMMAND_LINE {
            let uses = normal.contains(library) || other.contains(library);
            assert!(package == "retap" || !uses, "{package} must not use {library}");
        }
    }
}

#[test]
fn every_library_has_a_clippy_file_with_its_bans() {
    for Dependencies { package, .. } in dependencies() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let file = folder.join(&package).join("clippy.toml");
        assert!(package == "retap" || file.is_file(), "{} is missing", file.display());
    }
}
