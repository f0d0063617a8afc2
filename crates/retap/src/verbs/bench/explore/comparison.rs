//! One strategy beside another, app by app and over all.

use super::cell::Measured;
use super::statistics::{RankTest, a12};
use serde::Serialize;

/// Vargha and Delaney call this a medium effect.
pub const MEDIUM: f64 = 0.64;

#[derive(Debug, Clone, Serialize)]
pub struct Comparison {
    pub ours: String,
    pub theirs: String,
    /// At the end of the runs.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// After a quarter, a half and three quarters of the events.
    pub before: [Verdict; 3],
    /// At an equal number of events that were chosen: ways back are a gift.
    pub chosen: Verdict,
}

#[derive(Debug, Clone, Serialize)]
pub struct Verdict {
    pub apps: Vec<OfApp>,
    pub mean_a12: f64,
    /// Apps on which ours is better, and worse, by at least a medium effect.
    pub wins: usize,
    pub losses: usize,
    /// Of all apps together.
    pub p: f64,
}

#[derive(Debug, Clone, Serialize)]
pub struct OfApp {
    pub app: String,
    pub a12: f64,
    pub p: f64,
}

/// Each strategy beside all that were named before it.
pub fn compare(measured: &[Measured], max_events: u64) -> Vec<Comparison> {
    let strategies = names(measured, |m| &m.strategy);
    let mut comparisons = Vec::new();
    for (at, ours) in strategies.iter().enumerate() {
        for theirs in &strategies[..at] {
            let after = |part: u64| {
                verdict(measured, (ours, theirs), &|_, m| m.curve.after(max_events * part / 4))
            };
            comparisons.push(Comparison {
                ours: ours.clone(),
                theirs: theirs.clone(),
                verdict: verdict(measured, (ours, theirs), &|_, m| m.covered),
                before: [after(1), after(2), after(3)],
                chosen: verdict(measured, (ours, theirs), &|fewest, m| {
                    m.curve.after_chosen(fewest)
                }),
            });
        }
    }
    comparisons
}

/// What a run shows, given the fewest events that any run beside it chose.
type Reading<'r> = &'r dyn Fn(u64, &Measured) -> u64;

fn verdict(measured: &[Measured], (ours, theirs): (&str, &str), read: Reading<'_>) -> Verdict {
    let mut all = RankTest::default();
    let mut apps = Vec::new();
    for app in names(measured, |m| &m.app) {
        let of = |strategy: &str| {
            let runs = measured.iter().filter(|m| m.app == app && m.strategy == strategy);
            runs.collect::<Vec<&Measured>>()
        };
        let (mine, others) = (of(ours), of(theirs));
        let chosen = |m: &&Measured| m.events - m.return_events;
        let fewest = mine.iter().chain(&others).map(chosen).min().unwrap_or(0);
        let values =
            |runs: &[&Measured]| runs.iter().map(|m| read(fewest, m) as f64).collect::<Vec<f64>>();
        let (mine, others) = (values(&mine), values(&others));
        let test = RankTest::of(&mine, &others);
        all = all.add(test);
        apps.push(OfApp { app, a12: a12(&mine, &others), p: test.p() });
    }
    let count = |wanted: &dyn Fn(&OfApp) -> bool| apps.iter().filter(|of| wanted(of)).count();
    Verdict {
        mean_a12: apps.iter().map(|of| of.a12).sum::<f64>() / apps.len().max(1) as f64,
        wins: count(&|of| of.a12 >= MEDIUM),
        losses: count(&|of| of.a12 <= 1.0 - MEDIUM),
        p: all.p(),
        apps,
    }
}

/// What each run of a strategy covered of an app.
pub fn values(measured: &[Measured], app: &str, strategy: &str) -> Vec<f64> {
    measured
        .iter()
        .filter(|m| m.app == app && m.strategy == strategy)
        .map(|m| m.covered as f64)
        .collect()
}

/// Each name once, in the order of its first appearance.
pub fn names(measured: &[Measured], name: impl Fn(&Measured) -> &String) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for m in measured {
        if !names.contains(name(m)) {
            names.push(name(m).clone());
        }
    }
    names
}
