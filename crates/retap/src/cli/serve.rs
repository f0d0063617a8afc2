//! The flags of `retap serve`.

use super::{DeviceArgs, OutputArgs};
use clap::Args;
use retap_adbd::AdbAddress;
use std::path::PathBuf;
use std::str::FromStr;

#[derive(Debug, Clone, Args)]
#[command(after_help = "\
The page is on this machine alone, and its address holds a secret. Ctrl-C ends it; the run directory keeps everything.

Examples:
  retap serve app.apk --open
  retap serve retap-out/my-run           go on with a run: jump to its states, minimise its crashes
  retap serve --device fake:fakes/notes.fake
  retap serve                            choose among the runs in retap-out and the APKs here
  retap serve app.apk --adb 5555         a phone for adb: adb connect 127.0.0.1:5555, adb shell input tap 540 960 …")]
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
    /// Serve an adb device instead of the page: a port of this machine, 0 for one that is free
    #[arg(long, value_name = "[ADDRESS:]PORT", help_heading = "adb", value_parser = AdbAddress::from_str,
          conflicts_with_all = ["port", "open", "output"])]
    pub adb: Option<AdbAddress>,
    /// Let other machines connect to the adb device; nobody has to prove anything
    #[arg(long, help_heading = "adb", requires = "adb")]
    pub allow_remote: bool,
}
