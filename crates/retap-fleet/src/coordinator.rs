//! The coordinator's side of a fleet: a pool of devices elsewhere for a lab.

mod round;

use crate::campaign::{self, CampaignCounts, CampaignSettings, CampaignState};
use crate::error::FleetError;
use crate::nats::{Bus, ResultNotice, Traffic};
use crate::options::FleetOptions;
use crate::result::TaskResult;
use crate::task::{Task, Work, content_hash};
use retap_device::{DeviceError, Execution, Job, RemotePool};
use retap_model::{Cost, Loss, Observation};
pub use round::TakeResult;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How often the campaign's record is written and read.
const TOUCH: Duration = Duration::from_secs(1);

/// The workers of a fleet as a pool of devices.
pub struct FleetPool<'a> {
    bus: Bus,
    options: FleetOptions,
    settings: CampaignSettings,
    /// The names of the setup and of the campaign.
    setup: String,
    campaign: String,
    notices: Receiver<ResultNotice>,
    /// How often the same jobs were asked for.
    repeats: BTreeMap<String, u64>,
    counts: CampaignCounts,
    cost: Cost,
    remarks: Vec<String>,
    is_paused: bool,
    touched: Option<Instant>,
    tell: Box<dyn Fn(&str) + Send + 'a>,
    interrupt: &'a AtomicBool,
}

impl fmt::Debug for FleetPool<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FleetPool").field("counts", &self.counts).finish_non_exhaustive()
    }
}

impl<'a> FleetPool<'a> {
    /// Joins the fleet, and brings the app there. `tell` receives what people should know at once.
    pub fn open(
        options: FleetOptions,
        settings: CampaignSettings,
        tell: Box<dyn Fn(&str) + Send + 'a>,
        interrupt: &'a AtomicBool,
    ) -> Result<Self, FleetError> {
        let bus = Bus::connect(&options)?;
        campaign::check_version(&bus, &options.version)?;
        let app = std::fs::read(&settings.app).map_err(|error| {
            FleetError::malformed(format!("{}: {error}", settings.app.display()))
        })?;
        bus.put_file(&format!("app-{}", settings.setup.app), &app)?;
        let setup = settings.setup.id();
        let notices = bus.listen(&setup)?;
        let mut pool = Self {
            campaign: settings.id(),
            setup,
            notices,
            repeats: BTreeMap::new(),
            counts: CampaignCounts::default(),
            cost: Cost::default(),
            remarks: Vec::new(),
            is_paused: false,
            touched: None,
            bus,
            options,
            settings,
            tell,
            interrupt,
        };
        pool.touch()?;
        Ok(pool)
    }

    /// Returns the name of the campaign.
    pub fn campaign(&self) -> &str {
        &self.campaign
    }

    /// Returns the counts so far.
    pub fn counts(&self) -> CampaignCounts {
        self.counts
    }

    /// Returns what went over this connection so far.
    pub fn traffic(&self) -> Traffic {
        self.bus.traffic()
    }

    /// Runs tasks anywhere in the fleet. Returns their results in order.
    pub fn run_tasks(&mut self, work: Vec<Work>) -> Result<Vec<TaskResult>, DeviceError> {
        let mut results = BTreeMap::new();
        self.run_each(work, &mut |index, result| drop(results.insert(index, result)))?;
        Ok(results.into_values().collect())
    }

    /// Runs tasks anywhere in the fleet, and hands each result over when it arrives.
    pub fn run_each(
        &mut self,
        work: Vec<Work>,
        take_result: TakeResult<'_>,
    ) -> Result<(), DeviceError> {
        let tasks = work.into_iter().map(|work| Task {
            version: self.options.version.clone(),
            setup: self.settings.setup.clone(),
            work,
        });
        let tasks = tasks.collect();
        round::run(self, tasks, take_result)
    }

    /// Writes the counts and reads whether someone has paused the campaign, now and then.
    fn touch(&mut self) -> Result<(), FleetError> {
        if self.touched.is_some_and(|touched| touched.elapsed() < TOUCH) {
            return Ok(());
        }
        self.touched = Some(Instant::now());
        let Self { bus, settings, options, counts, .. } = self;
        let record = campaign::update(bus, settings, &options.version, *counts, false)?;
        let is_paused = record.state == CampaignState::Paused;
        if is_paused != self.is_paused {
            let what = if is_paused { "is paused" } else { "goes on" };
            (self.tell)(&format!("campaign {} {what}", self.campaign));
        }
        self.is_paused = is_paused;
        Ok(())
    }

