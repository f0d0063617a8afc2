//! One thread that starts all child processes and lasts as long as retap.
//!
//! Linux ends a child with the *thread* that started it, and the threads that ask for devices come
//! and go.

use std::io;
use std::process::{Child, Command};
use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, Sender, channel};

/// A command to start, and the channel for the answer.
struct SpawnRequest {
    command: Command,
    answer: Sender<io::Result<Child>>,
}

static SPAWNER: OnceLock<Sender<SpawnRequest>> = OnceLock::new();

/// Starts a process that ends no later than this one, however this one ends.
pub fn spawn(mut command: Command) -> io::Result<Child> {
    end_with_parent(&mut command);
    start(command)
}

/// Starts a process from the thread that lasts.
pub fn start(command: Command) -> io::Result<Child> {
    let (answer, child) = channel();
    let closed = || io::Error::other("the thread that starts processes has ended");
    let spawner = SPAWNER.get_or_init(start_thread);
    spawner.send(SpawnRequest { command, answer }).map_err(|_| closed())?;
    child.recv().map_err(|_| closed())?
}

#[expect(clippy::disallowed_types, reason = "a child ends with the thread that started it")]
fn start_thread() -> Sender<SpawnRequest> {
    let (requests, received) = channel();
    // If the thread does not start, `received` is dropped and every request is an error.
    let _ = std::thread::Builder::new().name("retap-spawner".into()).spawn(|| serve(received));
    requests
}

fn serve(requests: Receiver<SpawnRequest>) {
    for SpawnRequest { mut command, answer } in requests {
        let _ = answer.send(command.spawn());
    }
}

/// Makes the process that this command will start end no later than this one.
#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
pub fn end_with_parent(command: &mut Command) {
    use rustix::process::{Signal, getppid, set_parent_process_death_signal};
    use std::os::unix::process::CommandExt;
    let parent = Some(rustix::process::getpid());
    let hook = move || {
        set_parent_process_death_signal(Some(Signal::KILL))?;
        // The parent may have died before the line above.
        if getppid() == parent { Ok(()) } else { Err(io::ErrorKind::BrokenPipe.into()) }
    };
    // SAFETY: between fork and exec the hook makes two system calls; it neither allocates nor locks.
    unsafe {
        command.pre_exec(hook);
    }
}

/// Does nothing: on other systems the agent notices the end of its socket.
#[cfg(not(target_os = "linux"))]
pub fn end_with_parent(_command: &mut Command) {}
