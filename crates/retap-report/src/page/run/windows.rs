//! The app's windows as its code states them, coloured by what the run covered.

use crate::page::PageSection;
use crate::page::images::ImageStore;
use crate::run::RunData;
use data_encoding::BASE64;
use maud::html;
use retap_model::format::run::WINDOWS;
use std::fs::File;
use std::io::Read;

/// A picture beyond this size would make the page slow. An app of 331 activities has one of 0.4 MB.
const MAX_BYTES: u64 = 2 << 20;

pub fn section(run: &RunData, _: &mut ImageStore) -> Option<PageSection> {
    let mut picture = Vec::new();
    let file = File::open(run.dir.join(WINDOWS)).ok()?;
    file.take(MAX_BYTES + 1).read_to_end(&mut picture).ok()?;
    let is_shown = picture.starts_with(b"<svg ") && picture.len() as u64 <= MAX_BYTES;
    // As an image, a picture can neither run scripts nor load anything.
    is_shown.then(|| {
        let body = html! {
            p.quiet { "What the app's code says of its windows, and what the run covered of that." }
            div.wide tabindex="0" role="group" aria-label="The app's windows" {
                img alt="The app's windows and transitions" src={ "data:image/svg+xml;base64," (BASE64.encode(&picture)) };
            }
        };
        PageSection::new("windows", "Windows in the code", body)
    })
}
