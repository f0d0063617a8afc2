//! `retap bench explore`: every strategy on every app, as often as asked, at an equal number of events, and
//! whether what differs is more than luck.

mod cell;
mod comparison;
mod curve;
mod markdown;
mod matrix;
mod page;
mod statistics;
mod upset;

use crate::cli::BenchExploreArgs;
use crate::console::Console;
use crate::failure::{Exit, Failure};
use crate::interrupt;
pub use cell::Cell;
use cell::Measured;
use comparison::Comparison;
use retap_explore::auto::Ingredient;
use retap_model::format::run::{write_json, write_whole};
use serde::Serialize;

/// All that was measured and what it says.
#[derive(Debug, Serialize)]
pub struct Results {
    pub verb: &'static str,
    pub max_events: u64,
    pub runs: u64,
    pub command: String,
    pub measured: Vec<Measured>,
    pub comparisons: Vec<Comparison>,
}

pub fn run(args: &BenchExploreArgs, console: &Console) -> Result<Exit, Failure> {
    interrupt::listen();
    let args = &if args.ablate { ablation(args) } else { args.clone() };
    let measured = matrix::run(args, console)?;
    let mut comparisons = comparison::compare(&measured, args.max_events);
    // What the parts are worth beside each other is no question.
    comparisons.retain(|comparison| !args.ablate || comparison.ours == WHOLE);
    let results = Results {
        verb: "bench explore",
        max_events: args.max_events,
        runs: args.runs,
        command: matrix::command(args),
        comparisons,
        measured,
    };
    let dir = &args.output;
    write_json(&dir.join("results.json"), &results)?;
    write_whole(&dir.join("results.csv"), cell::csv(&results.measured).as_bytes())?;
    write_whole(&dir.join("report.html"), page::render(&results).as_bytes())?;
    let text = markdown::render(&results);
    write_whole(&dir.join("results.md"), text.as_bytes())?;
    if let Some(file) = &args.markdown {
        write_whole(file, text.as_bytes())?;
    }
    console.json(&results);
    console.result(&text);
    console.remark(&format!("Everything is in {}", dir.display()));
    Ok(if interrupt::is_set() { Exit::Interrupted } else { Exit::Clean })
}

/// The strategy that is taken apart.
const WHOLE: &str = "auto";

/// The same bench with the strategy auto, whole and without each of its parts.
fn ablation(args: &BenchExploreArgs) -> BenchExploreArgs {
    let without = Ingredient::ALL.map(|part| format!("{WHOLE}:without={part}"));
    let strategies = without.into_iter().chain([WHOLE.to_string()]).collect();
    BenchExploreArgs { strategies, ..args.clone() }
}
