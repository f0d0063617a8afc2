//! One device of a worker and the tasks that it runs, one after the other. A device stays connected while the tasks have the
//! same setup. While a task runs, the result of the one before is stored.

use super::result_keeper::{OpenedTask, ResultKeeper};
use super::{WorkerSettings, Workshop};
use crate::nats::{Bus, TakenTask};
use crate::options::FleetOptions;
use crate::result::TaskResult;
use crate::task::{DeviceSetup, Priority, Work};
use retap_device::{Connect, DeviceError, Lab, NEVER_STOP};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

/// A task that ends this many workers is set aside.
const MAX_TRIES: i64 = 3;
/// The shortest and the longest wait for a task of one priority, between looks for one of the others.
const WAITS: (Duration, Duration) = (Duration::from_millis(250), Duration::from_secs(2));
/// The pause before something is tried again.
pub(super) const PAUSE: Duration = Duration::from_millis(500);

#[derive(Clone, Copy)]
pub(super) struct TaskRunner<'w> {
    pub bus: &'w Bus,
    pub options: &'w FleetOptions,
    pub settings: &'w WorkerSettings,
    pub workshop: &'w dyn Workshop,
    pub keeper: ResultKeeper<'w>,
    pub interrupt: &'w AtomicBool,
}

/// A task that ran, and its result.
type FinishedTask = (OpenedTask, TaskResult);

