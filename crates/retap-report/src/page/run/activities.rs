//! The activities that the run visited, and those that it did not.

use crate::page::PageSection;
use crate::page::images::ImageStore;
use crate::run::RunData;
use crate::text::{group_digits, simple_class_name};
use maud::{Markup, html};
use retap_model::StateId;
use std::collections::BTreeMap;

/// The visits of one activity.
#[derive(Debug, Default)]
struct ActivityVisits {
    states: u64,
    visits: u64,
    /// The number of events until its first visit.
    first: Option<u64>,
    /// The most visited of its states, which stands for it.
    most_visited: Option<(u64, StateId)>,
}

pub fn section(run: &RunData, images: &mut ImageStore) -> Option<PageSection> {
    let visits = count_visits(run);
    if visits.is_empty() {
        return None;
    }
    let declared = run.summary.iter().flat_map(|summary| &summary.declared_activities);
    let declared: Vec<&str> = declared.map(String::as_str).collect();
    let missed: Vec<&str> =
        declared.iter().copied().filter(|name| !visits.contains_key(*name)).collect();
    let mut visited: Vec<(&str, &ActivityVisits)> =
        visits.iter().map(|(name, visits)| (*name, visits)).collect();
    visited.sort_by_key(|(name, visits)| (visits.first, *name));
    let rows: Vec<Markup> =
        visited.iter().map(|(name, visits)| row(run, name, visits, images)).collect();
    let body = html! {
        @if !declared.is_empty() {
            p.quiet {
                (group_digits((declared.len() - missed.len()) as u64)) " of "
                (group_digits(declared.len() as u64)) " declared activities were visited."
            }
        }
        table.activities {
            thead { tr {
                th scope="col" { "Activity" }
                th.figure scope="col" { "States" }
                // A minimisation keeps states and no history of them.
                @if !run.is_minimization() {
                    th.figure scope="col" { "Visits" }
                    th.figure scope="col" { "First at event" }
                }
            } }
            tbody { @for row in &rows { (row) } }
        }
        @if !missed.is_empty() {
            h3.plain { "Not visited" }
            ul.missed {
                @for name in &missed {
                    li { b { bdi { (simple_class_name(name)) } } " " small { bdi { (name) } } }
                }
            }
        }
    };
    Some(PageSection::new("activities", "Activities", body).counted(visited.len()))
}

fn row(run: &RunData, name: &str, visits: &ActivityVisits, images: &mut ImageStore) -> Markup {
    let picture = visits.most_visited.and_then(|(_, state)| run.state_picture(state));
    let picture = picture.and_then(|path| images.show(path, &format!("A screen of {name}")));
    html! {
        tr {
            th scope="row" {
                div.with-picture {
                    @if let Some(picture) = picture { (picture) }
                    span { b { bdi { (simple_class_name(name)) } } br; small { bdi { (name) } } }
                }
            }
            td { (group_digits(visits.states)) }
            @if !run.is_minimization() {
                td { (group_digits(visits.visits)) }
                td { (visits.first.map_or_else(String::new, group_digits)) }
            }
        }
    }
}

/// Counts by activity. A state without an activity belongs to none.
fn count_visits(run: &RunData) -> BTreeMap<&str, ActivityVisits> {
    let mut counts: BTreeMap<&str, ActivityVisits> = BTreeMap::new();
    for (state, first) in run.states.iter().filter(|(_, first)| !first.activity.is_empty()) {
        let visits = run.history.visits.get(state).copied().unwrap_or_default();
        let count = counts.entry(&first.activity).or_default();
        count.states += 1;
        count.visits += visits;
        count.first = Some(count.first.map_or(first.step, |known| known.min(first.step)));
        count.most_visited = count.most_visited.max(Some((visits, *state)));
    }
    counts
}
