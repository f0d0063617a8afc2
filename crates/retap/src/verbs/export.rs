//! `retap export`: turns a trace into a script of another tool.

use crate::cli::{ExportArgs, ExportFormat};
use crate::console::Console;
use crate::exit::Exit;
use retap_engine::{Failure, Reporter, trace_file};
use retap_model::format::monkey::{self, ActivityName};

pub fn run(args: &ExportArgs, console: &Console) -> Result<Exit, Failure> {
    let (header, trace) = trace_file::read(&args.trace)?;
    let mut script = Vec::new();
    let remarks = match args.to {
        ExportFormat::Monkey => {
            let package = header.app.package;
            let launch = args.activity.clone().map(|class| ActivityName { package, class });
            monkey::write(&mut script, launch.as_ref(), trace.events())
                .map_err(|error| Failure::input(error.to_string()))?
        }
    };
    for remark in &remarks {
        console.remark(&format!("event {remark}"));
    }
    super::write_output(&args.output, &script, console)?;
    Ok(Exit::Clean)
}
