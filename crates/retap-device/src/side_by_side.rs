//! Threads for whoever drives several rigs at once: only this crate and the command line start any.

use std::thread;

/// A task that runs on a thread of its own.
pub type Worker<'w> = Box<dyn FnOnce() + Send + 'w>;

/// Runs every worker on a thread of its own and `foreground` on the calling thread. Returns the result of
/// `foreground` when all workers have ended.
///
/// # Panics
/// Panics if a worker panics.
#[expect(clippy::disallowed_methods, reason = "the one place besides the lab that has threads")]
pub fn run_side_by_side<R>(workers: Vec<Worker<'_>>, foreground: impl FnOnce() -> R) -> R {
    thread::scope(|scope| {
        for worker in workers {
            scope.spawn(worker);
        }
        foreground()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    #[test]
    fn workers_run_while_the_foreground_waits_for_them() {
        let (sender, receiver) = channel();
        let task = |number: usize| -> Worker<'_> {
            let sender = sender.clone();
            Box::new(move || sender.send(number).unwrap_or_default())
        };
        let workers: Vec<Worker<'_>> = (1..=4).map(task).collect();
        drop(sender);
        assert_eq!(run_side_by_side(workers, || receiver.iter().sum::<usize>()), 10);
    }
}
