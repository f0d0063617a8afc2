//! The flags of `retap mcp`.

use super::{DeviceArgs, OutputArgs, SeedArgs};
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Clone, Args)]
#[command(after_help = "\
The assistant can reach the APKs, fakes and folders that are named here, and nothing else. docs/mcp.md says how to
register the server with an assistant, and lists its tools.

Examples:
  retap mcp app/build/outputs/apk/debug/app-debug.apk
  retap mcp old.apk new.apk traces/                  two versions to compare, and recorded traces")]
pub struct McpArgs {
    /// The APKs, and folders with APKs, runs and traces, that the assistant may reach
    #[arg(value_name = "APK|DIR", required = true)]
    pub paths: Vec<PathBuf>,
    #[command(flatten)]
    pub device: DeviceArgs,
    #[command(flatten)]
    pub seed: SeedArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}
