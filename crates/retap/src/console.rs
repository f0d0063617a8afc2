//! Everything the user sees: results on standard output, remarks and progress on standard error. Progress bars appear
//! only on a terminal. Apps choose parts of most texts, so that all of them are made printable here.
#![allow(clippy::print_stdout, clippy::print_stderr)] // the one module that may print

use crate::cli::ConsoleArgs;
use crate::exit::Exit;
use crate::interrupt;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use retap_embedded::{Listener, Notice};
use retap_engine::{Context, Failure, Reporter};
use retap_model::printable::{printable, printable_json, printable_line};
use serde::Serialize;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

/// Why a part of the results did not reach standard output.
static LOST_OUTPUT: OnceLock<io::Error> = OnceLock::new();

/// Returns the failure if results did not reach standard output.
pub fn lost_output() -> Option<Failure> {
    let lost = |error| Failure::input(format!("cannot write to standard output: {error}"));
    LOST_OUTPUT.get().map(lost)
}

/// Prints a help text, or what is wrong with the command line.
pub fn print_help(message: &clap::Error) -> Exit {
    match message.print().and_then(|()| io::stdout().flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            eprintln!("error: cannot write to standard output: {error}");
            Exit::BadInput
        }
        _ if message.use_stderr() => Exit::BadInput,
        _ => Exit::Clean,
    }
}

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
            self.write(format!("{}\n", printable(text.trim_end())).as_bytes());
        }
    }

    /// Prints the result as JSON, if that was asked for.
    pub fn json(&self, value: &impl Serialize) {
        if self.args.json {
            let text =
                serde_json::to_string_pretty(value).unwrap_or_else(|error| error.to_string());
            self.write(format!("{}\n", printable_json(&text)).as_bytes());
        }
    }

    /// Writes the bytes of a file to standard output. A terminal gets them printable.
    pub fn file(&self, bytes: &[u8]) {
        if std::io::stdout().is_terminal() {
            self.write(printable(&String::from_utf8_lossy(bytes)).as_bytes());
        } else {
            self.write(bytes);
        }
    }

    /// Writes to standard output. A closed pipe is not a failure of retap's; a full disk is, see [`lost_output`].
    fn write(&self, bytes: &[u8]) {
        let mut out = std::io::stdout().lock();
        if let Err(error) = out.write_all(bytes).and_then(|()| out.flush())
            && error.kind() != ErrorKind::BrokenPipe
        {
            let _ = LOST_OUTPUT.set(error);
        }
    }

    /// Returns colours for a terminal, and none for a file, a pipe or people who set NO_COLOR.
    pub fn paint(&self) -> Paint {
        let wanted = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        Paint { coloured: wanted && std::io::stdout().is_terminal() }
    }

    pub fn error(&self, failure: &Failure) {
        tracing::error!("{failure}");
        eprintln!("error: {}", printable(&failure.to_string()));
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

/// Colours for results on the terminal.
#[derive(Debug, Clone, Copy)]
pub struct Paint {
    coloured: bool,
}

impl Paint {
    pub fn bold(self, text: &str) -> String {
        self.with("1", text)
    }

    pub fn dim(self, text: &str) -> String {
        self.with("2", text)
    }

    /// Paints the sign of a change: what is new green, what is gone red, what changed yellow.
    pub fn sign(self, sign: &str) -> String {
        self.sign_as(sign, sign)
    }

    /// Paints a text in the colour of a sign.
    pub fn sign_as(self, sign: &str, text: &str) -> String {
        let colour = match sign {
            "+" => "32",
            "-" => "31",
            "~" => "33",
            _ => "36",
        };
        self.with(colour, text)
    }

    fn with(self, code: &str, text: &str) -> String {
        if self.coloured { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

impl Reporter for Console {
    fn remark(&self, text: &str) {
        tracing::info!("{text}");
        if !self.args.quiet {
            eprintln!("{}", printable(text));
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
        self.bar.set_message(printable_line(&message).into_owned());
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
