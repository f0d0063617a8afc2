//! `run.json`: everything a run was asked to do, so that it can be understood, resumed and
//! repeated.

use crate::abstraction::Abstraction;
use crate::app::{AppIdentity, Display, WorldSeed};
use crate::format::trace;
use serde::{Deserialize, Serialize};

/// The content of `run.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunInfo {
    /// Always `run`.
    pub retap: String,
    pub version: u32,
    pub retap_version: String,
    pub verb: String,
    pub arguments: Vec<String>,
    pub seed: u64,
    pub world_seed: WorldSeed,
    pub app: AppIdentity,
    /// The file of the app, as the command line named it.
    pub apk: String,
    pub device: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub api: Option<u32>,
    pub display: Display,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outside: Vec<String>,
    pub abstraction: Abstraction,
}

impl RunInfo {
    pub const KIND: &str = "run";
    pub const VERSION: u32 = 1;

    /// Returns the header of the run's trace files.
    pub fn trace_header(&self) -> trace::Header {
        trace::Header {
            retap: trace::Header::KIND.into(),
            version: trace::VERSION,
            app: self.app.clone(),
            device: self.device.clone(),
            api: self.api,
            display: self.display,
            outside: self.outside.clone(),
            world_seed: self.world_seed,
            abstraction: self.abstraction,
        }
    }
}
