//! `retap serve`.

mod adb;

use super::report;
use crate::cli::ServeArgs;
use crate::console::Console;
use crate::exit::Exit;
use crate::interrupt;
use retap_engine::Failure;
use retap_serve::ServeSettings;

pub fn run(args: &ServeArgs, console: &Console) -> Result<Exit, Failure> {
    interrupt::listen();
    if let Some(address) = args.adb {
        return adb::run(args, address, console);
    }
    let settings = ServeSettings {
        device: args.device.settings(),
        what: args.what.clone(),
        run: args.output.output.clone(),
        seed: args.seed.unwrap_or_else(|| rand::random::<u32>().into()),
        token: format!("{:032x}", rand::random::<u128>()),
        port: args.port,
        new_run: super::fresh_directory,
        runs: super::RUNS.into(),
        apps: ".".into(),
    };
    retap_serve::serve(settings, &interrupt::INTERRUPTED, &|address| {
        console.result(address);
        if args.open {
            report::open_in_browser(address, console);
        }
    })?;
    Ok(Exit::Clean)
}
