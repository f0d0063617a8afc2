//! The lines that Maven prints, as far as they explain a failure.

use std::io::BufRead;

/// The number of error lines that are kept.
const MAX_ERRORS: usize = 40;
/// The number of characters of a summary.
const MAX_SUMMARY_LEN: usize = 700;
/// The beginnings of lines in which Maven gives advice about itself.
const ADVICE: [&str; 5] =
    ["[Help", "To see the full", "Re-run Maven", "For more information", "After correcting"];

/// The lines marked as errors, and the last other line.
#[derive(Debug, Default)]
pub struct MavenOutput {
    errors: Vec<String>,
    last: String,
}

impl MavenOutput {
    /// Reads everything that Maven prints, and shows the name of each file it downloads.
    pub fn read(output: impl BufRead, show_download: &dyn Fn(&str)) -> Self {
        let mut read = Self::default();
        for line in output.split(b'\n').map_while(Result::ok) {
            let line = String::from_utf8_lossy(&line);
            let line = line.trim();
            if let Some(file) = downloaded_file(line) {
                show_download(file);
            } else if let Some(error) = line.strip_prefix("[ERROR]") {
                if read.errors.len() < MAX_ERRORS {
                    read.errors.push(error.trim().to_string());
                }
            } else if !line.is_empty() {
                read.last = line.to_string();
            }
        }
        read
    }

    /// Returns `other` if only that has anything to say.
    pub fn or(self, other: Self) -> Self {
        if self.errors.is_empty() && !other.last.is_empty() { other } else { self }
    }

    /// Returns the first sentences of the errors, without Maven's advice about itself.
    pub fn summary(&self) -> String {
        let lines: Vec<&str> = self
            .errors
            .iter()
            .map(|line| line.split(" -> [Help").next().unwrap_or(line).trim())
            .filter(|line| {
                !line.is_empty() && !ADVICE.iter().any(|advice| line.starts_with(advice))
            })
            .collect();
        let text = if lines.is_empty() { self.last.clone() } else { lines.join(" ") };
        match text.char_indices().nth(MAX_SUMMARY_LEN) {
            Some((end, _)) => format!("{} …", &text[..end]),
            None => text,
        }
    }
}

/// Returns the file of `Downloading from central: https://…/guava-33.jar`.
fn downloaded_file(line: &str) -> Option<&str> {
    let line = line.strip_prefix("[INFO] ").unwrap_or(line);
    line.strip_prefix("Downloading from ")?.rsplit('/').next()
}
