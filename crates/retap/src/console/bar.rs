//! Progress on the terminal: a bar where the end is known, a spinner with the time so far where it is not.

use super::Console;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use retap_engine::Reporter;
use retap_model::printable::printable_line;
use std::io::IsTerminal;
use std::time::Duration;

const TICK: Duration = Duration::from_millis(120);

/// A progress bar on the terminal. It disappears when it is dropped.
#[derive(Debug)]
pub struct TerminalBar {
    bar: ProgressBar,
    console: Console,
    /// True if the bar follows the clock and not the position.
    is_timed: bool,
}

/// What a bar counts towards its end.
#[derive(Debug, Clone, Copy)]
pub enum BarLength {
    /// A count that the bar shows itself.
    Count(u64),
    /// A count that its message tells.
    ToldCount(u64),
    Time(Duration),
    Unknown,
}

impl TerminalBar {
    pub fn new(console: Console, length: BarLength) -> Self {
        let shown = !console.is_quiet() && std::io::stderr().is_terminal();
        let target =
            if shown { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let (bar, template) = match length {
            BarLength::Count(length) => (
                ProgressBar::new(length),
                "{spinner:.green} {bar:12.green/dim} {pos}/{len} {wide_msg}",
            ),
            BarLength::ToldCount(length) => {
                (ProgressBar::new(length), "{spinner:.green} {bar:12.green/dim} {wide_msg}")
            }
            BarLength::Time(time) => {
                let bar = ProgressBar::new(time.as_millis() as u64);
                (bar, "{spinner:.green} {bar:12.green/dim} {wide_msg}")
            }
            BarLength::Unknown => {
                (ProgressBar::new_spinner(), "{spinner:.green} {elapsed:>4} {wide_msg}")
            }
        };
        bar.set_draw_target(target);
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("━━─"));
        }
        if shown {
            bar.enable_steady_tick(TICK);
        }
        Self { bar, console, is_timed: matches!(length, BarLength::Time(_)) }
    }
}

impl retap_engine::ProgressBar for TerminalBar {
    fn update(&self, position: u64, message: String) {
        let elapsed = self.bar.elapsed().as_millis() as u64;
        self.bar.set_position(if self.is_timed { elapsed } else { position });
        self.bar.set_message(printable_line(&message).into_owned());
    }

    fn remark(&self, text: &str) {
        self.bar.suspend(|| self.console.remark(text));
    }
}

impl Drop for TerminalBar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
