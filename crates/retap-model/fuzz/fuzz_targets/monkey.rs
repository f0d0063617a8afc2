//! Reads any bytes as a Monkey script. What can be read must survive being written and read again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use retap_model::format::monkey;

fuzz_target!(|bytes: &[u8]| {
    let Ok(script) = monkey::read(bytes, "fuzz") else { return };
    let events: Vec<_> = script.events.iter().map(|placed| placed.event.clone()).collect();
    let mut out = Vec::new();
    if monkey::write(&mut out, script.launch.as_ref(), &events).is_ok_and(|r| r.is_empty()) {
        let again = monkey::read(&out[..], "fuzz").expect("what was written can be read");
        let again: Vec<_> = again.events.into_iter().map(|placed| placed.event).collect();
        assert_eq!(again, events);
    }
});
