//! A request to a tool of the agent: a file in Java's format for properties, so that a password is on no command line.

use std::fmt::Write;
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// The lines of the file.
#[derive(Debug, Default)]
pub struct RequestFile(String);

impl RequestFile {
    pub fn set(&mut self, key: &str, value: &str) -> &mut Self {
        let _ = write!(self.0, "{key}=");
        for character in value.chars() {
            match character {
                '\\' => self.0.push_str("\\\\"),
                '\n' => self.0.push_str("\\n"),
                '\r' => self.0.push_str("\\r"),
                '\t' => self.0.push_str("\\t"),
                // A space at the start would be skipped.
                ' ' => self.0.push_str("\\ "),
                other => self.0.push(other),
            }
        }
        self.0.push('\n');
        self
    }

    /// Writes the file for its user alone.
    pub fn write(&self, file: &Path) -> io::Result<()> {
        let mut options = std::fs::OpenOptions::new();
        let mut out = options.write(true).create(true).truncate(true).mode(0o600).open(file)?;
        out.write_all(self.0.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_cannot_leave_its_line() {
        let mut file = RequestFile::default();
        file.set("password", " a\\b\nsigned=x");
        assert_eq!(file.0, "password=\\ a\\\\b\\nsigned=x\n");
    }
}
