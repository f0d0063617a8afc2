//! Compares two strategies, app by app and over all apps.

use super::cell::MeasuredCell;
use super::confidence::{ConfidenceInterval, SamplePair, interval};
use super::statistics::{RankTest, a12};
use crate::table::median;
use serde::Serialize;

/// Vargha and Delaney call this a medium effect.
pub const MEDIUM: f64 = 0.64;

#[derive(Debug, Clone, Serialize)]
pub struct Comparison {
    pub ours: String,
    pub theirs: String,
    /// At the end of the runs.
    #[serde(flatten)]
    pub effect: Effect,
    /// After a quarter, a half and three quarters of the events.
    pub before: [Effect; 3],
    /// At an equal number of chosen events, as if returns were free.
    pub chosen: Effect,
}

#[derive(Debug, Clone, Serialize)]
pub struct Effect {
    pub apps: Vec<AppEffect>,
    /// The number of apps that are not exhausted. Exhausted apps count for neither side, here and below.
    pub telling: usize,
    pub mean_a12: f64,
    /// The confidence interval of the mean.
    pub interval: ConfidenceInterval,
    /// The number of apps on which ours is better, or worse, by at least a medium effect.
    pub wins: usize,
    pub losses: usize,
    /// The p-value over all apps.
    pub p: f64,
}

#[derive(Debug, Clone, Serialize)]
pub struct AppEffect {
    pub app: String,
    pub a12: f64,
    pub interval: ConfidenceInterval,
    pub p: f64,
    /// True if both medians are within one unit of the most that any run covered. Then neither strategy has anything
    /// left to be better at.
    pub exhausted: bool,
}

/// Compares each strategy with all that were named before it.
pub fn compare(measured: &[MeasuredCell], max_events: u64) -> Vec<Comparison> {
    let strategies = names(measured, |m| &m.strategy);
    let mut comparisons = Vec::new();
    for (at, ours) in strategies.iter().enumerate() {
        for theirs in &strategies[..at] {
            let after = |part: u64| {
                effect(measured, Pair { ours, theirs }, &|_, m| {
                    m.curve.after(max_events * part / 4)
                })
            };
            comparisons.push(Comparison {
                ours: ours.clone(),
                theirs: theirs.clone(),
                effect: effect(measured, Pair { ours, theirs }, &|_, m| m.covered),
                before: [after(1), after(2), after(3)],
                chosen: effect(measured, Pair { ours, theirs }, &|fewest, m| {
                    m.curve.after_chosen(fewest)
                }),
            });
        }
    }
    comparisons
}

/// Two strategies to compare.
#[derive(Debug, Clone, Copy)]
struct Pair<'a> {
    ours: &'a str,
    theirs: &'a str,
}

/// Reads the covered units of a cell, given the fewest events that any compared run chose.
type ReadCovered<'r> = &'r dyn Fn(u64, &MeasuredCell) -> u64;

fn effect(measured: &[MeasuredCell], pair: Pair<'_>, read: ReadCovered<'_>) -> Effect {
    let mut all = RankTest::default();
    let mut apps = Vec::new();
    let mut samples: Vec<SamplePair> = Vec::new();
    for app in names(measured, |m| &m.app) {
        let of = |strategy: &str| {
            let runs = measured.iter().filter(|m| m.app == app && m.strategy == strategy);
            runs.collect::<Vec<&MeasuredCell>>()
        };
        let (mine, others) = (of(pair.ours), of(pair.theirs));
        let chosen = |m: &&MeasuredCell| m.events - m.return_events;
        let fewest = mine.iter().chain(&others).map(chosen).min().unwrap_or(0);
        let values = |runs: &[&MeasuredCell]| {
            runs.iter().map(|m| read(fewest, m) as f64).collect::<Vec<f64>>()
        };
        let (mine, others) = (values(&mine), values(&others));
        let most = measured.iter().filter(|m| m.app == app).map(|m| m.covered).max().unwrap_or(0);
        let is_near = |runs: &[f64]| median(runs.iter().copied()) + 1.0 >= most as f64;
        let exhausted = is_near(&mine) && is_near(&others);
        let test = RankTest::of(&mine, &others);
        let a12 = a12(&mine, &others);
        let sample = SamplePair { ours: mine, theirs: others };
        let interval = interval(std::slice::from_ref(&sample));
        if !exhausted {
            all = all.add(test);
            samples.push(sample);
        }
        apps.push(AppEffect { app, a12, interval, p: test.p(), exhausted });
    }
    let telling: Vec<f64> = apps.iter().filter(|of| !of.exhausted).map(|of| of.a12).collect();
    let count = |wanted: &dyn Fn(f64) -> bool| telling.iter().filter(|a12| wanted(**a12)).count();
    Effect {
        telling: telling.len(),
        mean_a12: mean(&telling).unwrap_or(0.5),
        interval: interval(&samples),
        wins: count(&|a12| a12 >= MEDIUM),
        losses: count(&|a12| a12 <= 1.0 - MEDIUM),
        p: all.p(),
        apps,
    }
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// Returns the covered units of each run of a strategy on an app.
pub fn values(measured: &[MeasuredCell], app: &str, strategy: &str) -> Vec<f64> {
    measured
        .iter()
        .filter(|m| m.app == app && m.strategy == strategy)
        .map(|m| m.covered as f64)
        .collect()
}

/// Returns each name once, in the order of its first appearance.
pub fn names(measured: &[MeasuredCell], name: impl Fn(&MeasuredCell) -> &String) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for m in measured {
        if !names.contains(name(m)) {
            names.push(name(m).clone());
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs(app: &str, strategy: &str, covered: [u64; 3]) -> Vec<MeasuredCell> {
        let (app, strategy) = (app.to_string(), strategy.to_string());
        let whole = MeasuredCell { app, strategy, ..MeasuredCell::default() };
        covered.map(|covered| MeasuredCell { covered, ..whole.clone() }).to_vec()
    }

    #[test]
    fn an_app_that_both_exhaust_counts_for_neither() {
        let measured = [
            runs("small", "random", [9, 9, 8]),
            runs("small", "auto", [10, 10, 10]),
            runs("deep", "random", [10, 20, 30]),
            runs("deep", "auto", [40, 50, 60]),
            runs("half", "random", [7, 7, 7]),
            runs("half", "auto", [10, 10, 10]),
        ]
        .concat();
        let effect = effect(&measured, Pair { ours: "auto", theirs: "random" }, &|_, m| m.covered);
        let exhausted: Vec<bool> = effect.apps.iter().map(|of| of.exhausted).collect();
        assert_eq!(exhausted, [true, false, false]);
        assert_eq!((effect.telling, effect.wins, effect.losses), (2, 2, 0));
        let without =
            super::effect(&measured[6..], Pair { ours: "auto", theirs: "random" }, &|_, m| {
                m.covered
            });
        assert_eq!((effect.mean_a12, effect.p), (without.mean_a12, without.p));
    }

    #[test]
    fn nothing_is_said_where_all_is_exhausted() {
        let measured = [runs("small", "random", [9; 3]), runs("small", "auto", [10; 3])].concat();
        let effect = effect(&measured, Pair { ours: "auto", theirs: "random" }, &|_, m| m.covered);
        assert_eq!((effect.telling, effect.mean_a12, effect.p), (0, 0.5, 1.0));
    }
}
