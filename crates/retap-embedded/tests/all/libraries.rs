//! The libraries that most apps are made of find what they need at their start: the `libraries` fixture uses each and
//! shows a line for it.

use retap_device::Connect;
use retap_embedded::{EmbeddedConnect, EmbeddedOptions, Notice};
use retap_model::Event;
use std::path::PathBuf;
use std::sync::Arc;

const FEWEST_LIBRARIES: usize = 14;

#[test]
fn the_libraries_of_common_apps_do_what_they_are_for() {
    let apk = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/libraries.apk");
    let connect =
        EmbeddedConnect::new(apk, EmbeddedOptions::default(), Arc::new(|_: Notice<'_>| {}));
    let mut device = connect.connect().expect("a device").0;
    device.reset(1).expect("a launch");
    let seen = device.perform(&Event::Wait(5_000)).expect("the device lives");
    let lines: Vec<String> =
        seen.screen.texts().flat_map(str::lines).filter(|line| line.contains(": ")).map(str::to_string).collect();
    assert!(lines.len() >= FEWEST_LIBRARIES, "{:?} {:?}", seen.outcome, seen.screen);
    let wrong: Vec<&String> = lines.iter().filter(|line| !line.ends_with(": ok")).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}
