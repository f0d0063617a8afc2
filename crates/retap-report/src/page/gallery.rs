//! The states that were pictured, in the order in which they were met.

use super::number::grouped;
use crate::album::Album;
use crate::run::{Run, SeenState};
use crate::sentence::activity_name;
use maud::{Markup, html};

const MOST_PICTURES: usize = 60;

pub fn section(run: &Run, album: &mut Album) -> Option<Markup> {
    if run.history.events == 0 {
        return None;
    }
    let mut states: Vec<(&retap_model::StateId, &SeenState)> = run.states.iter().collect();
    states.sort_by_key(|(state, seen)| (seen.step, **state));
    let pictured: Vec<Markup> = states
        .into_iter()
        .filter_map(|(state, seen)| {
            let activity = activity_name(&seen.activity);
            let picture = album.show(&run.picture(seen.screen), activity)?;
            let visits = run.history.visits.get(state).copied().unwrap_or_default();
            Some(html! {
                figure {
                    (picture)
                    figcaption {
                        b { bdi { (activity) } }
                        span { "event " (grouped(seen.step)) " · " (grouped(visits)) " visits" }
                    }
                }
            })
        })
        .take(MOST_PICTURES)
        .collect();
    (!pictured.is_empty()).then(|| {
        html! {
            section #gallery {
                h2 { "Gallery" }
                div.gallery { @for figure in &pictured { (figure) } }
            }
        }
    })
}
