//! One campaign over many machines: executions as plain data, a work queue, results by content hash, and the workers
//! that run them. The engine is NATS with JetStream: no scheduler, queue or store of our own.
//!
//! Law: this crate does **not** know any algorithm, flag or terminal. A lab asks it in place of its own rigs. Only
//! `nats.rs` and its folder hold async code and know the client; everything else is sync.

mod campaign;
mod coordinator;
mod envelope;
mod error;
mod local_server;
mod nats;
mod options;
mod packing;
mod result;
mod status;
mod task;
mod worker;

pub use campaign::{CampaignCounts, CampaignRecord, CampaignSettings, CampaignState};
pub use coordinator::{FleetPool, SharedPool, TakeResult};
pub use envelope::{Signer, TrustedKeys};
pub use error::FleetError;
pub use local_server::{LocalServer, ServerCounts};
pub use nats::Traffic;
pub use options::{FleetOptions, Protection};
pub use result::{ExploredLeg, ExploredTrace, TaskResult};
pub use status::{FleetStatus, WorkerRecord, set_campaign_state};
pub use task::{DeviceSetup, Priority, Task, TaskId, Work};
pub use worker::{WorkerSettings, Workshop, run_worker};
