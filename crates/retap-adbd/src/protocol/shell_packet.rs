//! The packets of the second shell protocol, which keeps standard output, standard error and the exit code apart.

use std::io::{self, Read};

const STDIN: u8 = 0;
const STDOUT: u8 = 1;
const STDERR: u8 = 2;
const EXIT: u8 = 3;
const CLOSE_STDIN: u8 = 4;
const HEADER: usize = 5;
/// Longer packets are not sent by anybody.
const MAX_LENGTH: u32 = 1 << 20;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ShellPacket {
    Stdin(Vec<u8>),
    Stdout(Vec<u8>),
    Stderr(Vec<u8>),
    Exit(u8),
    CloseStdin,
    /// The window size and what later versions add.
    Other,
}

impl ShellPacket {
    pub fn encode(&self) -> Vec<u8> {
        let (id, data): (u8, &[u8]) = match self {
            ShellPacket::Stdin(data) => (STDIN, data),
            ShellPacket::Stdout(data) => (STDOUT, data),
            ShellPacket::Stderr(data) => (STDERR, data),
            ShellPacket::Exit(code) => (EXIT, std::slice::from_ref(code)),
            ShellPacket::CloseStdin | ShellPacket::Other => (CLOSE_STDIN, &[]),
        };
        let mut bytes = vec![id];
        bytes.extend_from_slice(&(data.len() as u32).to_le_bytes());
        bytes.extend_from_slice(data);
        bytes
    }

    /// Reads one packet; `None` at the end.
    fn read(reader: &mut dyn Read) -> io::Result<Option<Self>> {
        let mut header = [0; HEADER];
        match reader.read_exact(&mut header) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
            other => other?,
        }
        let [id, length @ ..] = header;
        let length = u32::from_le_bytes(length);
        if length > MAX_LENGTH {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "a shell packet is too long"));
        }
        let mut data = vec![0; length as usize];
        reader.read_exact(&mut data)?;
        Ok(Some(match id {
            STDIN => ShellPacket::Stdin(data),
            STDOUT => ShellPacket::Stdout(data),
            STDERR => ShellPacket::Stderr(data),
            EXIT => ShellPacket::Exit(data.first().copied().unwrap_or_default()),
            CLOSE_STDIN => ShellPacket::CloseStdin,
            _ => ShellPacket::Other,
        }))
    }
}

/// The standard input inside a stream of packets.
#[derive(Debug)]
pub struct ShellPacketReader<R> {
    packets: R,
    rest: Vec<u8>,
    read: usize,
    ended: bool,
}

impl<R: Read> ShellPacketReader<R> {
    pub fn new(packets: R) -> Self {
        Self { packets, rest: Vec::new(), read: 0, ended: false }
    }
}

impl<R: Read> Read for ShellPacketReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.read == self.rest.len() && !self.ended {
            match ShellPacket::read(&mut self.packets)? {
                Some(ShellPacket::Stdin(data)) => (self.rest, self.read) = (data, 0),
                Some(ShellPacket::CloseStdin) | None => self.ended = true,
                Some(_) => {}
            }
        }
        let length = buffer.len().min(self.rest.len() - self.read);
        buffer[..length].copy_from_slice(&self.rest[self.read..self.read + length]);
        self.read += length;
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn input_is_joined_and_ends_when_it_is_closed() {
        let packets = [
            ShellPacket::Stdin(b"one ".to_vec()),
            ShellPacket::Stdin(Vec::new()),
            ShellPacket::Stdin(b"two".to_vec()),
            ShellPacket::CloseStdin,
            ShellPacket::Stdin(b"late".to_vec()),
        ];
        let mut bytes: Vec<u8> = packets.iter().flat_map(ShellPacket::encode).collect();
        let mut text = String::new();
        ShellPacketReader::new(bytes.as_slice()).read_to_string(&mut text).unwrap();
        assert_eq!(text, "one two");
        bytes[4] = 0xff;
        assert!(ShellPacketReader::new(bytes.as_slice()).read_to_string(&mut text).is_err());
    }
}
