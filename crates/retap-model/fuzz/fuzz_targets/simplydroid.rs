//! Reads any bytes as a pair of logs, separated by the first NUL.
#![no_main]

use libfuzzer_sys::fuzz_target;
use retap_model::format::simplydroid;

fuzz_target!(|bytes: &[u8]| {
    let mut parts = bytes.splitn(2, |byte| *byte == 0);
    let (script, log) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let _ = simplydroid::read((script, "script"), (log, "log"));
});
