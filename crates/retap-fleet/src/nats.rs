//! NATS with JetStream behind plain calls. Only this module and its folder are async; a small runtime of its own keeps
//! tasks alive and listens while the callers' threads run devices.

mod files;
mod queue;
mod records;
mod results;

pub(crate) use queue::{Offer, TakenTask, TaskOffer};
pub(crate) use records::Bucket;
pub(crate) use results::{Kept, ResultNotice};

use crate::error::FleetError;
use crate::options::{FleetOptions, Protection};
use crate::task::Priority;
use async_nats::jetstream::context::{ContextBuilder, PublishError};
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::publish::PublishAck;
use async_nats::jetstream::{self, consumer, kv, object_store, stream};
use async_nats::{Client, ConnectOptions, ServerAddr};
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};

/// The queue of tasks: `retap.task.PRIORITY.CAMPAIGN.TASK`.
const TASKS: &str = "retap-tasks";
/// The results by content: `retap.result.SETUP.TASK`.
const RESULTS: &str = "retap-results";
/// Apps, and results that no message can hold.
const FILES: &str = "retap-files";
/// Results and apps that nobody has asked for in this long are forgotten.
const KEPT_FOR: Duration = Duration::from_secs(7 * 24 * 3600);
/// A second message with the same id is dropped for this long.
const DUPLICATES: Duration = Duration::from_secs(10);
/// Tasks that workers hold at the same time, over all workers.
const MAX_HELD: i64 = 50_000;
/// The server answers within this time, or it is away.
const ANSWER_TIME: Duration = Duration::from_secs(8);
/// Milliseconds between tries of something that another machine may just be making.
const READY_PAUSES: [u64; 4] = [50, 100, 200, 400];

/// A connection to the server of a fleet.
pub(crate) struct Bus {
    runtime: Runtime,
    client: Client,
    context: jetstream::Context,
    /// One for each priority, the first priority first.
    consumers: Vec<consumer::PullConsumer>,
    tasks: stream::Stream,
    results: stream::Stream,
    files: object_store::ObjectStore,
    buckets: Vec<kv::Store>,
    redeliver_after: Duration,
}

impl std::fmt::Debug for Bus {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Bus").field("traffic", &self.traffic()).finish_non_exhaustive()
    }
}

/// What went over one connection.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Traffic {
    pub messages: u64,
    pub bytes: u64,
}

impl Bus {
    /// Connects, and makes the queue and the stores where they are missing.
    pub fn connect(options: &FleetOptions) -> Result<Self, FleetError> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("fleet")
            .enable_all()
            .build()
            .map_err(FleetError::unreachable)?;
        let (client, context, stores) = runtime.block_on(async {
            let client = connect(options).await?;
            let context = ContextBuilder::new()
                .timeout(ANSWER_TIME)
                .ack_timeout(ANSWER_TIME)
                .backpressure_on_inflight(true)
                .build(client.clone());
            let stores = once_ready(async || open(&context, options).await).await?;
            Ok::<_, FleetError>((client, context, stores))
        })?;
        Ok(Self {
            redeliver_after: options.redeliver_after,
            client,
            context,
            consumers: stores.consumers,
            tasks: stores.tasks,
            results: stores.results,
            files: stores.files,
            buckets: stores.buckets,
            runtime,
        })
    }

    /// Publishes a message into a stream, and waits until it is stored.
    async fn publish(
        &self,
        subject: String,
        message: PublishMessage,
    ) -> Result<PublishAck, PublishError> {
        self.context.send_publish(subject, message).await?.await
    }

    /// Returns what went over this connection so far, in both directions.
    pub fn traffic(&self) -> Traffic {
        let counts = self.client.statistics();
        let order = Ordering::Relaxed;
        Traffic {
            messages: counts.in_messages.load(order) + counts.out_messages.load(order),
            bytes: counts.in_bytes.load(order) + counts.out_bytes.load(order),
        }
    }
}

