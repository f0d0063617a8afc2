//! Replaces coordinates by selectors. Events of imported scripts name only a point; an answer that names widgets survives
//! another screen size and a moved layout.

use super::confirmed_events::ConfirmedEvents;
use super::{MinimizeRequest, passes};
use crate::Failure;
use retap_device::{Job, Lab};
use retap_model::{Event, Selector};

/// Names the widget of each event that names only a point. An event keeps its point where naming the widget breaks the
/// oracle.
pub fn name_widgets(
    lab: &mut Lab<'_>,
    request: &MinimizeRequest<'_>,
    answer: &mut ConfirmedEvents,
) -> Result<(), Failure> {
    let is_point = |event: &Event| event.target().is_some_and(|t| t.on.is_none() && t.at.is_some());
    let events = &answer.latest().events;
    if !events.iter().any(is_point) {
        return Ok(());
    }
    let world_seed = request.trace.world_seed;
    let execution = lab.run(&Job { world_seed, events: events.to_vec() })?;
    for at in 0..events.len().min(execution.events()) {
        let mut candidate = answer.latest().events.clone();
        let Some(target) = candidate[at].target_mut().filter(|target| target.on.is_none()) else {
            continue;
        };
        let screen = &execution.observations[at].screen;
        target.on = target.at.and_then(|at| screen.widget_at(at)).map(Selector::of);
        if target.on.is_some() && passes(lab, request, &candidate)? {
            answer.push_events(candidate);
        }
    }
    Ok(())
}
