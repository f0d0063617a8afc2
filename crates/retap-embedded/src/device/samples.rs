//! What the JVM's threads did, taken from a device that recorded it.

use super::errors::unexpected_reply;
use super::{EmbeddedDevice, InstalledApp};
use crate::foreign_folder::ForeignFolder;
use crate::private_folder::PrivateFolder;
use crate::process::{RECORDING, run_agent_tool};
use crate::wire::{AgentReply, AgentRequest};
use retap_device::DeviceError;
use std::ffi::OsStr;
use std::io;

/// A recording of an hour has a tenth of these bytes, and its samples fewer.
const MAX_RECORDING: u64 = 1 << 30;
const MAX_SAMPLES: u64 = 512 << 20;

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
            return Err(DeviceError::lost("the agent is gone"));
        };
        // The app could write to the agent's folder, so the file is copied to one that the app never saw.
        let folder = PrivateFolder::create().map_err(cannot_read)?;
        let [recording, samples] =
            ["recording.jfr", "samples.txt"].map(|it| folder.path().join(it));
        ForeignFolder::open(&agent.outside(""))
            .and_then(|it| it.copy(RECORDING.as_ref(), &recording, MAX_RECORDING))
            .map_err(cannot_read)?;
        drop(agent);
        let arguments = [OsStr::new("--profile"), recording.as_os_str(), samples.as_os_str()];
        run_agent_tool(setup, arguments.into_iter())?;
        let text = ForeignFolder::open(folder.path())
            .and_then(|it| it.read("samples.txt".as_ref(), MAX_SAMPLES))
            .map_err(cannot_read)?;
        String::from_utf8(text).map_err(|error| cannot_read(io::Error::other(error)))
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it is passed to map_err")]
fn cannot_read(error: io::Error) -> DeviceError {
    DeviceError::lost(format!("the recording cannot be read: {error}"))
}
