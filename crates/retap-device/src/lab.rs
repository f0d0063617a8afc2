//! A pool of rigs that runs jobs. Parallelism, shared prefixes, counting and recovery from lost devices
//! exist here once, for every algorithm.

mod known_executions;
mod remote;

pub use remote::RemotePool;

use crate::device::{Connect, DeviceError};
use crate::rig::{Rig, StopCondition};
use known_executions::KnownExecutions;
use retap_model::{Cost, CostLedger, Event, Observation, RunPhase, WorldSeed};
use serde::{Deserialize, Serialize};
use std::sync::atomic::AtomicBool;
use std::thread;

/// A list of events to run from a clean install.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Job {
    pub world_seed: WorldSeed,
    pub events: Vec<Event>,
}

/// The observations of one execution: the launch, then one for each event until it ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Execution {
    pub observations: Vec<Observation>,
}

impl Execution {
    /// Returns the last observation.
    pub fn last(&self) -> &Observation {
        &self.observations[self.observations.len() - 1]
    }

    /// Returns the number of events that were run or known from a shared prefix.
    pub fn events(&self) -> usize {
        self.observations.len() - 1
    }

    /// Ends the execution where `stop_when` would have ended it.
    fn cut(&mut self, stop_when: StopCondition<'_>) {
        let mut counted = self.observations.iter().enumerate();
        if let Some((last, _)) = counted.find(|(count, seen)| stop_when(*count, seen)) {
            self.observations.truncate(last + 1);
        }
    }
}

/// Decides after every event whether to end that execution: `true` ends it. It receives the index of the
/// job, the number of events so far and the observation.
pub type JobStopCondition<'w> = &'w (dyn Fn(usize, usize, &Observation) -> bool + Sync);

/// The stop condition that lets every execution run to its end.
pub const NEVER_STOP: JobStopCondition<'static> = &|_, _, _| false;

/// A pool of rigs.
#[derive(Debug)]
pub struct Lab<'a> {
    rigs: Vec<Rig<'a>>,
    /// Runs the jobs in place of the rigs, if there is one.
    pool: Option<Box<dyn RemotePool + 'a>>,
    costs: CostLedger,
    /// What is known of earlier executions, while the lab remembers them.
    known: Option<KnownExecutions>,
    /// Events of executions that were known.
    events_known: u64,
}

impl<'a> Lab<'a> {
    /// Creates a lab of `size` rigs, at least one.
    pub fn new(connect: &'a dyn Connect, size: usize, interrupt: &'a AtomicBool) -> Self {
        let rigs = (0..size.max(1)).map(|_| Rig::new(connect, interrupt)).collect();
        Self { rigs, pool: None, costs: CostLedger::default(), known: None, events_known: 0 }
    }

    /// Lets a pool of devices elsewhere run the jobs, in as many shares as the lab has rigs. What is driven step by step
    /// stays on the first rig.
    pub fn with_pool(mut self, pool: Box<dyn RemotePool + 'a>) -> Self {
        self.pool = Some(pool);
        self
    }

