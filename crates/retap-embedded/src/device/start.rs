//! Starts an agent and has it prepare the installed app.

use super::errors::{agent_failed, cannot_prepare, unexpected_reply};
use super::{EmbeddedDevice, InstalledApp};
use crate::connect::{EmbeddedOptions, Listener};
use crate::coverage::{ProbeDecoder, ProbeTable};
use crate::process::AgentProcess;
use crate::setup::{Notice, PreparedApp};
use crate::wire::{AgentReply, AgentRequest, InstallRequest, VERSION};
use retap_device::DeviceError;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The processor time until the first reply, in which the JVM starts.
const HELLO_CPU: Duration = Duration::from_secs(300);
/// The processor time of an installation. Translating a big app takes minutes, once.
const INSTALL_CPU: Duration = Duration::from_secs(900);

/// The part of the agent's working folder that holds the prepared app.
const PREPARED: &str = "prepared";

impl EmbeddedDevice {
    pub(super) fn start_agent(&mut self) -> Result<(), DeviceError> {
        let Some(installed) = &mut self.installed else {
            return Err(DeviceError::Unsupported("start before an app is installed"));
        };
        (self.listener)(Notice::Progress("starting the embedded device"));
        let mut cached =
            PreparedApp::new(&installed.setup.prepared_apps, &installed.package.prepared_name());
        cached.make_room();
        let mut agent = installed.start_process(&cached)?;
        let [inside, working_folder] = [agent.inside(PREPARED), agent.outside(PREPARED)];
        cached.link_into(&working_folder, &*self.listener).map_err(|error| {
            DeviceError::Setup(format!("cannot write to {}: {error}", working_folder.display()))
        })?;
        greet(&mut agent)?;
        (self.listener)(Notice::Progress("preparing the app"));
        let relative = installed.prepare_app(&mut agent, &inside, &self.options)?;
        let root = keep_prepared_app(&cached, &working_folder, &self.listener);
        // What the agent found in the cache is only linked in its own folder.
        installed.counted_folder =
            cached.find_whole(&relative).unwrap_or_else(|| root.join(relative));
        if installed.package.app.units.is_empty() {
            let table = ProbeTable::read(&installed.counted_folder)
                .map_err(|error| DeviceError::Setup(error.to_string()))?;
            installed.package.app.units = Arc::clone(&table.units);
            self.probe_decoder = ProbeDecoder::new(Arc::new(table));
        }
        (self.listener)(Notice::Ready);
        self.agent = Some(agent);
        self.screen = None;
        self.refusals = 0;
        Ok(())
    }
}

impl InstalledApp {
    /// Starts a process that may read the app's files.
    fn start_process(&self, cached: &PreparedApp) -> Result<AgentProcess, DeviceError> {
        let mut readable: Vec<&Path> = self.package.files.iter().map(PathBuf::as_path).collect();
        readable.extend(self.package.test_apks.iter().map(|test| test.path.as_path()));
        readable.push(cached.folder());
        AgentProcess::start(&self.setup, &readable)
    }

    /// Has the agent prepare the app. Returns the folder with the table of units, relative to
    /// `working_folder`.
    fn prepare_app(
        &self,
        agent: &mut AgentProcess,
        working_folder: &Path,
        options: &EmbeddedOptions,
    ) -> Result<PathBuf, DeviceError> {
        let request = InstallRequest {
            apks: &self.package.files,
            prepared: working_folder,
            android_jars: &self.setup.android_jars,
            api: self.package.api,
            display: options.display,
            navigation_bar: options.navigation_bar,
            outside: &options.outside,
            counted_classes: &self.package.counted_classes,
            test_apks: self.package.test_apks.iter().map(|test| test.path.as_path()).collect(),
        };
        match agent.call(&AgentRequest::Install(request), INSTALL_CPU)? {
            AgentReply::Installed { counted_folder } if is_inside(&counted_folder) => {
                Ok(counted_folder)
            }
            AgentReply::Refused(refusal) => Err(cannot_prepare(&self.package.app, &refusal)),
            other => Err(unexpected_reply(&other)),
        }
    }
}

/// Returns true for a path that leads nowhere but into the folder it is relative to.
fn is_inside(path: &Path) -> bool {
    path.components().all(|part| matches!(part, Component::Normal(_)))
}

/// Checks that the agent speaks the same version of the protocol.
fn greet(agent: &mut AgentProcess) -> Result<(), DeviceError> {
    match agent.call(&AgentRequest::Hello, HELLO_CPU)? {
        AgentReply::Hello { version: VERSION } => Ok(()),
        AgentReply::Refused(refusal) => Err(agent_failed(&refusal)),
        other => Err(unexpected_reply(&other)),
    }
}

/// Copies the prepared app to the cache and returns its folder there. If that fails, the agent's own
/// folder serves instead.
fn keep_prepared_app(cached: &PreparedApp, working_folder: &Path, listener: &Listener) -> PathBuf {
    match cached.keep_new_files(working_folder) {
        Ok(()) => cached.folder().to_owned(),
        Err(error) => {
            let text = format!("the prepared app cannot be kept for the next time: {error}");
            listener(Notice::Remark(&text));
            working_folder.to_owned()
        }
    }
}
