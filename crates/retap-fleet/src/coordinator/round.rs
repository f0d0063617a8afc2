//! One round of tasks: look for results that are there, offer the others, and wait.

use super::FleetPool;
use crate::campaign;
use crate::error::FleetError;
use crate::nats::{Offer, TaskOffer};
use crate::result::TaskResult;
use crate::task::{Task, TaskId, Work};
use retap_device::DeviceError;
use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

/// How long a round waits for a result before it looks around.
const WAIT: Duration = Duration::from_millis(100);
/// How often it looks for results whose notice it missed.
const LOOK: Duration = Duration::from_secs(5);
/// How often it offers a task again that nobody has answered. The queue takes it only if it has lost it.
const OFFER_AGAIN: Duration = Duration::from_secs(30);
/// A round ends when this many results of one task were refused.
const MAX_REFUSED: u32 = 3;

/// Receives each result as it arrives, with the position of its task.
pub type TakeResult<'t> = &'t mut dyn FnMut(usize, TaskResult);

struct Round<'p, 'a> {
    pool: &'p mut FleetPool<'a>,
    open: BTreeMap<TaskId, OpenTask>,
    take_result: TakeResult<'p>,
    /// When the server last answered.
    heard: Instant,
}

struct OpenTask {
    /// The position in the round.
    index: usize,
    task: Task,
    offered: Option<Instant>,
    /// How many of its results were refused.
    refused: u32,
    /// True for a leg that was set aside before.
    is_second_try: bool,
    /// Counts the offers after a result that was thrown away.
    attempt: u32,
}

/// Runs tasks until each has its result.
pub(super) fn run(
    pool: &mut FleetPool<'_>,
    tasks: Vec<Task>,
    take_result: TakeResult<'_>,
) -> Result<(), DeviceError> {
    let number = |(index, task): (usize, Task)| {
        let open =
            OpenTask { index, task, offered: None, refused: 0, is_second_try: false, attempt: 0 };
        (open.task.id(), open)
    };
    let open = tasks.into_iter().enumerate().map(number).collect();
    Round { pool, open, take_result, heard: Instant::now() }.run()
}

impl Round<'_, '_> {
    fn run(&mut self) -> Result<(), DeviceError> {
        let mut looked: Option<Instant> = None;
        while !self.open.is_empty() {
            if self.pool.interrupt.load(Ordering::Relaxed) {
                return Err(DeviceError::Interrupted);
            }
            if looked.is_none_or(|looked| looked.elapsed() > LOOK) {
                let found = self.look(looked.is_none());
                self.forgive(found)?;
                looked = Some(Instant::now());
            }
            let offered = self.offer();
            self.forgive(offered)?;
            self.wait()?;
            self.pool.counts.open =
                self.open.values().filter(|open| open.offered.is_some()).count() as u64;
            let touched = self.pool.touch();
            self.forgive(touched)?;
        }
        Ok(())
    }

