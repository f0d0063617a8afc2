//! The repository's shape: folders that read like a table of contents, one name for one meaning, words of the glossary.
#![allow(clippy::unwrap_used)] // a test may panic

mod help;
mod laws;
mod sessions;
#[cfg(feature = "long-tests")]
mod workflow;

use crate::common::root;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The most source files in one folder.
const MAX_FILES: usize = 20;
const MAX_GLOSSARY_WORDS: usize = 50;

/// Names that newcomers stumbled over. None comes back as a type.
const RETIRED_TYPES: [&str; 30] = [
    "Adrift",
    "Around",
    "Backroom",
    "Deed",
    "Desk",
    "Dice",
    "Errand",
    "Fate",
    "Film",
    "Fit",
    "Ground",
    "Heirlooms",
    "Kin",
    "Led",
    "Lore",
    "Luck",
    "Met",
    "Nursery",
    "Obituary",
    "Place",
    "Rail",
    "Rest",
    "Shelf",
    "Standing",
    "Strays",
    "Tally",
    "Thrift",
    "Twin",
    "Verdict",
    "Watch",
];

/// Words that are gone from identifiers and sentences alike.
const RETIRED_WORDS: [&str; 8] =
    ["adrift", "backroom", "heirloom", "nursery", "obituary", "relive", "thrift", "errand"];

fn sources() -> Vec<PathBuf> {
    let mut found = Vec::new();
    for folder in ["crates", "agent/src"] {
        collect(&root().join(folder), &mut found);
    }
    found.sort();
    assert!(found.len() > 300, "only {} source files were found", found.len());
    found
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        let name = entry.file_name().into_string().unwrap_or_default();
        if path.is_dir() && name != "target" {
            collect(&path, found);
        } else if name.ends_with(".rs") || name.ends_with(".java") {
            found.push(path);
        }
    }
}

fn shown(path: &Path) -> String {
    path.strip_prefix(root()).unwrap().display().to_string()
}

#[test]
fn no_folder_has_more_than_twenty_source_files() {
    let mut folders: BTreeMap<String, usize> = BTreeMap::new();
    for source in sources() {
        *folders.entry(shown(source.parent().unwrap())).or_default() += 1;
    }
    folders.retain(|_, files| *files > MAX_FILES);
    assert!(folders.is_empty(), "split these folders: {folders:?}");
}

#[test]
fn modules_lie_beside_their_folders_and_not_in_mod_rs() {
    let wrong: Vec<String> = sources()
        .iter()
        .map(|path| shown(path))
        .filter(|path| path.ends_with("/mod.rs") && path.contains("/src/"))
        .collect();
    assert!(wrong.is_empty(), "rename FOLDER/mod.rs to FOLDER.rs: {wrong:?}");
}

#[test]
fn half_of_all_files_have_at_most_a_hundred_lines() {
    let lines = |path: &PathBuf| fs::read_to_string(path).unwrap().lines().count();
    let mut lengths: Vec<usize> = sources().iter().map(lines).collect();
    lengths.sort_unstable();
    let median = lengths[lengths.len() / 2];
    assert!(median <= 100, "the median file has {median} lines");
}

/// The name of the type that a line declares, if it is visible outside its module.
fn public_type(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix("pub")?;
    let rest = match rest.strip_prefix('(') {
        Some(rest) => rest.split_once(')')?.1,
        None => rest,
    };
    let mut words = rest.split_whitespace();
    let keyword = words.next()?;
    let name = words.next()?.split(['<', '(', ';', '{', ':', '=']).next()?;
    ["struct", "enum", "trait", "type"].contains(&keyword).then_some(name)
}

#[test]
fn no_two_public_types_share_a_name() {
    let mut places: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for source in sources().iter().filter(|path| shown(path).contains("/src/")) {
        for name in fs::read_to_string(source).unwrap().lines().filter_map(public_type) {
            places.entry(name.to_string()).or_default().insert(shown(source));
        }
    }
    places.retain(|_, files| files.len() > 1);
    assert!(places.is_empty(), "one name, one meaning: {places:#?}");
}

#[test]
fn retired_names_do_not_come_back() {
    let mut found = Vec::new();
    for source in sources().iter().filter(|path| !path.ends_with("tests/all/repository.rs")) {
        let text = fs::read_to_string(source).unwrap();
        for (number, line) in text.lines().enumerate() {
            let words: Vec<&str> = line
                .split(|c: char| !c.is_alphanumeric() && c != '_')
                .filter(|word| !word.is_empty())
                .collect();
            let declares = words.windows(2).any(|pair| {
                ["struct", "enum", "trait", "type", "class", "record", "interface"]
                    .contains(&pair[0])
                    && RETIRED_TYPES.contains(&pair[1])
            });
            let lower = line.to_lowercase();
            if declares || RETIRED_WORDS.iter().any(|word| lower.contains(word)) {
                found.push(format!("{}:{}: {}", shown(source), number + 1, line.trim()));
            }
        }
    }
    assert!(found.is_empty(), "use a word of GLOSSARY.md: {found:#?}");
}

#[test]
fn the_glossary_stays_short() {
    let text = fs::read_to_string(root().join("GLOSSARY.md")).unwrap();
    let words = text.lines().filter(|line| line.starts_with("| **")).count();
    assert!((20..=MAX_GLOSSARY_WORDS).contains(&words), "{words} words");
}
