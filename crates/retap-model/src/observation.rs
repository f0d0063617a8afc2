//! Observations and outcomes: what a device answers to an event.

mod loss;

pub use loss::Loss;

use crate::coverage::Coverage;
use crate::crash::{Crash, CrashId};
use crate::hash::StableHasher;
use crate::screen::Screen;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// The answer of a device to an event.
#[derive(Debug, Clone, PartialEq)]
pub struct Observation {
    /// Shared, because the same screen comes back again and again.
    pub screen: Arc<Screen>,
    /// Every code unit that ran during this event, new or not.
    pub coverage: Arc<Coverage>,
    /// The milliseconds that passed on the device's own clock.
    pub elapsed_ms: u64,
    pub outcome: Outcome,
    /// The lines that the app logged, as logcat shows them.
    pub log: Vec<String>,
    /// Failures of the device itself, one sentence each.
    pub host_limitations: Vec<String>,
}

/// The end of an event. A crash is data and not an error, because finding crashes is the purpose.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Outcome {
    /// The app is in front and at rest.
    Running,
    /// The event found no widget to act on and did nothing.
    Missed,
    /// Another app is in front, and the app still runs behind it.
    Left { package: String },
    /// The app ended itself: its last activity finished, or it called exit.
    Exited,
    /// The main thread never came to rest. Only a reset brings the app back.
    NotResponding { stack: String },
    /// The app crashed. Only a reset brings it back.
    Crashed(Arc<Crash>),
    /// The event lost the device each time it was tried. Only a reset, on a fresh device, brings the
    /// app back.
    DeviceLost(Arc<Loss>),
}

impl Observation {
    /// Returns the observation of an event that lost the device: nothing was seen of it.
    pub fn of_loss(loss: Loss) -> Self {
        Self {
            screen: Arc::default(),
            coverage: Arc::default(),
            elapsed_ms: 0,
            host_limitations: vec![loss.limitation()],
            outcome: Outcome::DeviceLost(Arc::new(loss)),
            log: Vec::new(),
        }
    }
}

impl Outcome {
    /// Returns true if the app is gone, so that only a reset can follow.
    pub fn is_final(&self) -> bool {
        matches!(self, Outcome::NotResponding { .. } | Outcome::Crashed(_) | Outcome::DeviceLost(_))
    }

    pub fn crash(&self) -> Option<&Arc<Crash>> {
        match self {
            Outcome::Crashed(crash) => Some(crash),
            _ => None,
        }
    }

    /// Returns the form that a trace records.
    pub fn recorded(&self, package: &str) -> RecordedOutcome {
        match self {
            Outcome::Running => RecordedOutcome::Running,
            Outcome::Missed => RecordedOutcome::Missed,
            Outcome::Left { package } => RecordedOutcome::Left(package.clone()),
            Outcome::Exited => RecordedOutcome::Exited,
            Outcome::NotResponding { .. } => RecordedOutcome::NotResponding,
            Outcome::Crashed(crash) => RecordedOutcome::Crashed {
                id: crash.identity(package),
                exception: crash.innermost_class().to_string(),
            },
            Outcome::DeviceLost(_) => RecordedOutcome::DeviceLost,
        }
    }
}

/// An outcome in a line of a trace. The stack itself is in the run's `crashes/`.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum RecordedOutcome {
    #[default]
    Running,
    Missed,
    Left(String),
    Exited,
    NotResponding,
    Crashed {
        id: CrashId,
        exception: String,
    },
    DeviceLost,
}

impl RecordedOutcome {
    pub fn is_running(&self) -> bool {
        *self == RecordedOutcome::Running
    }

    /// Returns true if the app is gone, so that only a reset can follow.
    pub fn is_final(&self) -> bool {
        matches!(
            self,
            RecordedOutcome::NotResponding
                | RecordedOutcome::Crashed { .. }
                | RecordedOutcome::DeviceLost
        )
    }

    pub fn crash(&self) -> Option<CrashId> {
        match self {
            RecordedOutcome::Crashed { id, .. } => Some(*id),
            _ => None,
        }
    }

    pub fn hash_into(&self, hasher: &mut StableHasher) {
        match self {
            RecordedOutcome::Running => hasher.u64(0),
            RecordedOutcome::Missed => hasher.u64(1),
            RecordedOutcome::Left(package) => hasher.u64(2).str(package),
            RecordedOutcome::Exited => hasher.u64(3),
            RecordedOutcome::NotResponding => hasher.u64(4),
            RecordedOutcome::Crashed { id, .. } => hasher.u64(5).u64(id.0),
            RecordedOutcome::DeviceLost => hasher.u64(6),
        };
    }
}

impl fmt::Display for RecordedOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecordedOutcome::Running => f.write_str("running"),
            RecordedOutcome::Missed => f.write_str("found no widget to act on"),
            RecordedOutcome::Left(package) => write!(f, "left the app for {package}"),
            RecordedOutcome::Exited => f.write_str("the app exited"),
            RecordedOutcome::NotResponding => f.write_str("the app stopped responding"),
            RecordedOutcome::Crashed { id, exception } => {
                write!(f, "crashed with {exception} ({id})")
            }
            RecordedOutcome::DeviceLost => f.write_str("lost the device"),
        }
    }
}
