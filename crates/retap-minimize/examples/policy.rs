//! Solves the optimal scheduling policy for n candidates with ND3MIN's parameters and tells what it took.
//! `cargo run --release -p retap-minimize --example policy -- 4`

#![allow(clippy::print_stdout, clippy::disallowed_methods)]

use retap_minimize::PolicySetting;
use retap_minimize::{Check, SchedulingPolicy, Prior};
use std::time::Instant;

fn main() {
    let candidates = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(4);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let setting = PolicySetting { candidates, check: Check::ND3MIN };
    let start = Instant::now();
    match SchedulingPolicy::solve(&setting, &Prior::default(), threads) {
        Ok(policy) => println!(
            "n={candidates}: {:.1} s on {threads} threads, {:.4} rounds expected, {} bytes",
            start.elapsed().as_secs_f64(),
            policy.expected_rounds(),
            policy.to_bytes().len(),
        ),
        Err(too_large) => println!("n={candidates}: {too_large}"),
    }
}
