//! What the protocol says of instrumentations: how one starts and goes on, what it reports, and what passes through
//! forwarded ports.

use super::body_writer::BodyWriter;
use super::{BodyReader, MalformedData, screen};
use retap_model::event::{Extra, Intent, PinchDirection};
use retap_model::{Event, Key, Orientation, Point, Screen, Target, WorldSeed};

/// The number of a decision that no world comes to.
const NEVER: u64 = i64::MAX as u64;

/// How to start the app under a test APK's instrumentation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestStart {
    pub world_seed: WorldSeed,
    /// The component of the instrumentation: `PACKAGE/CLASS`.
    pub runner: String,
    pub arguments: Vec<(String, String)>,
    /// Whether the app's data is wiped first.
    pub clean_install: bool,
    /// Whether the app's icon is tapped, for tests that drive it from outside.
    pub launches: bool,
    pub keeps: Keeps,
    pub decisions: DecisionPlan,
    /// The virtual time until the first report.
    pub limit_ms: u64,
}

/// What is kept of a test besides its reports.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Keeps {
    #[default]
    Nothing,
    /// The last screen before an activity finishes, with its picture, and the test's inputs.
    LastScreen,
    /// Besides, the screen before each input: the next one may end the process.
    EveryScreen,
}

/// Where a world's decisions come from: the first ones from its own seed, the rest from another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DecisionPlan {
    pub other_seed: WorldSeed,
    /// The number of the first decision that comes from the other seed.
    pub switch_at: u64,
    /// The number of the decision that the phone describes.
    pub described_at: u64,
}

impl Default for DecisionPlan {
    fn default() -> Self {
        Self { other_seed: 0, switch_at: NEVER, described_at: NEVER }
    }
}

/// What a world decided.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DecisionReport {
    pub count: u64,
    /// What the described decision was about, what was chosen, and what else could have been. Empty if the world never
    /// came to it.
    pub described: Vec<String>,
}

/// Something that a test did to the phone, with the screen before it.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordedInput {
    pub screen: Option<Screen>,
    pub event: Event,
}

/// How an instrumentation goes on after a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestContinue {
    /// The virtual time until the next report; without one the test is late.
    pub limit_ms: u64,
    /// The virtual time after which the phone answers even if nothing happened.
    pub pause_ms: u64,
    /// What arrived at forwarded ports.
    pub transfers: Vec<Transfer>,
}

/// Bytes of a connection between the machine and a port of the phone, in either direction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transfer {
    pub connection: u32,
    /// The phone's port, if the connection begins with this.
    pub port: Option<u16>,
    pub bytes: Vec<u8>,
    /// Whether the sender sends no more.
    pub is_last: bool,
}

/// One report of an instrumentation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestReport {
    pub kind: TestReportKind,
    pub code: i32,
    pub values: Vec<(String, String)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TestReportKind {
    /// A status while it runs.
    Status,
    /// Its result at the end.
    Result,
    /// No report came in time; the values hold the stacks of all threads.
    Late,
}

impl TestStart {
    pub(super) fn encode<'w>(&self, body: &'w mut BodyWriter) -> &'w mut BodyWriter {
        let pair = |(key, value): &(String, String)| [key.clone(), value.clone()];
        let arguments: Vec<String> = self.arguments.iter().flat_map(pair).collect();
        body.u64(self.world_seed)
            .string(&self.runner)
            .strings(&arguments)
            .u8(self.clean_install.into())
            .u8(self.launches.into())
            .u8(self.keeps as u8)
            .u64(self.decisions.other_seed)
            .u64(self.decisions.switch_at)
            .u64(self.decisions.described_at)
            .u64(self.limit_ms)
    }
}

impl TestContinue {
    /// Runs until the next report, with no ports to look after.
    pub fn up_to(limit_ms: u64) -> Self {
        Self { limit_ms, pause_ms: NEVER, transfers: Vec::new() }
    }

