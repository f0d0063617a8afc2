//! What an update changed: the screens to look at, old and new side by side, and what became of each changed method.

use crate::page::PageSection;
use crate::page::commands::{command, copy_button};
use crate::page::images::ImageStore;
use crate::run::RunData;
use crate::text::format_count;
use maud::{Markup, html};
use retap_model::format::run::update_summary::{DifferenceSummary, TargetSummary, UpdateResult};
use retap_model::readable_method;

/// Explained differences beyond this many are only counted.
const MAX_EXPLAINED: usize = 30;

pub fn section(run: &RunData, images: &mut ImageStore) -> Option<PageSection> {
    let update = run.update.as_ref()?;
    let (unexplained, explained): (Vec<_>, Vec<_>) =
        update.differences.iter().partition(|difference| difference.unexplained);
    let left_out = explained.len().saturating_sub(MAX_EXPLAINED) as u64;
    let to_look_at: Vec<Markup> =
        unexplained.iter().map(|difference| card(run, difference, images)).collect();
    let expected: Vec<Markup> = explained
        .iter()
        .take(MAX_EXPLAINED)
        .map(|difference| card(run, difference, images))
        .collect();
    let body = html! {
        p { (counts(update)) }
        h3.plain { "Differences that nothing explains" }
        @if to_look_at.is_empty() { p.quiet { (nothing_found(update)) } }
        @for card in &to_look_at { (card) }
        @if !expected.is_empty() {
            h3.plain { "Differences that the update explains" }
            @for card in &expected { (card) }
            @if left_out > 0 { p.quiet { "and " (left_out) " more in result.json" } }
        }
        h3.plain { "Changed methods" }
        (methods(&update.targets))
    };
    let title = format!("The update from {} to {}", update.old.version, update.new.version);
    Some(PageSection::new("update", title, body).counted(unexplained.len()))
}

fn counts(update: &UpdateResult) -> String {
    let (methods, instructions) = (update.target_methods, update.target_instructions);
    format!(
        "{} of {} changed methods ran ({:.0}%), {:.0}% of their instructions. {} and {} were compared.",
        methods.covered,
        methods.total,
        methods.percent(),
        instructions.percent(),
        format_count(update.compared.sequences, "sequence"),
        format_count(update.compared.screens, "screen"),
    )
}

fn nothing_found(update: &UpdateResult) -> String {
    update.compared.left_out.clone().unwrap_or_else(|| "None were found.".into())
}

fn card(run: &RunData, difference: &DifferenceSummary, images: &mut ImageStore) -> Markup {
    let mut picture = |file: &Option<String>, caption: &str| {
        let shown = images.show(&run.dir.join(file.as_ref()?), caption)?;
        Some(html! { figure { (shown) figcaption { (caption) } } })
    };
    let old = picture(&difference.old_picture, "The old version");
    let new = picture(&difference.new_picture, "The new version");
    let trace = run.dir.join(&difference.trace).display().to_string();
    html! {
        article.crash.explained[!difference.unexplained] {
            div.card-top {
            div.details {
                p.message { bdi { (difference.what) } }
                @if let Some(why) = &difference.explanation { p.quiet { bdi { (why) } } }
                @if !difference.changed_code.is_empty() {
                    p.quiet { "Changed code that ran:" }
                    ul { @for method in difference.changed_code.iter().take(5) {
                        li { code title=(method) { bdi { (readable_method(method)) } } }
                    } }
                }
                ol.steps { @for step in &difference.steps { li { bdi { (step) } } } }
                div.actions { (copy_button("Copy the replay command", &command(run, "replay", &trace))) }
            }
            @if old.is_some() || new.is_some() {
                div.side-by-side { @if let Some(old) = old { (old) } @if let Some(new) = new { (new) } }
            }
            }
        }
    }
}

fn methods(targets: &[TargetSummary]) -> Markup {
    html! {
        table {
            thead { tr {
                th scope="col" { "Method" } th.figure scope="col" { "Change" } th.figure scope="col" { "Instructions" }
                th scope="col" { "First run by" }
            } }
            tbody { @for target in targets {
                tr {
                    th scope="row" { code title=(target.method) { bdi { (readable_method(&target.method)) } } }
                    td { (target.origin) }
                    td { (target.instructions.covered) " of " (target.instructions.total) }
                    td.left {
                        @if let Some(input) = &target.input { bdi { (input) } }
                        @if let Some(phase) = target.phase { " (phase " (phase) ")" }
                        @if let Some(why) = &target.why_not { bdi { (why) } }
                    }
                }
            } }
        }
    }
}
