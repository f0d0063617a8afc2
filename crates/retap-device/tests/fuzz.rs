//! Damaged app files of the fake device: each is refused with its line, or runs.
#![allow(clippy::unwrap_used)] // a test may panic

use retap_device::Device;
use retap_device::fake::{FakeApp, FakeDevice};
use retap_fuzz::fuzz;
use retap_model::{Event, Key};
use std::path::Path;
use std::sync::Arc;

const WORDS: [&str; 24] = [
    "\n", "\"", "{", "}", "->", "screen ", "button ", "list ", " of ", "on ", " tap ", " set ",
    " if ", " chance ", " covers ", "crash ", "end\n", "var ", "store ", "start ", "(", "length ",
    " == ", "back",
];

#[test]
fn app_files() {
    let fakes = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fakes");
    let samples = ["notes.fake", "flaky.fake"]
        .map(|name| std::fs::read(fakes.join(name)).unwrap_or_default());
    let samples: Vec<&[u8]> =
        samples.iter().map(Vec::as_slice).filter(|it| !it.is_empty()).collect();
    fuzz("fake", &samples, &WORDS, |bytes| {
        let Ok(source) = std::str::from_utf8(bytes) else { return false };
        match FakeApp::parse("file", source) {
            Err(error) => {
                assert!(error.to_string().starts_with("file:"), "{error}");
                false
            }
            Ok(app) => {
                let mut device = FakeDevice::new(Arc::new(app), Path::new("file"));
                let _ = device.reset(1);
                let _ = device.perform(&Event::Key(Key::new("back").unwrap()));
                let _ = device.perform(&Event::Launch);
                true
            }
        }
    });
}
