//! Colours on a terminal.
//!
//! Texts of apps must never act on a terminal, so that colours travel as marks that no text holds, and become escape
//! sequences only after everything else has been made printable.

use retap_model::printable::printable;
use std::io::IsTerminal;

/// Colours for results on the terminal, or none for a file, a pipe or people who set NO_COLOR.
#[derive(Debug, Clone, Copy)]
pub struct Paint {
    coloured: bool,
}

/// The marks of colours. Unicode sets these characters aside for uses inside a program.
const BOLD: char = '\u{fdd0}';
const DIM: char = '\u{fdd1}';
const RED: char = '\u{fdd2}';
const GREEN: char = '\u{fdd3}';
const YELLOW: char = '\u{fdd4}';
const CYAN: char = '\u{fdd5}';
const END: char = '\u{fdef}';

/// The escape sequence that each mark becomes.
const SEQUENCES: [(char, &str); 7] = [
    (BOLD, "\x1b[1m"),
    (DIM, "\x1b[2m"),
    (RED, "\x1b[31m"),
    (GREEN, "\x1b[32m"),
    (YELLOW, "\x1b[33m"),
    (CYAN, "\x1b[36m"),
    (END, "\x1b[0m"),
];

impl Paint {
    /// Returns the colours for a stream.
    pub fn of(stream: &impl IsTerminal) -> Self {
        let wanted = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        Self { coloured: wanted && stream.is_terminal() }
    }

    pub fn bold(self, text: &str) -> String {
        self.with(BOLD, text)
    }

    pub fn dim(self, text: &str) -> String {
        self.with(DIM, text)
    }

    /// Paints what is wrong: errors, exceptions, crashes.
    pub fn bad(self, text: &str) -> String {
        self.with(RED, text)
    }

    /// Paints what is well.
    pub fn good(self, text: &str) -> String {
        self.with(GREEN, text)
    }

    /// Paints what needs a look.
    pub fn fair(self, text: &str) -> String {
        self.with(YELLOW, text)
    }

    /// Paints the sign of a change: what is new green, what is gone red, what changed yellow.
    pub fn sign(self, sign: &str) -> String {
        self.sign_as(sign, sign)
    }

    /// Paints a text in the colour of a sign.
    pub fn sign_as(self, sign: &str, text: &str) -> String {
        let colour = match sign {
            "+" => GREEN,
            "-" => RED,
            "~" => YELLOW,
            _ => CYAN,
        };
        self.with(colour, text)
    }

    fn with(self, mark: char, text: &str) -> String {
        if self.coloured { format!("{mark}{text}{END}") } else { text.to_owned() }
    }

    /// Makes a text printable, and turns its marks into colours. Without colours a mark is somebody else's, and no sequence.
    pub fn render(self, text: &str) -> String {
        if !self.coloured {
            return printable(text).into_owned();
        }
        let mut rendered = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find(|c| SEQUENCES.iter().any(|(mark, _)| *mark == c)) {
            let (before, marked) = rest.split_at(at);
            rendered.push_str(&printable(before));
            let mut letters = marked.chars();
            let mark = letters.next();
            rendered.extend(
                SEQUENCES.iter().find(|(known, _)| Some(*known) == mark).map(|(_, code)| *code),
            );
            rest = letters.as_str();
        }
        rendered.push_str(&printable(rest));
        rendered
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_reach_the_terminal_and_escape_sequences_of_apps_do_not() {
        let paint = Paint { coloured: true };
        let shown = paint.render(&format!("{} of \u{1b}[2J", paint.bad("Crash")));
        assert_eq!(shown, "\u{1b}[31mCrash\u{1b}[0m of \\u{1b}[2J");
        let plain = Paint { coloured: false };
        assert_eq!(plain.render(&plain.bold("a")), "a");
        assert_eq!(plain.render("\u{fdd2}x"), "\u{fdd2}x");
    }
}
