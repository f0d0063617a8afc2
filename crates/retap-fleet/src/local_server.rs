//! A server on this machine's loopback for tests and benches, with a store of its own that goes with it.

use crate::error::FleetError;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::ops::Sub;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// The server starts within this time.
const START: Duration = Duration::from_secs(20);

/// A running `nats-server`. It ends when this is dropped.
#[derive(Debug)]
pub struct LocalServer {
    child: Child,
    url: String,
    /// The address of its statistics.
    statistics: String,
}

/// What went through a server, in both directions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ServerCounts {
    pub messages: u64,
    pub bytes: u64,
}

impl Sub for ServerCounts {
    type Output = Self;

    fn sub(self, earlier: Self) -> Self {
        Self { messages: self.messages - earlier.messages, bytes: self.bytes - earlier.bytes }
    }
}

impl LocalServer {
    /// Starts a server on a free port. Its store lies in `folder`. `settings` are lines of its configuration.
    pub fn start(folder: &Path, settings: &str) -> Result<Self, FleetError> {
        Self::start_by(&["nats-server"], folder, settings)
    }

    /// Starts a server that only the processes of a network namespace reach.
    pub fn start_in_namespace(folder: &Path, namespace: &str) -> Result<Self, FleetError> {
        Self::start_by(&["ip", "netns", "exec", namespace, "nats-server"], folder, "")
    }

    #[expect(clippy::disallowed_methods, reason = "the server is a program of its own")]
    fn start_by(command: &[&str], folder: &Path, settings: &str) -> Result<Self, FleetError> {
        let failed = |error: &dyn std::fmt::Display| {
            FleetError::Unreachable(format!("nats-server cannot be started: {error}"))
        };
        let config = folder.join("nats.conf");
        let store = folder.join("store");
        let text = format!("jetstream {{ store_dir: {:?} }}\n{settings}\n", store.display());
        fs::write(&config, text).map_err(|error| failed(&error))?;
        let child = Command::new(command[0])
            .args(&command[1..])
            .args(["-a", "127.0.0.1", "-p", "-1", "-m", "-1", "-c"])
            .arg(&config)
            .arg("--ports_file_dir")
            .arg(folder)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| failed(&format!("{error} (Debian's package is nats-server)")))?;
        let ports = folder.join(format!("nats-server_{}.ports", child.id()));
        let mut server = Self { child, url: String::new(), statistics: String::new() };
        let opened = wait_for_ports(&ports).ok_or_else(|| failed(&"it opens no port"))?;
        (server.url, server.statistics) = opened;
        Ok(server)
    }

    pub fn url(&self) -> &str {
        &self.url
    }

    /// Returns what went through the server so far; nothing if it does not say.
    pub fn counts(&self) -> ServerCounts {
        let text = self.read_statistics().unwrap_or_default();
        let body = text.split_once("\r\n\r\n").map_or("", |(_, body)| body);
        let counts: serde_json::Value = serde_json::from_str(body).unwrap_or_default();
        let sum =
            |a: &str, b: &str| counts[a].as_u64().unwrap_or(0) + counts[b].as_u64().unwrap_or(0);
        ServerCounts { messages: sum("in_msgs", "out_msgs"), bytes: sum("in_bytes", "out_bytes") }
    }

    fn read_statistics(&self) -> std::io::Result<String> {
        let mut stream = TcpStream::connect(&self.statistics)?;
        stream.write_all(b"GET /varz HTTP/1.0\r\n\r\n")?;
        let mut text = String::new();
        stream.read_to_string(&mut text)?;
        Ok(text)
    }

    /// Returns the process id of the server.
    pub fn process(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for LocalServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns the addresses that the server writes into its file of ports: its own and that of its statistics.
fn wait_for_ports(ports: &Path) -> Option<(String, String)> {
    let started = Instant::now();
    while started.elapsed() < START {
        let text = fs::read_to_string(ports).unwrap_or_default();
        if let Ok(ports) = serde_json::from_str::<serde_json::Value>(&text) {
            let statistics = ports["monitoring"][0].as_str()?.trim_start_matches("http://");
            return Some((ports["nats"][0].as_str()?.into(), statistics.into()));
        }
        thread::sleep(Duration::from_millis(10));
    }
    None
}
