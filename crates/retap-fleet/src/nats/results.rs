//! Results by the content of their task. The first one stays; a later one is compared with it.

use super::files::Content;
use super::{Bus, FleetError, RESULTS};
use crate::task::TaskId;
use async_nats::jetstream::context::PublishErrorKind;
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::stream::DirectGetErrorKind;
use futures_util::StreamExt;
use futures_util::future::join_all;
use std::sync::mpsc::{Receiver, channel};

/// A result was stored.
#[derive(Debug)]
pub(crate) struct ResultNotice {
    pub id: TaskId,
    /// `None` if the message does not hold it.
    pub bytes: Option<Vec<u8>>,
}

/// What became of a result.
#[derive(Debug)]
pub(crate) enum Kept {
    First,
    /// There was one already.
    Later,
}

impl Bus {
    /// Stores a result, unless there is one.
    pub fn keep_result(
        &self,
        setup: &str,
        id: &TaskId,
        bytes: Vec<u8>,
    ) -> Result<Kept, FleetError> {
        self.runtime.block_on(async {
            let message = PublishMessage::build().expected_last_subject_sequence(0);
            let message = self.fill(message, &format!("result-{id}"), bytes).await?;
            match self.publish(subject(setup, id), message).await {
                Ok(_) => Ok(Kept::First),
                Err(error) if error.kind() == PublishErrorKind::WrongLastSequence => {
                    Ok(Kept::Later)
                }
                Err(error) => Err(FleetError::unreachable(error)),
            }
        })
    }

    /// Returns the stored results of these tasks.
    pub fn find_results(
        &self,
        setup: &str,
        ids: &[TaskId],
    ) -> Result<Vec<Option<Vec<u8>>>, FleetError> {
        let found = ids.iter().map(|id| self.find(setup, id));
        self.runtime.block_on(join_all(found)).into_iter().collect()
    }

    async fn find(&self, setup: &str, id: &TaskId) -> Result<Option<Vec<u8>>, FleetError> {
        match self.results.direct_get_last_for_subject(subject(setup, id)).await {
            Ok(message) => self.read(Content::of(Some(&message.headers), &message.payload)).await,
            Err(error) if error.kind() == DirectGetErrorKind::NotFound => Ok(None),
            Err(error) => Err(FleetError::unreachable(error)),
        }
    }

    /// Forgets the result of a task.
    pub fn forget_result(&self, setup: &str, id: &TaskId) -> Result<(), FleetError> {
        let purged =
            self.runtime.block_on(async { self.results.purge().filter(subject(setup, id)).await });
        purged.map(|_| ()).map_err(FleetError::unreachable)
    }

    /// Hears of every result of a setup that is stored from now on. One may be missed while the server is away.
    pub fn listen(&self, setup: &str) -> Result<Receiver<ResultNotice>, FleetError> {
        let (sender, receiver) = channel();
        let subjects = format!("retap.result.{setup}.*");
        let subscribed = self.runtime.block_on(async {
            let subscribed = self.client.subscribe(subjects).await;
            self.client.flush().await.map_err(FleetError::unreachable)?;
            subscribed.map_err(FleetError::unreachable)
        });
        let mut messages = subscribed?;
        self.runtime.spawn(async move {
            while let Some(message) = messages.next().await {
                let Some((_, id)) = message.subject.as_str().rsplit_once('.') else { continue };
                let bytes = match Content::of(message.headers.as_ref(), &message.payload) {
                    Content::Bytes(bytes) => Some(bytes),
                    Content::File(_) => None,
                };
                if sender.send(ResultNotice { id: TaskId(id.into()), bytes }).is_err() {
                    break;
                }
            }
        });
        Ok(receiver)
    }

    /// Returns the number of stored results and their bytes.
    pub fn stored_results(&self) -> Result<(u64, u64), FleetError> {
        let info = self.runtime.block_on(async {
            let stream = self.context.get_stream(RESULTS).await.map_err(FleetError::unreachable)?;
            stream.get_info().await.map_err(FleetError::unreachable)
        })?;
        Ok((info.state.messages, info.state.bytes))
    }
}

fn subject(setup: &str, id: &TaskId) -> String {
    format!("retap.result.{setup}.{id}")
}
