//! An answer that begins straight at a later activity, as a deep link does: shorter, but not what a person
//! does, so only on request and marked.

use super::{Request, passes};
use crate::failure::Failure;
use retap_device::{Job, Lab};
use retap_model::Event;
use retap_model::event::Intent;

/// Replaces the longest beginning that leads to an activity by the start of that activity, if the rest passes
/// from there; which activity it is.
pub fn begin_at_activity(
    lab: &mut Lab<'_>,
    request: &Request<'_>,
    events: &mut Vec<Event>,
) -> Result<Option<String>, Failure> {
    let world_seed = request.trace.world_seed;
    let execution = lab.run(&Job { world_seed, events: events.clone() })?;
    let package = &request.header.app.package;
    // One event less is no gain: the start of the activity takes its place.
    for begun in (2..events.len()).rev() {
        let Some(seen) = execution.observations.get(begun) else { continue };
        let activity = &seen.screen.activity;
        let comes_next = execution.observations[..begun]
            .last()
            .is_some_and(|before| before.screen.activity != *activity);
        if activity.is_empty() || !comes_next {
            continue;
        }
        let component = format!("{package}/{activity}");
        let start = Event::Intent(Intent { component, ..Intent::default() });
        let candidate: Vec<Event> =
            std::iter::once(start).chain(events[begun..].iter().cloned()).collect();
        if passes(lab, request, &candidate)? {
            let activity = activity.clone();
            *events = candidate;
            return Ok(Some(activity));
        }
    }
    Ok(None)
}
