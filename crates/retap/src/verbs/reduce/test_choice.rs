//! `retap reduce` on runs of `retap test`: the fewest tests with the same coverage.

use crate::cli::ReduceArgs;
use crate::console::Console;
use crate::exit::Exit;
use retap_engine::Failure;
use retap_engine::test::{TestChoice, choose_tests};
use retap_model::UnitKind;
use retap_model::format::run::{Lock, has_tests, write_json, write_whole};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// The file with the names of the chosen tests, one a line: `retap test --only` reads it.
const NAMES: &str = "tests.txt";

#[derive(Serialize)]
struct ChoiceSummary<'a> {
    verb: &'static str,
    #[serde(flatten)]
    choice: &'a TestChoice,
}

/// Returns true if the inputs are runs of tests. They cannot be mixed with traces.
pub fn is_asked(args: &ReduceArgs) -> Result<bool, Failure> {
    let runs = args.inputs.iter().filter(|input| has_tests(Path::new(input))).count();
    if runs > 0 && (runs < args.inputs.len() || args.onto.is_some() || !args.keep.is_empty()) {
        return Err(Failure::input(
            "runs of retap test are chosen from, traces are reduced: give the one or the other",
        ));
    }
    Ok(runs > 0)
}

pub fn run(args: &ReduceArgs, console: &Console) -> Result<Exit, Failure> {
    let runs: Vec<PathBuf> = args.inputs.iter().map(PathBuf::from).collect();
    let Some(kind) = args.units.kind() else {
        return Err(Failure::input(
            "tests are chosen by the code that they cover: --units none leaves nothing",
        ));
    };
    let choice = choose_tests(&runs, kind)?;
    let output = args.output.as_deref().unwrap_or(Path::new("suite"));
    let _lock = Lock::create(output)?;
    write_whole(&output.join(NAMES), (choice.chosen.join("\n") + "\n").as_bytes())?;
    let summary = ChoiceSummary { verb: "reduce", choice: &choice };
    write_json(&output.join("reduction.json"), &summary)?;
    console.json(&summary);
    console.result(&render(&choice, output));
    Ok(Exit::Clean)
}

fn render(choice: &TestChoice, output: &Path) -> String {
    let TestChoice { chosen, left_out, not_passed, coverage, .. } = choice;
    let units = match choice.units {
        UnitKind::Branch => "branches",
        UnitKind::Line => "lines",
        UnitKind::Method => "methods",
        UnitKind::Instruction => "blocks of instructions",
    };
    let mut text = format!(
        "{} of {} tests cover the same {} {units}, in {:.1} s instead of {:.1} s of the phone's time",
        chosen.len(),
        chosen.len() + left_out.len(),
        coverage.covered,
        choice.chosen_ms as f64 / 1000.0,
        choice.passed_ms as f64 / 1000.0,
    );
    text.push_str(match choice.is_smallest {
        true => "\nNo smaller choice does",
        false => "\nA smaller choice may exist: there are too many tests to try all",
    });
    if !not_passed.is_empty() {
        let count = not_passed.len();
        text.push_str(&format!("\n{count} tests that did not pass are not chosen from"));
    }
    let names = output.join(NAMES);
    text.push_str(&format!("\nRun them: retap test APP.apk TEST.apk --only {}", names.display()));
    text
}
