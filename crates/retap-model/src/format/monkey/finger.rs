//! Combines low-level touches: a finger that goes down, moves and comes up is a tap, a long press
//! or a drag.

use super::{LONG_PRESS_MS, STEP_MS};
use crate::event::{Event, Target};
use crate::geometry::Point;

/// The distance in pixels beyond which a tap is a drag: Android's touch slop of 8 dp at two pixels
/// each.
const SLOP: i64 = 16;

/// A finger on the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Finger {
    /// The line on which the finger went down.
    pub line: usize,
    from: Point,
    down_ms: u64,
    /// Waits of the script between the touches, which recorded times do not include.
    waited_ms: u64,
    moves: u32,
    strayed: bool,
}

impl Finger {
    pub fn down(line: usize, at: Point, time_ms: u64) -> Self {
        Self { line, from: at, down_ms: time_ms, waited_ms: 0, moves: 0, strayed: false }
    }

    pub fn moved(&mut self, to: Point) {
        self.moves = self.moves.saturating_add(1);
        self.strayed |= is_far(self.from, to);
    }

    pub fn waited(&mut self, ms: u32) {
        self.waited_ms = self.waited_ms.saturating_add(ms.into());
    }

    pub fn up(self, at: Point, time_ms: u64) -> Event {
        let ms = time_ms.saturating_sub(self.down_ms).saturating_add(self.waited_ms);
        let target = Target::point(self.from);
        if self.strayed || is_far(self.from, at) {
            let steps_ms = u64::from(self.moves) * u64::from(STEP_MS);
            let ms = u32::try_from(if ms > 0 { ms } else { steps_ms }).unwrap_or(u32::MAX);
            Event::Drag { from: target, to: at, ms }
        } else {
            tap_or_long_press(target, ms)
        }
    }
}

/// Returns the event of a finger that comes up where it went down.
pub fn tap_or_long_press(target: Target, ms: u64) -> Event {
    if ms >= LONG_PRESS_MS { Event::LongPress(target) } else { Event::Tap(target) }
}

fn is_far(from: Point, to: Point) -> bool {
    let across = (i64::from(from.x) - i64::from(to.x)).abs();
    let down = (i64::from(from.y) - i64::from(to.y)).abs();
    across.max(down) > SLOP
}
