//! The ticks of an axis.

/// The number of ticks that an axis has, give or take a few.
const APPROXIMATE_TICKS: f64 = 4.0;

/// Round numbers from zero to just beyond the largest value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AxisTicks {
    step: f64,
    count: u32,
}

impl AxisTicks {
    /// Chooses the ticks for values up to `largest`.
    pub fn up_to(largest: f64) -> Self {
        let rough = largest / APPROXIMATE_TICKS;
        let power = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 2.5, 5.0, 10.0]
            .into_iter()
            .map(|digit| digit * power)
            .find(|step| *step >= rough && (*step >= 1.0 && step.fract() == 0.0))
            .unwrap_or(1.0);
        Self { step, count: (largest / step).ceil() as u32 }
    }

    /// Returns the last tick.
    pub fn end(self) -> f64 {
        self.step * f64::from(self.count)
    }

    /// Returns all ticks from zero on.
    pub fn values(self) -> impl Iterator<Item = f64> {
        (0..=self.count).map(move |n| self.step * f64::from(n))
    }
}

/// Formats `15000` as `15k`, because an axis has little room.
pub fn format_tick(value: f64) -> String {
    let (scaled, suffix) = match value {
        v if v >= 1e6 => (v / 1e6, "M"),
        v if v >= 1e4 => (v / 1e3, "k"),
        v => (v, ""),
    };
    let text = format!("{scaled:.1}");
    format!("{}{suffix}", text.strip_suffix(".0").unwrap_or(&text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_reach_the_largest_value() {
        let check = |largest, step, end| {
            let ticks = AxisTicks::up_to(largest);
            assert_eq!((ticks.step, ticks.end()), (step, end), "{largest}");
        };
        check(1.0, 1.0, 1.0);
        check(4.0, 1.0, 4.0);
        check(7.0, 2.0, 8.0);
        check(83.0, 25.0, 100.0);
        check(5000.0, 2000.0, 6000.0);
        check(1_000_000.0, 250_000.0, 1_000_000.0);
    }
}
