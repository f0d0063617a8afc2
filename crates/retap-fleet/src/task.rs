//! A task: what one worker runs in a row, as plain data. Its id is the hash of its content, so that the same task has the
//! same id on every machine and in every process.

use retap_device::Job;
use retap_model::hash::to_hex;
use retap_model::{Display, Event, WorldSeed};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt;

/// Jobs to run, or a request to explore, and everything that their observations depend on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Task {
    /// The version of retap. Another one may observe something else.
    pub version: String,
    pub setup: DeviceSetup,
    pub work: Work,
}

/// The app and the device that it runs on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeviceSetup {
    /// `embedded` or `fake`.
    pub kind: String,
    /// The SHA-256 of the app's file, which also names it in the store.
    pub app: String,
    /// The name of the app's file, without its folder.
    pub file: String,
    pub api: Option<u32>,
    pub display: Option<Display>,
    /// Changes to the phone's other apps.
    pub outside: Vec<String>,
    /// Classes and packages whose coverage counts.
    pub include: Vec<String>,
    pub exclude: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Work {
    /// Run these jobs one after the other. They share prefixes.
    Run {
        jobs: Vec<Job>,
        /// On a device that is not deterministic the same jobs may be asked for again.
        repeat: u64,
    },
    /// Explore with this seed from the state that the path leads to.
    Explore {
        /// The strategy and its flags, as the command line of that version reads them.
        strategy: Vec<String>,
        seed: u64,
        world_seed: WorldSeed,
        path: Vec<Event>,
        max_events: u64,
    },
}

/// Which tasks go first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Priority {
    /// Someone waits for the answer: minimising, reducing, replaying.
    Answer,
    /// Exploring.
    Explore,
}

impl Priority {
    pub const ALL: [Priority; 2] = [Priority::Answer, Priority::Explore];

    /// Returns the word in the subjects of the queue.
    pub fn name(self) -> &'static str {
        match self {
            Priority::Answer => "answer",
            Priority::Explore => "explore",
        }
    }
}

impl Work {
    pub fn priority(&self) -> Priority {
        match self {
            Work::Run { .. } => Priority::Answer,
            Work::Explore { .. } => Priority::Explore,
        }
    }
}

/// The hash of something's content: 32 hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TaskId(pub String);

impl fmt::Display for TaskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Returns the hash that names these bytes, short enough for a subject.
pub(crate) fn content_hash(bytes: &[u8]) -> String {
    to_hex(&Sha256::digest(bytes)[..16])
}

impl Task {
    /// Returns the hash of the task's text. The same task has the same text, because plain data without maps has one.
    pub fn id(&self) -> TaskId {
        TaskId(content_hash(serde_json::to_string(self).unwrap_or_default().as_bytes()))
    }
}

impl DeviceSetup {
    /// Returns the hash that names this setup. Results are grouped by it.
    pub fn id(&self) -> String {
        content_hash(serde_json::to_string(self).unwrap_or_default().as_bytes())
    }
}
