//! The runs that the page joins.

use crate::page::PageSection;
use crate::page::images::ImageStore;
use crate::run::RunData;
use crate::text::group_digits;
use maud::html;

pub fn section(run: &RunData, _: &mut ImageStore) -> Option<PageSection> {
    if !run.is_joined() {
        return None;
    }
    let body = html! {
        p.quiet { "Events, states and coverage below are those of all runs, one after the other." }
        table {
            thead { tr {
                th scope="col" { "Run" }
                th.figure scope="col" { "App version" }
                th.figure scope="col" { "Seed" }
                th.figure scope="col" { "Events" }
                th.figure scope="col" { "States" }
                th.figure scope="col" { "Coverage" }
                th.figure scope="col" { "Crashes" }
            } }
            tbody { @for (index, one) in run.runs.iter().enumerate() {
                tr {
                    th scope="row" { (index + 1) ". " code { bdi { (one.dir.display()) } } }
                    td { bdi { (one.info.app.version) } }
                    td { (one.info.seed) }
                    td { (group_digits(one.events)) }
                    td { (group_digits(one.states)) }
                    td { @match one.covered { Some(percent) => (format!("{percent:.1}%")), None => "–" } }
                    td { (one.crashes.len()) }
                }
            } }
        }
    };
    Some(PageSection::new("runs", "Runs", body).counted(run.runs.len()))
}
