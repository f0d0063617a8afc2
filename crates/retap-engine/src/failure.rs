//! The reasons why an operation fails. The command line turns each into an exit code.

use retap_device::DeviceError;
use retap_explore::ExploreError;
use retap_model::format::FormatError;
use retap_model::format::run::RunError;

#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// Bad usage or bad input. The message says what to do.
    #[error("{0}")]
    Input(String),
    /// The input does not show what it was recorded for.
    #[error("{0}")]
    NotReproduced(String),
    #[error(transparent)]
    Format(#[from] FormatError),
    #[error(transparent)]
    Output(#[from] RunError),
    #[error(transparent)]
    Device(#[from] DeviceError),
    #[error(transparent)]
    Explore(#[from] ExploreError),
}

impl Failure {
    pub fn input(message: impl Into<String>) -> Self {
        Self::Input(message.into())
    }
}
