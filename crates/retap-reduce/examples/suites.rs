//! Suites of ten thousand steps and more, recorded by random walks on the fake apps: how small they get,
//! what it takes, and what k changes. `cargo run --release -p retap-reduce --example suites`
#![allow(clippy::unwrap_used, clippy::print_stdout)] // a bench prints and may panic
#![allow(clippy::disallowed_methods)] // and has a clock

#[path = "../tests/common/mod.rs"]
mod common;

use common::{Bench, tap};
use retap_model::{Event, Key};
use retap_reduce::{CostModel, Limits, Options, Recording, reduce};
use std::time::Instant;

const STEPS: usize = 13_000;

fn main() {
    println!(
        "{:<14} {:>2} {:>12} {:>10} {:>10} {:>6} {:>7} {:>6} {:>6} {:>8} {:>7} {:>6}",
        "app",
        "k",
        "recorded",
        "phase 1",
        "phase 2",
        "bound",
        "factor",
        "cand.",
        "faith.",
        "events",
        "saved",
        "s"
    );
    for app in ["notes.fake", "vault.fake", "worn.fake", "conform.fake"] {
        let mut bench = Bench::load(app);
        let recordings = walks(&mut bench, app);
        for fragments in [1, 2, 3, 5] {
            let mut bench = Bench::load(app);
            let limits = Limits { fragments, ..Limits::default() };
            let options = Options { scope: bench.scope(), cost: CostModel::Events, limits };
            let started = Instant::now();
            let reduction = reduce(&recordings, &options, &mut bench).unwrap();
            let (stages, tally) = (reduction.stages, reduction.tally);
            let size = |size: retap_reduce::Size| format!("{}/{}", size.steps, size.restarts);
            println!(
                "{app:<14} {fragments:>2} {:>12} {:>10} {:>10} {:>6} {:>6.1}× {:>6} {:>6} {:>8} {:>7} {:>6.2}",
                size(stages.recorded),
                size(stages.phase_1),
                size(stages.phase_2),
                reduction.lower_bound.map_or(0, |bound| bound.cost),
                stages.recorded.cost as f64 / stages.phase_2.cost as f64,
                tally.replayed,
                tally.faithful,
                bench.events,
                tally.known + tally.traces_saved,
                started.elapsed().as_secs_f64()
            );
        }
    }
}

/// Walks of up to a hundred events, chosen among the ids that the app's text mentions and a few keys.
fn walks(bench: &mut Bench, app: &str) -> Vec<Recording> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fakes").join(app);
    let text = std::fs::read_to_string(path).unwrap();
    let widget = |line: &str| {
        let mut words = line.split_whitespace();
        let is_widget = matches!(words.next(), Some("button" | "check" | "list" | "image"));
        is_widget.then(|| words.next().map(tap)).flatten()
    };
    let mut events: Vec<Event> = text.lines().filter_map(widget).collect();
    events.push(Event::Key(Key::back()));
    let mut dice: u64 = 7;
    let mut draw = |sides: usize| {
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (dice >> 33) as usize % sides
    };
    let mut recordings: Vec<Recording> = Vec::new();
    let mut steps = 0;
    while steps < STEPS {
        let length = 1 + draw(100);
        let walk: Vec<Event> = (0..length).map(|_| events[draw(events.len())].clone()).collect();
        let recording = bench.record(1, &walk);
        steps += recording.trace.steps.len();
        recordings.push(recording);
    }
    recordings
}
