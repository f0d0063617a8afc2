//! The flags of `retap bench`.

use super::{AppArgs, DeviceArgs};
use clap::{Args, Subcommand};
use std::path::PathBuf;

#[derive(Debug, Clone, Args)]
pub struct BenchArgs {
    #[command(subcommand)]
    pub what: Bench,
}

#[derive(Debug, Clone, Subcommand)]
pub enum Bench {
    /// Every minimiser on generated traces, on traces of your own, and beside other tools' minimisers
    Minimize(Box<BenchMinimizeArgs>),
    /// Answers a rival's question about a generated trace
    #[command(hide = true)]
    Judge(JudgeArgs),
}

#[derive(Debug, Clone, Args)]
pub struct BenchMinimizeArgs {
    /// Crash traces to minimise as well, each with every algorithm
    #[arg(long = "trace", value_name = "TRACE")]
    pub traces: Vec<String>,
    #[command(flatten)]
    pub app: AppArgs,
    #[command(flatten)]
    pub device: DeviceArgs,
    /// Lengths of the generated traces
    #[arg(long, value_name = "N,N…", value_delimiter = ',', default_values_t = [16, 36, 64, 128, 256, 512, 1024, 1500])]
    pub lengths: Vec<usize>,
    /// Generated traces of each length
    #[arg(long, value_name = "N", default_value_t = 6)]
    pub seeds: u64,
    /// How many runs in a thousand fail by chance, whatever they do
    #[arg(long, value_name = "‰", default_value_t = 0, value_parser = clap::value_parser!(u64).range(0..1000))]
    pub flakiness: u64,
    /// Also run picire and shrinkray (from PyPI) as they are, on traces of up to this many events
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "128")]
    pub rivals: Option<usize>,
}

#[derive(Debug, Clone, Args)]
pub struct JudgeArgs {
    /// seed:length:arms:flakiness of the generated trace
    pub case: String,
    /// Where every call leaves a line
    pub log: PathBuf,
    /// The candidate: a position on each line
    pub candidate: PathBuf,
}
