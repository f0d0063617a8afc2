//! The flags of fleets: of verbs that use one, of `retap worker` and of `retap fleet`.

use super::shared::parse_duration;
use clap::{Args, Subcommand};
use std::path::PathBuf;
use std::time::Duration;

/// How to reach the server of a fleet.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Fleet")]
pub struct FleetServerArgs {
    /// The credentials file for the fleet's server, as `nsc` writes it
    #[arg(long, value_name = "FILE")]
    pub fleet_credentials: Option<PathBuf>,
    /// Refuse a server of the fleet without TLS
    #[arg(long)]
    pub fleet_tls: bool,
    /// A certificate that vouches for the fleet's server, besides those of this machine
    #[arg(long, value_name = "FILE")]
    pub fleet_ca: Option<PathBuf>,
}

/// A verb whose jobs run on a fleet.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Fleet")]
pub struct FleetArgs {
    /// Run the jobs on the workers of this fleet, -j at a time (docs/fleet.md)
    #[arg(long, value_name = "URL")]
    pub fleet: Option<String>,
    #[command(flatten)]
    pub server: FleetServerArgs,
    /// The key that signs the tasks, as `retap fleet key` makes it
    #[arg(long, value_name = "FILE", requires = "fleet")]
    pub fleet_key: Option<PathBuf>,
    /// Take results that this key has signed, and no others (repeatable). Default: those of every worker
    #[arg(long, value_name = "KEY", requires = "fleet")]
    pub trust: Vec<String>,
    /// At most this many tasks of this verb wait or run at the same time. Default: any number
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        hide_default_value = true,
        requires = "fleet"
    )]
    pub fleet_limit: usize,
}

#[derive(Debug, Clone, Args)]
#[command(after_help = "\
A worker takes tasks from the queue of the fleet's server, runs them on its own devices and stores the results. It listens on no
port. Ctrl-C gives the task at hand back.

Examples:
  nats-server -js &                                      the server, from Debian's package of that name
  retap worker --fleet nats://127.0.0.1:4222 -j 2        a worker with two devices
  retap minimize trace.jsonl --fleet nats://127.0.0.1:4222 -j 2")]
pub struct WorkerArgs {
    /// The server of the fleet
    #[arg(long, value_name = "URL")]
    pub fleet: String,
    #[command(flatten)]
    pub server: FleetServerArgs,
    /// Run tasks that this key has signed, and no others (repeatable). A server on this machine needs none
    #[arg(long, value_name = "KEY", help_heading = "Fleet")]
    pub trust: Vec<String>,
    /// The key that signs the results, as `retap fleet key` makes it
    #[arg(long, value_name = "FILE", help_heading = "Fleet")]
    pub fleet_key: Option<PathBuf>,
    /// The number of devices to use in parallel
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..), help_heading = "Fleet")]
    pub jobs: u16,
    /// The name in `retap fleet status`. Default: the machine's name and the process
    #[arg(long, value_name = "NAME", help_heading = "Fleet")]
    pub name: Option<String>,
    /// A task goes to another worker if this one is silent for so long. The first that reaches a new server decides
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = parse_duration, help_heading = "Fleet")]
    pub redeliver_after: Duration,
}

#[derive(Debug, Clone, Args)]
#[command(after_help = "\
Examples:
  retap fleet status --fleet nats://127.0.0.1:4222 --watch
  retap fleet pause 4f0c2a9d1b7e --fleet nats://127.0.0.1:4222
  retap fleet key fleet.key                              a key for --fleet-key, and its public half for --trust")]
pub struct FleetVerbArgs {
    #[command(subcommand)]
    pub what: FleetVerb,
}

#[derive(Debug, Clone, Subcommand)]
pub enum FleetVerb {
    /// Show workers, queue and campaigns
    Status(FleetStatusArgs),
    /// Offer no further tasks of a campaign until it is resumed
    Pause(FleetCampaignArgs),
    /// Resume a paused campaign
    Resume(FleetCampaignArgs),
    /// Make a key that signs tasks or results, and print its public half for --trust
    Key {
        /// The file for the key. Nobody else may read it
        file: PathBuf,
    },
}

#[derive(Debug, Clone, Args)]
pub struct FleetStatusArgs {
    /// The server of the fleet
    #[arg(long, value_name = "URL")]
    pub fleet: String,
    #[command(flatten)]
    pub server: FleetServerArgs,
    /// Show it again after every so much time, until Ctrl-C
    #[arg(long, value_name = "TIME", num_args = 0..=1, default_missing_value = "2s", value_parser = parse_duration)]
    pub watch: Option<Duration>,
}

#[derive(Debug, Clone, Args)]
pub struct FleetCampaignArgs {
    /// The campaign, as `retap fleet status` names it
    pub campaign: String,
    /// The server of the fleet
    #[arg(long, value_name = "URL")]
    pub fleet: String,
    #[command(flatten)]
    pub server: FleetServerArgs,
}
