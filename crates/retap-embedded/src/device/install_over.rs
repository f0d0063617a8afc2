//! Installs another version over the one that is there, as an update does on a phone: the app ends, its data stays. The
//! agent of the version before waits, so that going to and fro between two versions starts each agent once.

use super::errors::{agent_failed, unexpected_reply};
use super::{AppState, EmbeddedDevice, InstalledApp};
use crate::coverage::ProbeDecoder;
use crate::process::AgentProcess;
use crate::wire::{AgentReply, AgentRequest, KeptData};
use retap_device::DeviceError;
use retap_model::{Observation, Screen};
use std::sync::Arc;

/// A version of the app whose agent waits to be used again.
pub(super) struct ParkedVersion {
    installed: InstalledApp,
    agent: AgentProcess,
    probe_decoder: ProbeDecoder,
    screen: Option<Arc<Screen>>,
}

impl EmbeddedDevice {
    /// Keeps the data of the version that is installed, if it was ever launched, and parks its agent.
    pub(super) fn leave_version(&mut self) -> Result<(), DeviceError> {
        let Some(installed) = self.installed.take() else { return Ok(()) };
        self.kept_data = None;
        if self.agent.is_some() && self.app != AppState::NotLaunched {
            self.kept_data = Some(self.keep_data()?);
        }
        self.app = AppState::NotLaunched;
        let screen = self.screen.take();
        let probe_decoder = std::mem::take(&mut self.probe_decoder);
        let agent = self.agent.take();
        self.parked = agent.map(|agent| ParkedVersion { installed, agent, probe_decoder, screen });
        Ok(())
    }

    /// Uses an agent again that has this version of the app: the one that was just left, or the one that was parked before it.
    /// Of the others only the last stays.
    pub(super) fn take_parked(&mut self, before: Option<ParkedVersion>, sha256: &str) -> bool {
        let is_it = |it: &ParkedVersion| it.installed.package.app.identity.sha256 == sha256;
        let found = if self.parked.as_ref().is_some_and(is_it) {
            std::mem::replace(&mut self.parked, before)
        } else {
            before.filter(is_it)
        };
        let Some(parked) = found else { return false };
        let ParkedVersion { installed, agent, probe_decoder, screen } = parked;
        self.installed = Some(installed);
        (self.agent, self.probe_decoder, self.screen) = (Some(agent), probe_decoder, screen);
        true
    }

    /// Launches the app on the data of the version before.
    pub(super) fn launch_on_kept_data(&mut self) -> Result<Observation, DeviceError> {
        let Some(data) = self.kept_data.take() else {
            return Err(DeviceError::Unsupported("take events before a reset"));
        };
        let world_seed = self.world_seed;
        match self.call(&AgentRequest::Update { world_seed, data: &data })? {
            AgentReply::Observation(observation) => self.observe(*observation),
            AgentReply::Refused(refusal) => Err(agent_failed(&refusal)),
            other => Err(unexpected_reply(&other)),
        }
    }

    fn keep_data(&mut self) -> Result<KeptData, DeviceError> {
        match self.call(&AgentRequest::KeepData)? {
            AgentReply::Data(data) => Ok(data),
            AgentReply::Refused(refusal) => Err(agent_failed(&refusal)),
            other => Err(unexpected_reply(&other)),
        }
    }
}
