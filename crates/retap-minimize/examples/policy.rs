//! Solves the optimal scheduling policy for n candidates with ND3MIN's parameters and prints its cost.
//!
//! `cargo run --release -p retap-minimize --example policy -- 4`

#![allow(clippy::print_stdout, clippy::disallowed_methods)]

use retap_minimize::{Check, JobRunner, PolicySetting, Prior, SchedulingPolicy};
use std::time::Instant;

struct Threads(usize);

impl JobRunner for Threads {
    fn threads(&self) -> usize {
        self.0
    }

    fn run(&self, count: usize, job: &(dyn Fn(usize) + Sync)) {
        std::thread::scope(|scope| {
            for thread in 0..self.0 {
                scope.spawn(move || (thread..count).step_by(self.0).for_each(job));
            }
        });
    }
}

fn main() {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let candidates = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(4);
    let setting = PolicySetting { candidates, check: Check::ND3MIN };
    let start = Instant::now();
    match SchedulingPolicy::solve(&setting, &Prior::default(), &Threads(threads)) {
        Ok(policy) => println!(
            "n={candidates}: {:.1} s on {threads} threads, {:.4} rounds expected, {} bytes",
            start.elapsed().as_secs_f64(),
            policy.expected_rounds(),
            policy.to_bytes().len(),
        ),
        Err(too_large) => println!("n={candidates}: {too_large}"),
    }
}
