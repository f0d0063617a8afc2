//! The console of an emulator, which saves and loads snapshots and plays the telephone network.

use crate::environment::AdbEnvironment;
use crate::failure::AdbFailure;
use crate::parse::console::{ConsoleAnswer, parse_answer};
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::time::Duration;

const TOKEN: &str = ".emulator_console_auth_token";
/// A snapshot of a phone takes ten seconds, and more on a busy machine.
const ANSWER: Duration = Duration::from_secs(180);
const MAX_ANSWER: usize = 1 << 20;

/// The console of one emulator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmulatorConsole {
    address: SocketAddr,
    token: String,
}

impl EmulatorConsole {
    /// Returns the console of a device, if its serial is an emulator's: `emulator-5554`.
    pub fn of(serial: &str, environment: &AdbEnvironment) -> Option<Self> {
        let port: u16 = serial.strip_prefix("emulator-")?.parse().ok()?;
        Some(Self::at((Ipv4Addr::LOCALHOST, port).into(), environment))
    }

    pub fn at(address: SocketAddr, environment: &AdbEnvironment) -> Self {
        let file = environment.home.as_ref().map(|home| home.join(TOKEN));
        let token = file.and_then(|file| std::fs::read_to_string(file).ok()).unwrap_or_default();
        Self { address, token: token.trim().to_string() }
    }

    /// Runs a command and returns what the console said before `OK`.
    pub fn command(&self, line: &str) -> Result<String, AdbFailure> {
        let name = format!("the emulator's console at {}", self.address);
        let cut = |source: io::Error| AdbFailure::Cut { serial: name.clone(), source };
        let mut stream = TcpStream::connect_timeout(&self.address, ANSWER).map_err(cut)?;
        stream.set_read_timeout(Some(ANSWER)).map_err(cut)?;
        let greeting = read_answer(&mut stream).map_err(cut)?;
        if matches!(&greeting, ConsoleAnswer::Agreed(said) if said.contains("Authentication required"))
        {
            let auth = ask(&mut stream, &format!("auth {}", self.token)).map_err(cut)?;
            agreed(auth, "auth")?;
        }
        let said = agreed(ask(&mut stream, line).map_err(cut)?, line)?;
        // The console closes by itself as well.
        let _ = stream.write_all(b"quit\n");
        Ok(said)
    }
}

fn ask(stream: &mut TcpStream, line: &str) -> io::Result<ConsoleAnswer> {
    stream.write_all(format!("{line}\n").as_bytes())?;
    read_answer(stream)
}

fn agreed(answer: ConsoleAnswer, line: &str) -> Result<String, AdbFailure> {
    match answer {
        ConsoleAnswer::Agreed(said) => Ok(said),
        ConsoleAnswer::Refused(reason) => {
            Err(AdbFailure::Refused(format!("the emulator refuses `{line}`: {reason}")))
        }
    }
}

fn read_answer(stream: &mut TcpStream) -> io::Result<ConsoleAnswer> {
    let mut text = Vec::new();
    let mut part = [0; 4_096];
    loop {
        let count = stream.read(&mut part)?;
        if count == 0 || text.len() > MAX_ANSWER {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        text.extend_from_slice(&part[..count]);
        if let Some(answer) = parse_answer(&String::from_utf8_lossy(&text)) {
            return Ok(answer);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufRead, BufReader};
    use std::net::TcpListener;

    /// Plays a console that wants the token `secret` and knows one snapshot.
    #[allow(clippy::disallowed_methods)] // a test may start a thread
    fn scripted() -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                stream.write_all(b"Android Console: Authentication required\r\nOK\r\n").unwrap();
                let lines = BufReader::new(stream.try_clone().unwrap()).lines();
                for line in lines.map_while(Result::ok) {
                    let answer = match line.as_str() {
                        "auth secret" => "Android Console: type 'help'\r\nOK\r\n",
                        "avd snapshot load retap-1" => "OK\r\n",
                        line if line.starts_with("auth") => {
                            "KO: authentication token does not match\r\n"
                        }
                        _ => "KO: Device 'cache' does not have the requested snapshot\r\n",
                    };
                    if stream.write_all(answer.as_bytes()).is_err() {
                        break;
                    }
                }
            }
        });
        address
    }

    #[test]
    fn the_console_is_asked_with_its_token_and_its_refusals_are_told() {
        let address = scripted();
        let console = EmulatorConsole { address, token: "secret".into() };
        assert_eq!(console.command("avd snapshot load retap-1").unwrap(), "");
        let refused = console.command("avd snapshot load retap-2").unwrap_err().to_string();
        assert!(refused.contains("does not have the requested snapshot"), "{refused}");
        let stranger = EmulatorConsole { address, token: String::new() };
        let refused = stranger.command("avd status").unwrap_err().to_string();
        assert!(refused.contains("token does not match"), "{refused}");
    }

    #[test]
    fn only_the_serial_of_an_emulator_names_a_console() {
        let environment = AdbEnvironment::at_port(5037);
        assert!(EmulatorConsole::of("emulator-5554", &environment).is_some());
        assert_eq!(EmulatorConsole::of("127.0.0.1:5555", &environment), None);
    }
}
