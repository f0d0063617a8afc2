//! A tolerant reader of JSON lines: a report shows what is there, even if the run was killed while it wrote.
//! The first line that cannot be read ends the file.

use retap_model::format::lines::Lines;
use serde::de::DeserializeOwned;
use std::fs::File;
use std::io::{BufReader, ErrorKind};
use std::marker::PhantomData;
use std::path::Path;

/// The rows of a file with one JSON value per line.
#[derive(Debug)]
pub struct JsonLines<T> {
    lines: Option<Lines<BufReader<File>>>,
    /// The reason why reading stopped before the end of the file, if it did.
    pub error: Option<String>,
    row: PhantomData<T>,
}

impl<T: DeserializeOwned> JsonLines<T> {
    /// Opens a file. A file that does not exist has no rows.
    pub fn open(path: &Path) -> Self {
        let name = path.display().to_string();
        let (lines, error) = match File::open(path) {
            Ok(file) => (Some(Lines::new(BufReader::new(file), name)), None),
            Err(error) if error.kind() == ErrorKind::NotFound => (None, None),
            Err(error) => (None, Some(format!("{name}: {error}"))),
        };
        Self { lines, error, row: PhantomData }
    }

    fn read_row(&mut self) -> Result<Option<T>, String> {
        let Some(lines) = self.lines.as_mut() else { return Ok(None) };
        let file = lines.file().to_string();
        match lines.next_line().map_err(|error| error.to_string())? {
            // A kill cut the line while it was written, so it is not part of the run.
            Some(line) if !line.complete => Ok(None),
            Some(line) => serde_json::from_str(line.text)
                .map(Some)
                .map_err(|error| format!("{file}:{}: {error}", line.number)),
            None => Ok(None),
        }
    }
}

impl<T: DeserializeOwned> Iterator for JsonLines<T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        let row = self.read_row().unwrap_or_else(|error| {
            self.error = Some(error);
            None
        });
        if row.is_none() {
            self.lines = None;
        }
        row
    }
}
