//! One device of a worker and the tasks that it runs, one after the other. A device stays connected while the tasks have the
//! same setup.

use super::{Counters, WorkerSettings, Workshop};
use crate::campaign::add_line;
use crate::error::FleetError;
use crate::nats::{Bus, Kept, TakenTask};
use crate::options::FleetOptions;
use crate::packing::{pack, unpack};
use crate::result::TaskResult;
use crate::task::{DeviceSetup, Task, TaskId, Work};
use retap_device::{Connect, DeviceError, Lab, NEVER_STOP};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// A task that ends this many workers is set aside.
const MAX_TRIES: i64 = 3;
/// The shortest and the longest wait for a task of the first priority, between looks for one of the others.
const WAITS: (Duration, Duration) = (Duration::from_millis(250), Duration::from_secs(2));
/// The pause before something is tried again.
const PAUSE: Duration = Duration::from_millis(500);

#[derive(Clone, Copy)]
pub(super) struct TaskRunner<'w> {
    pub bus: &'w Bus,
    pub options: &'w FleetOptions,
    pub settings: &'w WorkerSettings,
    pub workshop: &'w dyn Workshop,
    pub counters: &'w Counters,
    pub interrupt: &'w AtomicBool,
}

/// A task whose envelope was opened.
struct OpenedTask {
    taken: TakenTask,
    campaign: String,
    id: TaskId,
    task: Task,
}

impl TaskRunner<'_> {
    /// Works until the worker is to stop.
    pub fn work(&self) {
        let mut next = None;
        while let Some(opened) = next.take().or_else(|| self.next_task()) {
            next = self.work_on_setup(opened);
        }
    }

    /// Waits for a task. Returns `None` when the worker is to stop.
    fn next_task(&self) -> Option<OpenedTask> {
        let mut wait = WAITS.0;
        while !self.is_stopped() {
            match self.bus.take(wait) {
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
        let opened = self.settings.trusted.open(&taken.envelope);
        let (campaign, task) = match opened {
            Ok(opened) => opened,
            Err(error) => {
                self.refuse(&taken, &error);
                return None;
            }
        };
        let opened = OpenedTask { id: task.id(), taken, campaign, task };
        if opened.task.version != self.options.version {
            let (theirs, ours) = (&opened.task.version, &self.options.version);
            self.counters.refused.fetch_add(1, Ordering::Relaxed);
            let reason =
                format!("the task was made by retap {theirs}, and this worker is retap {ours}");
            self.conclude(&opened, &TaskResult::Failed { reason, is_app: false });
            return None;
        }
        let deliveries = opened.taken.deliveries;
        if deliveries > 1 && self.is_known(&opened) {
            let _ = self.bus.finish(&opened.taken);
            return None;
        }
        if deliveries > MAX_TRIES {
            let reason =
                format!("{MAX_TRIES} workers in a row ended or fell silent while they ran it");
            let line = format!("task {}: {reason}", opened.id);
            let _ = add_line(self.bus, &opened.campaign, &line, |record| &mut record.set_aside);
            self.conclude(&opened, &TaskResult::SetAside { reason });
            return None;
        }
        Some(opened)
    }

    /// Refuses a task of someone who is not trusted. Its coordinator learns of it, if the envelope can be read at all.
    fn refuse(&self, taken: &TakenTask, error: &FleetError) {
        self.counters.refused.fetch_add(1, Ordering::Relaxed);
        if let Ok((_, task)) = crate::envelope::TrustedKeys::Everyone.open(&taken.envelope) {
            let result = TaskResult::Failed { reason: error.to_string(), is_app: false };
            if let Ok(bytes) = pack(&result) {
                let _ = self.bus.keep_result(&task.setup.id(), &task.id(), bytes);
            }
        }
        let _ = self.bus.finish(taken);
    }

    fn is_known(&self, opened: &OpenedTask) -> bool {
        let found = self.find(opened);
        matches!(found, Some(TaskResult::Ran { .. } | TaskResult::Explored { .. }))
    }

    fn find(&self, opened: &OpenedTask) -> Option<TaskResult> {
        let ids = std::slice::from_ref(&opened.id);
        let found = self.bus.find_results(&opened.task.setup.id(), ids).ok()?.pop()??;
        unpack(&found).ok()
    }

    /// Runs tasks as long as they have the same setup. Returns the first of another one.
    fn work_on_setup(&self, first: OpenedTask) -> Option<OpenedTask> {
        let setup = first.task.setup.clone();
        let (app, connect) = match self.prepare(&setup) {
            Ok(prepared) => prepared,
            Err(error) => {
                self.fail(&first, &error);
                return None;
            }
        };
        let mut lab = Lab::new(connect.as_ref(), 1, self.interrupt);
        let mut next = Some(first);
        while let Some(opened) = next.take().or_else(|| self.next_task()) {
            if opened.task.setup != setup {
                return Some(opened);
            }
            self.counters.busy.fetch_add(1, Ordering::Relaxed);
            match self.run(&mut lab, &app, &opened.task.work) {
                Ok(result) => self.conclude(&opened, &result),
                Err(error) => self.fail(&opened, &error),
            }
            self.counters.busy.fetch_sub(1, Ordering::Relaxed);
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
            std::fs::create_dir_all(&folder)?;
            retap_model::format::run::write_whole(&file, &bytes).map_err(std::io::Error::other)
        };
        if !std::fs::read(&file).is_ok_and(|known| known == bytes) {
            write().map_err(|error| missing(error.to_string()))?;
        }
        let connect = self.workshop.connect(setup, &file)?;
        Ok((file, connect))
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
            self.conclude(opened, &TaskResult::Failed { reason, is_app });
        } else {
            let _ = self.bus.give_back(&opened.taken, PAUSE);
        }
    }

    /// Stores the result, then acknowledges the task: a worker that dies in between leaves nothing undone.
    fn conclude(&self, opened: &OpenedTask, result: &TaskResult) {
        if let TaskResult::Ran { cost, .. } | TaskResult::Explored { cost, .. } = result {
            self.counters.tasks.fetch_add(1, Ordering::Relaxed);
            self.counters.events.fetch_add(cost.events, Ordering::Relaxed);
        }
        let Ok(bytes) = pack(result) else { return };
        let began = Instant::now();
        loop {
            match self.bus.keep_result(&opened.task.setup.id(), &opened.id, bytes.clone()) {
                Ok(Kept::First) => break,
                Ok(Kept::Later) => {
                    self.compare(opened, result);
                    break;
                }
                // The work is done: wait until the server is back.
                Err(_) if began.elapsed() < self.options.patience && !self.is_stopped() => {
                    thread::sleep(PAUSE);
                }
                Err(_) => return,
            }
        }
        // If the acknowledgement is lost, the task comes again and its result is found.
        let _ = self.bus.finish(&opened.taken);
    }

    /// Reports a task that gave something else before: a deterministic device never does.
    fn compare(&self, opened: &OpenedTask, result: &TaskResult) {
        if self.find(opened).is_some_and(|known| !known.agrees_with(result)) {
            let line = format!("task {} gave something else on {}", opened.id, self.settings.name);
            let _ = add_line(self.bus, &opened.campaign, &line, |record| &mut record.differences);
        }
    }
}

fn sha256(bytes: &[u8]) -> String {
    use sha2::Digest;
    retap_model::hash::to_hex(&sha2::Sha256::digest(bytes))
}
