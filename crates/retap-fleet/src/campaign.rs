//! A campaign: what one verb asks of a fleet. Its record is in the server's store, so that it can be watched and paused from
//! anywhere.

use crate::envelope::{Signer, TrustedKeys};
use crate::error::FleetError;
use crate::nats::{Bucket, Bus};
use crate::status::WorkerRecord;
use crate::task::{DeviceSetup, TaskId, content_hash};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// What a verb asks of a fleet.
#[derive(Debug)]
pub struct CampaignSettings {
    pub verb: String,
    /// The words after the verb. The same words on the same app are the same campaign, also after a restart.
    pub arguments: Vec<String>,
    pub setup: DeviceSetup,
    /// The app's file.
    pub app: PathBuf,
    /// The tasks that may be in the queue or with workers at the same time. Zero means any number.
    pub limit: usize,
    /// Signs its tasks.
    pub signer: Signer,
    /// Whose results it takes.
    pub trusted: TrustedKeys,
}

impl CampaignSettings {
    /// Returns the name of the campaign.
    pub fn id(&self) -> String {
        let words = self.arguments.join("\0");
        let text = format!("{}\0{words}\0{}", self.verb, self.setup.id());
        content_hash(text.as_bytes())[..12].into()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CampaignState {
    Running,
    /// No further tasks are offered until someone resumes it.
    Paused,
    Ended,
}

/// A campaign as everyone sees it. The coordinator writes its counts; workers add what they set aside; anyone may pause.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CampaignRecord {
    pub id: String,
    pub verb: String,
    /// The name of the app's file.
    pub app: String,
    pub version: String,
    pub state: CampaignState,
    #[serde(flatten)]
    pub counts: CampaignCounts,
    /// Tasks that no worker survived, with the reason.
    pub set_aside: Vec<String>,
    /// Tasks that gave something else when they ran again.
    pub differences: Vec<String>,
}

/// The counts of a campaign since its coordinator began.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CampaignCounts {
    /// Tasks whose results were used.
    pub tasks: u64,
    /// Of those, the ones whose result was there already.
    pub found: u64,
    /// Events that workers ran for it.
    pub events: u64,
    /// Tasks that are in the queue or with workers.
    pub open: u64,
}

/// Writes the counts, and returns the state that somebody may have changed. `ends` ends it.
pub(crate) fn update(
    bus: &Bus,
    settings: &CampaignSettings,
    version: &str,
    counts: CampaignCounts,
    ends: bool,
) -> Result<CampaignRecord, FleetError> {
    let id = settings.id();
    let change = |before: Option<CampaignRecord>| {
        let mut record = before.unwrap_or_else(|| CampaignRecord {
            id: id.clone(),
            verb: settings.verb.clone(),
            app: settings.setup.file.clone(),
            version: version.into(),
            state: CampaignState::Running,
            counts,
            set_aside: Vec::new(),
            differences: Vec::new(),
        });
        record.counts = counts;
        record.version = version.into();
        record.state = match record.state {
            _ if ends => CampaignState::Ended,
            CampaignState::Ended => CampaignState::Running,
            state => state,
        };
        Some(record)
    };
    let record = bus.change_record(Bucket::Campaigns, &id, &change)?;
    record.ok_or_else(|| FleetError::malformed("the record of the campaign is gone"))
}

/// Adds a line about a task to the record of a campaign.
pub(crate) fn add_line(
    bus: &Bus,
    campaign: &str,
    line: &str,
    list: fn(&mut CampaignRecord) -> &mut Vec<String>,
) -> Result<(), FleetError> {
    const MAX_LINES: usize = 100;
    let change = |before: Option<CampaignRecord>| {
        let mut record = before?;
        let lines = list(&mut record);
        if lines.len() >= MAX_LINES || lines.iter().any(|known| known == line) {
            return None;
        }
        lines.push(line.into());
        Some(record)
    };
    bus.change_record(Bucket::Campaigns, campaign, &change).map(|_| ())
}

/// Takes back what was said about a task that was set aside: it ran when it was tried again.
pub(crate) fn forget_set_aside(bus: &Bus, campaign: &str, task: &TaskId) -> Result<(), FleetError> {
    let begin = about(task);
    let change = |before: Option<CampaignRecord>| {
        let mut record = before?;
        let lines = record.set_aside.len();
        record.set_aside.retain(|line| !line.starts_with(&begin));
        (record.set_aside.len() < lines).then_some(record)
    };
    bus.change_record(Bucket::Campaigns, campaign, &change).map(|_| ())
}

/// Returns how a line about a task begins.
pub(crate) fn about(task: &TaskId) -> String {
    format!("task {task}")
}

/// Refuses a fleet in which workers of another version are.
pub(crate) fn check_version(bus: &Bus, version: &str) -> Result<(), FleetError> {
    let workers = bus.list_records::<WorkerRecord>(Bucket::Workers)?;
    match workers.into_iter().find(|(_, worker)| worker.version != version) {
        None => Ok(()),
        Some((_, WorkerRecord { name, version: other, .. })) => {
            Err(FleetError::OtherVersion(format!(
                "worker {name} of this fleet is retap {other} and this is retap {version}: a fleet has one version, \
                 because another one may observe something else; stop the old workers or use another fleet"
            )))
        }
    }
}
