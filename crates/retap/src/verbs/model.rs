//! `retap model`: reads the windows of an app and where their inputs lead, and compares that with a run.

mod graph;
mod run;

use super::diff::{open, refuse};
use crate::cli::ModelArgs;
use crate::console::Console;
use crate::exit::Exit;
use retap_engine::{Failure, Reporter};
use retap_static::{AppDiff, AppModel, ModelCheck};
use serde::Serialize;

/// What `--json` prints: the model and, if asked for, its comparison with a run.
#[derive(Serialize)]
struct ModelSummary<'a> {
    #[serde(flatten)]
    model: &'a AppModel,
    #[serde(skip_serializing_if = "Option::is_none")]
    check: Option<&'a ModelCheck>,
}

pub fn run(args: &ModelArgs, console: &Console) -> Result<Exit, Failure> {
    let apk = open(&args.apk)?;
    let mut model = AppModel::read(&apk).map_err(refuse)?;
    if let Some(old) = &args.old {
        let sets = AppDiff::compare(&open(old)?, &apk).map_err(refuse)?.sets();
        model.mark_targets(&[sets.modified, sets.new].concat());
    }
    if let Some(file) = &args.svg {
        super::write_output(file, model.svg().as_bytes(), console)?;
        console.remark(&format!("The graph as a picture: {}", file.display()));
    }
    let check = match &args.check {
        Some(dir) => Some(model.check(&run::read(dir)?)),
        None => None,
    };
    console.json(&ModelSummary { model: &model, check: check.as_ref() });
    let paint = console.paint();
    console.result(&match &check {
        Some(check) => graph::render_check(check, paint),
        None => graph::render(&model, paint),
    });
    Ok(Exit::Clean)
}
