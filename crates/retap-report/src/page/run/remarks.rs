//! The host limitations that the run met, and the parts of the run directory that could not be read.

use crate::page::images::ImageStore;
use crate::run::RunData;
use crate::text::format_count;
use maud::{Markup, html};

pub fn section(run: &RunData, _: &mut ImageStore) -> Option<Markup> {
    let limitations = match &run.summary {
        Some(summary) => &summary.host_limitations,
        None => &run.history.host_limitations,
    };
    if limitations.is_empty() && run.remarks.is_empty() {
        return None;
    }
    Some(html! {
        @if !limitations.is_empty() {
            section #limitations {
                h2 { "Host limitations" }
                p.quiet { "These are failures of the device, not of the app." }
                table {
                    @for (sentence, count) in limitations {
                        tr { th scope="row" { bdi { (sentence) } } td { (format_count(*count, "time")) } }
                    }
                }
            }
        }
        @if !run.remarks.is_empty() {
            section #remarks {
                h2 { "Remarks" }
                ul { @for remark in &run.remarks { li { bdi { (remark) } } } }
            }
        }
    })
}
