//! The flags of `retap reduce`.

use super::{DeviceArgs, FleetArgs};
use clap::{Args, ValueEnum};
use retap_model::UnitKind;
use retap_reduce::CostModel;
use std::path::PathBuf;

#[derive(Debug, Clone, Args)]
#[command(after_help = "\
Keep a suite folder in version control and run it again:
  retap reduce retap-out/my-run -o suite --apk app.apk
  retap replay suite app.apk --junit out.xml
  retap reduce --verify suite --apk app.apk            replay it and compare unit by unit
  retap reduce retap-out/next-run --onto suite -o suite-2 --apk app.apk
Choose the fewest of an app's own tests with the same coverage:
  retap test app.apk test.apk -o tests && retap reduce tests -o few
  retap test app.apk test.apk --only few/tests.txt")]
pub struct ReduceArgs {
    /// Run directories, suite folders and traces; FILE#N names the N-th trace of a file. Or directories of retap test
    #[arg(value_name = "RUN|TRACE", required_unless_present = "verify")]
    pub inputs: Vec<String>,
    /// The app. Default: the app of the first run
    #[arg(long, value_name = "APK")]
    pub apk: Option<PathBuf>,
    #[command(flatten)]
    pub device: DeviceArgs,
    /// The suite folder to create
    #[arg(
        short,
        long,
        value_name = "DIR",
        required_unless_present = "verify",
        help_heading = "Output"
    )]
    pub output: Option<PathBuf>,
    /// Replay a suite and compare its coverage with the original's, or with the named runs'
    #[arg(long, value_name = "SUITE", conflicts_with_all = ["output", "onto", "keep"], help_heading = "Suite")]
    pub verify: Option<PathBuf>,
    /// A reduced suite to extend: it stays as it is, and only what the inputs add is reduced
    #[arg(long, value_name = "SUITE", help_heading = "Suite")]
    pub onto: Option<PathBuf>,
    /// A trace to keep in the suite unchanged
    #[arg(long, value_name = "TRACE", help_heading = "Suite")]
    pub keep: Vec<String>,
    /// The code units that count as coverage
    #[arg(long, value_enum, default_value = "branch", help_heading = "Suite")]
    pub units: UnitsName,
    /// States do not count as coverage
    #[arg(long, help_heading = "Suite")]
    pub no_states: bool,
    /// Crashes and hangs do not count as coverage
    #[arg(long, help_heading = "Suite")]
    pub no_crashes: bool,
    /// The cost to reduce
    #[arg(long, value_enum, default_value = "events", help_heading = "Suite")]
    pub cost: CostName,
    /// Join at most this many fragments into one trace; 0 leaves splicing out
    #[arg(short, long, value_name = "K", default_value_t = 3, value_parser = clap::value_parser!(u8).range(0..=20), help_heading = "Suite")]
    pub k: u8,
    /// Skip phase 3: run the paper's two phases alone
    #[arg(long, help_heading = "Suite")]
    pub no_minimize: bool,
    /// Runs of each candidate; a deterministic device runs it once
    #[arg(long, value_name = "R", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=1000), help_heading = "Suite")]
    pub runs: u32,
    /// Use another world seed for every run of a candidate
    #[arg(long, help_heading = "Suite")]
    pub vary_world: bool,
    /// Candidates to try for one trace before taking the best
    #[arg(long, value_name = "N", default_value_t = 64, help_heading = "Suite")]
    pub candidates: usize,
    /// The most nodes that one search may expand
    #[arg(long, value_name = "N", default_value_t = 2000, help_heading = "Suite")]
    pub nodes: u64,
    /// The most events that replays may run; a restart counts as fifteen. Default: nine tenths of the recording's
    #[arg(long, value_name = "N", help_heading = "Suite")]
    pub max_events: Option<u64>,
    /// Run traces without states or coverage once, to record them
    #[arg(long, help_heading = "Suite")]
    pub record: bool,
    /// The number of devices to use in parallel
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..), help_heading = "Suite")]
    pub jobs: u16,
    #[command(flatten)]
    pub fleet: FleetArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum UnitsName {
    Branch,
    Line,
    Method,
    Instruction,
    None,
}

impl UnitsName {
    pub fn kind(self) -> Option<UnitKind> {
        match self {
            UnitsName::Branch => Some(UnitKind::Branch),
            UnitsName::Line => Some(UnitKind::Line),
            UnitsName::Method => Some(UnitKind::Method),
            UnitsName::Instruction => Some(UnitKind::Instruction),
            UnitsName::None => None,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CostName {
    /// Events, a clean restart counted as one
    Events,
    /// Clean restarts first: one counts as a thousand events
    Restarts,
    /// Milliseconds of the device's clock, as recorded
    Time,
}

impl CostName {
    pub fn model(self) -> CostModel {
        match self {
            CostName::Events => CostModel::Events,
            CostName::Restarts => CostModel::Restarts,
            CostName::Time => CostModel::Time,
        }
    }
}