    /// Bears with a server that is away for a while.
    fn forgive(&mut self, result: Result<(), FleetError>) -> Result<(), DeviceError> {
        match result {
            Ok(()) => {
                self.heard = Instant::now();
                Ok(())
            }
            Err(FleetError::Unreachable(_))
                if self.heard.elapsed() < self.pool.options.patience =>
            {
                std::thread::sleep(WAIT);
                Ok(())
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Takes the results that are stored already. At the start these are of an earlier coordinator, later those whose
    /// notice was missed.
    fn look(&mut self, at_start: bool) -> Result<(), FleetError> {
        let ids: Vec<TaskId> = self.open.keys().cloned().collect();
        let found = self.pool.bus.find_results(&self.pool.setup, &ids)?;
        for (id, bytes) in ids.into_iter().zip(found) {
            let Some(bytes) = bytes else { continue };
            let is_taken = self.take(&id, &bytes)?;
            self.pool.counts.found += u64::from(at_start && is_taken);
        }
        Ok(())
    }

    /// Offers tasks as far as the campaign's limit and the queue allow.
    fn offer(&mut self) -> Result<(), FleetError> {
        let FleetPool { bus, settings, campaign, is_paused, .. } = &*self.pool;
        if *is_paused {
            return Ok(());
        }
        let is_due = |open: &OpenTask| open.offered.is_none_or(|at| at.elapsed() > OFFER_AGAIN);
        let held = self.open.values().filter(|open| !is_due(open)).count();
        let room =
            if settings.limit == 0 { usize::MAX } else { settings.limit.saturating_sub(held) };
        // Together they share prefixes with tasks that ran just before them, so the order of the round is kept.
        let mut due: Vec<(&TaskId, &OpenTask)> =
            self.open.iter().filter(|(_, open)| is_due(open)).collect();
        due.sort_by_key(|(_, open)| open.index);
        due.truncate(room);
        let offers = due.iter().map(|(id, open)| {
            let envelope = settings.signer.seal_task(campaign, &open.task)?;
            let priority = open.task.work.priority();
            Ok(TaskOffer { id: (*id).clone(), attempt: open.attempt, priority, envelope })
        });
        let offers: Vec<TaskOffer> = offers.collect::<Result<_, FleetError>>()?;
        if offers.is_empty() {
            return Ok(());
        }
        let queued = bus.offer(campaign, offers)?;
        for (id, offer) in queued {
            if let Some(open) = self.open.get_mut(&id).filter(|_| offer == Offer::Queued) {
                open.offered = Some(Instant::now());
            }
        }
        Ok(())
    }

    /// Waits for a result, and takes all that are there.
    fn wait(&mut self) -> Result<(), DeviceError> {
        let mut wait = WAIT;
        while !self.open.is_empty() {
            let notice = match self.pool.notices.recv_timeout(wait) {
                Ok(notice) => notice,
                Err(RecvTimeoutError::Timeout) => return Ok(()),
                Err(RecvTimeoutError::Disconnected) => {
                    let text = "the connection to the fleet was closed";
                    return Err(FleetError::unreachable(text).into());
                }
            };
            wait = Duration::ZERO;
            if !self.open.contains_key(&notice.id) {
                continue;
            }
            let bytes = match notice.bytes {
                Some(bytes) => Some(bytes),
                None => {
                    let ids = std::slice::from_ref(&notice.id);
                    let mut found = self.pool.bus.find_results(&self.pool.setup, ids)?;
                    found.pop().flatten()
                }
            };
            if let Some(bytes) = bytes {
                self.take(&notice.id, &bytes)?;
            }
        }
        Ok(())
    }

    /// Takes a result. Returns false if it is thrown away; the task is offered again then.
    fn take(&mut self, id: &TaskId, bytes: &[u8]) -> Result<bool, FleetError> {
        let result = match self.pool.settings.trusted.open_result(id, bytes) {
            Ok(result) => result,
            Err(error) => return self.refuse(id, &error).map(|()| false),
        };
        if self.tries_again(id, &result)? {
            return Ok(false);
        }
        let Some(OpenTask { index, is_second_try, .. }) = self.open.remove(id) else {
            return Ok(false);
        };
        let pool = &mut *self.pool;
        if is_second_try && !matches!(result, TaskResult::SetAside { .. }) {
            campaign::forget_set_aside(&pool.bus, &pool.campaign, id)?;
        }
        match &result {
            TaskResult::Ran { cost, .. } | TaskResult::Explored { cost, .. } => {
                pool.counts.events += cost.events;
            }
            // The reason may be gone when the same task comes again: a worker lacked a JDK, or did not know the key.
            TaskResult::Failed { .. } => pool.bus.forget_result(&pool.setup, id)?,
            TaskResult::SetAside { .. } => {}
        }
        pool.counts.tasks += 1;
        (self.take_result)(index, result);
        Ok(true)
    }

    /// Offers a leg that was set aside once more: its workers may have been killed by something else. Jobs that were set aside
    /// are tried again one by one, and a leg has no parts.
    fn tries_again(&mut self, id: &TaskId, result: &TaskResult) -> Result<bool, FleetError> {
        let pool = &*self.pool;
        let Some(open) = self.open.get_mut(id) else { return Ok(false) };
        let is_leg = matches!(open.task.work, Work::Explore { .. });
        let TaskResult::SetAside { reason } = result else { return Ok(false) };
        if !is_leg || open.is_second_try {
            return Ok(false);
        }
        pool.bus.forget_result(&pool.setup, id)?;
        open.is_second_try = true;
        open.attempt += 1;
        open.offered = None;
        (pool.tell)(&format!("a leg is tried once more: {reason}"));
        Ok(true)
    }

    /// Throws away a result that nobody trusted has signed, or that nobody can read.
    fn refuse(&mut self, id: &TaskId, error: &FleetError) -> Result<(), FleetError> {
        let pool = &*self.pool;
        let Some(open) = self.open.get_mut(id) else { return Ok(()) };
        pool.bus.forget_result(&pool.setup, id)?;
        open.refused += 1;
        open.attempt += 1;
        open.offered = None;
        if open.refused < MAX_REFUSED {
            (pool.tell)(&format!("a result is refused and asked for again: {error}"));
            return Ok(());
        }
        Err(FleetError::NotTrusted(format!(
            "{MAX_REFUSED} results of one task were refused, the last one because: {error}; \
             --trust must name the keys of the workers (`retap worker --fleet-key`)"
        )))
    }
}
