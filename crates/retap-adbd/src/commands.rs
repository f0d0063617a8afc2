//! The commands of the phone, one file for each tool of Android.

mod am;
mod dumpsys;
mod files;
mod input;
mod intent;
mod logcat;
mod monkey;
mod pm;
mod process;
mod screen;
mod settings;
mod text;

use crate::shell::Invocation;
use std::io;

/// Runs one command and returns its exit code.
pub type CommandFunction = fn(&mut Invocation<'_, '_>) -> io::Result<u8>;

/// Every command by name.
const COMMANDS: [(&str, CommandFunction); 54] = [
    ("[", text::test),
    ("am", am::run),
    ("cat", files::cat),
    ("cd", files::change_folder),
    ("chmod", text::nothing),
    ("cmd", process::cmd),
    ("content", settings::content),
    ("cp", files::copy),
    ("date", process::date),
    ("dumpsys", dumpsys::run),
    ("echo", text::echo),
    ("env", process::env),
    ("exec", process::exec),
    ("export", process::export),
    ("false", text::no),
    ("find", files::find),
    ("getprop", settings::getprop),
    ("grep", text::grep),
    ("head", text::head),
    ("id", process::id),
    ("ime", settings::ime),
    ("input", input::run),
    ("log", logcat::log),
    ("logcat", logcat::run),
    ("ls", files::ls),
    ("mkdir", files::mkdir),
    ("monkey", monkey::run),
    ("mv", files::rename),
    ("pidof", process::pidof),
    ("pm", pm::run),
    ("printf", text::printf),
    ("ps", process::ps),
    ("pwd", files::pwd),
    ("rm", files::rm),
    ("rmdir", files::rmdir),
    ("run-as", process::run_as),
    ("screencap", screen::screencap),
    ("setprop", settings::setprop),
    ("settings", settings::settings),
    ("sh", process::sh),
    ("sleep", process::sleep),
    ("stat", files::stat),
    ("svc", settings::svc),
    ("sync", text::nothing),
    ("tail", text::tail),
    ("test", text::test),
    ("timeout", process::timeout),
    ("touch", files::touch),
    ("true", text::nothing),
    ("uiautomator", screen::uiautomator),
    ("wait", text::nothing),
    ("wc", text::wc),
    ("which", process::which),
    ("wm", settings::wm),
];

/// Returns the command of a name.
pub fn find(name: &str) -> Option<CommandFunction> {
    let at = COMMANDS.binary_search_by_key(&name, |(known, _)| known).ok()?;
    Some(COMMANDS[at].1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_finds_every_command() {
        assert!(COMMANDS.is_sorted_by_key(|(name, _)| *name));
        assert!(COMMANDS.iter().all(|(name, _)| find(name).is_some()));
        assert!(find("reboot").is_none());
    }
}