impl TaskRunner<'_> {
    /// Works until the worker is to stop.
    pub fn work(&self) {
        // One result may wait while another is stored; then the device waits too.
        let (finished, results) = sync_channel::<FinishedTask>(1);
        thread::scope(|scope| {
            scope.spawn(move || {
                results.into_iter().for_each(|(opened, result)| self.keeper.keep(&opened, &result));
            });
            let mut next = None;
            let mut likely = Priority::Answer;
            while let Some(opened) = next.take().or_else(|| self.next_task(likely)) {
                likely = opened.task.work.priority();
                next = self.work_on_setup(opened, &finished);
            }
            drop(finished);
        });
    }

    /// Waits for a task, longest for one of the likely priority. Returns `None` when the worker is to stop.
    fn next_task(&self, likely: Priority) -> Option<OpenedTask> {
        let mut wait = WAITS.0;
        while !self.is_stopped() {
            match self.bus.take(likely, wait) {
                Ok(Some(taken)) => {
                    if let Some(opened) = self.open(taken) {
                        return Some(opened);
                    }
                }
                Ok(None) => wait = (wait * 2).min(WAITS.1),
                // The connection comes back by itself.
                Err(_) => thread::sleep(PAUSE),
            }
        }
        None
    }

    fn is_stopped(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed)
    }

    /// Opens the envelope of a task. Returns `None` if there is nothing to run: it is not trusted, it is known, or it ends
    /// every worker.
    fn open(&self, taken: TakenTask) -> Option<OpenedTask> {
        let (campaign, task) = match self.settings.trusted.open_task(&taken.envelope) {
            Ok(opened) => opened,
            Err(error) => {
                self.keeper.refuse(&taken, &error);
                return None;
            }
        };
        let opened = OpenedTask { id: task.id(), taken, campaign, task };
        if opened.task.version != self.options.version {
            let (theirs, ours) = (&opened.task.version, &self.options.version);
            let reason =
                format!("the task was made by retap {theirs}, and this worker is retap {ours}");
            self.keeper.count_refused();
            self.keeper.keep(&opened, &TaskResult::Failed { reason, is_app: false });
            return None;
        }
        let deliveries = opened.taken.deliveries;
        if deliveries > 1 && self.keeper.is_known(&opened) {
            let _ = self.bus.finish(&opened.taken);
            return None;
        }
        if deliveries > MAX_TRIES {
            self.keeper.set_aside(
                &opened,
                format!("{MAX_TRIES} workers in a row ended or fell silent while they ran it"),
            );
            return None;
        }
        Some(opened)
    }

    /// Runs tasks as long as they have the same setup. Returns the first of another one.
    fn work_on_setup(
        &self,
        first: OpenedTask,
        finished: &SyncSender<FinishedTask>,
    ) -> Option<OpenedTask> {
        let setup = first.task.setup.clone();
        let (app, connect) = match self.prepare(&setup) {
            Ok(prepared) => prepared,
            Err(error) => {
                self.fail(&first, &error);
                return None;
            }
        };
        let mut lab = Lab::new(connect.as_ref(), 1, self.interrupt);
        let mut likely = first.task.work.priority();
        let mut next = Some(first);
        while let Some(opened) = next.take().or_else(|| self.next_task(likely)) {
            if opened.task.setup != setup {
                return Some(opened);
            }
            likely = opened.task.work.priority();
            let busy = &self.keeper.counters.busy;
            busy.fetch_add(1, Ordering::Relaxed);
            match self.run(&mut lab, &app, &opened.task.work) {
                // The other side ends after this one.
                Ok(result) => drop(finished.send((opened, result))),
                Err(error) => self.fail(&opened, &error),
            }
            busy.fetch_sub(1, Ordering::Relaxed);
        }
        None
    }

    /// Brings the app here, and returns a way to start devices with it.
    fn prepare(&self, setup: &DeviceSetup) -> Result<(PathBuf, Box<dyn Connect>), DeviceError> {
        let folder = self.settings.folder.join(setup.id());
        // Whoever sends tasks chooses this name: it must not lead out of the folder.
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
        if setup.file.is_empty() || setup.file.starts_with('.') || !setup.file.chars().all(is_plain)
        {
            return Err(DeviceError::App(format!("{:?} is no name of an app's file", setup.file)));
        }
        let file = folder.join(&setup.file);
        if !std::fs::read(&file).is_ok_and(|known| sha256(&known) == setup.app) {
            self.fetch_app(setup, &file)?;
        }
        let connect = self.workshop.connect(setup, &file)?;
        Ok((file, connect))
    }

    fn fetch_app(&self, setup: &DeviceSetup, file: &Path) -> Result<(), DeviceError> {
        let missing =
            |error: String| DeviceError::Setup(format!("the app cannot be brought here: {error}"));
        let name = format!("app-{}", setup.app);
        let bytes = self
            .bus
            .get_file(&name)?
            .ok_or_else(|| missing(format!("{name} is not in the store")))?;
        if sha256(&bytes) != setup.app {
            return Err(missing(format!("{name} in the store is another file")));
        }
        let write = || {
            file.parent().map_or(Ok(()), std::fs::create_dir_all)?;
            retap_model::format::run::write_whole(file, &bytes).map_err(std::io::Error::other)
        };
        write().map_err(|error| missing(error.to_string()))
    }

    /// Runs a task. What ran before leaves no trace in its cost, so that the cost depends on the task alone.
    fn run(&self, lab: &mut Lab<'_>, app: &Path, work: &Work) -> Result<TaskResult, DeviceError> {
        lab.rig().forget_position();
        lab.rig().forget_saved(0)?;
        let Work::Run { jobs, .. } = work else { return self.workshop.explore(lab, app, work) };
        let before = lab.cost();
        let executions = lab.run_all(jobs, NEVER_STOP)?;
        let remarks = lab.take_remarks();
        Ok(TaskResult::ran(&executions, lab.cost() - before, remarks))
    }

    /// Gives a task back that this worker could not run. The last worker that tries says why.
    fn fail(&self, opened: &OpenedTask, error: &DeviceError) {
        let is_app = matches!(error, DeviceError::App(_));
        if matches!(error, DeviceError::Interrupted) {
            let _ = self.bus.give_back(&opened.taken, Duration::ZERO);
        } else if is_app || opened.taken.deliveries >= MAX_TRIES {
            let name = &self.settings.name;
            let reason = if is_app { error.to_string() } else { format!("worker {name}: {error}") };
            self.keeper.keep(opened, &TaskResult::Failed { reason, is_app });
        } else {
            let _ = self.bus.give_back(&opened.taken, PAUSE);
        }
    }
}

fn sha256(bytes: &[u8]) -> String {
    use sha2::Digest;
    retap_model::hash::to_hex(&sha2::Sha256::digest(bytes))
}
