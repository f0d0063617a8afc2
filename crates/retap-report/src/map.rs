//! The map of states: where everything is drawn. Activities are boxes on shelves, in the order in which
//! they were met; their states stand inside in rows, sized by visits. Deterministic, and the same for
//! every run of the same length: nothing is simulated.

use crate::history::History;
use crate::run::States;
use retap_model::StateId;
use std::collections::BTreeMap;

pub const MOST_STATES: usize = 60;
const MOST_MOVES: usize = 100;

const WIDTH: f64 = 1120.0;
const CELL_WIDTH: f64 = 66.0;
const CELL_HEIGHT: f64 = 108.0;
const PADDING: f64 = 14.0;
const TITLE: f64 = 26.0;
const GAP: f64 = 30.0;
const SMALLEST: f64 = 34.0;
const LARGEST: f64 = 94.0;

#[derive(Debug, Default, PartialEq)]
pub struct Map {
    pub width: f64,
    pub height: f64,
    pub clusters: Vec<Cluster>,
    pub nodes: Vec<Node>,
    pub moves: Vec<Move>,
}

/// An activity.
#[derive(Debug, Clone, PartialEq)]
pub struct Cluster {
    pub activity: String,
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    pub state: StateId,
    pub visits: u64,
    pub fatal: bool,
    /// Its centre.
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

/// Steps from one node to another, by their index.
#[derive(Debug, Clone, PartialEq)]
pub struct Move {
    pub from: usize,
    pub to: usize,
    pub count: u64,
    /// From 0 to 1, by how often it was made.
    pub weight: f64,
}

impl Map {
    /// `proportion` is the display's height over its width.
    pub fn draw(history: &History, states: &States, proportion: f64) -> Self {
        let mut visited: Vec<(StateId, u64)> =
            history.visits.iter().map(|(state, visits)| (*state, *visits)).collect();
        visited.sort_by_key(|(state, visits)| (std::cmp::Reverse(*visits), *state));
        visited.truncate(MOST_STATES);
        let most = visited.first().map_or(1, |(_, visits)| *visits);
        let first_met = |state: &StateId| states.get(state).map_or(u64::MAX, |seen| seen.step);
        visited.sort_by_key(|(state, _)| (first_met(state), *state));

        let mut map = Self { width: WIDTH, ..Self::default() };
        let mut shelf = Shelf::default();
        for (activity, members) in by_activity(&visited, states) {
            let columns = columns(members.len());
            let rows = members.len().div_ceil(columns);
            let width = (columns as f64 * CELL_WIDTH + 2.0 * PADDING).max(title_width(activity));
            let height = TITLE + rows as f64 * CELL_HEIGHT + PADDING;
            let (x, y) = shelf.put(width, height);
            map.clusters.push(Cluster { activity: activity.to_string(), x, y, width, height });
            let inset = (width - columns as f64 * CELL_WIDTH) / 2.0;
            for (index, (state, visits)) in members.into_iter().enumerate() {
                let (column, row) = ((index % columns) as f64, (index / columns) as f64);
                let (width, height) = size(visits as f64 / most as f64, proportion);
                map.nodes.push(Node {
                    state,
                    visits,
                    fatal: history.fatal.contains(&state),
                    x: x + inset + (column + 0.5) * CELL_WIDTH,
                    y: y + TITLE + (row + 0.5) * CELL_HEIGHT,
                    width,
                    height,
                });
            }
        }
        map.height = shelf.bottom();
        map.width = map.clusters.iter().map(|c| c.x + c.width).fold(0.0, f64::max).max(WIDTH / 2.0);
        map.moves = moves(history, &map.nodes);
        map
    }
}

/// Activities in the order of their first state, each with its states.
fn by_activity<'a>(
    visited: &[(StateId, u64)],
    states: &'a States,
) -> Vec<(&'a str, Vec<(StateId, u64)>)> {
    let mut groups: Vec<(&str, Vec<(StateId, u64)>)> = Vec::new();
    for (state, visits) in visited {
        let activity = states.get(state).map_or("", |seen| &*seen.activity);
        match groups.iter_mut().find(|(known, _)| *known == activity) {
            Some((_, members)) => members.push((*state, *visits)),
            None => groups.push((activity, vec![(*state, *visits)])),
        }
    }
    groups
}

