//! Errors of the agent as errors of the device.

use crate::wire::{AgentReply, MalformedData, Refusal};
use retap_device::DeviceError;
use retap_model::App;

pub fn agent_failed(refusal: &Refusal) -> DeviceError {
    DeviceError::Lost(format!("the agent failed: {refusal}"))
}

pub fn damaged_reply(error: &MalformedData) -> DeviceError {
    DeviceError::Lost(format!("the agent's reply is damaged: {error}"))
}

pub fn unexpected_reply(reply: &AgentReply) -> DeviceError {
    DeviceError::Lost(format!("the agent answered with {}", reply.name()))
}

/// Divides the reasons why an app cannot be prepared: files that cannot be read or written are the
/// fault of this machine, everything else is the fault of the app.
pub fn cannot_prepare(app: &App, refusal: &Refusal) -> DeviceError {
    let message =
        format!("{} cannot be prepared for the embedded device: {refusal}", app.identity.package);
    let is_file_error =
        refusal.class.starts_with("java.io.") || refusal.class.starts_with("java.nio.file.");
    if is_file_error { DeviceError::Setup(message) } else { DeviceError::App(message) }
}
