//! Ports of the machine's loopback that lead to ports of the phone. Nothing here waits for a client: the phone's clock
//! goes on between its requests.

use crate::Failure;
use retap_embedded::Transfer;
use std::collections::BTreeMap;
use std::io::{ErrorKind, Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::time::Duration;

/// The bytes that are read from a client at a time.
const CHUNK: usize = 1 << 16;

/// The time after which a client that does not read what it asked for loses its connection.
const WRITE_LIMIT: Duration = Duration::from_secs(10);

/// A port of the machine and the port of the phone that it leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Forward {
    /// 0 lets the machine choose.
    pub local: u16,
    pub remote: u16,
}

/// The open ports and the connections through them.
#[derive(Debug, Default)]
pub struct Forwards {
    listeners: Vec<(TcpListener, u16)>,
    clients: BTreeMap<u32, Client>,
    opened: u32,
}

#[derive(Debug)]
struct Client {
    stream: TcpStream,
    /// Whether it sends no more; it may still hear the answer.
    has_ended: bool,
}

impl Forwards {
    /// Opens the machine's ports, on its loopback only.
    pub fn open(forwards: &[Forward]) -> Result<Self, Failure> {
        let listeners = forwards.iter().map(|forward| Ok((listen(forward.local)?, forward.remote)));
        let listeners = listeners.collect::<Result<_, Failure>>()?;
        Ok(Self { listeners, clients: BTreeMap::new(), opened: 0 })
    }

    pub fn is_empty(&self) -> bool {
        self.listeners.is_empty()
    }

    /// Returns the machine's ports and the phone's, in the order in which they were given.
    pub fn ports(&self) -> Vec<Forward> {
        let port = |listener: &TcpListener| listener.local_addr().map_or(0, |at| at.port());
        self.listeners
            .iter()
            .map(|(listener, remote)| Forward { local: port(listener), remote: *remote })
            .collect()
    }

    /// Returns what clients have sent since the last call, without waiting.
    pub fn receive(&mut self) -> Vec<Transfer> {
        let mut all = Vec::new();
        for (listener, remote) in &self.listeners {
            while let Ok((stream, _)) = listener.accept() {
                if stream.set_nonblocking(true).is_ok() {
                    let connection = self.opened;
                    self.opened = self.opened.wrapping_add(1);
                    self.clients.insert(connection, Client { stream, has_ended: false });
                    let port = Some(*remote);
                    all.push(Transfer { connection, port, bytes: Vec::new(), is_last: false });
                }
            }
        }
        for (&connection, client) in self.clients.iter_mut().filter(|(_, one)| !one.has_ended) {
            let (bytes, is_last) = read(&mut client.stream);
            client.has_ended = is_last;
            if !bytes.is_empty() || is_last {
                all.push(Transfer { connection, port: None, bytes, is_last });
            }
        }
        all
    }

    /// Hands clients what the phone sent.
    pub fn send(&mut self, transfers: Vec<Transfer>) {
        for transfer in transfers {
            let Some(client) = self.clients.get_mut(&transfer.connection) else { continue };
            let is_written = write(&mut client.stream, &transfer.bytes);
            if transfer.is_last || !is_written {
                let _ = client.stream.shutdown(Shutdown::Both);
                self.clients.remove(&transfer.connection);
            }
        }
    }
}

fn listen(port: u16) -> Result<TcpListener, Failure> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port));
    let listener = listener.and_then(|one| one.set_nonblocking(true).map(|()| one));
    listener.map_err(|error| {
        Failure::input(format!(
            "port {port} of this machine cannot be opened for --forward: {error}; 0 takes a free one"
        ))
    })
}

/// Returns what there is, and whether the client sends no more.
fn read(client: &mut TcpStream) -> (Vec<u8>, bool) {
    let mut bytes = vec![0; CHUNK];
    match client.read(&mut bytes) {
        Ok(0) => (Vec::new(), true),
        Ok(count) => {
            bytes.truncate(count);
            (bytes, false)
        }
        Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {
            (Vec::new(), false)
        }
        Err(_) => (Vec::new(), true),
    }
}

fn write(client: &mut TcpStream, bytes: &[u8]) -> bool {
    let written = client
        .set_nonblocking(false)
        .and_then(|()| client.set_write_timeout(Some(WRITE_LIMIT)))
        .and_then(|()| client.write_all(bytes));
    written.and_then(|()| client.set_nonblocking(true)).is_ok()
}
