//! Ctrl-C and SIGTERM: the first asks the run to stop and keep everything; one that comes later, from a
//! person who has lost patience, ends it at once.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

pub static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// `timeout` and some shells send a signal to the process and to its group: that is one wish, not two.
const SAME_WISH: Duration = Duration::from_secs(1);

pub fn listen() {
    static FIRST: OnceLock<Instant> = OnceLock::new();
    let handler = || {
        let first = *FIRST.get_or_init(Instant::now);
        if INTERRUPTED.swap(true, Ordering::SeqCst) && first.elapsed() > SAME_WISH {
            std::process::exit(130);
        }
    };
    if let Err(error) = ctrlc::set_handler(handler) {
        tracing::warn!("Ctrl-C cannot be caught: {error}");
    }
}

pub fn is_set() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}
