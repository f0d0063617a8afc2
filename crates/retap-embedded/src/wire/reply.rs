//! The agent's replies.

use super::instrument::{DecisionReport, RecordedInput, TestReport, Transfer};
use super::{BodyReader, MalformedData, screen};
use retap_model::{Crash, Outcome, Screen};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

const REFUSED: u8 = 255;

/// A reply to a request.
#[derive(Debug, Clone, PartialEq)]
pub enum AgentReply {
    Hello {
        version: u16,
    },
    /// The folder with the table of units, relative to the folder of prepared apps.
    Installed {
        counted_folder: PathBuf,
    },
    Observation(Box<ObservationReply>),
    Screenshot(Vec<u8>),
    Quit,
    Data(KeptData),
    Tests {
        reports: Vec<TestReport>,
        transfers: Vec<Transfer>,
        observation: Box<ObservationReply>,
    },
    KeptScreen {
        screen: Option<Screen>,
        png: Vec<u8>,
        inputs: Vec<RecordedInput>,
    },
    Decisions(DecisionReport),
    Content(Vec<u8>),
    Refused(Refusal),
}

/// What an app leaves to another version of it. Only agents look into the files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptData {
    pub uptime_ms: u64,
    pub files: Vec<u8>,
}

/// A request that could not be carried out: the exception's class and message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    pub class: String,
    pub message: String,
}

/// An observation in the form in which the agent sends it.
#[derive(Debug, Clone, PartialEq)]
pub struct ObservationReply {
    /// The time between the request and this reply, on the agent's own clock.
    pub agent_time: Duration,
    pub outcome: Outcome,
    pub elapsed_ms: u64,
    /// None if the screen is the last one that was sent.
    pub screen: Option<Screen>,
    pub log: Vec<String>,
    pub host_limitations: Vec<HostLimitation>,
    /// The executed probes in the encoding that `docs/agent.md` describes.
    pub covered_probes: Vec<u8>,
}

/// Something the embedded device could not do for the app.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostLimitation {
    pub kind: String,
    pub detail: String,
}

impl AgentReply {
    pub fn decode(body: &[u8]) -> Result<AgentReply, MalformedData> {
        let mut body = BodyReader::new(body);
        let reply = match body.u8()? {
            1 => AgentReply::Hello { version: body.u16()? },
            2 => AgentReply::Installed { counted_folder: body.string()?.into() },
            4 => AgentReply::Observation(Box::new(decode_observation(&mut body)?)),
            5 => AgentReply::Screenshot(body.blob()?.to_vec()),
            6 => AgentReply::Quit,
            8 => {
                AgentReply::Data(KeptData { uptime_ms: body.u64()?, files: body.blob()?.to_vec() })
            }
            9 => AgentReply::Tests {
                reports: TestReport::decode_all(&mut body)?,
                transfers: Transfer::decode_all(&mut body)?,
                observation: Box::new(decode_observation(&mut body)?),
            },
            11 => {
                let bytes = body.blob()?;
                AgentReply::KeptScreen {
                    screen: if bytes.is_empty() { None } else { Some(screen::decode(bytes)?) },
                    png: body.blob()?.to_vec(),
                    inputs: RecordedInput::decode_all(&mut body)?,
                }
            }
            12 => AgentReply::Decisions(DecisionReport {
                count: body.u64()?,
                described: body.strings()?,
            }),
            13 => AgentReply::Content(body.blob()?.to_vec()),
            REFUSED => {
                AgentReply::Refused(Refusal { class: body.string()?, message: body.string()? })
            }
            kind => return Err(MalformedData::Unknown { what: "reply", value: kind.into() }),
        };
        body.finish()?;
        Ok(reply)
    }

    /// Returns a name for messages about an unexpected reply.
    pub fn name(&self) -> &'static str {
        match self {
            AgentReply::Hello { .. } => "hello",
            AgentReply::Installed { .. } => "installed",
            AgentReply::Observation(_) => "an observation",
            AgentReply::Screenshot(_) => "a screenshot",
            AgentReply::Quit => "quit",
            AgentReply::Data(_) => "data",
            AgentReply::Tests { .. } => "reports of tests",
            AgentReply::KeptScreen { .. } => "a kept screen",
            AgentReply::Decisions(_) => "decisions",
            AgentReply::Content(_) => "content",
            AgentReply::Refused(_) => "a refusal",
        }
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.class, self.message)
    }
}

fn decode_observation(body: &mut BodyReader<'_>) -> Result<ObservationReply, MalformedData> {
    let agent_time = Duration::from_micros(body.u64()?);
    let outcome = decode_outcome(body)?;
    let elapsed_ms = body.u64()?;
    let screen = match body.u8()? {
        0 => None,
        1 => Some(screen::decode(body.blob()?)?),
        value => return Err(MalformedData::Unknown { what: "screen mark", value: value.into() }),
    };
    let log = body.strings()?;
    let mut host_limitations = Vec::new();
    for _ in 0..body.u16()? {
        let (kind, detail) = (body.string()?, body.string()?);
        host_limitations.push(HostLimitation { kind, detail });
    }
    let doubts = body.strings()?;
    let outcome = match outcome {
        Outcome::Crashed(crash) if !doubts.is_empty() => {
            Outcome::Crashed(Arc::new(Crash { doubts, ..Crash::clone(&crash) }))
        }
        other => other,
    };
    let covered_probes = body.rest().to_vec();
    Ok(ObservationReply {
        agent_time,
        outcome,
        elapsed_ms,
        screen,
        log,
        host_limitations,
        covered_probes,
    })
}

fn decode_outcome(body: &mut BodyReader<'_>) -> Result<Outcome, MalformedData> {
    let kind = body.u8()?;
    let detail = body.string()?;
    let thread = body.string()?;
    Ok(match kind {
        0 => Outcome::Running,
        1 => Outcome::Left { package: detail },
        2 => Outcome::Exited,
        3 => Outcome::NotResponding { stack: detail },
        4 => Outcome::Crashed(Arc::new(Crash::new(thread, detail))),
        _ => return Err(MalformedData::Unknown { what: "outcome", value: kind.into() }),
    })
}

#[cfg(test)]
mod tests;
