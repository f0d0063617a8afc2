//! A POSIX shell script that needs nothing but adb. It says at the end whether the app crashed as expected: exit code 0
//! if it did, 1 if it did not.

use crate::language::Language;
use crate::quoting::shell as quote;
use crate::shell;
use crate::trace::ExportedTrace;
use retap_model::{Event, SystemEvent};

pub struct Adb;

impl Language for Adb {
    const COMMENT: &'static str = "#";
    const INDENT: &'static str = "";

    fn begin(&mut self, trace: &ExportedTrace<'_>) -> Vec<String> {
        let mut lines = vec![
            "#!/bin/sh".into(),
            format!("# {}.", trace.purpose()),
            format!(
                "# The places are those of a screen of {}. ANDROID_SERIAL names one of several devices.",
                trace.display
            ),
            "set -eu".into(),
            "PAUSE=${PAUSE:-2} # seconds after each step".into(),
            "device() { adb shell \"$@\" < /dev/null > /dev/null; }".into(),
            "rest() { sleep \"$PAUSE\"; }".into(),
            String::new(),
            "adb logcat -b crash -c".into(),
        ];
        lines.extend(shell::clean_launch(trace).iter().map(|command| device(command)));
        lines.push("rest".into());
        lines
    }

    fn step(&mut self, event: &Event, trace: &ExportedTrace<'_>) -> Result<Vec<String>, String> {
        let mut lines = match event {
            Event::System(SystemEvent::Call { number }) => {
                let number = quote(number);
                vec![format!("adb emu gsm call {number}"), format!("adb emu gsm cancel {number}")]
            }
            Event::System(SystemEvent::Sms { from, text }) => {
                vec![format!("adb emu sms send {} {}", quote(from), quote(text))]
            }
            _ => {
                let commands = shell::commands(event, trace)?;
                commands.iter().map(|command| device(command)).collect()
            }
        };
        lines.push("rest".into());
        Ok(lines)
    }

    fn end(&mut self, trace: &ExportedTrace<'_>) -> Vec<String> {
        let Some(exception) = trace.exception() else {
            return vec!["echo 'All steps are done.'".into()];
        };
        vec![
            String::new(),
            format!(
                "if adb logcat -b crash -d | grep -F -- {} > /dev/null; then",
                quote(exception)
            ),
            format!("  echo {}", quote(&format!("Reproduced: {exception}"))),
            "else".into(),
            format!("  echo {}", quote(&format!("Not reproduced: {exception} did not occur"))),
            "  exit 1".into(),
            "fi".into(),
        ]
    }
}

/// Returns the line that runs a command on the device, whose own shell reads it again.
fn device(command: &str) -> String {
    format!("device {}", quote(command))
}
