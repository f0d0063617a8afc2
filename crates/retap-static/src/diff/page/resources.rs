//! Changed resources by kind. Translations that only come or go are counted by language.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::super::{Change, ResourceDiff};
use super::{signed, tag};

/// Kinds with at most this many changes are shown open.
const OPEN: usize = 12;

pub fn render(resources: &[ResourceDiff]) -> Markup {
    let mut kinds = BTreeMap::<&str, Vec<&ResourceDiff>>::new();
    for resource in resources {
        let kind = resource.name.split('/').next().unwrap_or_default();
        kinds.entry(kind.trim_start_matches('@')).or_default().push(resource);
    }
    html! {
        @if !kinds.is_empty() {
            section id="resources" {
                h2 { "Resources" }
                @for (kind, resources) in kinds { (of_kind(kind, &resources)) }
            }
        }
    }
}

fn of_kind(kind: &str, resources: &[&ResourceDiff]) -> Markup {
    let is_alone =
        |it: &&&ResourceDiff| it.configuration.is_empty() || it.change == Change::Modified;
    let shown: Vec<&&ResourceDiff> = resources.iter().filter(is_alone).collect();
    let mut others = BTreeMap::<(Change, &str), Vec<&str>>::new();
    for resource in resources.iter().filter(|it| !is_alone(it)) {
        let names = others.entry((resource.change, &resource.configuration)).or_default();
        names.push(resource.name.rsplit('/').next().unwrap_or_default());
    }
    html! {
        details.package open[shown.len() + others.len() <= OPEN] {
            summary { strong { (kind) } span.counts { span.dim { (resources.len()) } } }
            @for it in shown { (resource(it)) }
            @for ((change, configuration), names) in others {
                details.class {
                    summary {
                        (tag(change)) " " (names.len()) " for " strong { (configuration) }
                    }
                    p.dim.names { (names.join(", ")) }
                }
            }
        }
    }
}

fn resource(resource: &ResourceDiff) -> Markup {
    html! {
        details.class open[resource.details.len() <= 4] {
            summary {
                (tag(resource.change)) " " code { (resource.name) } " " span.dim { (resource.configuration) }
            }
            ul.plain.inner { @for line in &resource.details { li { (signed(line)) } } }
        }
    }
}