    /// Returns one rig, to drive it step by step.
    pub fn rig(&mut self) -> &mut Rig<'a> {
        &mut self.rigs[0]
    }

    /// Returns the same rig, to look at it.
    pub fn first_rig(&self) -> &Rig<'a> {
        &self.rigs[0]
    }

    /// Returns all rigs.
    pub fn rigs(&mut self) -> &mut [Rig<'a>] {
        &mut self.rigs
    }

    /// Returns the cost of all rigs together.
    pub fn cost(&self) -> Cost {
        let mut cost = Cost { events_saved: self.events_known, ..Cost::default() };
        self.rigs.iter().for_each(|rig| cost += rig.cost());
        self.pool.iter().for_each(|pool| cost += pool.cost());
        cost
    }

    /// Remembers all executions from now on, if the device is deterministic: a job whose observations are known
    /// does not run again. What was remembered before is forgotten, so that a first execution is a real one.
    pub fn remember_executions(&mut self) -> Result<(), DeviceError> {
        self.known = self.rig().describe()?.deterministic.then(KnownExecutions::default);
        Ok(())
    }

    /// Remembers no executions from now on.
    pub fn forget_executions(&mut self) {
        self.known = None;
    }

    /// Charges a phase with the cost of everything since the last call.
    pub fn charge(&mut self, phase: RunPhase) {
        self.costs.charge(phase, self.cost());
    }

    /// Returns the costs that were charged to phases.
    pub fn costs(&self) -> &CostLedger {
        &self.costs
    }

    /// Returns the remarks of all rigs and of the pool since the last call.
    pub fn take_remarks(&mut self) -> Vec<String> {
        let mut remarks: Vec<String> = self.rigs.iter_mut().flat_map(Rig::take_remarks).collect();
        self.pool.iter_mut().for_each(|pool| remarks.extend(pool.take_remarks()));
        remarks
    }

    /// Runs one job.
    pub fn run(&mut self, job: &Job) -> Result<Execution, DeviceError> {
        let mut executions = self.run_all(std::slice::from_ref(job), NEVER_STOP)?;
        // There is exactly one execution per job.
        Ok(executions.remove(0))
    }

    /// Runs all jobs and returns their executions in the order of the jobs. The jobs alone decide which
    /// rig runs which job, never timing, so that costs are comparable.
    pub fn run_all(
        &mut self,
        jobs: &[Job],
        stop_when: JobStopCondition<'_>,
    ) -> Result<Vec<Execution>, DeviceError> {
        let Some(mut known) = self.known.take() else { return self.run_on_rigs(jobs, stop_when) };
        let find = |(index, job): (usize, &Job)| {
            known.find(job, &|step, observation| stop_when(index, step, observation))
        };
        let mut executions: Vec<Option<Execution>> = jobs.iter().enumerate().map(find).collect();
        self.events_known +=
            executions.iter().flatten().map(|known| known.events() as u64).sum::<u64>();
        let unknown: Vec<usize> =
            (0..jobs.len()).filter(|&index| executions[index].is_none()).collect();
        let unknown_jobs: Vec<Job> = unknown.iter().map(|&index| jobs[index].clone()).collect();
        let ran = self.run_on_rigs(&unknown_jobs, &|index, step, observation| {
            stop_when(unknown[index], step, observation)
        });
        for (&index, execution) in unknown.iter().zip(ran?) {
            known.learn(&jobs[index], &execution);
            executions[index] = Some(execution);
        }
        self.known = Some(known);
        Ok(in_order(executions))
    }

    #[allow(clippy::disallowed_methods)] // the one place with threads: one for each device
    fn run_on_rigs(
        &mut self,
        jobs: &[Job],
        stop_when: JobStopCondition<'_>,
    ) -> Result<Vec<Execution>, DeviceError> {
        // Neighbours in this order share the longest prefixes.
        let mut order: Vec<usize> = (0..jobs.len()).collect();
        order.sort_by(|&a, &b| jobs[a].cmp(&jobs[b]).then(a.cmp(&b)));
        let shares = split(&order, jobs, self.rigs.len());
        if let Some(pool) = &mut self.pool {
            return remote::run_shares(pool.as_mut(), jobs, &shares, stop_when);
        }
        let results: Vec<Result<Vec<(usize, Execution)>, DeviceError>> = thread::scope(|scope| {
            let threads: Vec<_> = self
                .rigs
                .iter_mut()
                .zip(shares)
                .filter(|(_, share)| !share.is_empty())
                .map(|(rig, share)| scope.spawn(move || run_share(rig, jobs, share, stop_when)))
                .collect();
            threads.into_iter().map(join).collect()
        });
        let mut executions: Vec<Option<Execution>> = vec![None; jobs.len()];
        for result in results {
            for (job, execution) in result? {
                executions[job] = Some(execution);
            }
        }
        Ok(in_order(executions))
    }
}

/// Returns the executions of all jobs.
///
/// # Panics
/// Panics if one is missing: a bug of the lab.
fn in_order(executions: Vec<Option<Execution>>) -> Vec<Execution> {
    let missing = |job| panic!("no rig ran job {job}");
    let executions = executions.into_iter().enumerate();
    executions.map(|(job, execution)| execution.unwrap_or_else(|| missing(job))).collect()
}

fn join<T>(thread: thread::ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// Splits the jobs into contiguous shares with about equal numbers of events.
fn split<'o>(order: &'o [usize], jobs: &[Job], shares: usize) -> Vec<&'o [usize]> {
    let weight = |&job: &usize| jobs[job].events.len() + 1;
    let total: usize = order.iter().map(weight).sum();
    let mut parts = Vec::with_capacity(shares);
    let (mut from, mut done) = (0, 0);
    for share in 1..=shares {
        let mut to = from;
        while to < order.len() && (share == shares || done * shares < total * share) {
            done += weight(&order[to]);
            to += 1;
        }
        parts.push(&order[from..to]);
        from = to;
    }
    parts
}

fn run_share(
    rig: &mut Rig<'_>,
    jobs: &[Job],
    share: &[usize],
    stop_when: JobStopCondition<'_>,
) -> Result<Vec<(usize, Execution)>, DeviceError> {
    let kept = rig.saved_count();
    let mut executions = Vec::with_capacity(share.len());
    for (at, &job) in share.iter().enumerate() {
        let save_at = find_branches(jobs, &share[at..]);
        let Job { world_seed, events } = &jobs[job];
        let stop_job = |step: usize, observation: &Observation| stop_when(job, step, observation);
        let observations = rig.go_to_saving(*world_seed, events, &stop_job, &save_at)?.to_vec();
        executions.push((job, Execution { observations }));
    }
    rig.forget_saved(kept)?;
    Ok(executions)
}

/// Returns the numbers of events after which later jobs branch off from the first one. Snapshots there
/// save events.
fn find_branches(jobs: &[Job], share: &[usize]) -> Vec<usize> {
    let mut positions = Vec::new();
    let mut shared = usize::MAX;
    for pair in share.windows(2) {
        shared = shared.min(common_prefix(&jobs[pair[0]], &jobs[pair[1]]));
        if shared == 0 {
            break;
        }
        if positions.last() != Some(&shared) {
            positions.push(shared);
        }
    }
    positions
}

fn common_prefix(a: &Job, b: &Job) -> usize {
    if a.world_seed != b.world_seed {
        return 0;
    }
    a.events.iter().zip(&b.events).take_while(|(a, b)| a == b).count()
}
