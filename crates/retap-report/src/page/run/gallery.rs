//! The screenshots of states, in the order of their first visits.

use crate::page::PageSection;
use crate::page::images::ImageStore;
use crate::run::{FirstVisit, RunData};
use crate::text::{activity_label, format_count, group_digits};
use maud::{Markup, html};
use retap_model::StateId;

const MAX_SCREENSHOTS: usize = 60;

pub fn section(run: &RunData, images: &mut ImageStore) -> Option<PageSection> {
    if run.history.events == 0 {
        return None;
    }
    let mut states: Vec<(&StateId, &FirstVisit)> = run.states.iter().collect();
    states.sort_by_key(|(state, first)| (first.step, **state));
    let figures: Vec<Markup> = states
        .into_iter()
        .filter_map(|(state, first)| {
            let activity = activity_label(&first.activity);
            let screenshot = images.show(run.state_picture(*state)?, activity)?;
            let visits = run.history.visits.get(state).copied().unwrap_or_default();
            Some(html! {
                figure {
                    (screenshot)
                    figcaption {
                        b { bdi { (activity) } }
                        span { "event " (group_digits(first.step)) " · " (format_count(visits, "visit")) }
                    }
                }
            })
        })
        .take(MAX_SCREENSHOTS)
        .collect();
    (!figures.is_empty()).then(|| {
        let body = html! { div.gallery { @for figure in &figures { (figure) } } };
        PageSection::new("gallery", "Screenshots", body).counted(figures.len())
    })
}
