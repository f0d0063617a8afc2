//! A word of a command line: texts and variables.

use std::collections::BTreeMap;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Word(pub Vec<WordPart>);

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WordPart {
    Text(String),
    Variable(String),
    /// `$?`
    ExitCode,
}

impl Word {
    pub fn push(&mut self, letter: char) {
        match self.0.last_mut() {
            Some(WordPart::Text(text)) => text.push(letter),
            _ => self.0.push(WordPart::Text(letter.to_string())),
        }
    }

    /// Returns the word's text. A variable that nobody has set is empty.
    pub fn expand(&self, variables: &BTreeMap<String, String>, exit_code: u8) -> String {
        let expand = |part: &WordPart| match part {
            WordPart::Text(text) => text.clone(),
            WordPart::Variable(name) => variables.get(name).cloned().unwrap_or_default(),
            WordPart::ExitCode => exit_code.to_string(),
        };
        self.0.iter().map(expand).collect()
    }
}

/// Splits `NAME=value`.
pub fn assignment(word: &str) -> Option<(&str, &str)> {
    let (name, value) = word.split_once('=')?;
    let fits = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    fits.then_some((name, value))
}
