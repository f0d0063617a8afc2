//! The steps of a trace, as a numbered list or with screenshots.

use super::images::ImageStore;
use crate::run::{DescribedStep, RunData};
use crate::text::format_count;
use maud::{Markup, html};
use retap_model::ScreenId;
use retap_model::observation::RecordedOutcome;

/// Lists steps. `trace_length` is the length of the whole trace, because the steps may be only its end.
pub fn list_steps(steps: &[DescribedStep], trace_length: Option<u64>) -> Markup {
    let shown = steps.len() as u64;
    html! {
        @if let Some(length) = trace_length.filter(|length| *length > shown) {
            p.quiet { "After " (format_count(length - shown, "earlier event")) ":" }
        }
        ol.steps start=(steps.first().map_or(1, |step| step.number)) {
            @for step in steps { li { (describe(step)) } }
        }
    }
}

/// Shows each step with the screen before it, and the screen after the last step.
pub fn show_screenshots(run: &RunData, steps: &[DescribedStep], images: &mut ImageStore) -> Markup {
    let before: Vec<Option<Markup>> =
        steps.iter().map(|step| screenshot(run, step.screen_before, "before", images)).collect();
    let after_last =
        steps.last().and_then(|step| screenshot(run, step.screen_after, "after", images));
    if after_last.is_none() && before.iter().all(Option::is_none) {
        return list_steps(steps, None);
    }
    html! {
        ol.screenshots {
            @for (step, screenshot) in steps.iter().zip(&before) {
                li {
                    p { span.number { (step.number) } " " span { (describe(step)) } }
                    @match screenshot {
                        Some(screenshot) => (screenshot),
                        None => div.screenshot.missing {},
                    }
                }
            }
            @if let Some(after_last) = after_last {
                li { p { span.number { "✓" } " " span { "After the last step" } } (after_last) }
            }
        }
    }
}

fn describe(step: &DescribedStep) -> Markup {
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

fn screenshot(
    run: &RunData,
    screen: Option<ScreenId>,
    when: &str,
    images: &mut ImageStore,
) -> Option<Markup> {
    images.show(&run.screenshot_path(screen?), &format!("The screen {when} this step"))
}
