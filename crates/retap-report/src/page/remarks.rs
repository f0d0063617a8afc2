//! What the app could not be shown on this host, and what of the run could not be read.

use super::number::grouped;
use crate::album::Album;
use crate::run::Run;
use maud::{Markup, html};

pub fn section(run: &Run, _: &mut Album) -> Option<Markup> {
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
                p.quiet { "Failures that are the host's and not the app's." }
                table {
                    @for (sentence, count) in limitations {
                        tr { th scope="row" { bdi { (sentence) } } td { (grouped(*count)) "×" } }
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
