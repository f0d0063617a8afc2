//! Errors of the agent as errors of the device.

use crate::wire::{AgentReply, MalformedData, Refusal};
use retap_device::DeviceError;
use retap_model::App;

pub fn agent_failed(refusal: &Refusal) -> DeviceError {
    DeviceError::lost(format!("the agent failed: {refusal}"))
}

pub fn damaged_reply(error: &MalformedData) -> DeviceError {
    DeviceError::lost(format!("the agent's reply is damaged: {error}"))
}

pub fn unexpected_reply(reply: &AgentReply) -> DeviceError {
    DeviceError::lost(format!("the agent answered with {}", reply.name()))
}

/// Divides the reasons why an app cannot be prepared: files that cannot be read or written are the
/// fault of this machine, everything else is the fault of the app.
pub fn cannot_prepare(app: &App, refusal: &Refusal) -> DeviceError {
    let advice = match refusal.message.contains("No space left on device") {
        true => "; make room in the folder for temporary files, or name another one with TMPDIR",
        false => "",
    };
    let message = format!(
        "{} cannot be prepared for the embedded device: {refusal}{advice}",
        app.identity.package
    );
    let is_file_error =
        refusal.class.starts_with("java.io.") || refusal.class.starts_with("java.nio.file.");
    if is_file_error { DeviceError::Setup(message) } else { DeviceError::App(message) }
}
