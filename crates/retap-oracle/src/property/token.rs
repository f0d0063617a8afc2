//! A line of a property file, cut into words, texts and signs that know their column.

use super::PropertyError;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    pub kind: TokenKind,
    /// What it says; of a text what is between the quotes.
    pub text: String,
    /// From 1, in characters.
    pub column: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// `when`, `EditText`, `com.app.Main`, `3`.
    Word,
    /// `#save`, without the sign.
    Id,
    /// `"Save"`.
    Text,
    /// `(`, `)`, `:`, `=`, `<`, `>`.
    Sign,
}

/// Until the end of the line or a comment: `#` after which no id can begin.
pub fn tokens(line: &str, number: usize) -> Result<Vec<Token>, PropertyError> {
    let letters: Vec<char> = line.chars().collect();
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(&letter) = letters.get(at) {
        let column = at + 1;
        let next_is_word = letters.get(at + 1).copied().is_some_and(is_word);
        if letter.is_whitespace() {
            at += 1;
            continue;
        }
        let (kind, text, end) = match letter {
            '#' if !next_is_word => break,
            '#' => {
                let (text, end) = word(&letters, at + 1);
                (TokenKind::Id, text, end)
            }
            '"' => {
                let (text, end) = quoted(&letters, at, number)?;
                (TokenKind::Text, text, end)
            }
            '(' | ')' | ':' | '=' | '<' | '>' => (TokenKind::Sign, letter.to_string(), at + 1),
            _ if is_word(letter) => {
                let (text, end) = word(&letters, at);
                (TokenKind::Word, text, end)
            }
            other => {
                let expected = "a word, #id, \"text\" or one of ( ) : = < >".into();
                let found = format!("{other:?}");
                return Err(PropertyError { line: number, column, expected, found });
            }
        };
        tokens.push(Token { kind, text, column });
        at = end;
    }
    Ok(tokens)
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '_' | '.' | '$' | '-')
}

fn word(letters: &[char], from: usize) -> (String, usize) {
    let end = letters[from..].iter().position(|l| !is_word(*l)).map_or(letters.len(), |n| from + n);
    (letters[from..end].iter().collect(), end)
}

/// `\"` and `\\` stand for themselves; any other backslash is kept, for regular expressions.
fn quoted(letters: &[char], from: usize, line: usize) -> Result<(String, usize), PropertyError> {
    let mut text = String::new();
    let mut at = from + 1;
    while let Some(&letter) = letters.get(at) {
        match (letter, letters.get(at + 1)) {
            ('"', _) => return Ok((text, at + 1)),
            ('\\', Some(&escaped @ ('"' | '\\'))) => {
                text.push(escaped);
                at += 2;
            }
            _ => {
                text.push(letter);
                at += 1;
            }
        }
    }
    let (expected, found) = ("a closing \"".into(), "the end of the line".into());
    Err(PropertyError { line, column: letters.len() + 1, expected, found })
}
