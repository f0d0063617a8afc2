//! The work queue: tasks are offered, taken, kept alive while they run, and acknowledged when their result is stored.

use super::files::Content;
use super::{Bus, FleetError};
use crate::task::{Priority, TaskId};
use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::context::PublishErrorKind;
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::{AckKind, Message};
use futures_util::StreamExt;
use futures_util::future::join_all;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinHandle;

/// The server's word that there is no task arrives within this time after it is due.
const GRACE: Duration = Duration::from_secs(1);

/// What became of an offer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Offer {
    /// The task is in the queue, or a worker has it already.
    Queued,
    /// The queue has no room for it now.
    Later,
}

/// A task for the queue.
#[derive(Debug)]
pub(crate) struct TaskOffer {
    pub id: TaskId,
    /// How often a result of the task was thrown away. The server takes the same offer only once in a while.
    pub attempt: u32,
    pub priority: Priority,
    pub envelope: Vec<u8>,
}

/// A task that this worker holds. The server hears of it until it is finished or dropped; a worker that dies is silent, and
/// the task goes to another.
#[derive(Debug)]
pub(crate) struct TakenTask {
    pub envelope: Vec<u8>,
    /// How often a worker has got it, this time included.
    pub deliveries: i64,
    message: Arc<Message>,
    alive: JoinHandle<()>,
}

impl Drop for TakenTask {
    fn drop(&mut self) {
        self.alive.abort();
    }
}

impl Bus {
    /// Offers tasks to the workers, all at once. A task that is in the queue already is not queued twice.
    pub fn offer(
        &self,
        campaign: &str,
        offers: Vec<TaskOffer>,
    ) -> Result<Vec<(TaskId, Offer)>, FleetError> {
        let offers = offers.into_iter().map(|offer| self.offer_one(campaign, offer));
        self.runtime.block_on(join_all(offers)).into_iter().collect()
    }

    async fn offer_one(
        &self,
        campaign: &str,
        TaskOffer { id, attempt, priority, envelope }: TaskOffer,
    ) -> Result<(TaskId, Offer), FleetError> {
        let subject = format!("retap.task.{}.{campaign}.{id}", priority.name());
        let message = PublishMessage::build()
            .message_id(format!("{id}.{attempt}"))
            .expected_last_subject_sequence(0);
        let message = self.fill(message, &format!("task-{id}"), envelope).await?;
        match self.publish(subject, message).await {
            Ok(_) => Ok((id, Offer::Queued)),
            // The worker whose result was thrown away has not acknowledged the task yet.
            Err(error) if error.kind() == PublishErrorKind::WrongLastSequence && attempt > 0 => {
                Ok((id, Offer::Later))
            }
            Err(error) if error.kind() == PublishErrorKind::WrongLastSequence => {
                Ok((id, Offer::Queued))
            }
            // The server has no error of its own for a full stream.
            Err(error) if error.to_string().contains("maximum") => Ok((id, Offer::Later)),
            Err(error) => Err(FleetError::unreachable(error)),
        }
    }

    /// Takes a task, of the first priority if there is one. If there is none, waits for this long for one of the likely
    /// priority.
    pub fn take(&self, likely: Priority, wait: Duration) -> Result<Option<TakenTask>, FleetError> {
        let taken = self.runtime.block_on(async {
            for consumer in &self.consumers {
                if let Some(message) = fetch(consumer, None).await? {
                    return Ok(Some(message));
                }
            }
            fetch(&self.consumers[likely as usize], Some(wait)).await
        })?;
        taken.map(|message| self.hold(message)).transpose()
    }

    fn hold(&self, message: Message) -> Result<TakenTask, FleetError> {
        let message = Arc::new(message);
        let (held, pause) = (Arc::clone(&message), self.redeliver_after / 3);
        let alive = self.runtime.spawn(async move {
            loop {
                tokio::time::sleep(pause).await;
                // If the server is away, it may be back the next time.
                let _ = held.ack_with(AckKind::Progress).await;
            }
        });
        let deliveries = message.info().map_or(1, |info| info.delivered);
        let content = Content::of(message.headers.as_ref(), &message.payload);
        let mut taken = TakenTask { envelope: Vec::new(), deliveries, message, alive };
        taken.envelope = self.runtime.block_on(self.read(content))?.unwrap_or_default();
        Ok(taken)
    }

    /// Tells the server that the task is done. Its result must be stored before.
    pub fn finish(&self, task: &TakenTask) -> Result<(), FleetError> {
        task.alive.abort();
        let acknowledged = self.runtime.block_on(task.message.double_ack());
        acknowledged.map_err(FleetError::unreachable)
    }

    /// Gives the task back, for another worker after a pause.
    pub fn give_back(&self, task: &TakenTask, pause: Duration) -> Result<(), FleetError> {
        task.alive.abort();
        let given = self.runtime.block_on(task.message.ack_with(AckKind::Nak(Some(pause))));
        given.map_err(FleetError::unreachable)
    }

    /// Returns the number of tasks that wait, and of those that workers hold.
    pub fn queue_lengths(&self) -> Result<(u64, u64), FleetError> {
        self.runtime.block_on(async {
            let (mut waiting, mut held) = (0, 0);
            for priority in Priority::ALL {
                let info = self.tasks.consumer_info(priority.name()).await;
                let info = info.map_err(FleetError::unreachable)?;
                waiting += info.num_pending;
                held += info.num_ack_pending as u64;
            }
            Ok((waiting, held))
        })
    }
}

/// Asks for one message, and waits for it if `wait` says so.
async fn fetch(
    consumer: &PullConsumer,
    wait: Option<Duration>,
) -> Result<Option<Message>, FleetError> {
    let batch = match wait {
        None => consumer.fetch().max_messages(1).messages().await,
        Some(wait) => consumer.batch().max_messages(1).expires(wait).messages().await,
    };
    let mut batch = batch.map_err(FleetError::unreachable)?;
    // Old servers do not always say that a request has ended, and the client would wait for seconds.
    let patience = wait.unwrap_or_default() + GRACE;
    match tokio::time::timeout(patience, batch.next()).await {
        Ok(message) => message.transpose().map_err(FleetError::unreachable),
        Err(_) => Ok(None),
    }
}
