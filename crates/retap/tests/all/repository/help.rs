//! `--help` of every verb: the same groups in the same order, and examples to copy.
#![allow(clippy::unwrap_used)] // a test may panic

use crate::common::retap;

/// The groups that several verbs have, in the order in which every verb shows them. Groups of one verb alone follow.
const GROUPS: [&str; 7] =
    ["Arguments", "Options", "Device", "Coverage", "Seeds", "Limits", "Output"];

fn verbs() -> Vec<String> {
    let help = retap(&["--help"]).stdout;
    let commands = help.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let begins = commands.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names = begins.filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(String::from).collect()
}

#[test]
fn every_verb_groups_its_flags_in_the_same_order() {
    let verbs = verbs();
    assert!(verbs.len() > 12, "{verbs:?}");
    for verb in &verbs {
        let help = retap(&[verb, "--help"]).stdout;
        let headings = help.lines().filter_map(|line| line.strip_suffix(':'));
        let places: Vec<usize> =
            headings.filter_map(|line| GROUPS.iter().position(|group| *group == line)).collect();
        assert!(places.is_sorted(), "{verb}: {places:?}\n{help}");
    }
}

#[test]
fn every_verb_that_takes_files_teaches_by_examples() {
    for verb in verbs().iter().filter(|verb| !["bench", "completions"].contains(&verb.as_str())) {
        let help = retap(&[verb, "--help"]).stdout;
        assert!(help.contains(&format!("\n  retap {verb}")), "{verb}: {help}");
    }
}

#[test]
fn no_line_of_help_is_broken_by_the_width_of_the_terminal() {
    for verb in verbs() {
        let help = retap(&[&verb, "--help"]).stdout;
        let examples = help.lines().skip_while(|line| !line.starts_with("Examples"));
        let broken = examples.skip(1).find(|line| !line.is_empty() && !line.starts_with("  "));
        assert_eq!(broken, None, "{verb}: {help}");
    }
}
