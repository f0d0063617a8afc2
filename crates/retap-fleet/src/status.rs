//! What a fleet does at the moment, and who may change it.

use crate::campaign::{CampaignRecord, CampaignState};
use crate::error::FleetError;
use crate::nats::{Bucket, Bus};
use crate::options::FleetOptions;
use serde::{Deserialize, Serialize};

/// A worker as everyone sees it. It writes its record every few seconds; a record that is not renewed disappears.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct WorkerRecord {
    pub name: String,
    pub version: String,
    /// Devices that it runs in parallel, and those that are at work.
    pub devices: usize,
    pub busy: usize,
    /// Tasks and events since it began.
    pub tasks: u64,
    pub events: u64,
    pub events_per_second: f64,
    /// Tasks that nobody trusted had signed, or that were of another version.
    pub refused: u64,
}

/// A fleet at one moment.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FleetStatus {
    /// Tasks that wait for a worker.
    pub waiting: u64,
    /// Tasks that workers hold.
    pub held: u64,
    /// Results by content, and their size.
    pub results: u64,
    pub result_bytes: u64,
    pub events_per_second: f64,
    pub workers: Vec<WorkerRecord>,
    pub campaigns: Vec<CampaignRecord>,
}

impl FleetStatus {
    /// Looks at a fleet.
    pub fn read(options: &FleetOptions) -> Result<Self, FleetError> {
        let bus = Bus::connect(options)?;
        let (waiting, held) = bus.queue_lengths()?;
        let (results, result_bytes) = bus.stored_results()?;
        let workers: Vec<(String, WorkerRecord)> = bus.list_records(Bucket::Workers)?;
        let workers: Vec<WorkerRecord> = workers.into_iter().map(|(_, worker)| worker).collect();
        let campaigns: Vec<(String, CampaignRecord)> = bus.list_records(Bucket::Campaigns)?;
        Ok(Self {
            waiting,
            held,
            results,
            result_bytes,
            events_per_second: workers.iter().map(|worker| worker.events_per_second).sum(),
            workers,
            campaigns: campaigns.into_iter().map(|(_, campaign)| campaign).collect(),
        })
    }
}

/// Pauses or resumes a campaign, from any machine. Returns `None` if there is no such campaign.
pub fn set_campaign_state(
    options: &FleetOptions,
    campaign: &str,
    state: CampaignState,
) -> Result<Option<CampaignRecord>, FleetError> {
    let bus = Bus::connect(options)?;
    let change = |before: Option<CampaignRecord>| Some(CampaignRecord { state, ..before? });
    bus.change_record(Bucket::Campaigns, campaign, &change)
}
