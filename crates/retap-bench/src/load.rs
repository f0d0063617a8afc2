//! Threads that keep the machine busy while something is measured. Results that depend only on a seed must not change
//! when they run.

use std::hint::spin_loop;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

#[derive(Debug)]
pub struct Load {
    ended: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl Load {
    pub fn new(threads: usize) -> Self {
        let ended = Arc::new(AtomicBool::new(false));
        let start = |_| {
            let ended = ended.clone();
            thread::spawn(move || {
                while !ended.load(Ordering::Relaxed) {
                    spin_loop();
                }
            })
        };
        let threads = (0..threads).map(start).collect();
        Self { ended, threads }
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}
