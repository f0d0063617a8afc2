//! The state graph: activities, their states with screenshots, and the transitions between them. The page's script lets
//! the reader zoom, choose a state and follow its steps.

use crate::charts::format_coordinate;
use crate::charts::state_map::{ActivityBox, DrawnTransition, MAX_STATES, StateBox, StateMap};
use crate::page::PageSection;
use crate::page::images::{ImageArea, ImageStore};
use crate::run::RunData;
use crate::text::{activity_label, format_count, group_digits};
use maud::{Markup, html};

pub fn section(run: &RunData, images: &mut ImageStore) -> Option<PageSection> {
    let display = run.info.display;
    let proportion = f64::from(display.height) / f64::from(display.width.max(1));
    let map = StateMap::lay_out(&run.history, &run.states, proportion);
    if map.states.is_empty() {
        return None;
    }
    let states: Vec<Markup> =
        map.states.iter().map(|state| draw_state(run, state, images)).collect();
    let (width, height) =
        (format_coordinate(map.width + 16.0), format_coordinate(map.height + 16.0));
    let body = html! {
        p.quiet { (legend(run)) }
        div.graph #graph-box {
            div.graph-tools hidden {
                button type="button" data-zoom="in" { "Zoom in" }
                button type="button" data-zoom="out" { "Zoom out" }
                button type="button" data-zoom="all" { "Show all" }
                label { "State " select #graph-state { option value="" { "none" } } }
            }
            div.graph-view {
                svg #graph-drawing viewBox={ "-8 -8 " (width) " " (height) } role="img"
                    aria-label="States by activity, and the transitions between them" {
                    @for activity in &map.activities { (draw_activity(activity)) }
                    @for transition in &map.transitions { (draw_transition(run, transition, &map.states)) }
                    @for state in &states { (state) }
                    g #graph-labels {}
                }
                div.graph-panel #graph-panel hidden aria-live="polite" {}
            }
        }
    };
    Some(PageSection::new("graph", "State graph", body).counted(run.history.visits.len()))
}

fn legend(run: &RunData) -> Markup {
    let all = run.history.visits.len();
    html! {
        @if all > MAX_STATES {
            "The graph shows the " (MAX_STATES) " most visited of " (group_digits(all as u64)) " states, by activity. "
        } @else {
            "The graph shows all states, by activity. "
        }
        "A larger box means more visits. A line is a transition from one state to another."
        @if !run.history.crashing_states.is_empty() {
            " The app crashed in states with a " span.crashed { "red" } " frame."
        }
    }
}

fn draw_activity(activity: &ActivityBox) -> Markup {
    const MAX_LETTERS: usize = 40;
    let label: String = activity_label(&activity.activity).chars().take(MAX_LETTERS).collect();
    html! {
        g.activity {
            title { (activity.activity) }
            rect x=(format_coordinate(activity.x)) y=(format_coordinate(activity.y))
                width=(format_coordinate(activity.width)) height=(format_coordinate(activity.height)) rx="10" {}
            text x=(format_coordinate(activity.x + 14.0)) y=(format_coordinate(activity.y + 19.0)) { (label) }
        }
    }
}

/// Draws a curve that bends to one side, so that the transitions in both directions are two lines.
fn draw_transition(run: &RunData, transition: &DrawnTransition, states: &[StateBox]) -> Markup {
    const BEND: f64 = 0.16;
    let (from, to) = (&states[transition.from], &states[transition.to]);
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let (bend_x, bend_y) = (from.x + dx / 2.0 - dy * BEND, from.y + dy / 2.0 + dx * BEND);
    let point = |x, y| format!("{} {}", format_coordinate(x), format_coordinate(y));
    let path =
        format!("M{}Q{} {}", point(from.x, from.y), point(bend_x, bend_y), point(to.x, to.y));
    let weight = transition.weight;
    let number = |state: &StateBox| run.history.log.number_of(state.state).unwrap_or(0);
    html! {
        path.transition d=(path) data-from=(number(from)) data-to=(number(to))
            stroke-width=(format_coordinate(0.5 + 1.5 * weight))
            opacity=(format!("{:.2}", 0.1 + 0.4 * weight * weight)) {
            title { (format_count(transition.count, "time")) }
        }
    }
}

fn draw_state(run: &RunData, state: &StateBox, images: &mut ImageStore) -> Markup {
    let StateBox { width, height, .. } = *state;
    let area = ImageArea { x: state.x - width / 2.0, y: state.y - height / 2.0, width, height };
    let [x, y, w, h] = [area.x, area.y, width, height].map(format_coordinate);
    let first = run.states.get(&state.state);
    let screenshot = run.state_picture(state.state).and_then(|path| images.show_at(path, &area));
    let number = run.history.log.number_of(state.state).unwrap_or(0);
    html! {
        g.state.crashed[state.crashed] data-state=(number) {
            title {
                "State " (number) ", " (first.map_or("", |first| activity_label(&first.activity))) ", "
                (format_count(state.visits, "visit"))
                @if let Some(first) = first { ", first at event " (group_digits(first.step)) }
            }
            rect.background x=(x) y=(y) width=(w) height=(h) rx="4" {}
            @if let Some(screenshot) = &screenshot { (screenshot) }
            rect.frame x=(x) y=(y) width=(w) height=(h) rx="4" {}
        }
    }
}
