//! Reading back what a recorder wrote. A last line that was cut by a kill is not part of the file.

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

/// A line of `states.jsonl`: a state when it was first seen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StateRow {
    pub state: StateId,
    pub activity: String,
    pub screen: ScreenId,
    /// Number of the step that led there, counted over the whole run.
    pub step: u64,
}

pub fn read_states(run: &Path) -> Result<Vec<StateRow>, RunError> {
    let mut states = Vec::new();
    read_rows(&run.join(super::STATES), "a state", |row| states.push(row))?;
    Ok(states)
}

/// Feeds every whole line to `each`; answers how many bytes those lines take.
pub(super) fn read_rows<T: DeserializeOwned>(
    path: &Path,
    what: &str,
    mut each: impl FnMut(T),
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
        match serde_json::from_str(line.text) {
            Ok(row) => each(row),
            Err(error) => {
                let expected = format!("{what} ({error})");
                return Err(FormatError::malformed(&name, line.number, expected, line.text).into());
            }
        }
        whole = lines.consumed();
    }
    Ok(whole)
}
