//! What had been covered after how many events, at some fifty points of a run.

use retap_explore::Findings;
use serde::{Deserialize, Serialize};

const POINTS: u64 = 50;

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Curve {
    /// What the run was given.
    max_events: u64,
    points: Vec<Point>,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct Point {
    events: u64,
    /// How many of them were ways back.
    return_events: u64,
    covered: u64,
}

impl Curve {
    pub fn towards(max_events: u64) -> Self {
        Self { max_events, points: Vec::new() }
    }

    /// Whether it is of a run that was given this many events, though it may have ended before.
    pub fn is_towards(&self, max_events: u64) -> bool {
        self.max_events == max_events
    }

    /// Notes a point where one is due.
    pub fn see(&mut self, findings: &Findings, covered: &dyn Fn() -> u64) {
        let every = (self.max_events / POINTS).max(1);
        let due = self.points.last().map_or(0, |point| point.events + every);
        if findings.events >= due {
            self.end(findings, covered());
        }
    }

    pub fn end(&mut self, findings: &Findings, covered: u64) {
        let Findings { events, return_events, .. } = *findings;
        self.points.push(Point { events, return_events, covered });
    }

    /// What had been covered after this many events.
    pub fn after(&self, events: u64) -> u64 {
        self.last(|point| point.events <= events)
    }

    /// What had been covered after this many events that were chosen, ways back not counted.
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
    fn ways_back_count_as_events_but_not_as_chosen_ones() {
        let mut curve = Curve::towards(100);
        for (events, return_events, covered) in [(0, 0, 1), (40, 10, 5), (41, 10, 6), (80, 50, 7)] {
            let mut findings = Findings::default();
            (findings.events, findings.return_events) = (events, return_events);
            curve.see(&findings, &|| covered);
        }
        // One event after the last is too soon for a point.
        assert_eq!([0, 39, 40, 79, 80].map(|e| curve.after(e)), [1, 1, 5, 5, 7]);
        assert_eq!([0, 29, 30].map(|e| curve.after_chosen(e)), [1, 1, 7]);
    }
}
