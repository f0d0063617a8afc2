//! Begins an answer straight at a later activity, as a deep link does. That is shorter, but no user does it, so it happens
//! only on request and the answer says so.

use super::confirmed_events::{ConfirmedEvents, EventsVersion};
use super::{MinimizeRequest, passes};
use crate::Failure;
use retap_device::{Job, Lab};
use retap_model::Event;
use retap_model::event::Intent;

/// Replaces the longest prefix that ends in a new activity by a start of that activity, if the rest still passes.
pub fn launch_at_activity(
    lab: &mut Lab<'_>,
    request: &MinimizeRequest<'_>,
    answer: &mut ConfirmedEvents,
) -> Result<(), Failure> {
    let events = answer.latest().events.clone();
    let world_seed = request.trace.world_seed;
    let execution = lab.run(&Job { world_seed, events: events.clone() })?;
    let package = &request.header.app.package;
    // A prefix of one event is not worth replacing: the start of the activity is an event itself.
    for prefix in (2..events.len()).rev() {
        let Some(observation) = execution.observations.get(prefix) else { continue };
        let activity = &observation.screen.activity;
        let is_new = execution.observations[prefix - 1].screen.activity != *activity;
        if activity.is_empty() || !is_new {
            continue;
        }
        let component = format!("{package}/{activity}");
        let start = Event::Intent(Intent { component, ..Intent::default() });
        let candidate: Vec<Event> =
            std::iter::once(start).chain(events[prefix..].iter().cloned()).collect();
        if passes(lab, request, &candidate)? {
            let launched_at = Some(activity.clone());
            answer.push(EventsVersion {
                events: candidate,
                launched_at,
                ..answer.latest().clone()
            });
            return Ok(());
        }
    }
    Ok(())
}
