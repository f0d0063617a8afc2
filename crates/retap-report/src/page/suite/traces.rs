//! The traces of the suite, with the requirements that each step is the first to cover.

use super::step_anchor;
use crate::page::PageSection;
use crate::suite::{SuiteData, SuiteStep};
use crate::text::format_count;
use maud::{Markup, html};
use retap_model::Coverage;
use retap_model::format::reduction::SuiteTraceRecord;

pub fn section(suite: &SuiteData) -> Option<PageSection> {
    let body = html! {
        p.quiet {
            "Each step says how many requirements it is the first to cover."
            @if !suite.sources_folder().is_empty() {
                " The recordings lie in " code { bdi { (suite.sources_folder()) } } "."
            }
        }
        @for trace in &suite.reduction.traces { (card(suite, trace)) }
    };
    Some(PageSection::new("traces", "Traces", body).counted(suite.reduction.traces.len()))
}

fn card(suite: &SuiteData, trace: &SuiteTraceRecord) -> Markup {
    let covered = suite.requirements_by_step(&trace.trace);
    let anchor = |step: u64| step_anchor(SuiteStep { trace: &trace.trace, step });
    html! {
        article.trace {
            h3 { bdi { (trace.trace) } @if trace.kept { " " small { "kept unchanged" } } }
            p.quiet {
                "Joined from "
                @for (index, fragment) in trace.fragments.iter().enumerate() {
                    @if index > 0 { ", then " }
                    bdi { (suite.short_source(fragment)) }
                }
            }
            p id=(anchor(0)) { "Launch" (covers_note(covered.get(&0))) }
            ol.steps {
                @for step in suite.steps_of(&trace.trace) {
                    @let number = step.number as u64;
                    li id=(anchor(number)) {
                        (step.description) (covers_note(covered.get(&number)))
                    }
                }
            }
        }
    }
}

fn covers_note(covered: Option<&Coverage>) -> Markup {
    html! {
        @if let Some(covered) = covered {
            " " small.quiet title={ "Requirements " (format_numbers(covered)) } {
                "covers " (format_count(covered.len(), "requirement"))
            }
        }
    }
}

/// Formats indices as the numbers of the list, which start at 1: `1–17, 30`.
pub fn format_numbers(indices: &Coverage) -> String {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for number in indices.iter().map(|index| index + 1) {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => ranges.push((number, number)),
        }
    }
    let format_range = |(first, last): (u32, u32)| match first == last {
        true => first.to_string(),
        false => format!("{first}–{last}"),
    };
    ranges.into_iter().map(format_range).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_start_at_one_and_neighbours_form_a_range() {
        assert_eq!(format_numbers(&[0, 1, 2, 7, 9, 10].into_iter().collect()), "1–3, 8, 10–11");
        assert_eq!(format_numbers(&Coverage::new()), "");
    }
}
