//! Ctrl-C and SIGTERM: the first asks the run to stop and keep everything, the second ends it at once.

use std::sync::atomic::{AtomicBool, Ordering};

pub static INTERRUPTED: AtomicBool = AtomicBool::new(false);

pub fn listen() {
    let handler = || {
        if INTERRUPTED.swap(true, Ordering::SeqCst) {
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
