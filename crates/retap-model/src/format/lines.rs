//! Reads a text file line by line, numbered and bounded.

use super::FormatError;
use std::io::{BufRead, Read};

/// The longest line. Our own lines are far shorter; a foreign or hostile file may have longer ones.
pub const MAX_LINE: usize = 1 << 20;

/// A reader of numbered lines.
#[derive(Debug)]
pub struct Lines<R> {
    reader: R,
    file: String,
    buffer: Vec<u8>,
    number: usize,
    /// The number of bytes up to and including the last returned line.
    consumed: u64,
}

/// One line of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line<'a> {
    pub number: usize,
    /// Without its line end.
    pub text: &'a str,
    /// False if the file ends in the middle of this line.
    pub complete: bool,
}

impl<R: BufRead> Lines<R> {
    pub fn new(reader: R, file: impl Into<String>) -> Self {
        Self { reader, file: file.into(), buffer: Vec::new(), number: 0, consumed: 0 }
    }

    pub fn file(&self) -> &str {
        &self.file
    }

    pub fn consumed(&self) -> u64 {
        self.consumed
    }

    pub fn error(&self, expected: impl Into<String>, found: impl AsRef<str>) -> FormatError {
        FormatError::malformed(&self.file, self.number, expected, found)
    }

    /// Returns the next line, or `None` at the end. This is not an `Iterator`, because the line
    /// borrows the buffer.
    pub fn next_line(&mut self) -> Result<Option<Line<'_>>, FormatError> {
        self.buffer.clear();
        let read = self
            .reader
            .by_ref()
            .take(MAX_LINE as u64 + 1)
            .read_until(b'\n', &mut self.buffer)
            .map_err(|error| FormatError::io(&self.file, error))?;
        if read == 0 {
            return Ok(None);
        }
        self.number += 1;
        self.consumed += read as u64;
        let complete = self.buffer.last() == Some(&b'\n');
        if !complete && read > MAX_LINE {
            return Err(self.error(format!("a line of at most {MAX_LINE} bytes"), "a longer one"));
        }
        let end = self.buffer.len() - usize::from(complete);
        let end = if self.buffer[..end].last() == Some(&b'\r') { end - 1 } else { end };
        match std::str::from_utf8(&self.buffer[..end]) {
            Ok(text) => Ok(Some(Line { number: self.number, text, complete })),
            Err(_) => Err(FormatError::malformed(
                &self.file,
                self.number,
                "text in UTF-8",
                String::from_utf8_lossy(&self.buffer[..end.min(40)]),
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8], expected: &[(usize, &str, bool)]) {
        let mut lines = Lines::new(bytes, "f");
        let mut seen = Vec::new();
        while let Some(line) = lines.next_line().unwrap() {
            seen.push((line.number, line.text.to_string(), line.complete));
        }
        let seen: Vec<_> = seen.iter().map(|(n, t, c)| (*n, t.as_str(), *c)).collect();
        assert_eq!(seen, expected);
    }

    #[test]
    fn lines_are_numbered_and_a_cut_end_is_marked() {
        check(b"", &[]);
        check(b"a\nb\n", &[(1, "a", true), (2, "b", true)]);
        check(b"a\r\n\nb", &[(1, "a", true), (2, "", true), (3, "b", false)]);
    }

    #[test]
    fn a_line_without_end_is_refused_before_it_fills_the_memory() {
        let endless = std::io::BufReader::new(std::io::repeat(b'x'));
        let error = Lines::new(endless, "f").next_line().unwrap_err();
        assert!(error.to_string().starts_with("f:1: expected a line of at most"), "{error}");
    }

    #[test]
    fn bytes_that_are_no_text_are_refused() {
        assert!(Lines::new(&b"\xff\xfe\n"[..], "f").next_line().is_err());
    }
}
