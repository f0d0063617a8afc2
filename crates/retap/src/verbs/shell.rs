//! Shell completions and the manual page, generated from the description of the command line.

use crate::cli::Cli;
use crate::console::Console;
use crate::exit::Exit;
use clap::CommandFactory;
use retap_engine::Failure;

pub fn completions(shell: clap_complete::Shell, console: &Console) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "retap", &mut script);
    console.file(&script);
    Ok(Exit::Clean)
}

pub fn man(console: &Console) -> Result<Exit, Failure> {
    let mut page = Vec::new();
    clap_mangen::Man::new(Cli::command())
        .render(&mut page)
        .map_err(|error| Failure::input(format!("the manual page cannot be made: {error}")))?;
    console.file(&page);
    Ok(Exit::Clean)
}
