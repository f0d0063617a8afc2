//! The results of a worker: stored first, acknowledged then, so that a worker that dies in between leaves nothing undone.

use super::task_runner::PAUSE;
use super::{Counters, WorkerSettings};
use crate::campaign::{about, add_line};
use crate::envelope::TrustedKeys;
use crate::error::FleetError;
use crate::nats::{Bus, Kept, TakenTask};
use crate::options::FleetOptions;
use crate::result::TaskResult;
use crate::task::{Task, TaskId};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Instant;

/// A task whose envelope was opened.
pub(super) struct OpenedTask {
    pub taken: TakenTask,
    pub campaign: String,
    pub id: TaskId,
    pub task: Task,
}

#[derive(Clone, Copy)]
pub(super) struct ResultKeeper<'w> {
    pub bus: &'w Bus,
    pub options: &'w FleetOptions,
    pub settings: &'w WorkerSettings,
    pub counters: &'w Counters,
    pub interrupt: &'w AtomicBool,
}

impl ResultKeeper<'_> {
    /// Stores a result and acknowledges its task.
    pub fn keep(&self, opened: &OpenedTask, result: &TaskResult) {
        if let TaskResult::Ran { cost, .. } | TaskResult::Explored { cost, .. } = result {
            self.counters.tasks.fetch_add(1, Ordering::Relaxed);
            self.counters.events.fetch_add(cost.events, Ordering::Relaxed);
        }
        let Ok(sealed) = self.settings.signer.seal_result(&opened.id, result) else { return };
        let began = Instant::now();
        loop {
            match self.bus.keep_result(&opened.task.setup.id(), &opened.id, sealed.clone()) {
                Ok(Kept::First) => break,
                Ok(Kept::Later) => {
                    self.compare(opened, result);
                    break;
                }
                // The work is done: wait until the server is back.
                Err(_)
                    if began.elapsed() < self.options.patience
                        && !self.interrupt.load(Ordering::Relaxed) =>
                {
                    thread::sleep(PAUSE);
                }
                Err(_) => return,
            }
        }
        // If the acknowledgement is lost, the task comes again and its result is found.
        let _ = self.bus.finish(&opened.taken);
    }

    /// Sets a task aside that no worker survives.
    pub fn set_aside(&self, opened: &OpenedTask, reason: String) {
        let line = format!("{}: {reason}", about(&opened.id));
        let _ = add_line(self.bus, &opened.campaign, &line, |record| &mut record.set_aside);
        self.keep(opened, &TaskResult::SetAside { reason });
    }

    /// Refuses a task of someone who is not trusted. Its coordinator learns of it, if the envelope can be read at all.
    pub fn refuse(&self, taken: &TakenTask, error: &FleetError) {
        self.count_refused();
        if let Ok((_, task)) = TrustedKeys::Everyone.open_task(&taken.envelope) {
            let result = TaskResult::Failed { reason: error.to_string(), is_app: false };
            if let Ok(sealed) = self.settings.signer.seal_result(&task.id(), &result) {
                let _ = self.bus.keep_result(&task.setup.id(), &task.id(), sealed);
            }
        }
        let _ = self.bus.finish(taken);
    }

    pub fn count_refused(&self) {
        self.counters.refused.fetch_add(1, Ordering::Relaxed);
    }

    /// Returns true if an earlier worker has stored what the task gives.
    pub fn is_known(&self, opened: &OpenedTask) -> bool {
        let found = self.find(opened);
        matches!(found, Some(TaskResult::Ran { .. } | TaskResult::Explored { .. }))
    }

    fn find(&self, opened: &OpenedTask) -> Option<TaskResult> {
        let ids = std::slice::from_ref(&opened.id);
        let found = self.bus.find_results(&opened.task.setup.id(), ids).ok()?.pop()??;
        // Whether this may be trusted is for the coordinator to judge.
        TrustedKeys::Everyone.open_result(&opened.id, &found).ok()
    }

    /// Reports a task that gave something else before: a deterministic device never does.
    fn compare(&self, opened: &OpenedTask, result: &TaskResult) {
        if self.find(opened).is_some_and(|known| !known.agrees_with(result)) {
            let line =
                format!("{} gave something else on {}", about(&opened.id), self.settings.name);
            let _ = add_line(self.bus, &opened.campaign, &line, |record| &mut record.differences);
        }
    }
}
