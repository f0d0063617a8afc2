//! The flags of `retap serve`.

use super::{DeviceArgs, OutputArgs};
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Clone, Args)]
#[command(after_help = "\
The page is on this machine alone, and its address holds a secret. Ctrl-C ends it; the run directory keeps everything.

Examples:
  retap serve app.apk --open
  retap serve retap-out/my-run           go on with a run: jump to its states, minimise its crashes
  retap serve --device fake:fakes/notes.fake
  retap serve                            choose among the runs in retap-out and the APKs here")]
pub struct ServeArgs {
    /// The app, or the directory of a run to go on with
    #[arg(value_name = "RUN|APK")]
    pub what: Option<PathBuf>,
    #[command(flatten)]
    pub device: DeviceArgs,
    /// Seed of the world and of what exploring does. Default: random
    #[arg(long, value_name = "N", help_heading = "Seeds")]
    pub seed: Option<u64>,
    #[command(flatten)]
    pub output: OutputArgs,
    /// The port to listen on. Default: one that is free
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Page")]
    pub port: u16,
    /// Open the page in a browser
    #[arg(long, help_heading = "Output")]
    pub open: bool,
}
