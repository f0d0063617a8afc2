//! Exit codes, and the one table from failures to them.

use retap_device::DeviceError;
use retap_engine::Failure;
use retap_explore::ExploreError;
use std::process::ExitCode;

/// The exit codes as `--help` and the README document them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    Clean,
    Found,
    BadInput,
    DoesNotReproduce,
    DeviceFailed,
    /// `--strict` met a host limitation.
    HostLimitation,
    Interrupted,
}

impl From<&Failure> for Exit {
    fn from(failure: &Failure) -> Self {
        match failure {
            Failure::Input(_) | Failure::Format(_) | Failure::Output(_) => Exit::BadInput,
            Failure::NotReproduced(_) => Exit::DoesNotReproduce,
            Failure::Device(error) | Failure::Explore(ExploreError::Device(error)) => {
                of_device(error)
            }
            Failure::Explore(ExploreError::Output(_)) => Exit::BadInput,
            Failure::Explore(ExploreError::Diverged { .. }) => Exit::DoesNotReproduce,
        }
    }
}

fn of_device(error: &DeviceError) -> Exit {
    match error {
        DeviceError::App(_) => Exit::BadInput,
        DeviceError::Interrupted => Exit::Interrupted,
        DeviceError::Lost(_) | DeviceError::Unsupported(_) | DeviceError::Setup(_) => {
            Exit::DeviceFailed
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(match exit {
            Exit::Clean => 0,
            Exit::Found => 1,
            Exit::BadInput => 2,
            Exit::DoesNotReproduce => 3,
            Exit::DeviceFailed => 4,
            Exit::HostLimitation => 5,
            Exit::Interrupted => 130,
        })
    }
}
