//! Readers of what adb and Android's commands print, one file each. They are functions of text: they accept CRLF, skip what
//! they do not know, and never fail on output that was cut.

pub mod activities;
pub mod anr;
pub mod console;
pub mod crash;
pub mod devices;
pub mod display;
pub mod dump;
pub mod hierarchy;
pub mod install;
pub mod logcat;
pub mod native_crash;
pub mod picture;
pub mod processes;
pub mod properties;
pub mod sections;
pub mod shell_packet;
pub mod windows;

#[cfg(test)]
mod fuzz;
#[cfg(test)]
mod tests;
