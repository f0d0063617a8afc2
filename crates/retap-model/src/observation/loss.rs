//! The loss of a device: what is known of its end.

use serde::{Deserialize, Serialize};
use std::fmt;

/// What is known of a device that is gone.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Loss {
    /// The exit status, the signal or the missing reply in one sentence, the same for the same cause.
    pub reason: String,
    /// The last lines that the device logged, if any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub log: Vec<String>,
}

impl Loss {
    pub fn new(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), log: Vec::new() }
    }

    /// Returns the host limitation that a step records after a loss.
    pub fn limitation(&self) -> String {
        format!("device lost: {}", self.reason)
    }
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)?;
        match self.log.last() {
            Some(last) => write!(f, ", saying: {last}"),
            None => Ok(()),
        }
    }
}
