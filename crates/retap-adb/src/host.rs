//! The client of the adb server. Each request has a connection of its own, as the server's protocol wants it; a service
//! of a phone that is opened counts as one round trip.

mod shell;
mod start;
mod sync;
mod wire;

pub use shell::{ShellProtocol, ShellReply};

use crate::environment::AdbEnvironment;
use crate::failure::AdbFailure;
use crate::parse::devices::{ListedDevice, parse_devices};
use crate::parse::shell_packet;
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use wire::{read_block, read_status, write_request};

const CONNECT: Duration = Duration::from_secs(5);
/// The server itself answers at once; a phone may take its time to open a service.
const ANSWER: Duration = Duration::from_secs(20);
/// The most that a command may print.
const MAX_OUTPUT: u64 = 256 << 20;

/// The adb server.
#[derive(Debug, Clone)]
pub struct AdbHost {
    environment: AdbEnvironment,
    round_trips: Arc<AtomicU64>,
}

/// A service of a phone.
#[derive(Debug)]
pub struct OpenService {
    stream: TcpStream,
    serial: String,
    limit: Duration,
}

impl AdbHost {
    pub fn new(environment: AdbEnvironment) -> Self {
        Self { environment, round_trips: Arc::default() }
    }

    pub fn environment(&self) -> &AdbEnvironment {
        &self.environment
    }

    /// Returns the number of services that were opened on phones.
    pub fn round_trips(&self) -> u64 {
        self.round_trips.load(Ordering::Relaxed)
    }

    /// Connects to the server, and starts one if none is there.
    fn connect(&self) -> Result<TcpStream, AdbFailure> {
        let server = self.environment.server;
        let connect = || TcpStream::connect_timeout(&server, CONNECT);
        let stream = match connect() {
            Ok(stream) => stream,
            Err(_) if server.ip().is_loopback() => {
                start::start_server(&self.environment)?;
                connect().map_err(|source| AdbFailure::NoServer { server, source })?
            }
            Err(source) => return Err(AdbFailure::NoServer { server, source }),
        };
        let prepared =
            stream.set_nodelay(true).and_then(|()| stream.set_read_timeout(Some(ANSWER)));
        prepared.map_err(|source| AdbFailure::NoServer { server, source })?;
        Ok(stream)
    }

    /// Asks the server itself and returns its answer.
    pub fn ask(&self, request: &str) -> Result<String, AdbFailure> {
        let mut stream = self.connect()?;
        let failed = |source: io::Error| cut("the adb server", ANSWER, source);
        write_request(&mut stream, request).map_err(failed)?;
        read_status(&mut stream).map_err(failed)?.map_err(AdbFailure::Refused)?;
        read_block(&mut stream).map_err(failed)
    }

    pub fn devices(&self) -> Result<Vec<ListedDevice>, AdbFailure> {
        Ok(parse_devices(&self.ask("host:devices-l")?))
    }

    /// Lets the server connect to a phone over the network. Whether it did is seen in the list of devices.
    pub fn reach(&self, address: &str) -> Result<String, AdbFailure> {
        self.ask(&format!("host:connect:{address}"))
    }

    pub fn features(&self, serial: &str) -> Result<String, AdbFailure> {
        self.ask(&format!("host-serial:{serial}:features"))
    }

    /// Opens a service of a phone. Each answer of it may take up to `limit`.
    pub fn open(
        &self,
        serial: &str,
        service: &str,
        limit: Duration,
    ) -> Result<OpenService, AdbFailure> {
        let mut stream = self.connect()?;
        let failed = |source: io::Error| cut(serial, ANSWER, source);
        for request in [format!("host:transport:{serial}"), service.to_string()] {
            write_request(&mut stream, &request).map_err(failed)?;
            read_status(&mut stream).map_err(failed)?.map_err(AdbFailure::Refused)?;
        }
        self.round_trips.fetch_add(1, Ordering::Relaxed);
        stream.set_read_timeout(Some(limit)).map_err(failed)?;
        Ok(OpenService { stream, serial: serial.into(), limit })
    }
}

impl OpenService {
    /// Reads everything until the phone closes the service.
    pub fn read_all(&mut self) -> Result<Vec<u8>, AdbFailure> {
        let mut bytes = Vec::new();
        let read = (&mut self.stream).take(MAX_OUTPUT).read_to_end(&mut bytes);
        read.map_err(|source| cut(&self.serial, self.limit, source))?;
        Ok(bytes)
    }

    pub fn write(&mut self, bytes: &[u8]) -> Result<(), AdbFailure> {
        self.stream.write_all(bytes).map_err(|source| cut(&self.serial, self.limit, source))
    }

    pub fn read_exact(&mut self, bytes: &mut [u8]) -> Result<(), AdbFailure> {
        self.stream.read_exact(bytes).map_err(|source| cut(&self.serial, self.limit, source))
    }
}

fn cut(serial: &str, limit: Duration, source: io::Error) -> AdbFailure {
    match source.kind() {
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => {
            AdbFailure::Silent { serial: serial.into(), seconds: limit.as_secs() }
        }
        _ => AdbFailure::Cut { serial: serial.into(), source },
    }
}

/// Reads the packets of the second shell protocol.
fn decode(bytes: &[u8], serial: &str) -> Result<ShellReply, AdbFailure> {
    shell_packet::decode(bytes).ok_or_else(|| AdbFailure::Cut {
        serial: serial.into(),
        source: io::ErrorKind::UnexpectedEof.into(),
    })
}
