//! What the page's script shows, in short fields because there is much of it. `script/dom.js` names them.

use crate::page::images::ImageStore;
use crate::page::script::embed;
use crate::run::{ClassCoverage, LoggedStep, MethodCoverage, RunData, StateChange};
use retap_model::printable::{printable, printable_line};
use retap_model::{CoverageCount, StateId, UnitKind};
use serde::Serialize;
use std::collections::BTreeMap;

/// Transitions beyond this number are left out, the rarest first.
const MAX_EDGES: usize = 20_000;
/// Methods beyond this number are left out. Their classes stay.
const MAX_METHODS: usize = 20_000;

#[derive(Debug, Serialize)]
struct PageData<'a> {
    activities: Vec<String>,
    /// For each state in the order of first visits: activity, visits, event of the first visit, picture or -1, crashed.
    states: Vec<[i64; 5]>,
    sentences: &'a [String],
    /// Three numbers for each step: sentence, state or 0, marks.
    steps: Vec<u32>,
    edges: Vec<Edge<'a>>,
    classes: Vec<Class>,
    /// The app's source files by the names that classes give them.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    sources: BTreeMap<String, String>,
}

/// From, to, count, sentences.
type Edge<'a> = (u32, u32, u64, &'a [u32]);

/// Name, file, instructions, branches, lines and methods (covered and total of each), first event or -1, methods, lines
/// that ran, lines that did not.
type Class = (String, String, Vec<[u64; 2]>, i64, Vec<(String, u64, u64)>, String, String);

/// Returns the data of a page, or none if there is nothing for its script to show.
pub fn render(run: &RunData, images: &mut ImageStore) -> Option<String> {
    if run.history.log.entries.is_empty() && run.history.classes.is_empty() {
        return None;
    }
    let activities = number_activities(run);
    let steps =
        run.history.log.entries.iter().flat_map(|LoggedStep { sentence, state, marks }| {
            [*sentence, state.unwrap_or(0), *marks]
        });
    let data = PageData {
        states: states(run, &activities, images),
        activities: activities.keys().map(|name| printable_line(name).into_owned()).collect(),
        sentences: &run.history.log.sentences,
        steps: steps.collect(),
        edges: edges(run),
        classes: classes(run),
        sources: sources(run),
    };
    Some(embed(&data))
}

fn number_activities(run: &RunData) -> BTreeMap<&str, i64> {
    let mut numbers: BTreeMap<&str, i64> =
        run.states.values().map(|first| (&*first.activity, 0)).collect();
    numbers.values_mut().zip(0..).for_each(|(number, index)| *number = index);
    numbers
}

fn states(
    run: &RunData,
    activities: &BTreeMap<&str, i64>,
    images: &mut ImageStore,
) -> Vec<[i64; 5]> {
    let mut order: Vec<(u32, StateId)> = run
        .states
        .keys()
        .filter_map(|state| Some((run.history.log.number_of(*state)?, *state)))
        .collect();
    order.sort_unstable();
    let row = |(_, state): &(u32, StateId)| {
        let first = &run.states[state];
        let picture = run.state_picture(*state).and_then(|path| images.number(path));
        let visits = run.history.visits.get(state).copied().unwrap_or_default();
        [
            activities.get(&*first.activity).copied().unwrap_or(-1),
            visits as i64,
            first.step as i64,
            picture.map_or(-1, |number| number as i64),
            i64::from(run.history.crashing_states.contains(state)),
        ]
    };
    order.iter().map(row).collect()
}

fn edges(run: &RunData) -> Vec<Edge<'_>> {
    let number = |state: &StateId| run.history.log.number_of(*state);
    let mut edges: Vec<Edge<'_>> = run
        .history
        .transitions
        .iter()
        .filter_map(|((from, to), StateChange { count, sentences })| {
            Some((number(from)?, number(to)?, *count, sentences.as_slice()))
        })
        .collect();
    edges.sort_by_key(|(from, to, count, _)| (std::cmp::Reverse(*count), *from, *to));
    edges.truncate(MAX_EDGES);
    edges
}

fn classes(run: &RunData) -> Vec<Class> {
    let methods: usize = run.history.classes.iter().map(|class| class.methods.len()).sum();
    let shows_methods = methods <= MAX_METHODS;
    let class = |class: &ClassCoverage| {
        let counts = UnitKind::ALL.map(|kind| {
            let CoverageCount { covered, total } =
                class.counts.get(&kind).copied().unwrap_or_default();
            [covered, total]
        });
        let method = |MethodCoverage { name, instructions, ran }: &MethodCoverage| {
            let covered =
                if instructions.total == 0 { u64::from(*ran) } else { instructions.covered };
            (printable_line(name).into_owned(), covered, instructions.total.max(1))
        };
        let methods = class.methods.iter().filter(|_| shows_methods).map(method).collect();
        let lines = |ran: bool| {
            format_ranges(class.lines.iter().filter(|(_, it)| **it == ran).map(|(line, _)| *line))
        };
        (
            printable_line(&class.name).into_owned(),
            printable_line(&class.file).into_owned(),
            counts.to_vec(),
            class.first_event.map_or(-1, |event| event as i64),
            methods,
            lines(true),
            lines(false),
        )
    };
    run.history.classes.iter().map(class).collect()
}

fn sources(run: &RunData) -> BTreeMap<String, String> {
    // Classes of which nothing ran come last, in case there is no room for all.
    let (ran, not): (Vec<&ClassCoverage>, Vec<&ClassCoverage>) =
        run.history.classes.iter().partition(|class| class.first_event.is_some());
    let files = ran.iter().chain(&not).map(|class| class.file.as_str());
    let texts = run.sources.read(files).into_iter();
    texts.map(|(file, text)| (printable_line(file).into(), printable(&text).into())).collect()
}

/// Formats numbers in ascending order: `15-20,33`.
fn format_ranges(numbers: impl Iterator<Item = u32>) -> String {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for number in numbers {
        match ranges.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(number) => *last = number,
            _ => ranges.push((number, number)),
        }
    }
    let format = |(first, last): &(u32, u32)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    };
    ranges.iter().map(format).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbouring_lines_form_a_range() {
        assert_eq!(format_ranges([15, 16, 17, 33, 40, 41].into_iter()), "15-17,33,40-41");
        assert_eq!(format_ranges([].into_iter()), "");
    }
}