    pub(super) fn encode<'w>(&self, body: &'w mut BodyWriter) -> &'w mut BodyWriter {
        let transfers = &self.transfers[..self.transfers.len().min(u16::MAX.into())];
        body.u64(self.limit_ms).u64(self.pause_ms).u16(transfers.len() as u16);
        for one in transfers {
            body.i32(one.connection as i32)
                .u16(one.port.unwrap_or_default())
                .blob(&one.bytes)
                .u8(one.is_last.into());
        }
        body
    }
}

impl Transfer {
    pub(super) fn decode_all(body: &mut BodyReader<'_>) -> Result<Vec<Self>, MalformedData> {
        let mut all = Vec::new();
        for _ in 0..body.u16()? {
            all.push(Self {
                connection: body.u32()?,
                port: Some(body.u16()?).filter(|port| *port != 0),
                bytes: body.blob()?.to_vec(),
                is_last: body.u8()? != 0,
            });
        }
        Ok(all)
    }
}

impl TestReport {
    pub(super) fn decode_all(body: &mut BodyReader<'_>) -> Result<Vec<Self>, MalformedData> {
        let mut reports = Vec::new();
        for _ in 0..body.u16()? {
            let kind = match body.u8()? {
                0 => TestReportKind::Status,
                1 => TestReportKind::Result,
                2 => TestReportKind::Late,
                value => {
                    return Err(MalformedData::Unknown { what: "report", value: value.into() });
                }
            };
            let code = body.i32()?;
            let mut strings = body.strings()?.into_iter();
            let mut values = Vec::new();
            while let (Some(key), Some(value)) = (strings.next(), strings.next()) {
                values.push((key, value));
            }
            reports.push(TestReport { kind, code, values });
        }
        Ok(reports)
    }
}

impl RecordedInput {
    pub(super) fn decode_all(body: &mut BodyReader<'_>) -> Result<Vec<Self>, MalformedData> {
        let mut all = Vec::new();
        for _ in 0..body.u16()? {
            let bytes = body.blob()?;
            let screen = if bytes.is_empty() { None } else { Some(screen::decode(bytes)?) };
            all.push(Self { event: decode_event(body)?, screen });
        }
        Ok(all)
    }
}

fn decode_event(body: &mut BodyReader<'_>) -> Result<Event, MalformedData> {
    let unknown = |value: u8| MalformedData::Unknown { what: "input", value: value.into() };
    let kind = body.u8()?;
    Ok(match kind {
        1 => Event::Tap(decode_target(body)?),
        2 => Event::LongPress(decode_target(body)?),
        3 => {
            let from = decode_target(body)?;
            let to = decode_point(body)?;
            Event::Drag { from, to, ms: body.u32()? }
        }
        4 => {
            let on = decode_target(body)?;
            let opens = body.u8()? != 0;
            let direction = if opens { PinchDirection::Open } else { PinchDirection::Close };
            Event::Pinch { on, direction }
        }
        6 => Event::Key(Key::new(&body.string()?).map_err(|_| unknown(kind))?),
        7 if body.u8()? != 0 => Event::Rotate(Orientation::Landscape),
        7 => Event::Rotate(Orientation::Portrait),
        8 => Event::Intent(Intent {
            action: body.string()?,
            data: body.string()?,
            mime_type: body.string()?,
            categories: body.strings()?,
            component: body.string()?,
            extras: body.strings()?.iter().filter_map(|extra| decode_extra(extra)).collect(),
        }),
        12 => Event::Launch,
        value => return Err(unknown(value)),
    })
}

fn decode_target(body: &mut BodyReader<'_>) -> Result<Target, MalformedData> {
    decode_point(body).map(Target::point)
}

fn decode_point(body: &mut BodyReader<'_>) -> Result<Point, MalformedData> {
    Ok(Point::new(body.i32()?, body.i32()?))
}

/// Reads an extra: its key, and its value after the letter of its type.
fn decode_extra(text: &str) -> Option<(String, Extra)> {
    let (key, value) = text.split_once('=')?;
    let (letter, value) = value.split_at_checked(1)?;
    let extra = match letter {
        "s" => Extra::Text(value.to_owned()),
        "b" => Extra::Bool(value == "true"),
        _ => Extra::Int(value.parse().ok()?),
    };
    Some((key.to_owned(), extra))
}
