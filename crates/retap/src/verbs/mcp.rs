//! `retap mcp`.

use crate::cli::McpArgs;
use crate::console::Console;
use crate::exit::Exit;
use crate::interrupt;
use retap_engine::{Failure, Reporter};
use retap_mcp::{Access, McpSettings};
use retap_model::format::run::RunError;

pub fn run(args: &McpArgs, console: &Console) -> Result<Exit, Failure> {
    interrupt::listen();
    let output = args.output.output.clone().unwrap_or_else(|| super::fresh_directory("mcp"));
    let access = Access::new(&args.paths)?;
    let program = std::env::current_exe().map_err(|error| Failure::input(error.to_string()))?;
    std::fs::create_dir_all(&output).map_err(RunError::io(&output))?;
    console.remark(&format!("{}. Runs are recorded in {}", access.describe(), output.display()));
    let settings = McpSettings {
        access,
        device: args.device.settings(),
        output,
        seed: args.seed.seed.unwrap_or_else(|| rand::random::<u32>().into()),
        program,
    };
    retap_mcp::serve(settings, &interrupt::INTERRUPTED)?;
    Ok(if interrupt::is_set() { Exit::Interrupted } else { Exit::Clean })
}
