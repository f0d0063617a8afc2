//! Everything the user sees: results on standard output, remarks and progress on standard error. Progress bars appear
//! only on a terminal.
#![allow(clippy::print_stdout, clippy::print_stderr)] // the one module that may print

use crate::cli::ConsoleArgs;
use crate::interrupt;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use retap_embedded::{Listener, Notice};
use retap_engine::{Context, Failure, Reporter};
use serde::Serialize;
use std::io::{IsTerminal, Write};
use std::sync::{Arc, Mutex};
use std::time::Duration;

#[derive(Debug, Clone, Copy)]
pub struct Console {
    args: ConsoleArgs,
}

impl Console {
    pub fn new(args: ConsoleArgs) -> Self {
        Self { args }
    }

    /// Returns a console without progress and remarks, for work in the background.
    pub fn quiet(&self) -> Self {
        Self { args: ConsoleArgs { quiet: true, ..self.args } }
    }

    /// Returns the context for operations of the engine.
    pub fn context(&self) -> Context<'_> {
        Context { reporter: self, interrupt: &interrupt::INTERRUPTED }
    }

    /// Prints the result for people, unless JSON was asked for.
    pub fn result(&self, text: &str) {
        if !self.args.json {
            self.raw(format!("{}\n", text.trim_end()).as_bytes());
        }
    }

    /// Prints the result as JSON, if that was asked for.
    pub fn json(&self, value: &impl Serialize) {
        if self.args.json {
            let text =
                serde_json::to_string_pretty(value).unwrap_or_else(|error| error.to_string());
            self.raw(format!("{text}\n").as_bytes());
        }
    }

    /// Writes bytes to standard output. A closed pipe is not a failure of retap's.
    pub fn raw(&self, bytes: &[u8]) {
        let mut out = std::io::stdout().lock();
        let _ = out.write_all(bytes).and_then(|()| out.flush());
    }

    pub fn error(&self, failure: &Failure) {
        tracing::error!("{failure}");
        eprintln!("error: {failure}");
    }

    fn bar(&self, length: Option<u64>) -> Bar {
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
        Bar { bar, console: *self }
    }
}

impl Reporter for Console {
    fn remark(&self, text: &str) {
        tracing::info!("{text}");
        if !self.args.quiet {
            eprintln!("{text}");
        }
    }

    fn progress(&self, length: Option<u64>) -> Box<dyn retap_engine::ProgressBar> {
        Box::new(self.bar(length))
    }

    /// Shows the set-up and start of the first device. Later the verb has a bar of its own.
    fn device_listener(&self) -> Listener {
        let console = *self;
        let bar: Mutex<Option<Bar>> = Mutex::new(Some(self.bar(None)));
        Arc::new(move |notice| {
            use retap_engine::ProgressBar;
            let Ok(mut bar) = bar.lock() else { return };
            match (notice, bar.as_ref()) {
                (Notice::Progress(text), Some(bar)) => bar.update(0, text.to_string()),
                (Notice::Progress(_), None) => {}
                (Notice::Remark(text), Some(bar)) => bar.remark(text),
                (Notice::Remark(text), None) => console.remark(text),
                (Notice::Ready, _) => *bar = None,
            }
        })
    }
}

/// A progress bar on the terminal. It disappears when it is dropped.
#[derive(Debug)]
struct Bar {
    bar: ProgressBar,
    console: Console,
}

impl retap_engine::ProgressBar for Bar {
    fn update(&self, position: u64, message: String) {
        self.bar.set_position(position);
        self.bar.set_message(message);
    }

    fn remark(&self, text: &str) {
        self.bar.suspend(|| self.console.remark(text));
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