    fn work(&mut self, jobs: &[Job]) -> Work {
        let text = serde_json::to_vec(jobs).unwrap_or_default();
        let repeats = self.repeats.entry(content_hash(&text)).or_default();
        let repeat = *repeats;
        *repeats += 1;
        Work::Run { jobs: jobs.to_vec(), repeat }
    }

    /// Reads the executions of a share. If its task was set aside, each job is tried alone, so that only the one that ends
    /// workers is lost.
    fn executions(
        &mut self,
        share: &[Job],
        result: TaskResult,
    ) -> Result<Vec<Execution>, DeviceError> {
        match result {
            TaskResult::Ran { executions, cost, remarks } => {
                let observations = executions.observations().map_err(FleetError::malformed)?;
                if observations.len() != share.len() {
                    let found = observations.len();
                    let text = format!("a worker ran {found} of {} jobs", share.len());
                    return Err(FleetError::malformed(text).into());
                }
                self.cost += cost;
                self.remarks.extend(remarks);
                let execution = |observations| Execution { observations };
                Ok(observations.into_iter().map(execution).collect())
            }
            TaskResult::SetAside { .. } if share.len() > 1 => {
                let alone: Vec<Vec<Job>> = share.iter().map(|job| vec![job.clone()]).collect();
                Ok(self.run_shares(&alone)?.into_iter().flatten().collect())
            }
            TaskResult::SetAside { reason } => {
                let events = share.first().map_or(0, |job| job.events.len());
                let remark = format!("an execution of {events} events was set aside: {reason}");
                (self.tell)(&remark);
                self.remarks.push(remark);
                let lost = Observation::of_loss(Loss::new(reason));
                Ok(vec![Execution { observations: vec![lost] }])
            }
            TaskResult::Failed { reason, is_app: true } => Err(DeviceError::App(reason)),
            TaskResult::Failed { reason, .. } => Err(DeviceError::Setup(reason)),
            TaskResult::Explored { .. } => {
                Err(FleetError::malformed("a worker explored instead of running jobs").into())
            }
        }
    }
}

/// A pool that a lab and its owner share.
#[derive(Debug, Clone)]
pub struct SharedPool<'a>(Arc<Mutex<FleetPool<'a>>>);

impl<'a> SharedPool<'a> {
    pub fn new(pool: FleetPool<'a>) -> Self {
        Self(Arc::new(Mutex::new(pool)))
    }

    /// Runs tasks anywhere in the fleet. Returns their results in order.
    pub fn run_tasks(&self, work: Vec<Work>) -> Result<Vec<TaskResult>, DeviceError> {
        self.lock().run_tasks(work)
    }

    /// Runs tasks anywhere in the fleet, and hands each result over when it arrives.
    pub fn run_each(
        &self,
        work: Vec<Work>,
        take_result: TakeResult<'_>,
    ) -> Result<(), DeviceError> {
        self.lock().run_each(work, take_result)
    }

    fn lock(&self) -> MutexGuard<'_, FleetPool<'a>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl RemotePool for SharedPool<'_> {
    fn run_shares(&mut self, shares: &[Vec<Job>]) -> Result<Vec<Vec<Execution>>, DeviceError> {
        self.lock().run_shares(shares)
    }

    fn cost(&self) -> Cost {
        self.lock().cost()
    }

    fn take_remarks(&mut self) -> Vec<String> {
        self.lock().take_remarks()
    }
}

impl RemotePool for FleetPool<'_> {
    fn run_shares(&mut self, shares: &[Vec<Job>]) -> Result<Vec<Vec<Execution>>, DeviceError> {
        let work = shares.iter().map(|jobs| self.work(jobs)).collect();
        let results = self.run_tasks(work)?;
        let read = |(share, result): (&Vec<Job>, TaskResult)| self.executions(share, result);
        shares.iter().zip(results).map(read).collect()
    }

    fn cost(&self) -> Cost {
        self.cost
    }

    fn take_remarks(&mut self) -> Vec<String> {
        std::mem::take(&mut self.remarks)
    }
}

impl Drop for FleetPool<'_> {
    fn drop(&mut self) {
        let Self { bus, settings, options, counts, .. } = self;
        // A campaign whose end cannot be written looks as if its coordinator had died, which is as good as true.
        let _ = campaign::update(bus, settings, &options.version, *counts, true);
    }
}