fn columns(members: usize) -> usize {
    let most = ((WIDTH - 2.0 * PADDING) / CELL_WIDTH) as usize;
    ((members as f64 * 2.4).sqrt().ceil() as usize).clamp(1, most)
}

fn title_width(activity: &str) -> f64 {
    const LETTER: f64 = 7.5;
    let letters = crate::sentence::short(activity).chars().count().min(40);
    letters as f64 * LETTER + 2.0 * PADDING
}

/// The area grows with the visits.
fn size(share: f64, proportion: f64) -> (f64, f64) {
    let height = SMALLEST + (LARGEST - SMALLEST) * share.sqrt();
    let height = if proportion < 1.0 { height * proportion.max(0.3) } else { height };
    let width = height / proportion.clamp(0.3, 3.0);
    let fit = ((CELL_WIDTH - 8.0) / width).min(1.0);
    (width * fit, height * fit)
}

fn moves(history: &History, nodes: &[Node]) -> Vec<Move> {
    let index: BTreeMap<StateId, usize> =
        nodes.iter().enumerate().map(|(index, node)| (node.state, index)).collect();
    let mut moves: Vec<Move> = history
        .moves
        .iter()
        .filter_map(|((from, to), count)| {
            let (from, to) = (*index.get(from)?, *index.get(to)?);
            Some(Move { from, to, count: *count, weight: 0.0 })
        })
        .collect();
    moves.sort_by_key(|m| (std::cmp::Reverse(m.count), m.from, m.to));
    moves.truncate(MOST_MOVES);
    let most = moves.first().map_or(1, |m| m.count) as f64;
    for m in &mut moves {
        m.weight = (1.0 + m.count as f64).ln() / (1.0 + most).ln();
    }
    moves
}

/// Boxes from left to right, below each other where the shelf is high enough, and on a new shelf when
/// one is full.
#[derive(Debug, Default)]
struct Shelf {
    y: f64,
    height: f64,
    /// The column that is being filled: where it begins, how wide it is and how far it is filled.
    x: f64,
    width: f64,
    filled: f64,
}

impl Shelf {
    fn put(&mut self, width: f64, height: f64) -> (f64, f64) {
        let below = self.filled + GAP;
        if self.filled > 0.0 && below + height <= self.height && self.x + width <= WIDTH {
            self.width = self.width.max(width);
            self.filled = below + height;
            return (self.x, self.y + below);
        }
        if self.filled > 0.0 {
            self.x += self.width + GAP;
        }
        if self.x > 0.0 && self.x + width > WIDTH {
            *self = Self { y: self.bottom() + GAP, ..Self::default() };
        }
        self.width = width;
        self.filled = height;
        self.height = self.height.max(height);
        (self.x, self.y)
    }

    fn bottom(&self) -> f64 {
        self.y + self.height
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::SeenState;
    use retap_model::ScreenId;

    #[test]
    fn a_map_is_bounded_and_nothing_in_it_overlaps() {
        let mut history = History::default();
        let mut states = States::new();
        for n in 0..500 {
            let activity = format!("com.app.Activity{}", n % 11).into();
            let screen = ScreenId(u128::from(n));
            states.insert(StateId(n), SeenState { activity, screen, step: n });
            history.visits.insert(StateId(n), 1 + n);
            history.moves.insert((StateId(n), StateId((n * 7) % 500)), n);
        }
        for proportion in [16.0 / 9.0, 9.0 / 16.0, 40.0] {
            let map = Map::draw(&history, &states, proportion);
            assert_eq!(map.nodes.len(), MOST_STATES);
            assert!(map.moves.len() <= MOST_MOVES);
            for node in &map.nodes {
                assert!(node.width <= CELL_WIDTH && node.height <= CELL_HEIGHT, "{node:?}");
            }
            for (index, a) in map.clusters.iter().enumerate() {
                for b in &map.clusters[index + 1..] {
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
    fn the_map_of_nothing_is_empty() {
        let map = Map::draw(&History::default(), &States::new(), 1.8);
        assert!(map.nodes.is_empty() && map.clusters.is_empty());
    }
}
