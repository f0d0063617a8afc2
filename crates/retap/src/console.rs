//! Everything a person sees: results on standard output, progress and remarks on standard error, and
//! progress only on a terminal.
#![allow(clippy::print_stdout, clippy::print_stderr)] // the one place that may

use crate::cli::ConsoleArgs;
use crate::failure::Failure;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;
use std::io::{IsTerminal, Write};
use std::time::Duration;

#[derive(Debug, Clone, Copy)]
pub struct Console {
    args: ConsoleArgs,
}

impl Console {
    pub fn new(args: ConsoleArgs) -> Self {
        Self { args }
    }

    /// The same, but it shows neither progress nor remarks: for work beside the one that does.
    pub fn quietly(&self) -> Self {
        Self { args: ConsoleArgs { quiet: true, ..self.args } }
    }

    /// The result for people; nothing when JSON was asked for.
    pub fn result(&self, text: &str) {
        if !self.args.json {
            self.raw(format!("{}\n", text.trim_end()).as_bytes());
        }
    }

    /// The result for machines.
    pub fn json(&self, value: &impl Serialize) {
        if self.args.json {
            let text =
                serde_json::to_string_pretty(value).unwrap_or_else(|error| error.to_string());
            self.raw(format!("{text}\n").as_bytes());
        }
    }

    /// Bytes on standard output. A reader that has gone away is not our failure.
    pub fn raw(&self, bytes: &[u8]) {
        let mut out = std::io::stdout().lock();
        let _ = out.write_all(bytes).and_then(|()| out.flush());
    }

    /// Something worth knowing that is not the result.
    pub fn remark(&self, text: &str) {
        tracing::info!("{text}");
        if !self.args.quiet {
            eprintln!("{text}");
        }
    }

    pub fn error(&self, failure: &Failure) {
        tracing::error!("{failure}");
        eprintln!("error: {failure}");
    }

    /// A bar towards a known end, or a spinner where the end is unknown.
    pub fn progress(&self, length: Option<u64>) -> Progress {
        let shown = !self.args.quiet && std::io::stderr().is_terminal();
        let target =
            if shown { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let (bar, template) = match length {
            Some(length) => {
                (ProgressBar::new(length), "{bar:28.green/dim} {pos}/{len} {msg} {eta}")
            }
            None => (ProgressBar::new_spinner(), "{spinner:.green} {elapsed} {msg}"),
        };
        bar.set_draw_target(target);
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("━━─"));
        }
        if shown {
            bar.enable_steady_tick(Duration::from_millis(120));
        }
        Progress { bar }
    }
}

#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
}

impl Progress {
    pub fn update(&self, position: u64, message: String) {
        self.bar.set_position(position);
        self.bar.set_message(message);
    }

    /// Says something above the bar.
    pub fn say(&self, console: &Console, text: &str) {
        self.bar.suspend(|| console.remark(text));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
