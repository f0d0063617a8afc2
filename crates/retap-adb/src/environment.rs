//! The variables that adb itself honours, and where its files are.

use std::ffi::OsString;
use std::net::{Ipv4Addr, SocketAddr, ToSocketAddrs};
use std::path::PathBuf;

const DEFAULT_PORT: u16 = 5037;

/// What adb takes from the environment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdbEnvironment {
    /// Where the adb server listens.
    pub server: SocketAddr,
    /// `ANDROID_SERIAL`: the device to use where none is named.
    pub serial: Option<String>,
    /// The program that starts a server: `adb` of `ANDROID_HOME`, or else of the path.
    pub program: PathBuf,
    /// The folder with the token of the emulator's console.
    pub home: Option<PathBuf>,
}

impl AdbEnvironment {
    /// Reads this process's variables. The error says which one cannot be understood.
    #[allow(clippy::disallowed_methods)] // the one place that reads variables
    pub fn from_process() -> Result<Self, String> {
        let text = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let sdk = ["ANDROID_HOME", "ANDROID_SDK_ROOT"].map(std::env::var_os);
        Ok(Self {
            server: server(text("ADB_SERVER_SOCKET"), text("ANDROID_ADB_SERVER_PORT"))?,
            serial: text("ANDROID_SERIAL"),
            program: program(sdk),
            home: std::env::var_os("HOME").map(PathBuf::from),
        })
    }

    /// Returns the environment of a server at this port of the machine, with adb from the path.
    pub fn at_port(port: u16) -> Self {
        Self {
            server: (Ipv4Addr::LOCALHOST, port).into(),
            serial: None,
            program: "adb".into(),
            home: None,
        }
    }
}

fn server(socket: Option<String>, port: Option<String>) -> Result<SocketAddr, String> {
    if let Some(socket) = socket {
        return parse_socket(&socket).ok_or_else(|| {
            format!("ADB_SERVER_SOCKET: expected tcp:PORT or tcp:HOST:PORT, found {socket:?}")
        });
    }
    let port = match port {
        None => DEFAULT_PORT,
        Some(text) => text.parse().map_err(|_| {
            format!(
                "ANDROID_ADB_SERVER_PORT: expected a port such as {DEFAULT_PORT}, found {text:?}"
            )
        })?,
    };
    Ok((Ipv4Addr::LOCALHOST, port).into())
}

fn parse_socket(text: &str) -> Option<SocketAddr> {
    let rest = text.strip_prefix("tcp:")?;
    if let Ok(port) = rest.parse::<u16>() {
        return Some((Ipv4Addr::LOCALHOST, port).into());
    }
    let (host, port) = rest.rsplit_once(':')?;
    let port: u16 = port.parse().ok()?;
    match host {
        "localhost" => Some((Ipv4Addr::LOCALHOST, port).into()),
        host => (host.trim_matches(['[', ']']), port).to_socket_addrs().ok()?.next(),
    }
}

fn program(sdk: [Option<OsString>; 2]) -> PathBuf {
    let inside = |folder: OsString| PathBuf::from(folder).join("platform-tools").join("adb");
    let found = sdk.into_iter().flatten().map(inside).find(|program| program.is_file());
    found.unwrap_or_else(|| "adb".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_variables_of_adb_name_the_server() {
        let named = |socket: Option<&str>, port: Option<&str>| {
            server(socket.map(String::from), port.map(String::from)).map(|it| it.to_string())
        };
        assert_eq!(named(None, None).unwrap(), "127.0.0.1:5037");
        assert_eq!(named(None, Some("6000")).unwrap(), "127.0.0.1:6000");
        assert_eq!(named(Some("tcp:7000"), Some("6000")).unwrap(), "127.0.0.1:7000");
        assert_eq!(named(Some("tcp:localhost:7001"), None).unwrap(), "127.0.0.1:7001");
        assert_eq!(named(Some("tcp:10.0.0.2:7001"), None).unwrap(), "10.0.0.2:7001");
        assert!(named(Some("localfilesystem:/tmp/adb"), None).unwrap_err().contains("tcp:PORT"));
        assert!(named(None, Some("many")).unwrap_err().contains("5037"));
    }
}
