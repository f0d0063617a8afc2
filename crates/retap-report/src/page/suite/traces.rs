//! The traces of the suite, step by step, with what each step is there for.

use super::super::number::grouped;
use super::anchor;
use crate::reduction::{Reduction, SuiteTrace};
use maud::{Markup, html};
use retap_model::Coverage;
use std::collections::BTreeMap;

pub fn section(reduction: &Reduction) -> Option<Markup> {
    Some(html! {
        section #traces {
            h2 { "Traces" }
            p.quiet { "Behind each step: what it is the first to cover, by its number in the list below." }
            @for trace in &reduction.traces { (card(trace, &reduction.by_step(&trace.trace))) }
        }
    })
}

fn card(trace: &SuiteTrace, covers: &BTreeMap<usize, Coverage>) -> Markup {
    html! {
        article.trace {
            h3 { bdi { (trace.trace) } @if trace.kept { " " small { "kept as it is" } } }
            p.quiet {
                "Made of "
                @for (at, fragment) in trace.fragments.iter().enumerate() {
                    @if at > 0 { ", then " }
                    bdi { (fragment) }
                }
            }
            p id=(anchor(&trace.trace, 0)) { "Launch" (adds(covers.get(&0))) }
            ol.steps {
                @for step in &trace.steps {
                    li id=(anchor(&trace.trace, step.number)) {
                        (step.sentence) (adds(covers.get(&step.number)))
                    }
                }
            }
        }
    }
}

fn adds(covered: Option<&Coverage>) -> Markup {
    html! {
        @if let Some(covered) = covered {
            " " small.quiet title=(places(covered)) { "covers " (grouped(covered.len())) }
        }
    }
}

/// `1–17, 30`: places as the list numbers them, from 1.
pub fn places(covered: &Coverage) -> String {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for place in covered.iter().map(|place| place + 1) {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == place => *last = place,
            _ => runs.push((place, place)),
        }
    }
    let run = |(first, last): (u32, u32)| match first == last {
        true => first.to_string(),
        false => format!("{first}–{last}"),
    };
    runs.into_iter().map(run).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_counted_from_one_and_joined_to_runs() {
        assert_eq!(places(&[0, 1, 2, 7, 9, 10].into_iter().collect()), "1–3, 8, 10–11");
        assert_eq!(places(&Coverage::new()), "");
    }
}
