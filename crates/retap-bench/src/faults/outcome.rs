//! The outcome of a disturbed run, compared with the undisturbed one.

use super::child::ChildResult;
use super::fault::{Disturbance, DisturbanceKind};
use serde::Serialize;

/// What became of a disturbed run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultEffect {
    /// It ended by itself with the digest of the undisturbed run.
    Same,
    /// It was killed, and a resume gave that digest.
    Resumed,
    /// It ended with a message, and a resume, or a new run where it said so, gave that digest.
    Said,
    /// It gave another digest, or none.
    Lost,
}

impl FaultEffect {
    pub const ALL: [FaultEffect; 4] =
        [FaultEffect::Same, FaultEffect::Resumed, FaultEffect::Said, FaultEffect::Lost];

    pub fn title(self) -> &'static str {
        match self {
            FaultEffect::Same => "same",
            FaultEffect::Resumed => "same when resumed",
            FaultEffect::Said => "same after a message",
            FaultEffect::Lost => "lost",
        }
    }
}

/// One disturbed run.
#[derive(Debug, Clone, Serialize)]
pub struct FaultedRun {
    pub app: String,
    pub fault: DisturbanceKind,
    pub after_ms: u64,
    /// How often the fault struck before the run had ended.
    pub strikes: u32,
    pub effect: FaultEffect,
    pub resumes: u32,
    /// What retap said when it ended early, or what is wrong with a lost run.
    pub message: String,
    pub devices_lost: u64,
}

impl FaultedRun {
    pub(super) fn judge(
        app: &str,
        fault: &Disturbance,
        strikes: u32,
        result: &ChildResult,
        resumes: u32,
        message: String,
        digest: &str,
    ) -> Self {
        let is_same = result.digest.as_deref() == Some(digest);
        let (effect, message) = match (is_same, resumes) {
            (true, 0) => (FaultEffect::Same, message),
            (true, _) if message.is_empty() => (FaultEffect::Resumed, message),
            (true, _) => (FaultEffect::Said, message),
            (false, _) => {
                let found = result.digest.as_deref().unwrap_or("none");
                let why = &result.message;
                (FaultEffect::Lost, format!("expected digest {digest}, found {found}: {why}"))
            }
        };
        Self {
            app: app.to_string(),
            fault: fault.kind,
            after_ms: fault.after.as_millis() as u64,
            strikes,
            effect,
            resumes,
            message,
            devices_lost: result.devices_lost,
        }
    }
}
