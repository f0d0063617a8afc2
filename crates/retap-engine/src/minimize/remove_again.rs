//! Leaves out single events once more after others became simpler: what the search tested were the events before.

use super::confirmed_events::ConfirmedEvents;
use super::{MinimizeRequest, passes};
use crate::Failure;
use retap_device::Lab;

/// Leaves out every event that the others do not need, the last one first.
pub fn remove_again(
    lab: &mut Lab<'_>,
    request: &MinimizeRequest<'_>,
    answer: &mut ConfirmedEvents,
) -> Result<(), Failure> {
    let mut at = answer.latest().events.len();
    while at > 0 {
        at -= 1;
        let mut events = answer.latest().events.clone();
        events.remove(at);
        if passes(lab, request, &events)? {
            answer.push_events(events);
            // An event that was needed for the removed one may go now.
            at = answer.latest().events.len();
        }
    }
    Ok(())
}
