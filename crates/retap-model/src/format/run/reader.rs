//! Reads what a recorder wrote. A last line that a kill has cut does not count.

use super::RunError;
use crate::format::FormatError;
use crate::format::lines::Lines;
use crate::screen::ScreenId;
use crate::state::StateId;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

/// A line of `states.jsonl`: a state and its first visit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StateRow {
    pub state: StateId,
    pub activity: String,
    pub screen: ScreenId,
    /// The number of the step that led there, counted over the whole run.
    pub step: u64,
}

/// Reads the states of a run in the order of their first visits.
pub fn read_states(run: &Path) -> Result<Vec<StateRow>, RunError> {
    let mut states = Vec::new();
    read_all_rows(&run.join(super::STATES), "a state", &mut states)?;
    Ok(states)
}

/// Reads all whole lines of a file.
pub(super) fn read_all_rows<T: DeserializeOwned>(
    path: &Path,
    what: &str,
    rows: &mut Vec<T>,
) -> Result<u64, RunError> {
    read_rows(path, what, |row| {
        rows.push(row);
        Ok(())
    })
}

/// Passes every whole line to `each` and returns the number of bytes of those lines. `each` refuses a
/// row by returning what it expected. A missing file has no lines.
pub(super) fn read_rows<T: DeserializeOwned>(
    path: &Path,
    what: &str,
    mut each: impl FnMut(T) -> Result<(), &'static str>,
) -> Result<u64, RunError> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(0),
        Err(error) => return Err(RunError::io(path)(error)),
    };
    let name = path.display().to_string();
    let mut lines = Lines::new(BufReader::new(file), &name);
    let mut whole = 0;
    while let Some(line) = lines.next_line()? {
        if !line.complete {
            break;
        }
        let row = serde_json::from_str(line.text).map_err(|error| format!("{what} ({error})"));
        if let Err(expected) = row.and_then(|row| each(row).map_err(str::to_string)) {
            return Err(FormatError::malformed(&name, line.number, expected, line.text).into());
        }
        whole = lines.consumed();
    }
    Ok(whole)
}
