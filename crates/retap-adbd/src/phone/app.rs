//! An installed app on a device of its own.

use retap_apk::Manifest;
use retap_device::{Device, DeviceError};
use retap_model::event::SystemEvent;
use retap_model::{App, Event, Observation, Outcome, Screen, WorldSeed};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What a launch has to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Life {
    /// The app has no data.
    Fresh,
    /// The app was updated and has data of the version before.
    Updated,
    Live,
    /// The app was killed in the background; a launch brings back its saved state.
    Killed,
    /// The app crashed or hung; a launch starts it again on its data.
    Gone,
}

pub struct InstalledApp {
    /// The installed file; none if the device carries its own app.
    pub apk: Option<PathBuf>,
    /// None if the device carries its own app, which has no manifest.
    pub manifest: Option<Manifest>,
    pub app: App,
    pub device: Box<dyn Device>,
    pub life: Life,
    pub pid: Option<u32>,
    pub last: Option<Observation>,
    pub granted: BTreeSet<String>,
}

impl std::fmt::Debug for InstalledApp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("InstalledApp").field("app", &self.app.identity).finish_non_exhaustive()
    }
}

impl InstalledApp {
    pub fn package(&self) -> &str {
        &self.app.identity.package
    }

    pub fn file(&self) -> Option<&Path> {
        self.apk.as_deref()
    }

    pub fn outcome(&self) -> &Outcome {
        self.last.as_ref().map_or(&Outcome::Exited, |last| &last.outcome)
    }

    pub fn screen(&self) -> Arc<Screen> {
        self.last.as_ref().map(|last| Arc::clone(&last.screen)).unwrap_or_default()
    }

    /// Returns the activity behind the app's icon.
    pub fn launcher(&self) -> Option<String> {
        match &self.manifest {
            Some(manifest) => manifest.launcher().map(|launcher| launcher.component),
            None => self.app.activities.first().cloned(),
        }
    }

    /// Returns true if the app has a provider of this name.
    pub fn provides(&self, authority: &str) -> bool {
        let providers = self.manifest.iter().flat_map(|manifest| &manifest.providers);
        providers.flat_map(|provider| &provider.authorities).any(|name| name == authority)
    }

    pub fn launch(&mut self, world_seed: WorldSeed, pid: u32) -> Result<Observation, DeviceError> {
        let runs = self.life == Life::Live && !matches!(self.outcome(), Outcome::Exited);
        if !runs || self.pid.is_none() {
            self.pid = Some(pid);
        }
        match self.life {
            Life::Fresh => self.device.reset(world_seed),
            Life::Updated | Life::Live => self.device.perform(&Event::Launch),
            Life::Killed => self.device.perform(&Event::System(SystemEvent::ProcessDeath)),
            Life::Gone => self.launch_again(world_seed),
        }
    }

    /// Installs the app over itself, which keeps its data. A device that cannot do that begins anew.
    fn launch_again(&mut self, world_seed: WorldSeed) -> Result<Observation, DeviceError> {
        let apk = self.apk.clone().unwrap_or_default();
        let installed = self.device.install(&apk);
        let launched = installed.and_then(|_| self.device.perform(&Event::Launch));
        match launched {
            Ok(observation) if !matches!(observation.outcome, Outcome::Exited) => Ok(observation),
            _ => self.device.reset(world_seed),
        }
    }

    /// Remembers what the device answered.
    pub fn observed(&mut self, observation: Observation) {
        self.life = match observation.outcome {
            Outcome::DeviceLost(_) => Life::Fresh,
            Outcome::Crashed(_) | Outcome::NotResponding { .. } => Life::Gone,
            _ => Life::Live,
        };
        if observation.outcome.is_final() {
            self.pid = None;
        }
        self.last = Some(observation);
    }

    /// Ends the process if the app is in the background. Returns false otherwise.
    pub fn kill_in_background(&mut self) -> bool {
        let behind = self.life == Life::Live && matches!(self.outcome(), Outcome::Left { .. });
        if behind {
            self.life = Life::Killed;
            self.pid = None;
        }
        behind
    }
}
