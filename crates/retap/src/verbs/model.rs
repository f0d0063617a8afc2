//! `retap model`: reads the windows of an app and where their inputs lead, and compares that with a run.

mod graph;
mod run;

use super::diff::{open, refuse};
use crate::cli::ModelArgs;
use crate::console::Console;
use crate::exit::Exit;
use retap_apk::Apk;
use retap_engine::{Failure, Reporter};
use retap_model::format::run::{WINDOWS, write_whole};
use retap_static::{AppDiff, AppModel, ModelCheck};
use serde::Serialize;
use std::path::Path;

/// What `--json` prints: the model and, if asked for, its comparison with a run.
#[derive(Serialize)]
struct ModelSummary<'a> {
    #[serde(flatten)]
    model: &'a AppModel,
    #[serde(skip_serializing_if = "Option::is_none")]
    check: Option<&'a ModelCheck>,
}

/// Draws the windows of an app, coloured by what a run covered, into the run's directory, where its report finds them.
/// A run of something else than an APK has none.
pub fn draw_run(apk: &Path, dir: &Path) {
    let picture = || {
        let model = AppModel::read(&Apk::open(apk).ok()?).ok()?;
        Some(model.svg_of_run(&run::read(dir).ok()?))
    };
    if let Some(picture) = picture()
        && let Err(error) = write_whole(&dir.join(WINDOWS), picture.as_bytes())
    {
        tracing::warn!("no picture of the windows: {error}");
    }
}

pub fn run(args: &ModelArgs, console: &Console) -> Result<Exit, Failure> {
    let apk = open(&args.apk)?;
    let mut model = AppModel::read(&apk).map_err(refuse)?;
    if let Some(old) = &args.old {
        let sets = AppDiff::compare(&open(old)?, &apk).map_err(refuse)?.sets();
        model.mark_targets(&[sets.modified, sets.new].concat());
    }
    let seen = args.check.as_ref().map(|dir| run::read(dir)).transpose()?;
    if let Some(file) = &args.svg {
        let picture = seen.as_ref().map_or_else(|| model.svg(), |seen| model.svg_of_run(seen));
        super::write_output(file, picture.as_bytes(), console)?;
        console.remark(&format!("The graph as a picture: {}", file.display()));
    }
    let check = seen.as_ref().map(|seen| model.check(seen));
    console.json(&ModelSummary { model: &model, check: check.as_ref() });
    let paint = console.paint();
    console.result(&match &check {
        Some(check) => graph::render_check(check, paint),
        None => graph::render(&model, paint),
    });
    Ok(Exit::Clean)
}
