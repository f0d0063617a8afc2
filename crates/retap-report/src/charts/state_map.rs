//! The layout of the state graph.
//!
//! Each activity is a box, in the order of the first visits. Its states are smaller boxes inside, in rows, sized by
//! visits. The layout is deterministic: nothing is simulated.

mod box_packer;

use crate::run::{KnownStates, RunHistory};
use box_packer::BoxPacker;
use retap_model::StateId;
use std::collections::BTreeMap;

/// The number of states that are drawn at most: the most visited ones.
pub const MAX_STATES: usize = 120;
/// The number of transitions that are drawn at most: the most frequent ones.
const MAX_TRANSITIONS: usize = 300;

/// The proportion of width to height that the graph aims at, which is that of its place on the page.
const PROPORTION: f64 = 1.7;
const MIN_WIDTH: f64 = 560.0;
const MAX_WIDTH: f64 = 4000.0;
const CELL_WIDTH: f64 = 66.0;
const CELL_HEIGHT: f64 = 108.0;
const PADDING: f64 = 14.0;
const TITLE_HEIGHT: f64 = 26.0;
const GAP: f64 = 30.0;
/// The heights of a state with no visits and of the most visited state.
const MIN_STATE_HEIGHT: f64 = 34.0;
const MAX_STATE_HEIGHT: f64 = 94.0;

/// The positions of all boxes and transitions.
#[derive(Debug, Default, PartialEq)]
pub struct StateMap {
    pub width: f64,
    pub height: f64,
    pub activities: Vec<ActivityBox>,
    pub states: Vec<StateBox>,
    pub transitions: Vec<DrawnTransition>,
}

