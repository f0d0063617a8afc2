//! Connections that were cut while commands of theirs run: a phone ends the commands, and nobody else meets them.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Counts the connections whose last commands have not ended yet.
#[derive(Debug, Default)]
pub struct LeavingConnections {
    count: Mutex<usize>,
    changed: Condvar,
}

/// One such connection, until it is dropped.
#[derive(Debug)]
pub struct LeavingConnection<'a>(&'a LeavingConnections);

impl LeavingConnections {
    fn lock(&self) -> MutexGuard<'_, usize> {
        self.count.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn begin(&self) -> LeavingConnection<'_> {
        *self.lock() += 1;
        LeavingConnection(self)
    }

    /// Waits until nothing of a connection that is gone runs any more.
    pub fn wait(&self) {
        let mut count = self.lock();
        while *count > 0 {
            count = self.changed.wait(count).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Drop for LeavingConnection<'_> {
    fn drop(&mut self) {
        *self.0.lock() -= 1;
        self.0.changed.notify_all();
    }
}
