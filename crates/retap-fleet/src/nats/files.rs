//! The store of files: apps, and tasks and results that no message can hold.

use super::{Bus, FleetError};
use async_nats::HeaderMap;
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::object_store::{GetErrorKind, InfoErrorKind, ObjectMetadata};
use tokio::io::AsyncReadExt;

/// The header of a message whose content is a file, because no message can hold it.
const IN_FILE: &str = "Retap-File";
/// Room for headers in a message.
const HEADERS: usize = 1024;
/// The length of a file's pieces, if the server takes messages that long.
const PIECE: usize = 128 * 1024;

/// The content of a message, or the file that holds it.
#[derive(Debug)]
pub(super) enum Content {
    Bytes(Vec<u8>),
    File(String),
}

impl Content {
    pub fn of(headers: Option<&HeaderMap>, payload: &[u8]) -> Self {
        match headers.and_then(|headers| headers.get(IN_FILE)) {
            Some(file) => Content::File(file.as_str().into()),
            None => Content::Bytes(payload.to_vec()),
        }
    }
}

impl Bus {
    /// Puts the content into the message, or into a file that the message names.
    pub(super) async fn fill(
        &self,
        message: PublishMessage,
        file: &str,
        bytes: Vec<u8>,
    ) -> Result<PublishMessage, FleetError> {
        if bytes.len() + HEADERS <= self.client.max_payload() {
            return Ok(message.payload(bytes.into()));
        }
        self.store_file(file, &bytes).await?;
        Ok(message.header(IN_FILE, file))
    }

    /// Returns the content of a message. A file may be gone.
    pub(super) async fn read(&self, content: Content) -> Result<Option<Vec<u8>>, FleetError> {
        match content {
            Content::Bytes(bytes) => Ok(Some(bytes)),
            Content::File(file) => self.load_file(&file).await,
        }
    }

    /// Stores a file under its name, unless it is there.
    pub fn put_file(&self, name: &str, bytes: &[u8]) -> Result<(), FleetError> {
        self.runtime.block_on(self.store_file(name, bytes))
    }

    /// Returns a file, if there is one with this name.
    pub fn get_file(&self, name: &str) -> Result<Option<Vec<u8>>, FleetError> {
        self.runtime.block_on(self.load_file(name))
    }

    async fn store_file(&self, name: &str, mut bytes: &[u8]) -> Result<(), FleetError> {
        match self.files.info(name).await {
            Ok(info) if !info.deleted => return Ok(()),
            Ok(_) => {}
            Err(error) if error.kind() == InfoErrorKind::NotFound => {}
            Err(error) => return Err(FleetError::unreachable(error)),
        }
        let piece = self.client.max_payload().saturating_sub(HEADERS).clamp(1, PIECE);
        let described = ObjectMetadata {
            name: name.into(),
            chunk_size: Some(piece),
            ..ObjectMetadata::default()
        };
        let stored = self.files.put(described, &mut bytes).await;
        stored.map(|_| ()).map_err(FleetError::unreachable)
    }

    async fn load_file(&self, name: &str) -> Result<Option<Vec<u8>>, FleetError> {
        let mut file = match self.files.get(name).await {
            Ok(file) => file,
            Err(error) if error.kind() == GetErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(FleetError::unreachable(error)),
        };
        let mut bytes = Vec::new();
        // The store checks the file's hash at its end.
        file.read_to_end(&mut bytes).await.map_err(FleetError::unreachable)?;
        Ok(Some(bytes))
    }
}
