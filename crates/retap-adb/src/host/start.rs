//! Starts the adb server with the user's own adb: the one program that this crate runs.

use crate::environment::AdbEnvironment;
use crate::failure::AdbFailure;
use std::process::{Command, Stdio};

/// Starts the server and waits until it listens.
#[allow(clippy::disallowed_methods)] // the one place that runs a program
pub fn start_server(environment: &AdbEnvironment) -> Result<(), AdbFailure> {
    let AdbEnvironment { server, program, home, .. } = environment;
    let failed = |reason: String| AdbFailure::NoProgram {
        server: *server,
        program: program.clone(),
        reason,
    };
    let mut command = Command::new(program);
    command.args(["-P", &server.port().to_string(), "start-server"]);
    if let Some(home) = home {
        command.env("HOME", home);
    }
    // The server outlives this process: it must not hold its streams.
    command.env_remove("ADB_SERVER_SOCKET").stdin(Stdio::null()).stdout(Stdio::null());
    let started =
        command.stderr(Stdio::null()).status().map_err(|error| failed(error.to_string()))?;
    match started.success() {
        true => Ok(()),
        false => Err(failed(format!("adb start-server ended with {started}"))),
    }
}
