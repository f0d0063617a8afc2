//! The steps of a trace, as a numbered list or with the pictures between them.

use crate::album::Album;
use crate::run::Run;
use crate::step::ToldStep;
use maud::{Markup, html};
use retap_model::ScreenId;
use retap_model::observation::RecordedOutcome;

/// `length` is the whole trace's; the steps may be only its end.
pub fn list(steps: &[ToldStep], length: Option<u64>) -> Markup {
    let told = steps.len() as u64;
    html! {
        @if let Some(length) = length.filter(|length| *length > told) {
            p.quiet { "After " (length - told) " earlier events:" }
        }
        ol.steps start=(steps.first().map_or(1, |step| step.number)) {
            @for step in steps { li { (sentence(step)) } }
        }
    }
}

/// Each step with the screen before it, and the screen after the last.
pub fn film(run: &Run, steps: &[ToldStep], album: &mut Album) -> Markup {
    let frames: Vec<(Markup, Option<Markup>)> = steps
        .iter()
        .map(|step| (sentence(step), picture(run, step.before, "before", album)))
        .collect();
    let end = steps.last().and_then(|step| picture(run, step.after, "after", album));
    if end.is_none() && frames.iter().all(|(_, picture)| picture.is_none()) {
        return list(steps, None);
    }
    html! {
        ol.film {
            @for (index, (sentence, picture)) in frames.iter().enumerate() {
                li {
                    p { span.number { (steps[index].number) } " " span { (sentence) } }
                    @match picture {
                        Some(picture) => (picture),
                        None => div.picture.missing {},
                    }
                }
            }
            @if let Some(end) = end {
                li { p { span.number { "✓" } " " span { "and then" } } (end) }
            }
        }
    }
}

fn sentence(step: &ToldStep) -> Markup {
    html! {
        (step.sentence)
        @match &step.outcome {
            RecordedOutcome::Running => {},
            // Which crash it is stands beside the steps.
            RecordedOutcome::Crashed { .. } => span.outcome { " — the app crashes" },
            other => span.outcome { " — " bdi { (other) } },
        }
    }
}

fn picture(run: &Run, screen: Option<ScreenId>, when: &str, album: &mut Album) -> Option<Markup> {
    album.show(&run.picture(screen?), &format!("The screen {when} this step"))
}
