//! The embedded device: aims events, sends them to the agent, and turns its replies into observations.

mod errors;
mod install_over;
mod instrument;
mod observe;
mod samples;
mod start;

use crate::app_package::AppPackage;
use crate::connect::{EmbeddedOptions, Listener};
use crate::coverage::{CoverageSources, ProbeDecoder, write_jacoco_files};
use crate::process::AgentProcess;
use crate::setup::{self, AgentSetup, HostEnvironment};
use crate::wire::{AgentReply, AgentRequest, KeptData};
pub use instrument::{KeptScreen, TestStep};

use errors::{agent_failed, unexpected_reply};
use install_over::ParkedVersion;
use retap_device::aim::{MissingTarget, aim};
use retap_device::{Description, Device, DeviceError, SnapshotId};
use retap_model::{App, Coverage, Event, Observation, Outcome, Point, Screen, WorldSeed};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The processor time that a reset or an event may take. The agent itself ends a step after a bounded
/// amount of work, so this is for an agent that cannot.
const STEP_CPU: Duration = Duration::from_secs(600);

/// An embedded device with at most one app.
pub struct EmbeddedDevice {
    environment: HostEnvironment,
    options: EmbeddedOptions,
    listener: Listener,
    description: Description,
    installed: Option<InstalledApp>,
    agent: Option<AgentProcess>,
    app: AppState,
    /// The last screen that the agent sent. The agent does not repeat an unchanged one.
    screen: Option<Arc<Screen>>,
    probe_decoder: ProbeDecoder,
    /// The number of events in a row that the agent refused.
    refusals: usize,
    agent_time: Duration,
    world_seed: WorldSeed,
    /// The version that this one was installed over.
    parked: Option<ParkedVersion>,
    /// The data of that version, until a launch or a reset.
    kept_data: Option<KeptData>,
}

/// An app and the files to run it with.
#[derive(Debug)]
struct InstalledApp {
    setup: AgentSetup,
    package: AppPackage,
    /// The folder with the table of units, known once the agent has prepared the app.
    counted_folder: PathBuf,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AppState {
    NotLaunched,
    Launched,
    /// The app crashed or does not respond, and only a reset brings it back.
    Gone,
}

impl std::fmt::Debug for EmbeddedDevice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("EmbeddedDevice")
            .field("description", &self.description)
            .field("agent", &self.agent)
            .field("app", &self.app)
            .finish_non_exhaustive()
    }
}

impl EmbeddedDevice {
    /// Makes a device that uses this machine's environment variables.
    pub fn on_this_machine(
        options: EmbeddedOptions,
        listener: Listener,
    ) -> Result<Self, DeviceError> {
        Ok(Self::new(HostEnvironment::from_process()?, options, listener))
    }

    fn new(environment: HostEnvironment, options: EmbeddedOptions, listener: Listener) -> Self {
        let description = Description {
            kind: "embedded".into(),
            serial: "embedded".into(),
            api: options.api,
            display: options.display,
            snapshots: false,
            screenshots: true,
            deterministic: true,
        };
        Self {
            environment,
            options,
            listener,
            description,
            installed: None,
            agent: None,
            app: AppState::NotLaunched,
            screen: None,
            probe_decoder: ProbeDecoder::default(),
            refusals: 0,
            agent_time: Duration::ZERO,
            world_seed: 0,
            parked: None,
            kept_data: None,
        }
    }

    /// Returns the reasons why the installed app may behave differently than on a phone.
    pub fn warnings(&self) -> &[String] {
        self.installed.as_ref().map_or(&[], |installed| &installed.package.warnings)
    }

    /// Returns the process that the app runs in, if there is one.
    pub fn process_id(&self) -> Option<u32> {
        self.agent.as_ref().map(AgentProcess::id)
    }

    /// Returns the time that agents have spent on resets and events, without the transport.
    pub fn agent_time(&self) -> Duration {
        self.agent_time
    }

    /// Returns the data that a run's coverage files are made from, once an app is installed.
    pub(crate) fn coverage_sources(&self) -> Option<CoverageSources> {
        let InstalledApp { setup, package, counted_folder } = self.installed.as_ref()?;
        Some(CoverageSources {
            setup: setup.clone(),
            table: Arc::clone(self.probe_decoder.table()),
            folder: counted_folder.clone(),
            package: package.app.identity.package.clone(),
        })
    }

