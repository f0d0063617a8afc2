//! What the agent answers.

use super::body::{Malformed, Reader};
use super::screen;
use retap_model::{Crash, Screen};
use std::path::PathBuf;
use std::time::Duration;

const REFUSED: u8 = 255;

#[derive(Debug, Clone, PartialEq)]
pub enum Reply {
    Hello {
        version: u16,
    },
    /// Names the folder with the table of units, below that of prepared apps.
    Installed {
        counted: PathBuf,
    },
    Seen(Box<Seen>),
    Screenshot(Vec<u8>),
    Quit,
    Refused(Refusal),
}

/// A request that could not be carried out: the exception's class and message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    pub class: String,
    pub message: String,
}

/// An observation as it was sent.
#[derive(Debug, Clone, PartialEq)]
pub struct Seen {
    /// Between the request and this answer, on the agent's own clock.
    pub work: Duration,
    pub ending: Ending,
    pub elapsed_ms: u64,
    /// None when the screen is the last one that was sent.
    pub screen: Option<Screen>,
    pub log: Vec<String>,
    /// Kind and detail.
    pub host_limitations: Vec<(String, String)>,
    /// The probes that were executed, as `docs/agent.md` writes them.
    pub covered: Vec<u8>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    Running,
    Left { package: String },
    Exited,
    NotResponding { stack: String },
    Crashed(Crash),
}

impl Reply {
    pub fn decode(body: &[u8]) -> Result<Reply, Malformed> {
        let mut body = Reader::new(body);
        let reply = match body.u8()? {
            1 => Reply::Hello { version: body.u16()? },
            2 => Reply::Installed { counted: body.string()?.into() },
            4 => Reply::Seen(Box::new(decode_seen(&mut body)?)),
            5 => Reply::Screenshot(body.blob()?.to_vec()),
            6 => Reply::Quit,
            REFUSED => Reply::Refused(Refusal { class: body.string()?, message: body.string()? }),
            kind => return Err(Malformed::Unknown { what: "reply", value: kind.into() }),
        };
        body.finish()?;
        Ok(reply)
    }

    /// What it is called when another was expected.
    pub fn name(&self) -> &'static str {
        match self {
            Reply::Hello { .. } => "hello",
            Reply::Installed { .. } => "installed",
            Reply::Seen(_) => "an observation",
            Reply::Screenshot(_) => "a screenshot",
            Reply::Quit => "quit",
            Reply::Refused(_) => "a refusal",
        }
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.class, self.message)
    }
}

fn decode_seen(body: &mut Reader<'_>) -> Result<Seen, Malformed> {
    let work = Duration::from_micros(body.u64()?);
    let ending = decode_ending(body)?;
    let elapsed_ms = body.u64()?;
    let screen = match body.u8()? {
        0 => None,
        1 => Some(screen::decode(body.blob()?)?),
        value => return Err(Malformed::Unknown { what: "screen mark", value: value.into() }),
    };
    let log = body.strings()?;
    let mut host_limitations = Vec::new();
    for _ in 0..body.u16()? {
        host_limitations.push((body.string()?, body.string()?));
    }
    let covered = body.rest().to_vec();
    Ok(Seen { work, ending, elapsed_ms, screen, log, host_limitations, covered })
}

fn decode_ending(body: &mut Reader<'_>) -> Result<Ending, Malformed> {
    let kind = body.u8()?;
    let detail = body.string()?;
    let thread = body.string()?;
    Ok(match kind {
        0 => Ending::Running,
        1 => Ending::Left { package: detail },
        2 => Ending::Exited,
        3 => Ending::NotResponding { stack: detail },
        4 => Ending::Crashed(Crash { thread, stack: detail }),
        _ => return Err(Malformed::Unknown { what: "outcome", value: kind.into() }),
    })
}

#[cfg(test)]
mod tests;