struct Stores {
    consumers: Vec<consumer::PullConsumer>,
    tasks: stream::Stream,
    results: stream::Stream,
    files: object_store::ObjectStore,
    buckets: Vec<kv::Store>,
}

/// Tries something again that fails for a moment while another machine makes the same queue or store.
async fn once_ready<T>(
    mut attempt: impl AsyncFnMut() -> Result<T, FleetError>,
) -> Result<T, FleetError> {
    for pause in READY_PAUSES.map(Duration::from_millis) {
        match attempt().await {
            Err(FleetError::Unreachable(_)) => tokio::time::sleep(pause).await,
            done => return done,
        }
    }
    attempt().await
}

/// Opens the queue and the stores, and makes those that are missing.
async fn open(context: &jetstream::Context, options: &FleetOptions) -> Result<Stores, FleetError> {
    let tasks = context
        .get_or_create_stream(stream::Config {
            name: TASKS.into(),
            subjects: vec!["retap.task.>".into()],
            retention: stream::RetentionPolicy::WorkQueue,
            discard: stream::DiscardPolicy::New,
            max_messages: options.max_queue,
            duplicate_window: DUPLICATES,
            ..stream::Config::default()
        })
        .await
        .map_err(failed("the queue"))?;
    let results = context
        .get_or_create_stream(stream::Config {
            name: RESULTS.into(),
            subjects: vec!["retap.result.>".into()],
            max_messages_per_subject: 1,
            max_age: KEPT_FOR,
            allow_direct: true,
            ..stream::Config::default()
        })
        .await
        .map_err(failed("the results"))?;
    let mut consumers = Vec::new();
    for priority in Priority::ALL {
        let name = priority.name();
        let config = consumer::pull::Config {
            durable_name: Some(name.into()),
            filter_subject: format!("retap.task.{name}.>"),
            ack_wait: options.redeliver_after,
            max_ack_pending: MAX_HELD,
            max_waiting: MAX_HELD,
            ..consumer::pull::Config::default()
        };
        let made = tasks.get_or_create_consumer(name, config).await;
        consumers.push(made.map_err(failed("the consumers"))?);
    }
    let files = open_files(context).await?;
    let mut buckets = Vec::new();
    for bucket in Bucket::ALL {
        buckets.push(records::open(context, bucket).await?);
    }
    Ok(Stores { consumers, tasks, results, files, buckets })
}

async fn connect(options: &FleetOptions) -> Result<Client, FleetError> {
    let Protection { credentials, tls, root_certificate } = &options.protection;
    let mut connect = ConnectOptions::new()
        .name("retap")
        .connection_timeout(ANSWER_TIME)
        .request_timeout(Some(ANSWER_TIME))
        .require_tls(*tls);
    // The client itself takes no notice of a name and a password in the address.
    let address: ServerAddr = options.url.parse().map_err(failed(&options.url))?;
    if let (Some(user), Some(password)) = (address.username(), address.password()) {
        connect = connect.user_and_password(user.into(), password.into());
    }
    if let Some(file) = root_certificate {
        connect = connect.add_root_certificates(file.clone());
    }
    if let Some(file) = credentials {
        connect = connect.credentials_file(file).await.map_err(|error| {
            FleetError::NotTrusted(format!("the credentials in {}: {error}", file.display()))
        })?;
    }
    // Whoever reads the message must not learn the password.
    let shown = format!("{}:{}", address.host(), address.port());
    connect.connect(address).await.map_err(failed(&shown))
}

/// Says which part of the server failed.
fn failed<E: std::fmt::Display>(part: &str) -> impl Fn(E) -> FleetError {
    move |error| FleetError::Unreachable(format!("{part}: {error}"))
}

async fn open_files(context: &jetstream::Context) -> Result<object_store::ObjectStore, FleetError> {
    if let Ok(files) = context.get_object_store(FILES).await {
        return Ok(files);
    }
    let config = object_store::Config {
        bucket: FILES.into(),
        max_age: KEPT_FOR,
        ..object_store::Config::default()
    };
    context.create_object_store(config).await.map_err(failed("the store of files"))
}