/// The box of an activity.
#[derive(Debug, Clone, PartialEq)]
pub struct ActivityBox {
    pub activity: String,
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

/// The box of a state.
#[derive(Debug, Clone, PartialEq)]
pub struct StateBox {
    pub state: StateId,
    pub visits: u64,
    /// The app crashed in this state.
    pub crashed: bool,
    /// The centre of the box.
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

/// The steps from one state to another.
#[derive(Debug, Clone, PartialEq)]
pub struct DrawnTransition {
    /// Indices into [`StateMap::states`].
    pub from: usize,
    pub to: usize,
    pub count: u64,
    /// From 0 to 1, by frequency.
    pub weight: f64,
}

/// A state and the number of its visits.
#[derive(Debug, Clone, Copy)]
struct VisitedState {
    state: StateId,
    visits: u64,
}

impl StateMap {
    /// Lays out the map. `proportion` is the display's height divided by its width.
    pub fn lay_out(history: &RunHistory, states: &KnownStates, proportion: f64) -> Self {
        let visited = most_visited(history, states);
        let most = visited.iter().map(|one| one.visits).max().unwrap_or(1);
        let mut map = Self::default();
        let groups = group_by_activity(&visited, states);
        let total_width = choose_width(&groups);
        let mut packer = BoxPacker::new(total_width, GAP);
        for (activity, members) in groups {
            let columns = columns(members.len(), total_width);
            let rows = members.len().div_ceil(columns);
            let width = (columns as f64 * CELL_WIDTH + 2.0 * PADDING).max(title_width(activity));
            let height = TITLE_HEIGHT + rows as f64 * CELL_HEIGHT + PADDING;
            let (x, y) = packer.place(width, height);
            map.activities.push(ActivityBox {
                activity: activity.to_string(),
                x,
                y,
                width,
                height,
            });
            let inset = (width - columns as f64 * CELL_WIDTH) / 2.0;
            for (index, VisitedState { state, visits }) in members.into_iter().enumerate() {
                let (column, row) = ((index % columns) as f64, (index / columns) as f64);
                let (width, height) = state_size(visits as f64 / most as f64, proportion);
                map.states.push(StateBox {
                    state,
                    visits,
                    crashed: history.crashing_states.contains(&state),
                    x: x + inset + (column + 0.5) * CELL_WIDTH,
                    y: y + TITLE_HEIGHT + (row + 0.5) * CELL_HEIGHT,
                    width,
                    height,
                });
            }
        }
        map.height = packer.bottom();
        let right = map.activities.iter().map(|activity| activity.x + activity.width);
        map.width = right.fold(0.0, f64::max).max(MIN_WIDTH);
        map.transitions = draw_transitions(history, &map.states);
        map
    }
}

/// Returns the most visited states in the order of their first visits.
fn most_visited(history: &RunHistory, states: &KnownStates) -> Vec<VisitedState> {
    let visits = history.visits.iter();
    let mut visited: Vec<VisitedState> =
        visits.map(|(state, visits)| VisitedState { state: *state, visits: *visits }).collect();
    visited.sort_by_key(|one| (std::cmp::Reverse(one.visits), one.state));
    visited.truncate(MAX_STATES);
    let first_step = |state: StateId| states.get(&state).map_or(u64::MAX, |first| first.step);
    visited.sort_by_key(|one| (first_step(one.state), one.state));
    visited
}

/// Groups states by activity, in the order of each activity's first state.
fn group_by_activity<'a>(
    visited: &[VisitedState],
    states: &'a KnownStates,
) -> Vec<(&'a str, Vec<VisitedState>)> {
    let mut groups: Vec<(&str, Vec<VisitedState>)> = Vec::new();
    for one in visited {
        let activity = states.get(&one.state).map_or("", |first| &*first.activity);
        match groups.iter_mut().find(|(known, _)| *known == activity) {
            Some((_, members)) => members.push(*one),
            None => groups.push((activity, vec![*one])),
        }
    }
    groups
}

/// Chooses the width of the graph so that it fills its place.
fn choose_width(groups: &[(&str, Vec<VisitedState>)]) -> f64 {
    /// Boxes do not fill all of the area.
    const FILLED: f64 = 0.75;
    let area = |members: usize| {
        members as f64 * CELL_WIDTH * CELL_HEIGHT
            + (CELL_WIDTH + GAP) * (TITLE_HEIGHT + 2.0 * PADDING + GAP)
    };
    let all: f64 = groups.iter().map(|(_, members)| area(members.len())).sum();
    (all / FILLED * PROPORTION).sqrt().clamp(MIN_WIDTH, MAX_WIDTH)
}

fn columns(members: usize, total_width: f64) -> usize {
    let most = ((total_width - 2.0 * PADDING) / CELL_WIDTH) as usize;
    ((members as f64 * 2.4).sqrt().ceil() as usize).clamp(1, most)
}

fn title_width(activity: &str) -> f64 {
    const LETTER_WIDTH: f64 = 7.5;
    let letters = crate::text::simple_class_name(activity).chars().count().min(40);
    letters as f64 * LETTER_WIDTH + 2.0 * PADDING
}

/// Returns the width and height of a state's box, whose area grows with the share of visits.
fn state_size(share: f64, proportion: f64) -> (f64, f64) {
    let height = MIN_STATE_HEIGHT + (MAX_STATE_HEIGHT - MIN_STATE_HEIGHT) * share.sqrt();
    let height = if proportion < 1.0 { height * proportion.max(0.3) } else { height };
    let width = height / proportion.clamp(0.3, 3.0);
    let scale = ((CELL_WIDTH - 8.0) / width).min(1.0);
    (width * scale, height * scale)
}

fn draw_transitions(history: &RunHistory, boxes: &[StateBox]) -> Vec<DrawnTransition> {
    let indices: BTreeMap<StateId, usize> =
        boxes.iter().enumerate().map(|(index, one)| (one.state, index)).collect();
    let mut transitions: Vec<DrawnTransition> = history
        .transitions
        .iter()
        .filter_map(|((from, to), transition)| {
            let (from, to) = (*indices.get(from)?, *indices.get(to)?);
            Some(DrawnTransition { from, to, count: transition.count, weight: 0.0 })
        })
        .collect();
    transitions.sort_by_key(|one| (std::cmp::Reverse(one.count), one.from, one.to));
    transitions.truncate(MAX_TRANSITIONS);
    let most = transitions.first().map_or(1, |one| one.count) as f64;
    for transition in &mut transitions {
        transition.weight = (1.0 + transition.count as f64).ln() / (1.0 + most).ln();
    }
    transitions
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{FirstVisit, StateChange};
    use retap_model::ScreenId;

    #[test]
    fn a_map_is_bounded_and_its_boxes_do_not_overlap() {
        let mut history = RunHistory::default();
        let mut states = KnownStates::new();
        for n in 0..500 {
            let activity = format!("com.app.Activity{}", n % 11).into();
            let screen = ScreenId(u128::from(n));
            states.insert(StateId(n), FirstVisit { activity, screen, step: n });
            history.visits.insert(StateId(n), 1 + n);
            let transition = StateChange { count: n, sentences: Vec::new() };
            history.transitions.insert((StateId(n), StateId((n * 7) % 500)), transition);
        }
        for proportion in [16.0 / 9.0, 9.0 / 16.0, 40.0] {
            let map = StateMap::lay_out(&history, &states, proportion);
            assert_eq!(map.states.len(), MAX_STATES);
            assert!(map.transitions.len() <= MAX_TRANSITIONS);
            for state in &map.states {
                assert!(state.width <= CELL_WIDTH && state.height <= CELL_HEIGHT, "{state:?}");
            }
            for (index, a) in map.activities.iter().enumerate() {
                for b in &map.activities[index + 1..] {
                    let apart = a.x + a.width <= b.x
                        || b.x + b.width <= a.x
                        || a.y + a.height <= b.y
                        || b.y + b.height <= a.y;
                    assert!(apart, "{a:?} {b:?}");
                }
            }
        }
    }

    #[test]
    fn the_map_of_an_empty_run_is_empty() {
        let map = StateMap::lay_out(&RunHistory::default(), &KnownStates::new(), 1.8);
        assert!(map.states.is_empty() && map.activities.is_empty());
    }
}
