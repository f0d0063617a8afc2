//! `retap bench`: exact counts first, side by side in one run.

mod device;
mod explore;
mod load;
mod minimize;
mod process;
mod reduce;
mod rivals;
mod table;
mod walk;

use crate::cli::{Bench, BenchArgs};
use crate::console::Console;
use crate::failure::{Exit, Failure};

pub fn run(args: &BenchArgs, console: &Console) -> Result<Exit, Failure> {
    match &args.what {
        Bench::Device(args) => device::run(args, console),
        Bench::Minimize(args) => minimize::run(args, console),
        Bench::Explore(args) => explore::run(args, console),
        Bench::Reduce(args) => reduce::run(args, console),
        Bench::Judge(args) => rivals::judge(args),
    }
}
