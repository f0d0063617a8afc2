//! Listens for adb servers and serves each connection on a thread.

use crate::connection;
use crate::phone::Phone;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

const LOOK: Duration = Duration::from_millis(20);
const MAX_LOOKS: usize = 50;
const MAX_CONNECTIONS: usize = 16;

/// Where to listen, as a person writes it: `PORT` on the loopback interface, or `ADDRESS:PORT`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AdbAddress(pub SocketAddr);

impl AdbAddress {
    /// Returns true if other machines can connect. Whoever connects needs to prove nothing.
    pub fn is_beyond_loopback(&self) -> bool {
        !self.0.ip().is_loopback()
    }
}

impl FromStr for AdbAddress {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let local = |port| SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port);
        let address = text.parse().map(local).or_else(|_| text.parse::<SocketAddr>());
        address.map(Self).map_err(|_| {
            format!(
                "expected a port such as 5555 or an address such as 127.0.0.1:5555, found {text:?}"
            )
        })
    }
}

/// A phone that listens.
#[derive(Debug)]
pub struct AdbServer {
    listener: TcpListener,
    phone: Arc<Phone>,
}

impl AdbServer {
    pub fn listen(address: AdbAddress, phone: Phone) -> io::Result<Self> {
        let listener = TcpListener::bind(address.0)?;
        listener.set_nonblocking(true)?;
        Ok(Self { listener, phone: Arc::new(phone) })
    }

    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves until the interrupt, which ends all connections.
    pub fn run(self, interrupt: &AtomicBool, log: &(dyn Fn(&str) + Sync)) {
        let connections = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            let mut open: Vec<TcpStream> = Vec::new();
            while !interrupt.load(Ordering::Relaxed) {
                let Ok((connection, peer)) = self.listener.accept() else {
                    std::thread::sleep(LOOK);
                    continue;
                };
                let prepared = prepare(&connection);
                let Ok(handle) = prepared else { continue };
                if connections.fetch_add(1, Ordering::SeqCst) >= MAX_CONNECTIONS {
                    connections.fetch_sub(1, Ordering::SeqCst);
                    log(&format!("{peer} was refused: {MAX_CONNECTIONS} clients are connected"));
                    continue;
                }
                open.retain(|stream| stream.peer_addr().is_ok());
                open.push(handle);
                let (phone, connections) = (&self.phone, &connections);
                scope.spawn(move || {
                    if let Err(error) = connection::serve(connection, phone) {
                        log(&format!("the connection of {peer} ended: {error}"));
                    }
                    connections.fetch_sub(1, Ordering::SeqCst);
                });
            }
            for connection in open {
                // It may have ended by itself.
                let _ = connection.shutdown(std::net::Shutdown::Both);
            }
        });
        // Commands that still run notice in a moment that nobody listens; then the phone's folder goes with the phone.
        let patience = (0..MAX_LOOKS).take_while(|_| Arc::strong_count(&self.phone) > 1);
        patience.for_each(|_| std::thread::sleep(LOOK));
    }
}

fn prepare(connection: &TcpStream) -> io::Result<TcpStream> {
    connection.set_nonblocking(false)?;
    connection.set_nodelay(true)?;
    connection.try_clone()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_alone_is_on_the_loopback_interface() {
        let read = |text: &str| text.parse::<AdbAddress>();
        assert_eq!(read("5555").unwrap().0.to_string(), "127.0.0.1:5555");
        assert!(!read("5555").unwrap().is_beyond_loopback());
        assert!(!read("[::1]:5555").unwrap().is_beyond_loopback());
        assert!(read("0.0.0.0:5555").unwrap().is_beyond_loopback());
        for wrong in ["", "phone", "70000", "localhost:1"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
