//! A curve that thins itself out as it grows, so that a run of millions of events takes no more memory than its chart
//! can show.

/// A value over events.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ThinnedCurve {
    points: Vec<(u64, f64)>,
}

impl ThinnedCurve {
    const MAX_POINTS: usize = 800;

    /// Adds a value at an event that is not before the last one. Drops a value that equals the last one.
    pub fn push(&mut self, x: u64, y: f64) {
        match self.points.last_mut() {
            Some(last) if last.1 == y => {}
            Some(last) if last.0 == x => last.1 = y,
            _ => self.points.push((x, y)),
        }
        if self.points.len() > Self::MAX_POINTS {
            let newest = self.points.len() - 1;
            let mut index = 0;
            self.points.retain(|_| {
                index += 1;
                index - 1 == newest || (index - 1) % 2 == 0
            });
        }
    }

    pub fn points(&self) -> &[(u64, f64)] {
        &self.points
    }

    /// Returns the last value, or zero if there is none.
    pub fn last(&self) -> f64 {
        self.points.last().map_or(0.0, |point| point.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_curve_stays_small_and_keeps_both_ends() {
        let mut curve = ThinnedCurve::default();
        for n in 0..1_000_000 {
            curve.push(n, n as f64);
        }
        assert!(curve.points().len() <= ThinnedCurve::MAX_POINTS);
        assert_eq!(curve.points()[0], (0, 0.0));
        assert_eq!(curve.last(), 999_999.0);
        assert!(curve.points().is_sorted_by(|a, b| a.0 < b.0));
    }

    #[test]
    fn only_changes_are_kept() {
        let mut curve = ThinnedCurve::default();
        for (x, y) in [(0, 1.0), (1, 1.0), (2, 3.0), (2, 4.0), (9, 4.0)] {
            curve.push(x, y);
        }
        assert_eq!(curve.points(), [(0, 1.0), (2, 4.0)]);
    }
}
