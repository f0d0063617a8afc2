//! The oracles for findings: faults that are not crashes, in any app and without a specification. They
//! find lost state, back that traps, leaks that the system reports, texts and widgets that nobody can
//! see, and broken properties of the user's own.
//!
//! Law: this crate does **not** know devices, runs or files. It turns events and observations into
//! findings, and the same input gives the same findings. A false alarm costs more than a missed fault,
//! so anything that an app may do on purpose is not a finding.

mod back_trap;
mod layout;
mod leak;
mod lost_state;
pub mod probe;
pub mod property;

pub use lost_state::{LosableThing, find_losable};
pub use property::Properties;

use retap_model::{Abstraction, App, Event, Finding, FindingId, FindingKind, Observation};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The enabled oracles and the facts about the app that they need.
#[derive(Debug, Clone)]
pub struct Oracles {
    pub kinds: BTreeSet<FindingKind>,
    pub properties: Arc<Properties>,
    pub package: String,
    /// Decides which screens are the same to a user who presses back.
    pub abstraction: Abstraction,
}

impl Oracles {
    /// Enables these kinds of oracles, without properties.
    pub fn new(kinds: BTreeSet<FindingKind>, app: &App, abstraction: Abstraction) -> Self {
        let package = app.identity.package.clone();
        Self { kinds, properties: Arc::default(), package, abstraction }
    }

    /// Returns the faults that one observation shows, whatever events led to it.
    pub fn judge_observation(&self, observation: &Observation) -> Vec<Finding> {
        let mut findings = Vec::new();
        if self.is_enabled(FindingKind::Layout) {
            findings.extend(layout::find_marked(observation, &self.package));
        }
        if self.is_enabled(FindingKind::Leak) {
            findings.extend(leak::find_reports(observation, &self.package));
        }
        if self.is_enabled(FindingKind::Property) {
            findings.extend(self.properties.find_broken(observation, self.abstraction));
        }
        findings
    }

    /// Returns the faults that the end of an execution shows, if its last events are a probe: they turn
    /// the display and turn it back, leave the app and come back, or press back again and again.
    /// There is one observation more than events.
    pub fn judge_ending(&self, events: &[Event], observations: &[Observation]) -> Vec<Finding> {
        let mut findings = Vec::new();
        for kind in [FindingKind::Rotation, FindingKind::Background] {
            if let Some(trip) = probe::find_round_trip(kind, events, observations)
                && self.is_enabled(kind)
            {
                findings.extend(self.find_losses(kind, trip.before, trip.after));
            }
        }
        if self.is_enabled(FindingKind::Back) {
            findings.extend(back_trap::find_trap(events, observations, self.abstraction));
        }
        findings
    }

    /// Returns what the first observation shows and the second does not, whatever happened in between.
    pub fn find_losses(
        &self,
        kind: FindingKind,
        before: &Observation,
        after: &Observation,
    ) -> Vec<Finding> {
        lost_state::compare(kind, before, after, &self.package)
    }

    /// Returns true if an execution shows a finding of this kind, and of this identity if one is given.
    pub fn is_shown(
        &self,
        kind: FindingKind,
        id: Option<FindingId>,
        events: &[Event],
        observations: &[Observation],
    ) -> bool {
        let is_wanted =
            |finding: &Finding| finding.kind == kind && id.is_none_or(|id| finding.id() == id);
        match kind {
            FindingKind::Rotation | FindingKind::Background | FindingKind::Back => {
                self.judge_ending(events, observations).iter().any(is_wanted)
            }
            FindingKind::Layout | FindingKind::Leak | FindingKind::Property => observations
                .iter()
                .any(|observation| self.judge_observation(observation).iter().any(is_wanted)),
        }
    }

    pub fn is_enabled(&self, kind: FindingKind) -> bool {
        self.kinds.contains(&kind)
    }
}
