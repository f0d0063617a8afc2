//! Cuts one line into words, quoted texts, ids and symbols.

use super::SyntaxError;

/// A piece of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    pub kind: TokenKind,
    /// The token's content: a text without its quotes, an id without its `#`.
    pub text: String,
    /// Counted from one, in characters.
    pub column: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// A name, a keyword or a number: `main`, `12`, `0.5`, `com.app.Main`.
    Word,
    /// A quoted text: `"Save"`.
    Text,
    /// A resource id: `#save`.
    Id,
    Symbol,
}

/// The rules by which one language cuts its lines.
#[derive(Debug, Clone, Copy)]
pub struct Lexer {
    /// Characters besides letters and digits that words contain.
    pub word_characters: &'static [char],
    /// The language's symbols. A symbol stands before its own prefixes: `->` before `-`.
    pub symbols: &'static [&'static str],
    /// True if `#save` is an id. A comment then starts at a `#` that no word follows. Otherwise a
    /// comment starts at a `#` that begins the line or follows a space.
    pub has_ids: bool,
    pub escapes: Escapes,
    /// The end of the sentence "expected …" for a character that starts no token.
    pub expected: &'static str,
}

/// The meaning of a backslash inside quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Escapes {
    /// `\n`, `\"` and `\\`; any other escape is an error.
    Strict,
    /// `\"` and `\\`; any other backslash stays, because regular expressions need it.
    Lenient,
}

/// A line on its way to tokens.
struct Scanner<'a> {
    lexer: &'a Lexer,
    characters: Vec<char>,
    line: usize,
    at: usize,
}

impl Lexer {
    /// Cuts a line, up to its end or a comment. `line` is its number, for errors.
    pub fn tokens(&self, text: &str, line: usize) -> Result<Vec<Token>, SyntaxError> {
        let mut scanner = Scanner { lexer: self, characters: text.chars().collect(), line, at: 0 };
        let mut tokens = Vec::new();
        while let Some(token) = scanner.next_token()? {
            tokens.push(token);
        }
        Ok(tokens)
    }

    fn is_word(&self, character: char) -> bool {
        character.is_alphanumeric() || self.word_characters.contains(&character)
    }
}

impl Scanner<'_> {
    fn next_token(&mut self) -> Result<Option<Token>, SyntaxError> {
        let start = self.at;
        while self.peek().is_some_and(char::is_whitespace) {
            self.at += 1;
        }
        let follows_space = self.at > start || start == 0;
        let Some(first) = self.peek() else { return Ok(None) };
        let column = self.at + 1;
        let (kind, text) = match first {
            '#' if self.is_comment(follows_space) => return Ok(None),
            '#' if self.lexer.has_ids => {
                self.at += 1;
                (TokenKind::Id, self.take_word())
            }
            '"' => (TokenKind::Text, self.take_quoted()?),
            _ if self.lexer.is_word(first) => (TokenKind::Word, self.take_word()),
            _ => (TokenKind::Symbol, self.take_symbol(first)?),
        };
        Ok(Some(Token { kind, text, column }))
    }

    fn peek(&self) -> Option<char> {
        self.characters.get(self.at).copied()
    }

    fn is_comment(&self, follows_space: bool) -> bool {
        if self.lexer.has_ids {
            let next = self.characters.get(self.at + 1);
            !next.is_some_and(|next| self.lexer.is_word(*next))
        } else {
            follows_space
        }
    }

    fn take_word(&mut self) -> String {
        let rest = self.characters[self.at..].iter();
        let word: String = rest.take_while(|c| self.lexer.is_word(**c)).collect();
        self.at += word.chars().count();
        word
    }

    fn take_symbol(&mut self, first: char) -> Result<String, SyntaxError> {
        let rest = &self.characters[self.at..];
        let starts = |symbol: &&&str| {
            let length = symbol.chars().count();
            length <= rest.len() && symbol.chars().zip(rest).all(|(a, b)| a == *b)
        };
        match self.lexer.symbols.iter().find(starts) {
            Some(symbol) => {
                self.at += symbol.chars().count();
                Ok((*symbol).to_string())
            }
            None => Err(self.error(format!("expected {}, found {first:?}", self.lexer.expected))),
        }
    }

    fn take_quoted(&mut self) -> Result<String, SyntaxError> {
        let mut text = String::new();
        self.at += 1;
        while let Some(character) = self.peek() {
            self.at += 1;
            match (character, self.peek(), self.lexer.escapes) {
                ('"', ..) => return Ok(text),
                ('\\', Some(escaped @ ('"' | '\\')), _) => {
                    text.push(escaped);
                    self.at += 1;
                }
                ('\\', Some('n'), Escapes::Strict) => {
                    text.push('\n');
                    self.at += 1;
                }
                ('\\', _, Escapes::Strict) => {
                    return Err(self.error("expected \\n, \\\" or \\\\ after a backslash"));
                }
                _ => text.push(character),
            }
        }
        Err(self.error("expected a closing \", found the end of the line"))
    }

    fn error(&self, message: impl Into<String>) -> SyntaxError {
        SyntaxError::new(self.line, self.at + 1, message)
    }
}
