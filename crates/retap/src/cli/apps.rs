//! The flags of the verbs that read APKs and run nothing: `retap diff` and `retap model`.

use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Clone, Args)]
#[command(after_help = "\
A rebuild is no change: line numbers, registers, the order of tables, the compiler's choice of instructions and moved
resource ids leave no trace. Renamed and moved classes are recognised by what they do.

Exit code 0 when the comparison is done, whatever it found; with --exit-code 1 if something differs, as in git.

Examples:
  retap diff old.apk new.apk                       a tree of what changed
  retap diff old.apk new.apk --html changes.html   old and new code of each method side by side
  retap diff old.apk new.apk --json                the sets of modified, new and removed methods, for programs")]
pub struct DiffArgs {
    /// The old version: an APK, or a bundle of splits (.apks)
    #[arg(value_name = "OLD.apk")]
    pub old: PathBuf,
    /// The new version
    #[arg(value_name = "NEW.apk")]
    pub new: PathBuf,
    /// Also write a page with old and new code side by side
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Show every class of the libraries and every resource, not only their numbers
    #[arg(long)]
    pub all: bool,
    /// End with exit code 1 if something differs
    #[arg(long)]
    pub exit_code: bool,
}

#[derive(Debug, Clone, Args)]
#[command(after_help = "\
The model is read from code and resources; nothing runs, and nothing needs to be set up. docs/model.md says what it knows.

Examples:
  retap model app.apk                     windows, their inputs and where these lead
  retap model app.apk --svg graph.svg     the same as a picture, windows as wireframes of their layouts
  retap model new.apk --old old.apk       which inputs reach the methods that an update changed
  retap model app.apk --check RUN         how much of what a run saw the model has, and why it misses the rest
  retap model app.apk --json              everything, for programs")]
pub struct ModelArgs {
    #[arg(value_name = "APK")]
    pub apk: PathBuf,
    /// Mark the inputs that reach methods which are new or modified since this version
    #[arg(long, value_name = "OLD.apk")]
    pub old: Option<PathBuf>,
    /// Also write the graph as a picture
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Compare the model with what a run of the app saw
    #[arg(long, value_name = "RUN")]
    pub check: Option<PathBuf>,
}
