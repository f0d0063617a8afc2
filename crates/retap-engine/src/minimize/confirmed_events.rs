//! The events of an answer while they are made simpler: every version, so that what fresh worlds refute can be taken
//! back. What is handed over was confirmed as it is.

use super::MinimizeRequest;
use crate::Failure;
use retap_device::{Job, Lab, NEVER_STOP};
use retap_minimize::{Check, RunCounts};
use retap_model::{Event, WorldSeed};

/// Neither the search nor the measurement uses world seeds this far away.
const CONFIRMING: WorldSeed = 1 << 31;

#[derive(Debug)]
pub struct ConfirmedEvents {
    /// The answer of the search first, which is verified; then each change of it that passed the check.
    versions: Vec<EventsVersion>,
}

#[derive(Debug, Clone)]
pub struct EventsVersion {
    pub events: Vec<Event>,
    /// The number of events that became simpler.
    pub simplified: usize,
    /// The activity that the events begin at, if they do not begin with a launch.
    pub launched_at: Option<String>,
}

impl ConfirmedEvents {
    pub fn new(verified: Vec<Event>) -> Self {
        let version = EventsVersion { events: verified, simplified: 0, launched_at: None };
        Self { versions: vec![version] }
    }

    /// Returns the newest version.
    pub fn latest(&self) -> &EventsVersion {
        &self.versions[self.versions.len() - 1]
    }

    /// Returns true if the events are those of the search.
    pub fn is_unchanged(&self) -> bool {
        self.versions.len() == 1
    }

    /// Adds a version that passed the check.
    pub fn push(&mut self, version: EventsVersion) {
        self.versions.push(version);
    }

    /// Adds a version with other events that passed the check.
    pub fn push_events(&mut self, events: Vec<Event>) {
        self.push(EventsVersion { events, ..self.latest().clone() });
    }

    /// Goes back to the newest version that fresh worlds confirm, at most to the answer of the search. Returns the
    /// fresh runs of that version, if there were any.
    pub fn confirm(
        &mut self,
        lab: &mut Lab<'_>,
        request: &MinimizeRequest<'_>,
    ) -> Result<Option<RunCounts>, Failure> {
        let check = request.options.check;
        if check.runs == 1 {
            return Ok(None);
        }
        while !self.is_unchanged() {
            let fresh = run_fresh(lab, request, &self.latest().events, check.confirmation())?;
            if fresh.successes >= check.confirmation().required {
                return Ok(Some(fresh));
            }
            self.versions.pop();
        }
        Ok(None)
    }
}

/// Runs events in fresh worlds until they can no longer pass the check or have passed it.
fn run_fresh(
    lab: &mut Lab<'_>,
    request: &MinimizeRequest<'_>,
    events: &[Event],
    check: Check,
) -> Result<RunCounts, Failure> {
    let mut counts = RunCounts::default();
    while counts.successes < check.required && counts.failures <= check.tolerance() {
        let first = counts.runs();
        let last = (first + check.width).min(check.runs);
        let jobs: Vec<Job> = (first..last)
            .map(|run| {
                let shift = if request.vary_world { CONFIRMING + u64::from(run) } else { 0 };
                let world_seed = request.trace.world_seed.wrapping_add(shift);
                Job { world_seed, events: events.to_vec() }
            })
            .collect();
        for execution in lab.run_all(&jobs, NEVER_STOP)? {
            let is_success = request.judge.holds(events, &execution)?;
            counts = counts + RunCounts::new(u32::from(is_success), u32::from(!is_success));
        }
    }
    Ok(counts)
}
