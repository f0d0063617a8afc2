//! The binary as a user runs it, and the shape of the repository. One program, because each further one is linked anew;
//! `cargo test -p retap --test all NAME` runs one module of it.

mod bad_input;
#[cfg(feature = "long-tests")]
mod browser;
mod common;
mod coverage;
mod drive;
mod embedded;
mod escapes;
mod explore;
mod export;
mod faults;
mod instrumented;
mod losses;
mod minimize;
mod oracles;
mod reduce;
mod replay;
mod report;
mod repository;
mod update;
