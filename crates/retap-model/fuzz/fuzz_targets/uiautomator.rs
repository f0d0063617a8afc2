//! Reads any bytes as a dump. What can be read must survive being written and read again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use retap_model::format::uiautomator::{Dialect, read, write};

fuzz_target!(|bytes: &[u8]| {
    let Ok(screen) = read(bytes, "fuzz") else { return };
    let mut out = Vec::new();
    write(&mut out, &screen, Dialect::Class).expect("a vector takes everything");
    read(&out[..], "fuzz").expect("what was written can be read");
});
