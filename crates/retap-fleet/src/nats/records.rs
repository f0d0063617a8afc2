//! Small records that many machines read and change: which campaigns there are, and which workers.

use super::{Bus, FleetError};
use async_nats::jetstream::kv::{CreateErrorKind, Store, UpdateErrorKind};
use async_nats::jetstream::{Context, kv, stream};
use futures_util::TryStreamExt;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::time::Duration;

/// A worker that is silent for this long is not there.
const SILENCE: Duration = Duration::from_secs(15);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bucket {
    Campaigns,
    Workers,
}

impl Bucket {
    pub const ALL: [Bucket; 2] = [Bucket::Campaigns, Bucket::Workers];
}

pub(super) async fn open(context: &Context, bucket: Bucket) -> Result<Store, FleetError> {
    let (name, max_age) = match bucket {
        Bucket::Campaigns => ("retap-campaigns", super::KEPT_FOR),
        Bucket::Workers => ("retap-workers", SILENCE),
    };
    if let Ok(store) = context.get_key_value(name).await {
        return Ok(store);
    }
    // The client asks servers before 2.10 something that they do not know when it makes a bucket, so its stream is made here.
    let config = stream::Config {
        name: format!("KV_{name}"),
        subjects: vec![format!("$KV.{name}.>")],
        max_messages_per_subject: 1,
        max_age,
        discard: stream::DiscardPolicy::New,
        allow_rollup: true,
        deny_delete: true,
        allow_direct: true,
        num_replicas: 1,
        ..stream::Config::default()
    };
    context.get_or_create_stream(config).await.map_err(super::failed(name))?;
    context.get_key_value(name).await.map_err(super::failed(name))
}

impl Bus {
    fn store(&self, bucket: Bucket) -> &Store {
        &self.buckets[bucket as usize]
    }

    /// Writes a record that nobody else writes.
    pub fn put_record(
        &self,
        bucket: Bucket,
        key: &str,
        record: &impl Serialize,
    ) -> Result<(), FleetError> {
        let bytes = serde_json::to_vec(record).map_err(FleetError::malformed)?;
        let written = self.runtime.block_on(self.store(bucket).put(key, bytes.into()));
        written.map(|_| ()).map_err(FleetError::unreachable)
    }

    pub fn delete_record(&self, bucket: Bucket, key: &str) -> Result<(), FleetError> {
        let deleted = self.runtime.block_on(self.store(bucket).delete(key));
        deleted.map_err(FleetError::unreachable)
    }

    /// Changes a record that others may change at the same time: if one of them was first, `change` sees what it wrote.
    /// `None` leaves the record as it is. Returns what is there then.
    pub fn change_record<T: Serialize + DeserializeOwned>(
        &self,
        bucket: Bucket,
        key: &str,
        change: &dyn Fn(Option<T>) -> Option<T>,
    ) -> Result<Option<T>, FleetError> {
        let store = self.store(bucket);
        self.runtime.block_on(async {
            loop {
                let entry = store.entry(key).await.map_err(FleetError::unreachable)?;
                let entry = entry.filter(|entry| entry.operation == kv::Operation::Put);
                let read = |bytes: &[u8]| serde_json::from_slice::<T>(bytes);
                let before = entry.as_ref().map(|entry| read(&entry.value)).transpose();
                let before = before.map_err(FleetError::malformed)?;
                let Some(after) = change(before) else {
                    let before = entry.map(|entry| read(&entry.value)).transpose();
                    return before.map_err(FleetError::malformed);
                };
                let bytes = serde_json::to_vec(&after).map_err(FleetError::malformed)?;
                if write_if_unchanged(store, key, entry.map(|one| one.revision), bytes).await? {
                    return Ok(Some(after));
                }
            }
        })
    }

    /// Returns all records that this version can read, by key.
    pub fn list_records<T: DeserializeOwned>(
        &self,
        bucket: Bucket,
    ) -> Result<Vec<(String, T)>, FleetError> {
        let store = self.store(bucket);
        self.runtime.block_on(async {
            let mut keys = super::once_ready(async || list_keys(store).await).await?;
            keys.sort();
            let mut records = Vec::new();
            for key in keys {
                let bytes = store.get(&key).await.map_err(FleetError::unreachable)?;
                let record = bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok());
                records.extend(record.map(|record| (key, record)));
            }
            Ok(records)
        })
    }
}

async fn list_keys(store: &Store) -> Result<Vec<String>, FleetError> {
    let keys = store.keys().await.map_err(FleetError::unreachable)?;
    keys.try_collect().await.map_err(FleetError::unreachable)
}

/// Writes a record if it still has this revision, or if there is still none. Returns false if someone else was first.
async fn write_if_unchanged(
    store: &Store,
    key: &str,
    revision: Option<u64>,
    bytes: Vec<u8>,
) -> Result<bool, FleetError> {
    match revision {
        None => match store.create(key, bytes.into()).await {
            Ok(_) => Ok(true),
            Err(error) if error.kind() == CreateErrorKind::AlreadyExists => Ok(false),
            Err(error) => Err(FleetError::unreachable(error)),
        },
        Some(revision) => match store.update(key, bytes.into(), revision).await {
            Ok(_) => Ok(true),
            Err(error) if error.kind() == UpdateErrorKind::WrongLastRevision => Ok(false),
            Err(error) => Err(FleetError::unreachable(error)),
        },
    }
}
