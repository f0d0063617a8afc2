//! The command line of retap. The only crate that parses flags, prints, draws progress bars and knows exit codes.

mod cli;
mod console;
mod exit;
mod interrupt;
mod log;
mod verbs;

use clap::Parser;
use cli::{Cli, Verb};
use console::Console;
use exit::Exit;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(message) => return console::print_help(&message).into(),
    };
    log::start(cli.console.verbose);
    let console = Console::new(cli.console);
    let Some(verb) = cli.verb else {
        verbs::start::run(&console);
        return Exit::Clean.into();
    };
    let result = match verb {
        Verb::Explore(args) => verbs::explore::run(&args, &console),
        Verb::Replay(args) => verbs::replay::run(&args, &console),
        Verb::Minimize(args) => verbs::minimize::run(&args, &console),
        Verb::Reduce(args) => verbs::reduce::run(&args, &console),
        Verb::Update(args) => verbs::update::run(&args, &console),
        Verb::Test(args) => verbs::test::run(&args, &console),
        Verb::Instrument(args) => verbs::instrument::run(&args, &console),
        Verb::Diff(args) => verbs::diff::run(&args, &console),
        Verb::Model(args) => verbs::model::run(&args, &console),
        Verb::Report(args) => verbs::report::run(&args, &console),
        Verb::Import(args) => verbs::import::run(&args, &console),
        Verb::Export(args) => verbs::export::run(&args, &console),
        Verb::Serve(args) => verbs::serve::run(&args, &console),
        Verb::Mcp(args) => verbs::mcp::run(&args, &console),
        Verb::Worker(args) => verbs::worker::run(&args, &console),
        Verb::Fleet(args) => verbs::fleet::run(&args, &console),
        Verb::Doctor(args) => verbs::doctor::run(&args, &console),
        Verb::Bench(args) => verbs::bench::run(&args, &console),
        Verb::Completions { shell } => verbs::shell::completions(shell, &console),
        Verb::Man => verbs::shell::man(&console),
    };
    match result.and_then(|exit| console::lost_output().map_or(Ok(exit), Err)) {
        Ok(exit) => exit.into(),
        Err(failure) => {
            console.error(&failure);
            Exit::from(&failure).into()
        }
    }
}
