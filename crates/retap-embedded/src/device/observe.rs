//! Observations: from the agent's replies, and without one.

use super::errors::{agent_failed, damaged_reply};
use super::{AppState, EmbeddedDevice};
use crate::wire::{HostLimitation, MalformedData, ObservationReply, Refusal};
use retap_device::DeviceError;
use retap_model::{Coverage, Event, Observation, Outcome};
use std::sync::Arc;

/// The number of refusals in a row after which an agent counts as broken.
const MAX_REFUSALS: usize = 3;

impl EmbeddedDevice {
    /// Turns a reply into an observation and remembers its screen.
    pub(super) fn observe(&mut self, reply: ObservationReply) -> Result<Observation, DeviceError> {
        self.refusals = 0;
        self.agent_time = self.agent_time.saturating_add(reply.agent_time);
        let screen = reply.screen.map(Arc::new).or_else(|| self.screen.clone());
        let Some(screen) = screen else {
            return Err(damaged_reply(&MalformedData::NoScreen));
        };
        self.screen = Some(screen.clone());
        let coverage = self.probe_decoder.coverage(&reply.covered_probes);
        let coverage = coverage.map_err(|error| damaged_reply(&error))?;
        let outcome = reply.outcome;
        self.app = if outcome.is_final() { AppState::Gone } else { AppState::Launched };
        if matches!(outcome, Outcome::NotResponding { .. }) {
            // By the protocol the agent ends itself now. The next reset starts another.
            self.agent = None;
        }
        let describe = |HostLimitation { kind, detail }| format!("{kind}: {detail}");
        Ok(Observation {
            screen,
            coverage,
            elapsed_ms: reply.elapsed_ms,
            outcome,
            log: reply.log,
            host_limitations: reply.host_limitations.into_iter().map(describe).collect(),
        })
    }

    /// Returns an observation of the last screen, for an event that was not performed.
    pub(super) fn observe_unchanged(&self, outcome: Outcome) -> Observation {
        Observation {
            screen: self.screen.clone().unwrap_or_default(),
            coverage: Arc::new(Coverage::default()),
            elapsed_ms: 0,
            outcome,
            log: Vec::new(),
            host_limitations: Vec::new(),
        }
    }

    /// Records an event that the agent could not perform as a host limitation, because the app is not
    /// at fault. Returns an error if the agent refuses every event.
    pub(super) fn observe_refusal(
        &mut self,
        event: &Event,
        refusal: &Refusal,
    ) -> Result<Observation, DeviceError> {
        self.refusals += 1;
        if self.refusals == MAX_REFUSALS {
            self.agent = None;
            return Err(agent_failed(refusal));
        }
        let mut observation = self.observe_unchanged(Outcome::Running);
        observation.host_limitations.push(format!("cannot {}: {refusal}", event.stable_name()));
        Ok(observation)
    }
}
