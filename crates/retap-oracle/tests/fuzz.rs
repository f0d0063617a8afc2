//! Damaged property files: each is read or refused with its line.
#![allow(clippy::unwrap_used)] // a test may panic

use retap_fuzz::fuzz;
use retap_oracle::Properties;

const WORDS: [&str; 20] = [
    "\n",
    "\"",
    "#",
    "(",
    ")",
    "not ",
    " and ",
    " or ",
    "when ",
    " then ",
    "never",
    "activity ",
    "state ",
    "dialog",
    "text ",
    " is ",
    " contains ",
    " matches ",
    "count ",
    " = ",
];

#[test]
fn property_files() {
    let guide = include_str!("../../../docs/oracles.md");
    let blocks: Vec<&str> = guide.split("```").skip(1).step_by(2).collect();
    let read = |text: &str| Properties::parse(text.trim_start()).is_ok_and(|it| !it.is_empty());
    let samples: Vec<&[u8]> =
        blocks.iter().filter(|text| read(text)).map(|text| text.trim_start().as_bytes()).collect();
    assert!(!samples.is_empty(), "the manual has an example of a property file");
    fuzz("properties", &samples, &WORDS, |bytes| {
        std::str::from_utf8(bytes).is_ok_and(|text| Properties::parse(text).is_ok())
    });
}
