//! The agent's protocol as `docs/agent.md` describes it: frames of big-endian numbers and strings, one
//! reply to each request. What comes back may have been tampered with by the app: nothing is believed
//! that the bytes at hand do not bear out.

mod body;
mod reply;
mod request;
mod screen;

pub use body::{Malformed, Reader};
pub use reply::{Ending, Refusal, Reply, Seen};
pub use request::{Install, Request};

pub const VERSION: u16 = 4;

/// Longer frames are refused in both directions.
pub const MOST_BYTES: usize = 64 << 20;
