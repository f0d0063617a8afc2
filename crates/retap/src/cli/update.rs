//! The flags of `retap update`.

use super::{DeviceArgs, FleetArgs, OutputArgs, PageArgs, SeedArgs};
use clap::Args;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, Clone, Args)]
#[command(after_help = "\
Reaches what the update changed with few inputs, replays what it did on the old version, and shows what differs. Differences
that changed layouts, menus, texts or new windows explain are listed apart from those that nothing explains.

Exit code 1 if the new version crashes, breaks a test, or something differs that nothing explains.

Examples:
  retap update old.apk new.apk                       a thousand inputs at most; report.html and update.md in the run directory
  retap update old.apk new.apk --phases 1            only do every changed input once
  retap update old.apk new.apk --target Cart --impact 1
  git diff --name-only v1 v2 | retap update old.apk new.apk --since -
  retap update old.apk new.apk --model last-run      what the last version's run has learnt helps
  retap update old.apk new.apk --tests test.apk      which of the app's own tests does the update break?
  retap update --show last-run                       windows, transitions and states of a run's model
  retap update old.apk new.apk --inputs login.json   values for fields, and intents (docs/update.md)")]
pub struct UpdateArgs {
    /// The old version
    #[arg(value_name = "OLD.apk", required_unless_present_any = ["resume", "show"])]
    pub old: Option<PathBuf>,
    /// The new version
    #[arg(value_name = "NEW.apk", required_unless_present_any = ["resume", "show"])]
    pub new: Option<PathBuf>,
    #[command(flatten)]
    pub device: DeviceArgs,
    #[command(flatten)]
    pub seed: SeedArgs,
    /// Stop after this many events; the phases may end earlier
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..), help_heading = "Limits")]
    pub max_events: u64,
    /// Stop after this time from the first launch on, such as 90s, 10m, 2h
    #[arg(long, value_name = "TIME", value_parser = super::shared::parse_duration, help_heading = "Limits")]
    pub time: Option<Duration>,
    #[command(flatten)]
    pub output: OutputArgs,
    #[command(flatten)]
    pub page: PageArgs,
    /// The phases to run: 1 does every changed input once, 2 tries other values, 3 visits related windows first
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "1,2,3", value_parser = clap::value_parser!(u8).range(1..=3), help_heading = "Update")]
    pub phases: Vec<u8>,
    /// Multiplies every budget of a phase; 2 suits a run of five hours
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100), help_heading = "Update")]
    pub scale: u32,
    /// Values for fields and intents for activities, as JSON (docs/update.md)
    #[arg(long, value_name = "FILE", help_heading = "Update")]
    pub inputs: Option<PathBuf>,
    /// Also reach the methods whose signature contains this (repeatable)
    #[arg(long, value_name = "SIGNATURE", help_heading = "Update")]
    pub target: Vec<String>,
    /// Also reach the methods of these source files: a list of paths, as `git diff --name-only` prints it; - reads standard input
    #[arg(long, value_name = "FILE", help_heading = "Update")]
    pub since: Option<PathBuf>,
    /// Begin with the model of another version's run: its model.json, or its directory
    #[arg(long, value_name = "FILE", help_heading = "Update")]
    pub model: Option<PathBuf>,
    /// Show the model of a run, its model.json or its directory, and do nothing else
    #[arg(long, value_name = "FILE", conflicts_with_all = ["old", "new", "resume"], help_heading = "Update")]
    pub show: Option<PathBuf>,
    /// Also reach what calls a changed method or reads what it writes, up to so many steps away, and the windows that show changed layouts
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Update")]
    pub impact: u32,
    /// Also run the app's own tests on both versions, those that the change can affect first
    #[arg(long, value_name = "TEST.apk", help_heading = "Update")]
    pub tests: Option<PathBuf>,
    /// Go on though the versions do not fit: another package, or the newer one first
    #[arg(long, help_heading = "Update")]
    pub force: bool,
    /// Do not compare with the old version
    #[arg(long, help_heading = "Update")]
    pub no_compare: bool,
    /// Do not minimise crashes, differences and sequences
    #[arg(long, help_heading = "Update")]
    pub no_minimize: bool,
    /// Take pictures of both versions for this many differences
    #[arg(long, value_name = "N", default_value_t = 20, help_heading = "Update")]
    pub pictures: usize,
    /// The devices of each version that check, compare and shorten in parallel. Exploring takes one
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..), help_heading = "Update")]
    pub jobs: u16,
    #[command(flatten)]
    pub fleet: FleetArgs,
    /// Explain every move on standard error
    #[arg(long, help_heading = "Update")]
    pub explain: bool,
    /// Resume the run in the directory that -o names
    #[arg(long, requires = "output", conflicts_with_all = ["seed", "world_seed", "old", "new"], help_heading = "Update")]
    pub resume: bool,
}
