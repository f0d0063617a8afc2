//! One connection of an adb server: the handshake, and the streams that share the connection.

mod stream;

pub use stream::AdbStream;

use crate::phone::Phone;
use crate::protocol::{AdbCommand, MAX_PAYLOAD, Message, ProtocolError, VERSION};
use crate::service;
use std::collections::BTreeMap;
use std::io::Write;
use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use stream::StreamState;

/// What this device can do beyond the first protocol, as stock adb asks for it.
const FEATURES: &str = "shell_v2,cmd,stat_v2,ls_v2,fixed_push_mkdir";
const MAX_STREAMS: usize = 64;
/// A peer that takes less than this cannot be served.
const LEAST_PAYLOAD: u32 = 1024;

/// Serves a connection until the peer closes it or breaks the protocol.
pub fn serve(connection: TcpStream, phone: &Arc<Phone>) -> Result<(), ProtocolError> {
    let writer = Arc::new(Mutex::new(connection.try_clone()?));
    let mut reader = connection;
    let mut streams = Streams::default();
    let result = answer_messages(&mut reader, &writer, &mut streams, phone);
    // Commands that still run notice that nobody listens. Whoever connects next must not meet them.
    let leaving = phone.leaving.begin();
    for state in streams.open.values() {
        state.close();
    }
    let _ = reader.shutdown(Shutdown::Both);
    for service in streams.services {
        // The panic of a command is that of its client alone.
        let _ = service.join();
    }
    drop(leaving);
    result
}

#[derive(Default)]
struct Streams {
    open: BTreeMap<u32, Arc<StreamState>>,
    services: Vec<JoinHandle<()>>,
    last: u32,
    /// The longest payload that the peer takes; none before the handshake.
    payload: Option<u32>,
}

fn answer_messages(
    reader: &mut TcpStream,
    writer: &Arc<Mutex<TcpStream>>,
    streams: &mut Streams,
    phone: &Arc<Phone>,
) -> Result<(), ProtocolError> {
    while let Some(message) = Message::read(reader)? {
        let Message { command, arg0: theirs, arg1: ours, payload } = message;
        match command {
            AdbCommand::Connect => {
                let version = theirs.min(VERSION);
                streams.payload = Some(ours.clamp(LEAST_PAYLOAD, MAX_PAYLOAD));
                let banner = format!("device::{};features={FEATURES}", phone.banner());
                send(writer, &Message::new(AdbCommand::Connect, version, MAX_PAYLOAD, banner))?;
            }
            AdbCommand::Open => open(theirs, &payload, writer, streams, phone)?,
            AdbCommand::Okay => {
                if let Some(state) = streams.open.get(&ours) {
                    state.acknowledge();
                }
            }
            AdbCommand::Write => match streams.open.get(&ours) {
                Some(state) => state.receive(payload),
                None => send(writer, &Message::new(AdbCommand::Close, 0, theirs, []))?,
            },
            AdbCommand::Close => {
                if let Some(state) = streams.open.remove(&ours) {
                    state.close();
                }
            }
            // Nobody was asked to prove anything.
            AdbCommand::Auth | AdbCommand::StartTls => {}
        }
    }
    Ok(())
}

fn open(
    theirs: u32,
    payload: &[u8],
    writer: &Arc<Mutex<TcpStream>>,
    streams: &mut Streams,
    phone: &Arc<Phone>,
) -> Result<(), ProtocolError> {
    streams.open.retain(|_, state| !state.is_over());
    let name = payload.strip_suffix(b"\0").unwrap_or(payload);
    let service = service::Service::parse(&String::from_utf8_lossy(name));
    let (Some(service), Some(payload)) = (service, streams.payload) else {
        send(writer, &Message::new(AdbCommand::Close, 0, theirs, []))?;
        return Ok(());
    };
    if streams.open.len() >= MAX_STREAMS {
        send(writer, &Message::new(AdbCommand::Close, 0, theirs, []))?;
        return Ok(());
    }
    streams.last = streams.last.wrapping_add(1).max(1);
    let ours = streams.last;
    let state = Arc::new(StreamState::default());
    streams.open.insert(ours, Arc::clone(&state));
    send(writer, &Message::new(AdbCommand::Okay, ours, theirs, []))?;
    let stream = AdbStream::new(ours, theirs, payload as usize, state, Arc::clone(writer));
    phone.leaving.wait();
    let phone = Arc::clone(phone);
    streams.services.retain(|service| !service.is_finished());
    streams.services.push(std::thread::spawn(move || {
        // A client that goes away early is no failure.
        let _ = service.run(&stream, &phone);
        stream.end();
    }));
    Ok(())
}

fn send(writer: &Mutex<TcpStream>, message: &Message) -> std::io::Result<()> {
    let mut writer = writer.lock().unwrap_or_else(PoisonError::into_inner);
    writer.write_all(&message.encode())
}
