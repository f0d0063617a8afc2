//! A film strip: the screen before each step with the touch marked on it, and the end.

use super::images::ImageStore;
use super::steps::describe_step;
use crate::run::{DescribedStep, RunData, TouchMark};
use maud::{Markup, html};
use retap_model::Point;
use retap_model::event::PinchDirection;
use retap_model::observation::RecordedOutcome;
use retap_model::{ScreenId, StateId};
use std::path::Path;

/// The steps of a long trace that a strip shows: its last ones.
const MAX_FRAMES: usize = 24;

/// Renders the strip, or none if no step has a picture.
pub fn film_strip(
    run: &RunData,
    steps: &[DescribedStep],
    images: &mut ImageStore,
) -> Option<Markup> {
    let shown = &steps[steps.len().saturating_sub(MAX_FRAMES)..];
    let frames: Vec<Option<Markup>> = shown.iter().map(|step| frame(run, step, images)).collect();
    let last = shown.last()?;
    let end = end_frame(run, last, images);
    if end.is_none() && frames.iter().all(Option::is_none) {
        return None;
    }
    let is_crash = matches!(last.outcome, RecordedOutcome::Crashed { .. });
    Some(html! {
        ol.film tabindex="0" aria-label="The steps as pictures" {
            @for (step, frame) in shown.iter().zip(&frames) {
                li {
                    @match frame {
                        Some(frame) => (frame),
                        None => div.screenshot.missing { span { "no picture" } },
                    }
                    p.caption { span.number { (step.number) } span { (describe_step(step)) } }
                }
            }
            @if let Some(end) = end {
                li { (end) p.caption { span.number.end aria-hidden="true" { "■" } span { "Afterwards" } } }
            } @else if is_crash {
                li { div.screenshot.missing.gone { span { "The app crashes" } } }
            }
        }
    })
}

fn frame(run: &RunData, step: &DescribedStep, images: &mut ImageStore) -> Option<Markup> {
    let path = picture(run, step.screen_before, step.state_before)?;
    let caption = match step.touches.is_empty() {
        true => format!("The screen before step {}", step.number),
        false => format!("The screen before step {}, with the touch marked", step.number),
    };
    let touches = html! { @for touch in &step.touches { (draw(touch)) } };
    images.show_with(path, &caption, &touches)
}

fn end_frame(run: &RunData, last: &DescribedStep, images: &mut ImageStore) -> Option<Markup> {
    if last.outcome.is_final() {
        return None;
    }
    let path = picture(run, last.screen_after, last.state_after)?;
    images.show(path, "The screen after the last step")
}

/// Returns the picture of a screen, or else one of its state.
fn picture(run: &RunData, screen: Option<ScreenId>, state: Option<StateId>) -> Option<&Path> {
    screen.and_then(|screen| run.screen_picture(screen)).or_else(|| run.state_picture(state?))
}

/// Draws a touch in pixels of the screen.
fn draw(touch: &TouchMark) -> Markup {
    let spot = |class: &str, Point { x, y }: &Point, radius: u32| {
        html! { circle class=(class) cx=(x) cy=(y) r=(radius) {} }
    };
    html! {
        @match touch {
            TouchMark::Tap(at) => { (spot("touch", at, 52)) (spot("dot", at, 14)) },
            TouchMark::LongPress(at) => { (spot("touch", at, 52)) (spot("ring", at, 84)) (spot("dot", at, 14)) },
            TouchMark::Text(at) => { (spot("touch text", at, 44)) (spot("dot", at, 12)) },
            TouchMark::Drag(from, to) => {
                (spot("touch", from, 44))
                line.drag x1=(from.x) y1=(from.y) x2=(to.x) y2=(to.y) {}
                path.drag d=(arrow_head(*from, *to)) {}
            },
            TouchMark::Pinch(at, direction) => {
                @let gap = if *direction == PinchDirection::Open { 120 } else { 60 };
                (spot("touch", &Point { x: at.x - gap, y: at.y - gap }, 40))
                (spot("touch", &Point { x: at.x + gap, y: at.y + gap }, 40))
            },
        }
    }
}

/// Returns the two strokes of an arrow's head at `to`.
fn arrow_head(from: Point, to: Point) -> String {
    const LENGTH: f64 = 56.0;
    let angle = f64::from(to.y - from.y).atan2(f64::from(to.x - from.x));
    let stroke = |turn: f64| {
        let (x, y) = (
            f64::from(to.x) - LENGTH * (angle + turn).cos(),
            f64::from(to.y) - LENGTH * (angle + turn).sin(),
        );
        format!("{x:.0} {y:.0}")
    };
    format!("M{}L{} {}L{}", stroke(0.5), to.x, to.y, stroke(-0.5))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_arrow_ends_where_the_finger_does() {
        let head = arrow_head(Point { x: 0, y: 0 }, Point { x: 100, y: 0 });
        assert_eq!(head, "M51 -27L100 0L51 27");
    }
}
