//! Minimises crashes on a device of its own while several explorers go on. The run does not depend on it: it only has
//! answers ready that would otherwise be searched for after the run.

use super::check_budget::CheckBudget;
use super::checks::{self, CheckSettings};
use crate::{Context, Failure};
use retap_device::{Connect, DeviceError, Lab};
use retap_explore::{InterestingPolicy, StateGraph};
use retap_model::{Abstraction, App, CostLedger, CrashId, RunPhase};
use retap_oracle::Oracles;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Scope, ScopedJoinHandle};

/// The parts of the run that the background minimiser works with.
#[derive(Clone, Copy)]
pub struct BackgroundSettings<'a> {
    pub connect: &'a dyn Connect,
    pub run: &'a Path,
    pub app: &'a App,
    pub oracles: &'a Oracles,
    pub abstraction: Abstraction,
    /// Its interrupt flag is `stop`.
    pub context: Context<'a>,
    /// Stops this minimiser alone.
    pub stop: &'a AtomicBool,
}

impl std::fmt::Debug for BackgroundSettings<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BackgroundSettings").field("run", &self.run).finish_non_exhaustive()
    }
}

#[derive(Debug)]
pub struct BackgroundMinimizer<'scope> {
    crashes: Sender<CrashId>,
    stop: &'scope AtomicBool,
    worker: ScopedJoinHandle<'scope, CostLedger>,
}

impl<'scope> BackgroundMinimizer<'scope> {
    pub fn start<'a: 'scope>(
        scope: &'scope Scope<'scope, '_>,
        settings: BackgroundSettings<'a>,
    ) -> Self {
        let (crashes, received) = channel();
        let stop = settings.stop;
        Self { crashes, stop, worker: scope.spawn(move || minimize_all(settings, received)) }
    }

    /// Queues a crash that the run has just kept. If the worker has ended, the crash is minimised after the run.
    pub fn queue(&self, crash: CrashId) {
        let _ = self.crashes.send(crash);
    }

    /// Stops and returns the cost. What is not minimised yet is left to the checks after the run.
    pub fn finish(self) -> CostLedger {
        self.stop.store(true, Ordering::Relaxed);
        drop(self.crashes);
        self.worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

fn minimize_all(settings: BackgroundSettings<'_>, crashes: Receiver<CrashId>) -> CostLedger {
    let context = settings.context;
    let mut lab = Lab::new(settings.connect, 1, context.interrupt);
    let checks = CheckSettings {
        app: settings.app,
        run: settings.run,
        oracles: settings.oracles,
        abstraction: settings.abstraction,
        // The graph of the run grows meanwhile; without it a search begins with the whole trace.
        graph: &StateGraph::new(InterestingPolicy::NewState),
        minimizes: true,
        budget: CheckBudget::unlimited(),
    };
    for crash in crashes {
        if context.is_interrupted() {
            break;
        }
        // A failure is only logged: the run tries the crash again at its end and reports it then.
        let crash = std::iter::once(crash);
        match checks::check_crashes(&mut lab, crash, checks, context) {
            Ok(_) | Err(Failure::Device(DeviceError::Interrupted)) => {}
            Err(failure) => {
                tracing::info!("a crash is not minimised in the background: {failure}");
            }
        }
    }
    lab.charge(RunPhase::Minimize);
    lab.costs().clone()
}
