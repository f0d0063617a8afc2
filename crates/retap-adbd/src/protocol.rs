//! The messages of adb's transport: a header of 24 bytes and a payload.

mod shell_packet;

pub use shell_packet::{ShellPacket, ShellPacketReader};

use std::io::{self, Read};

/// The protocol version from which on nobody checks sums.
const VERSION_WITHOUT_SUMS: u32 = 0x0100_0001;
pub const VERSION: u32 = VERSION_WITHOUT_SUMS;
/// The longest payload that this side takes. Stock adb sends no longer ones to a device that says so.
pub const MAX_PAYLOAD: u32 = 256 * 1024;
const HEADER: usize = 24;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AdbCommand {
    Connect,
    Auth,
    Open,
    Okay,
    Close,
    Write,
    StartTls,
}

const COMMANDS: [(AdbCommand, &[u8; 4]); 7] = [
    (AdbCommand::Connect, b"CNXN"),
    (AdbCommand::Auth, b"AUTH"),
    (AdbCommand::Open, b"OPEN"),
    (AdbCommand::Okay, b"OKAY"),
    (AdbCommand::Close, b"CLSE"),
    (AdbCommand::Write, b"WRTE"),
    (AdbCommand::StartTls, b"STLS"),
];

impl AdbCommand {
    fn code(self) -> u32 {
        let found = COMMANDS.iter().find(|(command, _)| *command == self);
        found.map_or(0, |(_, name)| u32::from_le_bytes(**name))
    }

    fn of_code(code: u32) -> Option<Self> {
        let found = COMMANDS.iter().find(|(_, name)| u32::from_le_bytes(**name) == code);
        found.map(|(command, _)| *command)
    }
}

/// One message. The meaning of the arguments depends on the command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    pub command: AdbCommand,
    pub arg0: u32,
    pub arg1: u32,
    pub payload: Vec<u8>,
}

#[derive(Debug, thiserror::Error)]
pub enum ProtocolError {
    #[error("expected a message of adb, found {0:02x?}")]
    NoMessage([u8; 4]),
    #[error("a payload of {0} bytes is longer than agreed")]
    TooLong(u32),
    #[error("the sum of a payload is wrong")]
    WrongSum,
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl Message {
    pub fn new(command: AdbCommand, arg0: u32, arg1: u32, payload: impl Into<Vec<u8>>) -> Self {
        Self { command, arg0, arg1, payload: payload.into() }
    }

    pub fn encode(&self) -> Vec<u8> {
        let code = self.command.code();
        let length = self.payload.len() as u32;
        let fields = [code, self.arg0, self.arg1, length, sum(&self.payload), !code];
        let mut bytes: Vec<u8> = fields.iter().flat_map(|field| field.to_le_bytes()).collect();
        bytes.extend_from_slice(&self.payload);
        bytes
    }

    /// Reads one message; `None` at the end of the connection.
    pub fn read(reader: &mut dyn Read) -> Result<Option<Self>, ProtocolError> {
        let mut header = [0; HEADER];
        match reader.read_exact(&mut header) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
            other => other?,
        }
        let field = |at: usize| {
            let bytes = [header[at], header[at + 1], header[at + 2], header[at + 3]];
            u32::from_le_bytes(bytes)
        };
        let code = field(0);
        let command = AdbCommand::of_code(code)
            .filter(|_| field(20) == !code)
            .ok_or(ProtocolError::NoMessage(code.to_le_bytes()))?;
        let length = field(12);
        if length > MAX_PAYLOAD {
            return Err(ProtocolError::TooLong(length));
        }
        let mut payload = vec![0; length as usize];
        reader.read_exact(&mut payload)?;
        // Newer clients send zero instead of a sum.
        if field(16) != 0 && field(16) != sum(&payload) {
            return Err(ProtocolError::WrongSum);
        }
        Ok(Some(Self { command, arg0: field(4), arg1: field(8), payload }))
    }
}

/// The sum of all bytes, which the protocol calls a CRC.
fn sum(payload: &[u8]) -> u32 {
    payload.iter().fold(0, |sum: u32, byte| sum.wrapping_add(u32::from(*byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_reads_as_it_was_written() {
        let message = Message::new(AdbCommand::Write, 3, 7, *b"hello");
        let bytes = message.encode();
        assert_eq!(&bytes[..4], b"WRTE");
        assert_eq!(Message::read(&mut bytes.as_slice()).unwrap(), Some(message));
        assert_eq!(Message::read(&mut [].as_slice()).unwrap(), None);
    }

    #[test]
    fn what_is_no_message_is_refused() {
        let good = Message::new(AdbCommand::Open, 1, 0, *b"shell:\0").encode();
        let changed = |at: usize, value: u8| {
            let mut bytes = good.clone();
            bytes[at] = value;
            Message::read(&mut bytes.as_slice())
        };
        assert!(matches!(changed(0, b'X'), Err(ProtocolError::NoMessage(_))));
        assert!(matches!(changed(20, 0), Err(ProtocolError::NoMessage(_))));
        assert!(matches!(changed(15, 0xff), Err(ProtocolError::TooLong(_))));
        assert!(matches!(changed(24, b'S'), Err(ProtocolError::WrongSum)));
        assert!(Message::read(&mut &good[..good.len() - 1]).is_err(), "a cut payload");
    }

    #[test]
    fn damaged_messages_never_panic() {
        let good = Message::new(AdbCommand::Connect, VERSION, MAX_PAYLOAD, *b"host::features=cmd");
        retap_fuzz::fuzz("adb-message", &[&good.encode()], &["WRTE", "OPEN"], |mut bytes| {
            Message::read(&mut bytes).is_ok()
        });
    }
}
