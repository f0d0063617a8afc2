//! The steps of a trace as a numbered list of sentences.

use crate::run::DescribedStep;
use crate::text::format_count;
use maud::{Markup, html};
use retap_model::observation::RecordedOutcome;

/// Lists steps. `trace_length` is the length of the whole trace, because the steps may be only its end.
pub fn list_steps(steps: &[DescribedStep], trace_length: Option<u64>) -> Markup {
    let shown = steps.len() as u64;
    html! {
        @if let Some(length) = trace_length.filter(|length| *length > shown) {
            p.quiet { "After " (format_count(length - shown, "earlier event")) ":" }
        }
        ol.steps start=(steps.first().map_or(1, |step| step.number)) {
            @for step in steps { li { (describe_step(step)) } }
        }
    }
}

/// Describes a step and, if the app did not go on running, its outcome.
pub fn describe_step(step: &DescribedStep) -> Markup {
    html! {
        (step.description)
        @match &step.outcome {
            RecordedOutcome::Running => {},
            // The card beside the steps says which crash it is.
            RecordedOutcome::Crashed { .. } => span.outcome { " — the app crashes" },
            other => span.outcome { " — " bdi { (other) } },
        }
    }
}
