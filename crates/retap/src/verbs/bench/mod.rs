//! `retap bench`: exact counts first, side by side in one run.

mod explore;
mod minimize;
mod rivals;
mod table;

use crate::cli::{Bench, BenchArgs};
use crate::console::Console;
use crate::failure::{Exit, Failure};

pub fn run(args: &BenchArgs, console: &Console) -> Result<Exit, Failure> {
    match &args.what {
        Bench::Minimize(args) => minimize::run(args, console),
        Bench::Explore(args) => explore::run(args, console),
        Bench::Judge(args) => rivals::judge(args),
    }
}
