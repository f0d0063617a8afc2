//! Crashes minimised while several explorers go on, on a further device. Nothing that the run does depends on it: it
//! only has answers ready that would be sought after the run.

use super::evidence;
use crate::console::Console;
use crate::interrupt;
use crate::minimizing::Judge;
use retap_device::{Connect, Lab};
use retap_model::format::run::crash_folder;
use retap_model::{Abstraction, App, Cost, CrashId, Oracle};
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Scope, ScopedJoinHandle};

/// What it works with; all of it is the run's.
#[derive(Clone, Copy)]
pub struct Desk<'a> {
    pub connect: &'a dyn Connect,
    pub run: &'a Path,
    pub app: &'a App,
    pub abstraction: Abstraction,
    pub console: Console,
}

pub struct Backroom<'scope> {
    orders: Sender<CrashId>,
    worker: ScopedJoinHandle<'scope, Cost>,
}

impl<'scope> Backroom<'scope> {
    pub fn open<'a: 'scope>(scope: &'scope Scope<'scope, '_>, desk: Desk<'a>) -> Self {
        let (orders, found) = channel();
        Self { orders, worker: scope.spawn(move || work(desk, found)) }
    }

    /// A crash that has just been kept. Should nobody work there any more, it is minimised later.
    pub fn order(&self, crash: CrashId) {
        let _ = self.orders.send(crash);
    }

    /// Waits until what was ordered is done; says what it cost.
    pub fn close(self) -> Cost {
        drop(self.orders);
        self.worker.join().unwrap_or_default()
    }
}

fn work(desk: Desk<'_>, found: Receiver<CrashId>) -> Cost {
    let mut lab = Lab::new(desk.connect, 1, &interrupt::INTERRUPTED);
    for crash in found {
        if interrupt::is_set() {
            break;
        }
        let folder = crash_folder(desk.run, crash);
        let judge = Judge::new(Oracle::Crash(Some(crash)), desk.app, desk.abstraction);
        // What fails is tried again when the run has ended, and is told then.
        if let Err(failure) = evidence::minimize(&mut lab, &folder, &judge, &desk.console) {
            tracing::info!("crash {crash} is not minimised beside the run: {failure}");
        }
    }
    lab.cost()
}
