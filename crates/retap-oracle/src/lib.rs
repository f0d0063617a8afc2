//! What counts as wrong besides a crash, for any app and without a specification: state that is lost, back that
//! traps, leaks that the system reports, texts and widgets that cannot be seen; and the user's own properties.
//!
//! Law: this crate does **not** know devices, runs or files. Events and observations in, findings out; the same
//! ones give the same answer. A false alarm costs more than a fault that is missed, so whatever an app may do on
//! purpose is no finding.

mod back;
mod layout;
mod leak;
mod loss;
pub mod probe;
pub mod property;

pub use property::{Properties, PropertyError};

use retap_model::{Abstraction, App, Event, Finding, FindingId, FindingKind, Observation};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The oracles that were asked for, and what they need to know of the app.
#[derive(Debug, Clone)]
pub struct Oracles {
    pub kinds: BTreeSet<FindingKind>,
    pub properties: Arc<Properties>,
    pub package: String,
    /// What makes two screens the same to whoever presses back.
    pub abstraction: Abstraction,
}

impl Oracles {
    pub fn new(kinds: BTreeSet<FindingKind>, app: &App, abstraction: Abstraction) -> Self {
        let package = app.identity.package.clone();
        Self { kinds, properties: Arc::default(), package, abstraction }
    }

    /// What is wrong with what is seen, whatever led there.
    pub fn at_sight(&self, seen: &Observation) -> Vec<Finding> {
        let mut findings = Vec::new();
        if self.has(FindingKind::Layout) {
            findings.extend(layout::look(seen, &self.package));
        }
        if self.has(FindingKind::Leak) {
            findings.extend(leak::read(seen, &self.package));
        }
        if self.has(FindingKind::Property) {
            findings.extend(self.properties.broken(seen, self.abstraction));
        }
        findings
    }

    /// What is wrong with where the last events led: they turned the display and turned it back, left the app
    /// and came back, or pressed back again and again. One observation more than events.
    pub fn at_end(&self, events: &[Event], seen: &[Observation]) -> Vec<Finding> {
        let mut findings = Vec::new();
        for kind in [FindingKind::Rotation, FindingKind::Background] {
            if let Some((before, after)) = probe::round_trip(kind, events, seen)
                && self.has(kind)
            {
                findings.extend(loss::compare(kind, before, after, &self.package));
            }
        }
        if self.has(FindingKind::Back) {
            findings.extend(back::trapped(events, seen, self.abstraction));
        }
        findings
    }

    /// What is there before and not after, whatever happened in between.
    pub fn lost(
        &self,
        kind: FindingKind,
        before: &Observation,
        after: &Observation,
    ) -> Vec<Finding> {
        loss::compare(kind, before, after, &self.package)
    }

    /// Whether an execution shows a finding of this kind, and of this identity where one is named.
    pub fn show(
        &self,
        kind: FindingKind,
        id: Option<FindingId>,
        events: &[Event],
        seen: &[Observation],
    ) -> bool {
        let is = |finding: &Finding| finding.kind == kind && id.is_none_or(|id| finding.id() == id);
        match kind {
            FindingKind::Rotation | FindingKind::Background | FindingKind::Back => {
                self.at_end(events, seen).iter().any(is)
            }
            FindingKind::Layout | FindingKind::Leak | FindingKind::Property => {
                seen.iter().any(|seen| self.at_sight(seen).iter().any(is))
            }
        }
    }

    pub fn has(&self, kind: FindingKind) -> bool {
        self.kinds.contains(&kind)
    }
}
