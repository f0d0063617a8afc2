//! `retap diff`: compares two versions of an app and shows the difference as a tree, as JSON or as a page.

mod tree;

use crate::cli::DiffArgs;
use crate::console::Console;
use crate::exit::Exit;
use retap_apk::{Apk, ApkError};
use retap_engine::{Failure, Reporter};
use retap_static::{AppDiff, ChangedMethods, DiffOptions};
use serde::Serialize;
use std::path::Path;

/// What `--json` prints: the changed methods as three sets, and then all there is.
#[derive(Serialize)]
struct DiffSummary<'a> {
    methods: ChangedMethods,
    #[serde(flatten)]
    diff: &'a AppDiff,
}

pub fn run(args: &DiffArgs, console: &Console) -> Result<Exit, Failure> {
    let (old, new) = (open(&args.old)?, open(&args.new)?);
    let options = DiffOptions { listings: args.html.is_some() };
    let diff = AppDiff::compare_with(&old, &new, options).map_err(refuse)?;
    if let Some(file) = &args.html {
        super::write_output(file, diff.page().as_bytes(), console)?;
        console.remark(&format!("Old and new code side by side: {}", file.display()));
    }
    console.json(&DiffSummary { methods: diff.sets(), diff: &diff });
    console.result(&tree::render(&diff, args.all, console.paint()));
    Ok(if args.exit_code && !diff.is_empty() { Exit::Found } else { Exit::Clean })
}

pub(super) fn open(path: &Path) -> Result<Apk, Failure> {
    Apk::open(path).map_err(refuse)
}

#[expect(clippy::needless_pass_by_value, reason = "it is passed to map_err")]
pub(super) fn refuse(error: ApkError) -> Failure {
    Failure::input(error.to_string())
}