    /// Writes the files of a run that JaCoCo's tools read, for what was covered.
    pub fn keep_coverage(&self, run: &Path, covered: &Coverage) -> Result<(), DeviceError> {
        match self.coverage_sources() {
            Some(sources) if !sources.table.units.is_empty() => {
                write_jacoco_files(&sources, run, covered)
            }
            _ => Ok(()),
        }
    }

    fn call(&mut self, request: &AgentRequest<'_>) -> Result<AgentReply, DeviceError> {
        let Some(agent) = &mut self.agent else {
            return Err(DeviceError::lost("the agent is gone"));
        };
        let reply = agent.call(request, STEP_CPU);
        if reply.is_err() {
            self.agent = None;
        }
        reply
    }
}

impl Device for EmbeddedDevice {
    fn describe(&self) -> &Description {
        &self.description
    }

    fn install(&mut self, apk: &Path) -> Result<App, DeviceError> {
        let package = AppPackage::open(
            apk,
            self.options.api,
            &self.options.selection,
            self.options.tests.as_ref(),
        )?;
        let before = self.parked.take();
        self.leave_version()?;
        if self.take_parked(before, &package.app.identity.sha256)
            && let Some(installed) = &self.installed
        {
            return Ok(installed.package.app.clone());
        }
        let mut setup = setup::set_up_agent(&self.environment, package.api, &*self.listener)?;
        setup.reloads_classes = self.options.reloads_classes;
        setup.records_samples = self.options.records_samples;
        setup.sandbox_layers = self.options.sandbox_layers;
        self.description.api = Some(package.api);
        self.description.serial = format!("embedded API {}", package.api);
        self.installed = Some(InstalledApp { setup, package, counted_folder: PathBuf::new() });
        self.start_agent()?;
        self.installed
            .as_ref()
            .map(|installed| installed.package.app.clone())
            .ok_or(DeviceError::Unsupported("start before an app is installed"))
    }

    fn reset(&mut self, world_seed: WorldSeed) -> Result<Observation, DeviceError> {
        if self.agent.is_none() {
            self.start_agent()?;
        }
        self.app = AppState::NotLaunched;
        self.kept_data = None;
        self.world_seed = world_seed;
        match self.call(&AgentRequest::Reset(world_seed))? {
            AgentReply::Observation(observation) => self.observe(*observation),
            AgentReply::Refused(refusal) => Err(agent_failed(&refusal)),
            other => Err(unexpected_reply(&other)),
        }
    }

    fn perform(&mut self, event: &Event) -> Result<Observation, DeviceError> {
        match self.app {
            AppState::NotLaunched if *event == Event::Launch => return self.launch_on_kept_data(),
            AppState::NotLaunched => {
                return Err(DeviceError::Unsupported("take events before a reset"));
            }
            AppState::Gone => return Ok(self.observe_unchanged(Outcome::Exited)),
            AppState::Launched => {}
        }
        let screen = self.screen.clone().unwrap_or_default();
        let place =
            |part: &Event| Ok(aim(part, &screen)?.map_or(Point::new(0, 0), |aim| aim.point));
        let places: Result<Vec<Point>, MissingTarget> = event.parts().iter().map(place).collect();
        let Ok(places) = places else {
            return Ok(self.observe_unchanged(Outcome::Missed));
        };
        let display = self.options.display;
        match self.call(&AgentRequest::Perform { event, at: &places, display })? {
            AgentReply::Observation(observation) => self.observe(*observation),
            AgentReply::Refused(refusal) => self.observe_refusal(event, &refusal),
            other => Err(unexpected_reply(&other)),
        }
    }

    fn save(&mut self) -> Result<SnapshotId, DeviceError> {
        Err(DeviceError::Unsupported("save its state"))
    }

    fn restore(&mut self, _snapshot: SnapshotId) -> Result<Observation, DeviceError> {
        Err(DeviceError::Unsupported("restore a saved state"))
    }

    fn screenshot(&mut self) -> Result<Vec<u8>, DeviceError> {
        if self.app != AppState::Launched {
            return Err(DeviceError::Unsupported("take a picture of an app that is gone"));
        }
        match self.call(&AgentRequest::Screenshot)? {
            AgentReply::Screenshot(png) => Ok(png),
            AgentReply::Refused(_) => {
                Err(DeviceError::Unsupported("take a picture of this screen"))
            }
            other => Err(unexpected_reply(&other)),
        }
    }

    fn read_content(&mut self, uri: &str) -> Result<Vec<u8>, DeviceError> {
        match self.agent {
            Some(_) => self.ask_provider(uri),
            None => Ok(Vec::new()),
        }
    }
}
