//! What the JVM's threads did, taken from a device that recorded it.

use super::errors::unexpected_reply;
use super::{EmbeddedDevice, InstalledApp};
use crate::process::{RECORDING, run_agent_tool};
use crate::wire::{AgentReply, AgentRequest};
use retap_device::DeviceError;
use std::ffi::OsStr;
use std::fs;
use std::io;

impl EmbeddedDevice {
    /// Ends the agent and returns the samples of its recording, as `agent/…/profile/SampleText.java`
    /// describes them. A process that was lost earlier took its samples with it.
    pub fn take_samples(&mut self) -> Result<String, DeviceError> {
        match self.call(&AgentRequest::Quit)? {
            AgentReply::Quit => {}
            other => return Err(unexpected_reply(&other)),
        }
        let (Some(InstalledApp { setup, .. }), Some(agent)) = (&self.installed, self.agent.take())
        else {
            return Err(DeviceError::Lost("the agent is gone".into()));
        };
        // The app could write to the agent's folder, so the file moves to one that the app never saw.
        let folder = tempfile::tempdir().map_err(cannot_read)?;
        let [recording, samples] =
            ["recording.jfr", "samples.txt"].map(|it| folder.path().join(it));
        fs::rename(agent.folder().join(RECORDING), &recording).map_err(cannot_read)?;
        drop(agent);
        if !fs::symlink_metadata(&recording).map_err(cannot_read)?.is_file() {
            return Err(DeviceError::Lost("the recording is not a file".into()));
        }
        let arguments = [OsStr::new("--profile"), recording.as_os_str(), samples.as_os_str()];
        run_agent_tool(setup, arguments.into_iter())?;
        fs::read_to_string(&samples).map_err(cannot_read)
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it is passed to map_err")]
fn cannot_read(error: io::Error) -> DeviceError {
    DeviceError::Lost(format!("the recording cannot be read: {error}"))
}
