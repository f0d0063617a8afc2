//! What can go wrong between machines.

use retap_device::DeviceError;

#[derive(Debug, thiserror::Error)]
pub enum FleetError {
    /// The server cannot be reached or does not answer. It may come back.
    #[error("the fleet's server does not answer: {0}")]
    Unreachable(String),
    /// Two versions of retap would disagree about what an execution gives.
    #[error("{0}")]
    OtherVersion(String),
    /// A key, a certificate or a signature that does not fit.
    #[error("{0}")]
    NotTrusted(String),
    /// Bytes that no version of ours has written.
    #[error("{0}")]
    Malformed(String),
}

impl FleetError {
    /// Returns the error of a server that does not answer.
    pub(crate) fn unreachable(error: impl std::fmt::Display) -> Self {
        Self::Unreachable(error.to_string())
    }

    pub(crate) fn malformed(error: impl std::fmt::Display) -> Self {
        Self::Malformed(error.to_string())
    }
}

impl From<FleetError> for DeviceError {
    fn from(error: FleetError) -> Self {
        DeviceError::Setup(error.to_string())
    }
}
