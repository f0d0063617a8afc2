//! One file per verb: resolve what was asked for, run it, say what came out.

pub mod doctor;
pub mod explore;
pub mod export;
pub mod import;
pub mod replay;
pub mod shell;
