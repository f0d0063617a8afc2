//! Runs the sessions that the README and the guide show, so that the documentation cannot lie.
//!
//! `TRYCMD=overwrite cargo test -p retap --test all sessions` writes what the commands print into the pages.
#![allow(clippy::unwrap_used)] // a test may panic

use crate::common::root;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use tempfile::tempdir;

/// Runs the `console` blocks of a page in a folder that holds the fakes and nothing else.
fn run_sessions(page: &str) {
    let folder = tempdir().unwrap();
    let copy = folder.path().join(Path::new(page).file_name().unwrap());
    fs::copy(root().join(page), &copy).unwrap();
    // trycmd runs the commands of PAGE.md in PAGE.in.
    let work = copy.with_extension("in");
    fs::create_dir(&work).unwrap();
    symlink(root().join("fakes"), work.join("fakes")).unwrap();
    let cases = trycmd::TestCases::new();
    cases.register_bin("retap", Path::new(env!("CARGO_BIN_EXE_retap"))).case(&copy);
    cases.run();
    if std::env::var("TRYCMD").is_ok_and(|mode| mode == "overwrite") {
        fs::copy(&copy, root().join(page)).unwrap();
    }
}

#[test]
fn the_readme_shows_what_happens() {
    run_sessions("README.md");
}

#[test]
fn the_guide_shows_what_happens() {
    run_sessions("docs/guide.md");
}
