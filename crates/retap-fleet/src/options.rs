//! How to reach a fleet.

use std::path::PathBuf;
use std::time::Duration;

/// The server of a fleet and how this program behaves there.
#[derive(Debug, Clone)]
pub struct FleetOptions {
    /// `nats://host:port`
    pub url: String,
    pub protection: Protection,
    /// The version of retap. A fleet has one.
    pub version: String,
    /// A task whose worker is silent for this long is offered to another.
    pub redeliver_after: Duration,
    /// The tasks that the queue holds at most. Coordinators wait while it is full.
    pub max_queue: i64,
    /// The server may be away for this long before work is given up.
    pub patience: Duration,
}

/// What protects the way to the server.
#[derive(Debug, Clone, Default)]
pub struct Protection {
    /// A credentials file, as `nsc` writes it.
    pub credentials: Option<PathBuf>,
    /// Refuse a server without TLS.
    pub tls: bool,
    /// A certificate that vouches for the server, besides those of this machine.
    pub root_certificate: Option<PathBuf>,
}

impl FleetOptions {
    /// Returns the options of an unprotected server.
    pub fn new(url: impl Into<String>, version: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            protection: Protection::default(),
            version: version.into(),
            redeliver_after: Duration::from_secs(10),
            max_queue: 100_000,
            patience: Duration::from_secs(300),
        }
    }

    /// Returns true if the server is on this machine, where whoever may reach it may run programs anyway.
    pub fn is_local(&self) -> bool {
        let address = self.url.split_once("://").map_or(&*self.url, |(_, rest)| rest);
        let address = address.rsplit_once('@').map_or(address, |(_, rest)| rest);
        let host = match address.strip_prefix('[') {
            Some(v6) => v6.split(']').next(),
            None => address.split([':', '/']).next(),
        };
        matches!(host, Some("localhost" | "127.0.0.1" | "::1"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_loopback_is_local() {
        let local = |url: &str| FleetOptions::new(url, "1").is_local();
        for url in
            ["nats://127.0.0.1:4222", "localhost", "tls://[::1]:4222", "nats://a:b@localhost"]
        {
            assert!(local(url), "{url}");
        }
        for url in
            ["nats://10.0.0.1:4222", "nats://localhost.example.org", "nats://127.0.0.1@example.org"]
        {
            assert!(!local(url), "{url}");
        }
    }
}
