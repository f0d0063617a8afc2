//! Coverage over events, at some fifty points of a run.

use retap_explore::ExplorationTotals;
use serde::{Deserialize, Serialize};

const POINTS: u64 = 50;

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct CoverageCurve {
    /// The budget of the run.
    max_events: u64,
    points: Vec<Point>,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct Point {
    events: u64,
    /// The events of these that returns ran.
    return_events: u64,
    covered: u64,
}

impl CoverageCurve {
    pub fn new(max_events: u64) -> Self {
        Self { max_events, points: Vec::new() }
    }

    /// Returns true if the run had this budget, though it may have ended earlier.
    pub fn has_budget(&self, max_events: u64) -> bool {
        self.max_events == max_events
    }

    /// Adds a point where one is due.
    pub fn add_if_due(&mut self, totals: &ExplorationTotals, covered: &dyn Fn() -> u64) {
        let every = (self.max_events / POINTS).max(1);
        let due = self.points.last().map_or(0, |point| point.events + every);
        if totals.events >= due {
            self.add(totals, covered());
        }
    }

    pub fn add(&mut self, totals: &ExplorationTotals, covered: u64) {
        let ExplorationTotals { events, return_events, .. } = *totals;
        self.points.push(Point { events, return_events, covered });
    }

    /// Returns the covered units after this many events.
    pub fn after(&self, events: u64) -> u64 {
        self.last(|point| point.events <= events)
    }

    /// Returns the covered units after this many chosen events; events of returns do not count.
    pub fn after_chosen(&self, events: u64) -> u64 {
        self.last(|point| point.events - point.return_events <= events)
    }

    fn last(&self, wanted: impl Fn(&Point) -> bool) -> u64 {
        self.points.iter().rfind(|point| wanted(point)).map_or(0, |point| point.covered)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_of_returns_count_as_events_but_not_as_chosen_ones() {
        let mut curve = CoverageCurve::new(100);
        for (events, return_events, covered) in [(0, 0, 1), (40, 10, 5), (41, 10, 6), (80, 50, 7)] {
            let mut totals = ExplorationTotals::default();
            (totals.events, totals.return_events) = (events, return_events);
            curve.add_if_due(&totals, &|| covered);
        }
        // One event after the last point is too early for another.
        assert_eq!([0, 39, 40, 79, 80].map(|e| curve.after(e)), [1, 1, 5, 5, 7]);
        assert_eq!([0, 29, 30].map(|e| curve.after_chosen(e)), [1, 1, 7]);
    }
}
