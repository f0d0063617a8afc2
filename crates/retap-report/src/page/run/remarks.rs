//! The host limitations that the run met, and the parts of the run directory that could not be read.

use crate::page::commands::command;
use crate::page::images::ImageStore;
use crate::page::steps::list_steps;
use crate::run::{ReportedLimitation, RunData};
use crate::text::format_count;
use maud::{Markup, html};

fn replay(run: &RunData, met: &ReportedLimitation) -> String {
    command(run, "replay", &run.dir.join(&met.trace).display().to_string())
}

pub fn section(run: &RunData, _: &mut ImageStore) -> Option<Markup> {
    let limitations = match &run.summary {
        Some(summary) => &summary.host_limitations,
        None => &run.history.host_limitations,
    };
    if limitations.is_empty() && run.remarks.is_empty() && run.damage.is_empty() {
        return None;
    }
    Some(html! {
        @if !limitations.is_empty() {
            section #limitations {
                h2 { "Host limitations" }
                p.quiet { "These are failures of the device, not of the app." }
                @for (sentence, count) in limitations {
                    @let met = run.limitations.iter().find(|met| met.what == *sentence);
                    article.limitation {
                        p.message { bdi { (sentence) } }
                        ul.facts {
                            li { b { (format_count(*count, "time")) } }
                            @if let Some(met) = met {
                                li { (format_count(met.events, "event")) " lead there" }
                            }
                        }
                        @if let Some(met) = met {
                            (list_steps(&met.steps, Some(met.events)))
                            details { summary { "Commands" } pre { (replay(run, met)) } }
                        }
                    }
                }
            }
        }
        @if !(run.remarks.is_empty() && run.damage.is_empty()) {
            section #remarks {
                h2 { "Remarks" }
                ul { @for remark in run.remarks.iter().chain(&run.damage) { li { bdi { (remark) } } } }
            }
        }
    })
}
