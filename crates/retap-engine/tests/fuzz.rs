//! Damaged lists of suites: each is read or refused, and none names a file outside its folder.
#![allow(clippy::unwrap_used)] // a test may panic

use retap_engine::suite_folder;
use retap_fuzz::fuzz;
use std::fs;

const WORDS: [&str; 12] = [
    "\n",
    "\"",
    "=",
    "[[trace]]\n",
    "name = \"../a\"\n",
    "[",
    "]",
    "{",
    "\\u0000",
    "version = 1",
    "apk = ",
    "'''",
];

#[test]
fn suites() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../retap-model/samples/suite.toml");
    let (good, folder) = (fs::read(file).unwrap(), tempfile::tempdir().unwrap());
    fuzz("suite", &[&good], &WORDS, |bytes| {
        fs::write(folder.path().join(suite_folder::MANIFEST), bytes).unwrap();
        let traces = suite_folder::read(folder.path());
        assert!(traces.is_err() || traces.is_ok_and(|it| it.is_empty()), "there are no traces");
        suite_folder::read_manifest(folder.path()).is_ok()
    });
}
