//! Ctrl-C and SIGTERM. The first signal asks the run to stop and keep everything; a later one ends retap at once.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

pub static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// `timeout` and some shells signal the process and its group: signals this close together count as one.
const ONE_REQUEST: Duration = Duration::from_secs(1);

pub fn listen() {
    static FIRST: OnceLock<Instant> = OnceLock::new();
    let handler = || {
        let first = *FIRST.get_or_init(Instant::now);
        if INTERRUPTED.swap(true, Ordering::SeqCst) && first.elapsed() > ONE_REQUEST {
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
