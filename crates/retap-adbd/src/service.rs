//! The services that a client can open.

use crate::connection::AdbStream;
use crate::phone::Phone;
use crate::protocol::{ShellPacket, ShellPacketReader};
use crate::shell::{self, ShellStreams};
use crate::sync;
use std::io::{self, Write};

/// A service by its name in the protocol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Service {
    /// Standard output and standard error together, and no exit code.
    Shell {
        command: String,
    },
    /// Output apart, and the exit code at the end.
    ShellV2 {
        command: String,
    },
    Sync,
    /// A request that is answered by a sentence.
    Said(&'static str),
    /// A request that is refused, in the words of the server's protocol.
    Refused(&'static str),
}

impl Service {
    /// Parses a service's name; `None` if this phone has no such service.
    pub fn parse(name: &str) -> Option<Self> {
        let (kind, rest) = name.split_once(':').unwrap_or((name, ""));
        let command = rest.to_string();
        let mut options = kind.split(',');
        match options.next()? {
            "shell" if options.any(|option| option == "v2") => Some(Self::ShellV2 { command }),
            "shell" | "exec" => Some(Self::Shell { command }),
            "sync" => Some(Self::Sync),
            "root" => Some(Self::Said("adbd cannot run as root in production builds\n")),
            "unroot" => Some(Self::Said("adbd not running as root\n")),
            "tcpip" | "usb" => {
                Some(Self::Said("this phone listens on the port it was served at\n"))
            }
            "reboot" => Some(Self::Said("this phone does not restart: serve it again\n")),
            // The answer is a list with its length in front, and nothing is in it.
            "reverse" if rest == "list-forward" => Some(Self::Said("0000")),
            "reverse" if rest.starts_with("killforward") => Some(Self::Said("OKAY")),
            "reverse" => Some(Self::Refused("this phone leads no port to the computer")),
            "remount" => Some(Self::Said("remount failed: the system of this phone is fixed\n")),
            _ => None,
        }
    }

    pub fn run(&self, stream: &AdbStream, phone: &Phone) -> io::Result<()> {
        let ended = || stream.is_closed();
        match self {
            Service::Sync => sync::serve(&mut { stream }, &mut { stream }, phone),
            Service::Said(sentence) => (&mut { stream }).write_all(sentence.as_bytes()),
            Service::Refused(reason) => {
                write!(&mut { stream }, "FAIL{:04x}{reason}", reason.len())
            }
            Service::Shell { command } => {
                let mut streams = ShellStreams {
                    input: &mut { stream },
                    output: &mut { stream },
                    errors: &mut { stream },
                    ended: &ended,
                };
                shell::run(command, &mut streams, phone).map(drop)
            }
            Service::ShellV2 { command } => {
                let mut streams = ShellStreams {
                    input: &mut ShellPacketReader::new(stream),
                    output: &mut PacketWriter { stream, wrap: ShellPacket::Stdout },
                    errors: &mut PacketWriter { stream, wrap: ShellPacket::Stderr },
                    ended: &ended,
                };
                let code = shell::run(command, &mut streams, phone)?;
                (&mut { stream }).write_all(&ShellPacket::Exit(code).encode())
            }
        }
    }
}

/// Wraps what is written into packets.
struct PacketWriter<'a> {
    stream: &'a AdbStream,
    wrap: fn(Vec<u8>) -> ShellPacket,
}

impl Write for PacketWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        /// Older clients take no longer packets.
        const PART: usize = 32 * 1024;
        let mut stream = self.stream;
        for part in bytes.chunks(PART) {
            stream.write_all(&(self.wrap)(part.to_vec()).encode())?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn services_are_told_by_name() {
        let command = "ls -l".to_string();
        assert_eq!(
            Service::parse("shell:ls -l"),
            Some(Service::Shell { command: command.clone() })
        );
        assert_eq!(Service::parse("exec:ls -l"), Some(Service::Shell { command: command.clone() }));
        let v2 = Some(Service::ShellV2 { command });
        assert_eq!(Service::parse("shell,v2,TERM=xterm,raw:ls -l"), v2);
        assert_eq!(Service::parse("sync:"), Some(Service::Sync));
        assert!(matches!(Service::parse("reverse:forward:tcp:1;tcp:2"), Some(Service::Refused(_))));
        assert_eq!(Service::parse("tcp:22"), None);
        assert_eq!(Service::parse(""), None);
    }
}
