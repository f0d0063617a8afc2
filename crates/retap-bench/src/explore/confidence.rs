//! Confidence intervals of A12 by the bootstrap: the runs are drawn again with replacement, and over several apps the
//! apps are drawn again too.

use super::statistics::a12;
use retap_explore::DecisionRng;
use serde::Serialize;

const RESAMPLES: u64 = 1_000;
/// The part of the resamples that lies outside an interval of 95%, on each side.
const TAIL: f64 = 0.025;

/// An interval that holds the true value with a confidence of 95%.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ConfidenceInterval {
    pub low: f64,
    pub high: f64,
}

/// The values of two strategies on one app.
#[derive(Debug, Clone, Default)]
pub struct SamplePair {
    pub ours: Vec<f64>,
    pub theirs: Vec<f64>,
}

/// Returns the interval of the mean A12 over apps. Fewer than two runs on each side tell nothing: the interval is whole.
pub fn interval(apps: &[SamplePair]) -> ConfidenceInterval {
    let is_enough = |pair: &SamplePair| pair.ours.len() > 1 && pair.theirs.len() > 1;
    if apps.is_empty() || !apps.iter().all(is_enough) {
        return ConfidenceInterval { low: 0.0, high: 1.0 };
    }
    let mut means: Vec<f64> = (0..RESAMPLES).map(|number| resample(apps, number)).collect();
    means.sort_by(f64::total_cmp);
    let at = |share: f64| means[((means.len() - 1) as f64 * share).round() as usize];
    ConfidenceInterval { low: at(TAIL), high: at(1.0 - TAIL) }
}

fn resample(apps: &[SamplePair], number: u64) -> f64 {
    let mut rng = DecisionRng::new(0, number);
    let mut sum = 0.0;
    for _ in apps {
        let Some(pair) = rng.pick(apps) else { continue };
        let mut draw = |values: &[f64]| {
            let drawn = values.iter().filter_map(|_| rng.pick(values).copied());
            drawn.collect::<Vec<f64>>()
        };
        let (ours, theirs) = (draw(&pair.ours), draw(&pair.theirs));
        sum += a12(&ours, &theirs);
    }
    sum / apps.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(ours: &[f64], theirs: &[f64]) -> SamplePair {
        SamplePair { ours: ours.to_vec(), theirs: theirs.to_vec() }
    }

    #[test]
    fn an_interval_is_narrow_where_all_runs_agree_and_wide_where_they_do_not() {
        let clear = interval(&[pair(&[9.0, 8.0, 7.0], &[1.0, 2.0, 3.0])]);
        assert_eq!(clear, ConfidenceInterval { low: 1.0, high: 1.0 });
        let unclear = interval(&[pair(&[1.0, 5.0, 9.0], &[2.0, 5.0, 8.0])]);
        assert!(unclear.low < 0.3 && unclear.high > 0.7, "{unclear:?}");
    }

    #[test]
    fn apps_that_disagree_make_the_interval_over_apps_wide() {
        let (better, worse) = (pair(&[9.0; 3], &[1.0; 3]), pair(&[1.0; 3], &[9.0; 3]));
        let interval = interval(&[better, worse]);
        assert_eq!((interval.low, interval.high), (0.0, 1.0));
    }

    #[test]
    fn a_single_run_tells_nothing() {
        assert_eq!(interval(&[pair(&[9.0], &[1.0])]), ConfidenceInterval { low: 0.0, high: 1.0 });
    }
}
