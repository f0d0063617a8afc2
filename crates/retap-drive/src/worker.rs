//! A session on a thread of its own, so that a page or a protocol can ask it from many threads. It does one thing at a
//! time, in the order in which it was asked.

use crate::open::{DriveSettings, open};
use crate::progress::SharedProgress;
use crate::session::DriveSession;
use retap_engine::{Context, Failure};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

type Task = Box<dyn FnOnce(&mut DriveSession<'_, '_>) + Send>;

/// A running session.
#[derive(Debug)]
pub struct Driver {
    tasks: Option<Sender<Task>>,
    thread: Option<JoinHandle<Result<(), Failure>>>,
    pub settings: DriveSettings,
    pub progress: SharedProgress,
    interrupt: Arc<AtomicBool>,
}

impl Driver {
    /// Starts a session. It launches the app on its own thread: the first answer tells whether that worked.
    pub fn start(settings: DriveSettings, progress: SharedProgress) -> Self {
        let (sender, receiver) = channel::<Task>();
        let interrupt = Arc::new(AtomicBool::new(false));
        let of_thread = (settings.clone(), progress.clone(), Arc::clone(&interrupt));
        let thread = std::thread::spawn(move || {
            let (settings, progress, interrupt) = of_thread;
            progress.set_doing("starting the device");
            let context = Context { reporter: &progress, interrupt: &interrupt };
            let ended = open(&settings, context, |session| {
                progress.set_doing("");
                serve(session, &receiver, &progress, &interrupt);
            });
            progress.set_doing("");
            ended
        });
        Self { tasks: Some(sender), thread: Some(thread), settings, progress, interrupt }
    }

    /// Asks the session to do something, and waits for the answer. A session that could not begin tells why.
    pub fn ask<T: Send + 'static>(
        &mut self,
        task: impl FnOnce(&mut DriveSession<'_, '_>) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        let answer = self.send(task);
        answer.and_then(|answer| answer.recv().ok()).unwrap_or_else(|| Err(self.why_ended()))
    }

    /// Hands a task over without waiting. Returns none if the session is over.
    pub fn send<T: Send + 'static>(
        &self,
        task: impl FnOnce(&mut DriveSession<'_, '_>) -> Result<T, Failure> + Send + 'static,
    ) -> Option<Receiver<Result<T, Failure>>> {
        let (sender, receiver) = channel();
        let task: Task = Box::new(move |session| {
            let answer = task(session);
            session.tell_remarks();
            // Nobody may wait for the answer any more.
            let _ = sender.send(answer);
        });
        self.tasks.as_ref()?.send(task).ok()?;
        Some(receiver)
    }

    /// Interrupts what the session is doing. It keeps what it has found, and takes the next task.
    pub fn interrupt(&self) {
        self.interrupt.store(true, Ordering::SeqCst);
    }

    /// Returns the flag that interrupts what the session is doing.
    pub fn stop_flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.interrupt)
    }

    /// Ends the session and waits until the run is concluded.
    pub fn end(&mut self) -> Result<(), Failure> {
        self.tasks = None;
        self.interrupt();
        match self.thread.take().map(JoinHandle::join) {
            Some(Ok(ended)) => ended,
            Some(Err(_)) => Err(Failure::input("the session ended by a fault of retap")),
            None => Ok(()),
        }
    }

    /// Returns why the session is over.
    pub fn why_ended(&mut self) -> Failure {
        self.end().err().unwrap_or_else(|| Failure::input("the session has ended"))
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // Whoever wanted to know how it ended has asked.
        let _ = self.end();
    }
}

fn serve(
    session: &mut DriveSession<'_, '_>,
    tasks: &Receiver<Task>,
    progress: &SharedProgress,
    interrupt: &AtomicBool,
) {
    while let Ok(task) = tasks.recv() {
        task(session);
        interrupt.store(false, Ordering::SeqCst);
        progress.set_doing("");
    }
    // The end of the session interrupts; concluding it must not be.
    interrupt.store(false, Ordering::SeqCst);
}
