//! Related windows: those whose code shares terms with a target input, found as documents are found by words (TF-IDF and
//! the cosine of the angle between two documents).
//!
//! Terms are class attributes and literals, as published, and also the app's own classes that a window or an input runs
//! code of: two windows that share a value through a class around the preferences have no attribute in common.

use crate::model::{InputNumber, RunWindowId, WindowGraph};
use retap_static::AppWindowKind;
use std::collections::{BTreeMap, BTreeSet};

type Document = BTreeMap<String, f64>;

#[derive(Debug, Clone)]
pub struct RelatedWindows {
    /// The normalised weights of each activity's terms.
    windows: BTreeMap<RunWindowId, Document>,
    inverse_frequency: BTreeMap<String, f64>,
}

impl RelatedWindows {
    pub fn new(graph: &WindowGraph) -> Self {
        let activities = graph.ids().filter(|id| graph.get(*id).kind == AppWindowKind::Activity);
        Self::of_documents(activities.map(|id| (id, terms_of_window(graph, id))).collect())
    }

    /// Builds the index from the number of methods with each term.
    pub fn of_documents(windows: BTreeMap<RunWindowId, BTreeMap<String, usize>>) -> Self {
        let mut found_in: BTreeMap<String, usize> = BTreeMap::new();
        for term in windows.values().flat_map(BTreeMap::keys) {
            *found_in.entry(term.clone()).or_default() += 1;
        }
        let total = windows.len() as f64;
        let inverse_frequency: BTreeMap<String, f64> =
            found_in.into_iter().map(|(term, with)| (term, (total / with as f64).ln())).collect();
        let windows = windows
            .into_iter()
            .map(|(id, terms)| (id, normalize(&terms, &inverse_frequency)))
            .collect();
        Self { windows, inverse_frequency }
    }

    /// Returns DS(w, wt) of each window for a transition with these terms.
    pub fn scores_of(&self, terms: &BTreeMap<String, usize>) -> Vec<(RunWindowId, f64)> {
        let input = normalize(terms, &self.inverse_frequency);
        let score = |document: &Document| -> f64 {
            input.iter().filter_map(|(term, weight)| Some(weight * document.get(term)?)).sum()
        };
        self.windows.iter().map(|(id, document)| (*id, score(document))).collect()
    }

    /// Returns the scores of all windows for an input, but for the window that the input belongs to.
    pub fn scores(&self, input: InputNumber, graph: &WindowGraph) -> Vec<(RunWindowId, f64)> {
        let known = &graph.inputs[input];
        let own = graph.get(known.window).owner.unwrap_or(known.window);
        let mut terms = known.terms.clone();
        add_classes(&mut terms, &known.reaches, &graph.get(own).name);
        let mut scores = self.scores_of(&terms);
        scores.retain(|(window, _)| *window != own);
        scores
    }
}

fn terms_of_window(graph: &WindowGraph, window: RunWindowId) -> BTreeMap<String, usize> {
    let mut terms = graph.get(window).terms.clone();
    let inputs = graph
        .inputs
        .iter()
        .filter(|input| input.window == window || graph.get(input.window).owner == Some(window));
    let reached: BTreeSet<String> =
        inputs.flat_map(|input| input.reaches.iter().cloned()).collect();
    add_classes(&mut terms, &reached, &graph.get(window).name);
    terms
}

/// Adds the classes of these methods as terms, each with the number of its methods, but for the window's own classes.
fn add_classes(terms: &mut BTreeMap<String, usize>, methods: &BTreeSet<String>, window: &str) {
    let own = format!("L{}", window.replace('.', "/"));
    let classes = methods.iter().filter_map(|method| method.split("->").next());
    for class in classes.filter(|class| !class.starts_with(&own) && !class.contains("$$")) {
        *terms.entry(format!("class {class}")).or_default() += 1;
    }
}

/// Returns TF·IDF of each term over the Euclidean length of the document: the paper's NW.
fn normalize(
    terms: &BTreeMap<String, usize>,
    inverse_frequency: &BTreeMap<String, f64>,
) -> Document {
    let weights: Vec<(&String, f64)> = terms
        .iter()
        .map(|(term, times)| {
            let inverse = inverse_frequency.get(term).copied().unwrap_or_default();
            (term, *times as f64 * inverse)
        })
        .collect();
    let length = weights.iter().map(|(_, weight)| weight * weight).sum::<f64>().sqrt();
    let scale = if length > 0.0 { 1.0 / length } else { 0.0 };
    weights.into_iter().map(|(term, weight)| (term.clone(), weight * scale)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(of: &[(&str, usize)]) -> BTreeMap<String, usize> {
        of.iter().map(|(term, times)| (term.to_string(), *times)).collect()
    }

    /// Three windows. `color` is in two of them: IDF = ln(3/2) = 0.405465; `size` in one: IDF = ln 3 = 1.098612; `app` in
    /// all: IDF = 0, so it never counts.
    ///
    /// Window 1 has color×2, app×5: weights 0.810930, 0; length 0.810930; NW(color) = 1.
    /// Window 2 has color×1, size×1, app×1: weights 0.405465, 1.098612; length 1.171042; NW = 0.346243, 0.938149.
    /// The input has color×1, size×1: the same weights as window 2, so NW = 0.346243, 0.938149.
    /// DS(1) = 0.346243; DS(2) = 0.346243² + 0.938149² = 1; DS(3) = 0.
    #[test]
    fn scores_are_those_computed_by_hand() {
        let related = RelatedWindows::of_documents(BTreeMap::from([
            (1, terms(&[("color", 2), ("app", 5)])),
            (2, terms(&[("color", 1), ("size", 1), ("app", 1)])),
            (3, terms(&[("app", 1)])),
        ]));
        let scores = related.scores_of(&terms(&[("color", 1), ("size", 1)]));
        let expected = [(1, 0.346_243), (2, 1.0), (3, 0.0)];
        for ((window, score), (expected_window, expected_score)) in scores.into_iter().zip(expected)
        {
            assert_eq!(window, expected_window);
            assert!((score - expected_score).abs() < 1e-5, "{window}: {score}");
        }
    }
}
