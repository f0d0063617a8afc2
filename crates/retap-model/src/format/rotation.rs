//! Android's number of an orientation, as scripts and dumps write it: quarter turns.

use crate::event::Orientation;

const TURNS: [Orientation; 4] = [
    Orientation::Portrait,
    Orientation::Landscape,
    Orientation::ReversePortrait,
    Orientation::ReverseLandscape,
];

/// Parses a number of quarter turns.
pub fn parse(text: &str) -> Option<Orientation> {
    let turns: usize = text.parse().ok()?;
    TURNS.get(turns).copied()
}

/// Returns the number of quarter turns.
pub fn number(orientation: Orientation) -> usize {
    TURNS.iter().position(|turn| *turn == orientation).unwrap_or(0)
}
