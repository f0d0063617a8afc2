//! Where children are born: one thread that lasts as long as retap. Linux ends a child with the
//! *thread* that started it, and devices are started by threads that come and go.

use std::io;
use std::process::{Child, Command};
use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

type Order = (Command, Sender<io::Result<Child>>);

static NURSERY: OnceLock<Sender<Order>> = OnceLock::new();

/// Starts a process that does not outlive this one, however this one ends.
pub fn spawn(mut command: Command) -> io::Result<Child> {
    end_with_parent(&mut command);
    let (answer, child) = channel();
    let closed = || io::Error::other("no thread is left to start processes");
    let nursery = NURSERY.get_or_init(|| {
        let (orders, received) = channel();
        // Should it fail to start, every order is answered with an error.
        let _ = thread::Builder::new().name("retap-nursery".into()).spawn(|| serve(received));
        orders
    });
    nursery.send((command, answer)).map_err(|_| closed())?;
    child.recv().map_err(|_| closed())?
}

fn serve(orders: Receiver<Order>) {
    for (mut command, answer) in orders {
        let _ = answer.send(command.spawn());
    }
}

#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
fn end_with_parent(command: &mut Command) {
    use rustix::process::{Signal, getppid, set_parent_process_death_signal};
    use std::os::unix::process::CommandExt;
    let parent = Some(rustix::process::getpid());
    let hook = move || {
        set_parent_process_death_signal(Some(Signal::KILL))?;
        // It may have died before the line above.
        if getppid() == parent { Ok(()) } else { Err(io::ErrorKind::BrokenPipe.into()) }
    };
    // SAFETY: between fork and exec the hook makes two system calls; it neither allocates nor locks.
    unsafe {
        command.pre_exec(hook);
    }
}

/// Elsewhere the agent notices the end of its socket.
#[cfg(not(target_os = "linux"))]
fn end_with_parent(_command: &mut Command) {}
