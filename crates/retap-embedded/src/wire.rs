//! The agent's protocol, as `docs/agent.md` describes it: frames of big-endian numbers and strings,
//! with one reply to each request.
//!
//! The app may have tampered with a reply. So nothing is trusted beyond the bytes that are there.

mod body_reader;
mod body_writer;
mod instrument;
mod malformed;
mod reply;
mod request;
mod screen;

pub use body_reader::BodyReader;
pub use instrument::{
    DecisionPlan, DecisionReport, Keeps, RecordedInput, TestContinue, TestReport, TestReportKind,
    TestStart, Transfer,
};
pub use malformed::MalformedData;
pub use reply::{AgentReply, HostLimitation, KeptData, ObservationReply, Refusal};
pub use request::{AgentRequest, InstallRequest};

/// The version of the protocol that both sides must speak.
pub const VERSION: u16 = 9;

/// The length in bytes of the longest frame in either direction.
pub const MAX_FRAME_LEN: usize = 64 << 20;
