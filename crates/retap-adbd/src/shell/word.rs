//! A word of a command line: texts, variables and commands whose output takes their place.

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Word(pub Vec<WordPart>);

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WordPart {
    Text(String),
    /// `*` or `?` outside quotes: it stands for names of files.
    Wildcard(char),
    Variable {
        name: String,
        is_quoted: bool,
    },
    /// `$(…)`
    Command {
        line: String,
        is_quoted: bool,
    },
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

    /// Returns true if the word sets a variable: nothing splits its value.
    fn assigns(&self) -> bool {
        matches!(self.0.first(), Some(WordPart::Text(text)) if assignment(text).is_some())
    }

    /// Returns the words that this one becomes. `value` says what a variable or a command stands for; outside quotes its
    /// spaces part words.
    pub fn fields<E>(
        &self,
        mut value: impl FnMut(&WordPart) -> Result<String, E>,
    ) -> Result<Vec<Field>, E> {
        let keeps_spaces = self.assigns();
        let mut fields = Vec::new();
        let mut open: Option<Field> = None;
        for part in &self.0 {
            match part {
                WordPart::Text(text) => open.get_or_insert_default().add(text, false),
                WordPart::Wildcard(letter) => {
                    open.get_or_insert_default().add(&letter.to_string(), true);
                }
                part => {
                    let value = value(part)?;
                    let is_quoted = match part {
                        WordPart::Variable { is_quoted, .. }
                        | WordPart::Command { is_quoted, .. } => *is_quoted,
                        _ => true,
                    };
                    if is_quoted || keeps_spaces {
                        open.get_or_insert_default().add(&value, false);
                    } else {
                        split_into(&value, &mut open, &mut fields);
                    }
                }
            }
        }
        fields.extend(open);
        Ok(fields)
    }
}

fn split_into(value: &str, open: &mut Option<Field>, fields: &mut Vec<Field>) {
    for letter in value.chars() {
        if letter.is_ascii_whitespace() {
            fields.extend(open.take());
        } else {
            open.get_or_insert_default().0.push((letter, false));
        }
    }
}

/// A word after its variables are known: letters, and whether each stands for names of files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Field(pub Vec<(char, bool)>);

impl Field {
    fn add(&mut self, text: &str, is_wild: bool) {
        self.0.extend(text.chars().map(|letter| (letter, is_wild)));
    }

    pub fn text(&self) -> String {
        self.0.iter().map(|(letter, _)| letter).collect()
    }

    pub fn is_pattern(&self) -> bool {
        self.0.iter().any(|(_, is_wild)| *is_wild)
    }
}

/// Splits `NAME=value`.
pub fn assignment(word: &str) -> Option<(&str, &str)> {
    let (name, value) = word.split_once('=')?;
    let fits = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    fits.then_some((name, value))
}
