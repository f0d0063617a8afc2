//! Lines of JSON read kindly: a report shows what is there, also of a run that was killed while it
//! wrote. The first line that cannot be read ends the file.

use retap_model::format::lines::Lines;
use serde::de::DeserializeOwned;
use std::fs::File;
use std::io::{BufReader, ErrorKind};
use std::marker::PhantomData;
use std::path::Path;

#[derive(Debug)]
pub struct Rows<T> {
    lines: Option<Lines<BufReader<File>>>,
    /// Why the file ended before its end, if it did.
    pub trouble: Option<String>,
    row: PhantomData<T>,
}

impl<T: DeserializeOwned> Rows<T> {
    /// A file that is not there has no rows.
    pub fn open(path: &Path) -> Self {
        let name = path.display().to_string();
        let (lines, trouble) = match File::open(path) {
            Ok(file) => (Some(Lines::new(BufReader::new(file), name)), None),
            Err(error) if error.kind() == ErrorKind::NotFound => (None, None),
            Err(error) => (None, Some(format!("{name}: {error}"))),
        };
        Self { lines, trouble, row: PhantomData }
    }

    fn read(&mut self) -> Result<Option<T>, String> {
        let Some(lines) = self.lines.as_mut() else { return Ok(None) };
        let file = lines.file().to_string();
        match lines.next_line().map_err(|error| error.to_string())? {
            // Cut by a kill: the line was never written whole, so it is not part of the run.
            Some(line) if !line.complete => Ok(None),
            Some(line) => serde_json::from_str(line.text)
                .map(Some)
                .map_err(|error| format!("{file}:{}: {error}", line.number)),
            None => Ok(None),
        }
    }
}

impl<T: DeserializeOwned> Iterator for Rows<T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        let row = self.read().unwrap_or_else(|trouble| {
            self.trouble = Some(trouble);
            None
        });
        if row.is_none() {
            self.lines = None;
        }
        row
    }
}
