//! Everything the user sees: results on standard output, remarks and progress on standard error. Progress bars and colours
//! appear only on a terminal. Apps choose parts of most texts, so that all of them are made printable here.
#![allow(clippy::print_stdout, clippy::print_stderr)] // the one module that may print

mod bar;
mod paint;

pub use paint::Paint;

use crate::cli::ConsoleArgs;
use crate::exit::Exit;
use crate::interrupt;
use bar::{BarLength, TerminalBar};
use retap_embedded::{Listener, Notice};
use retap_engine::{Context, Failure, Reporter};
use retap_model::printable::{printable, printable_json};
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

    pub fn is_quiet(&self) -> bool {
        self.args.quiet
    }

    /// Returns the context for operations of the engine.
    pub fn context(&self) -> Context<'_> {
        Context { reporter: self, interrupt: &interrupt::INTERRUPTED }
    }

    /// Prints the result for people, unless JSON was asked for.
    pub fn result(&self, text: &str) {
        if !self.args.json {
            self.write(format!("{}\n", self.paint().render(text.trim_end())).as_bytes());
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

    /// Prints a prompt, and no line end, if somebody can see it.
    pub fn prompt(&self, text: &str) {
        if std::io::stdin().is_terminal() && !self.args.quiet {
            eprint!("{}", printable(text));
            // A prompt that cannot be shown does no harm.
            let _ = io::stderr().flush();
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

    /// Starts a bar towards the first of two limits.
    pub fn limited_bar(
        &self,
        events: Option<u64>,
        time: Option<Duration>,
    ) -> Box<dyn retap_engine::ProgressBar> {
        let length = match (events, time) {
            (Some(events), _) => BarLength::ToldCount(events),
            (None, Some(time)) => BarLength::Time(time),
            (None, None) => BarLength::Unknown,
        };
        Box::new(TerminalBar::new(*self, length))
    }

    /// Returns the colours of standard output.
    pub fn paint(&self) -> Paint {
        Paint::of(&std::io::stdout())
    }

    pub fn error(&self, failure: &Failure) {
        tracing::error!("{failure}");
        let paint = Paint::of(&std::io::stderr());
        eprintln!("{} {}", paint.render(&paint.bad("error:")), printable(&failure.to_string()));
    }
}

impl Reporter for Console {
    fn remark(&self, text: &str) {
        tracing::info!("{text}");
        if !self.args.quiet {
            eprintln!("{}", Paint::of(&std::io::stderr()).render(text));
        }
    }

    fn progress(&self, length: Option<u64>) -> Box<dyn retap_engine::ProgressBar> {
        Box::new(TerminalBar::new(*self, length.map_or(BarLength::Unknown, BarLength::Count)))
    }

    /// Shows the set-up and start of the first device. Later the verb has a bar of its own.
    fn device_listener(&self) -> Listener {
        let console = *self;
        let bar: Mutex<Option<TerminalBar>> =
            Mutex::new(Some(TerminalBar::new(*self, BarLength::Unknown)));
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
