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
pub fn compare(measured: &[Measured]) -> Vec<Comparison> {
    let strategies = names(measured, |m| &m.strategy);
    let apps = names(measured, |m| &m.app);
    let mut comparisons = Vec::new();
    for (at, ours) in strategies.iter().enumerate() {
        for theirs in &strategies[..at] {
            comparisons.push(compare_two(measured, &apps, ours, theirs));
        }
    }
    comparisons
}

fn compare_two(measured: &[Measured], apps: &[String], ours: &str, theirs: &str) -> Comparison {
    let mut all = RankTest::default();
    let mut of_apps = Vec::new();
    for app in apps {
        let (mine, others) = (values(measured, app, ours), values(measured, app, theirs));
        let test = RankTest::of(&mine, &others);
        all = all.add(test);
        of_apps.push(OfApp { app: app.clone(), a12: a12(&mine, &others), p: test.p() });
    }
    let count = |wanted: &dyn Fn(&OfApp) -> bool| of_apps.iter().filter(|of| wanted(of)).count();
    Comparison {
        ours: ours.into(),
        theirs: theirs.into(),
        mean_a12: of_apps.iter().map(|of| of.a12).sum::<f64>() / of_apps.len().max(1) as f64,
        wins: count(&|of| of.a12 >= MEDIUM),
        losses: count(&|of| of.a12 <= 1.0 - MEDIUM),
        p: all.p(),
        apps: of_apps,
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
