//! Minimises crashes on a device of its own while several explorers go on. The run does not depend on it: it only has
//! answers ready that would otherwise be searched for after the run.

use super::evidence;
use crate::Context;
use crate::minimize::Judge;
use retap_device::{Connect, Lab};
use retap_model::format::run::crash_folder;
use retap_model::{Abstraction, App, Cost, CrashId, Oracle};
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Scope, ScopedJoinHandle};

/// The parts of the run that the background minimiser works with.
#[derive(Clone, Copy)]
pub struct BackgroundSettings<'a> {
    pub connect: &'a dyn Connect,
    pub run: &'a Path,
    pub app: &'a App,
    pub abstraction: Abstraction,
    pub context: Context<'a>,
}

impl std::fmt::Debug for BackgroundSettings<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BackgroundSettings").field("run", &self.run).finish_non_exhaustive()
    }
}

#[derive(Debug)]
pub struct BackgroundMinimizer<'scope> {
    crashes: Sender<CrashId>,
    worker: ScopedJoinHandle<'scope, Cost>,
}

impl<'scope> BackgroundMinimizer<'scope> {
    pub fn start<'a: 'scope>(
        scope: &'scope Scope<'scope, '_>,
        settings: BackgroundSettings<'a>,
    ) -> Self {
        let (crashes, received) = channel();
        Self { crashes, worker: scope.spawn(move || minimize_all(settings, received)) }
    }

    /// Queues a crash that the run has just kept. If the worker has ended, the crash is minimised after the run.
    pub fn queue(&self, crash: CrashId) {
        let _ = self.crashes.send(crash);
    }

    /// Waits until the queue is empty and returns the cost.
    pub fn finish(self) -> Cost {
        drop(self.crashes);
        self.worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

fn minimize_all(settings: BackgroundSettings<'_>, crashes: Receiver<CrashId>) -> Cost {
    let context = settings.context;
    let mut lab = Lab::new(settings.connect, 1, context.interrupt);
    for crash in crashes {
        if context.is_interrupted() {
            break;
        }
        let folder = crash_folder(settings.run, crash);
        let judge = Judge::new(Oracle::Crash(Some(crash)), settings.app, settings.abstraction);
        // A failure is only logged: the run tries the crash again at its end and reports it then.
        if let Err(failure) = evidence::minimize(&mut lab, &folder, &judge, context) {
            tracing::info!("crash {crash} is not minimised in the background: {failure}");
        }
    }
    lab.cost()
}
