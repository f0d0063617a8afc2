//! The flags of `retap reduce`.

use super::DeviceArgs;
use clap::{Args, ValueEnum};
use retap_model::UnitKind;
use retap_reduce::CostModel;
use std::path::PathBuf;

#[derive(Debug, Clone, Args)]
#[command(after_help = "\
A suite folder is made to be kept in version control and run again:
  retap reduce retap-out/my-run -o suite --apk app.apk
  retap replay suite app.apk --junit out.xml
  retap reduce --verify suite --apk app.apk            replay it and compare unit by unit
  retap reduce retap-out/next-run --onto suite -o suite-2 --apk app.apk")]
pub struct ReduceArgs {
    /// Run directories, suite folders and traces; FILE#N names the N-th trace of a file
    #[arg(value_name = "RUN|TRACE", required_unless_present = "verify")]
    pub inputs: Vec<String>,
    /// The app; by default the one that the first run was made with
    #[arg(long, value_name = "APK")]
    pub apk: Option<PathBuf>,
    #[command(flatten)]
    pub device: DeviceArgs,
    /// Where the suite is written: a new folder
    #[arg(short, long, value_name = "DIR", required_unless_present = "verify")]
    pub output: Option<PathBuf>,
    /// Replay a suite and compare what it covers with what the original covered, or the runs named
    #[arg(long, value_name = "SUITE", conflicts_with_all = ["output", "onto", "keep"])]
    pub verify: Option<PathBuf>,
    /// A reduced suite that stays as it is; only what the inputs add to it is reduced
    #[arg(long, value_name = "SUITE")]
    pub onto: Option<PathBuf>,
    /// A trace that stays in the suite as it is
    #[arg(long, value_name = "TRACE")]
    pub keep: Vec<String>,
    /// Which code units count as coverage
    #[arg(long, value_enum, default_value = "branch")]
    pub units: UnitsName,
    /// States do not count as coverage
    #[arg(long)]
    pub no_states: bool,
    /// Crashes and hangs do not count as coverage
    #[arg(long)]
    pub no_crashes: bool,
    /// What to make small
    #[arg(long, value_enum, default_value = "events")]
    pub cost: CostName,
    /// Join at most this many fragments into one trace; 0 leaves splicing out
    #[arg(short, long, value_name = "K", default_value_t = 3, value_parser = clap::value_parser!(u8).range(0..=20))]
    pub k: u8,
    /// Leave phase 3 out: the paper's two phases alone
    #[arg(long)]
    pub no_minimize: bool,
    /// Run every candidate this often; on a device that repeats itself once is enough
    #[arg(long, value_name = "R", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub runs: u32,
    /// Give every run of a candidate a world of its own
    #[arg(long)]
    pub vary_world: bool,
    /// Candidates to try for one trace before going on with the best
    #[arg(long, value_name = "N", default_value_t = 64)]
    pub candidates: usize,
    /// Nodes that one search may expand
    #[arg(long, value_name = "N", default_value_t = 2000)]
    pub nodes: u64,
    /// Events that replays may take, a restart counted as fifteen; by default nine tenths of what it took to record
    #[arg(long, value_name = "N")]
    pub max_events: Option<u64>,
    /// Run traces that do not say what they covered once, to record it
    #[arg(long)]
    pub record: bool,
    /// Devices to use side by side
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: u16,
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
