//! The answers of an emulator's console: lines, then `OK` or `KO: reason`.

/// What the console says to a command, as far as it has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConsoleAnswer {
    /// Everything before `OK`.
    Agreed(String),
    Refused(String),
}

/// Reads an answer; `None` if it is not whole yet.
pub fn parse_answer(text: &str) -> Option<ConsoleAnswer> {
    let mut said = String::new();
    for line in text.split_inclusive('\n') {
        let whole = line.ends_with('\n');
        let line = line.trim_end();
        if whole && (line == "OK" || line.starts_with("OK:")) {
            return Some(ConsoleAnswer::Agreed(said));
        }
        if whole && let Some(reason) = line.strip_prefix("KO") {
            let reason = reason.trim_start_matches(':').trim();
            let reason = if reason.is_empty() { said.trim() } else { reason };
            return Some(ConsoleAnswer::Refused(reason.to_string()));
        }
        said.push_str(line);
        said.push('\n');
    }
    None
}
