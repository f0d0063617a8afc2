//! Solves the optimal scheduling policy for n candidates with ND3MIN's parameters and prints its cost.
//!
//! `cargo run --release -p retap-minimize --example policy -- 4`

#![allow(clippy::print_stdout, clippy::disallowed_methods)]

use retap_minimize::{Check, PolicySetting, Prior, SchedulingPolicy, SingleThread};
use std::time::Instant;

fn main() {
    let candidates = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(4);
    let setting = PolicySetting { candidates, check: Check::ND3MIN };
    let start = Instant::now();
    match SchedulingPolicy::solve(&setting, &Prior::default(), &SingleThread) {
        Ok(policy) => println!(
            "n={candidates}: {:.1} s on one thread, {:.4} rounds expected, {} bytes",
            start.elapsed().as_secs_f64(),
            policy.expected_rounds(),
            policy.to_bytes().len(),
        ),
        Err(too_large) => println!("n={candidates}: {too_large}"),
    }
}
