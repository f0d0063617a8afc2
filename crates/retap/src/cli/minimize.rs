//! The flags of `retap minimize`.

use super::shared::parse_duration;
use super::{AppArgs, DeviceArgs, OutputArgs};
use clap::{Args, ValueEnum};
use retap_minimize::Algorithm;
use retap_model::{Abstraction, Oracle};
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

#[derive(Debug, Clone, Args)]
#[command(after_help = "\
Oracles: crash (the trace's own), crash:ID, not-responding, activity:NAME, method:SIGNATURE, state:ID,
text:REGEX, cmd:PROGRAM (exit 0 = interesting; the observation as JSON on its standard input), and what
retap explore finds besides crashes: rotation, background, back, layout, leak, property, each with or without
:ID. A trace in a folder of findings/ is minimised for what it was kept for.

Examples:
  retap minimize retap-out/my-run/crashes/4f…/trace.jsonl
  retap minimize trace.jsonl --vary-world                  20 worlds, 18 must succeed
  retap minimize trace.jsonl --oracle activity:Settings    the shortest way there
  retap minimize --resume -o retap-out/min                 go on after Ctrl-C or a kill")]
pub struct MinimizeArgs {
    /// The trace; FILE#N names the N-th of a file that holds several
    #[arg(required_unless_present = "resume")]
    pub trace: Option<String>,
    #[command(flatten)]
    pub app: AppArgs,
    #[command(flatten)]
    pub device: DeviceArgs,
    #[command(flatten)]
    pub output: OutputArgs,
    /// What must stay true; by default the crash that the trace ends in
    #[arg(long, value_name = "ORACLE", value_parser = Oracle::from_str)]
    pub oracle: Option<Oracle>,
    /// The rules that --oracle property is about
    #[arg(long, value_name = "FILE")]
    pub properties: Option<PathBuf>,
    /// auto, dd, hdd, bhdd, lhdd, nd, probdd or cdd
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = Algorithm::from_str)]
    pub algorithm: Algorithm,
    /// How often each candidate is run; by default once, or 20 times with --vary-world
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub runs: Option<u32>,
    /// How many of the runs must succeed; by default nine in ten
    #[arg(long, value_name = "N")]
    pub required: Option<u32>,
    /// Give every run of a candidate a world of its own
    #[arg(long)]
    pub vary_world: bool,
    /// Which candidate of several is run next
    #[arg(long, value_enum, default_value = "heuristic")]
    pub scheduler: SchedulerName,
    /// What the hierarchy of states is built from
    #[arg(long, value_name = "NAME", default_value = "activity", value_parser = Abstraction::from_str)]
    pub hierarchy: Abstraction,
    /// LHDD without its pre-selection
    #[arg(long)]
    pub no_preselect: bool,
    /// ND3MIN's first number of parts
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub parts: usize,
    /// Leave the events that remain as they are
    #[arg(long)]
    pub no_simplify: bool,
    /// Begin straight at a later activity where that keeps what is looked for. The answer says so: on a phone
    /// only an exported activity can be started like that
    #[arg(long)]
    pub launch_at_activity: bool,
    /// Stop after this many oracle calls, with the best answer so far
    #[arg(long, value_name = "CALLS")]
    pub budget: Option<u64>,
    /// Stop after this time, with the best answer so far
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub time: Option<Duration>,
    /// Fresh worlds in which the answer is run to measure how often it works
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub worlds: u32,
    /// Devices to use side by side
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: u16,
    /// Minimise although the app is another or of another version
    #[arg(long)]
    pub force: bool,
    /// Go on with the run in the directory that -o names
    #[arg(long, requires = "output", conflicts_with = "trace")]
    pub resume: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SchedulerName {
    /// All runs of the first candidate, then of the next
    Greedy,
    /// One run of each in turn
    RoundRobin,
    /// Confirm what looks good, then rule out what looks bad
    Heuristic,
    /// The optimal policy for up to four candidates, solved once and kept
    Mdp,
}
