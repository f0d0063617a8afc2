//! Reads any bytes as a trace file.
#![no_main]

use libfuzzer_sys::fuzz_target;
use retap_model::format::trace::TraceReader;

fuzz_target!(|bytes: &[u8]| {
    let _ = TraceReader::new(bytes, "fuzz").and_then(TraceReader::suite);
});
