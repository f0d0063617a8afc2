//! From lines to rules. One rule a line; what is unknown is refused with its line, its column and what was expected.

use super::condition::{Claim, Condition, Pattern, Words};
use super::token::{Token, TokenKind, tokens};
use super::{Property, PropertyError};
use regex::Regex;
use retap_model::Flags;
use retap_model::widget::FLAG_NAMES;
use std::cmp::Ordering;

pub fn parse(text: &str) -> Result<Vec<Property>, PropertyError> {
    let mut rules: Vec<Property> = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let tokens = tokens(line, at + 1)?;
        if tokens.is_empty() {
            continue;
        }
        let end = line.trim_end().chars().count() + 1;
        let mut parser = Parser { line: at + 1, end, tokens: &tokens, at: 0 };
        let rule = parser.rule(line)?;
        if rules.iter().any(|known| known.name == rule.name) {
            let expected = "a name that no other rule has".into();
            let found = format!("{:?} again", rule.name);
            return Err(PropertyError { line: at + 1, column: 1, expected, found });
        }
        rules.push(rule);
    }
    Ok(rules)
}

struct Parser<'a> {
    line: usize,
    /// The column after the last letter.
    end: usize,
    tokens: &'a [Token],
    at: usize,
}

impl<'a> Parser<'a> {
    /// `["name":] when CONDITION then CONDITION`
    fn rule(&mut self, line: &str) -> Result<Property, PropertyError> {
        let named = self.peek().filter(|token| token.kind == TokenKind::Text);
        let name = match named {
            Some(token) => {
                self.at += 1;
                self.sign(":")?;
                token.text.clone()
            }
            None => {
                let words = line.split_whitespace();
                words.take_while(|word| *word != "#").collect::<Vec<_>>().join(" ")
            }
        };
        self.word("when")?;
        let when = self.either()?;
        self.word("then")?;
        let then = self.either()?;
        match self.peek() {
            None => Ok(Property { name, when, then }),
            Some(_) => Err(self.expected("and, or, or the end of the line")),
        }
    }

    fn either(&mut self) -> Result<Condition, PropertyError> {
        let mut left = self.both()?;
        while self.take("or") {
            left = Condition::Or(Box::new(left), Box::new(self.both()?));
        }
        Ok(left)
    }

    fn both(&mut self) -> Result<Condition, PropertyError> {
        let mut left = self.one()?;
        while self.take("and") {
            left = Condition::And(Box::new(left), Box::new(self.one()?));
        }
        Ok(left)
    }

    fn one(&mut self) -> Result<Condition, PropertyError> {
        if self.take("not") {
            return Ok(Condition::Not(Box::new(self.one()?)));
        }
        if self.take_sign("(") {
            let inner = self.either()?;
            self.sign(")")?;
            return Ok(inner);
        }
        if self.take("always") {
            return Ok(Condition::Always);
        }
        if self.take("never") {
            return Ok(Condition::Not(Box::new(Condition::Always)));
        }
        if self.take("dialog") {
            return Ok(Condition::Dialog);
        }
        if self.take("activity") {
            return Ok(Condition::Activity(self.any_word("an activity's name")?));
        }
        if self.take("state") {
            let expected = self.expected("a state's 16 hexadecimal digits");
            let id = self.any_word("a state's 16 hexadecimal digits")?;
            return id.parse().map(Condition::State).map_err(|_| expected);
        }
        if self.take("text") {
            return Ok(Condition::Text(self.words()?));
        }
        if self.take("count") {
            return self.count();
        }
        self.widget()
    }

    /// `count PATTERN =|<|> N`
    fn count(&mut self) -> Result<Condition, PropertyError> {
        let pattern = self.pattern("a widget to count: #id, Class or \"label\"")?;
        let order = if self.take_sign("=") {
            Ordering::Equal
        } else if self.take_sign("<") {
            Ordering::Less
        } else if self.take_sign(">") {
            Ordering::Greater
        } else {
            return Err(self.expected("=, < or >"));
        };
        let expected = self.expected("a number");
        let number = self.any_word("a number")?.parse().map_err(|_| expected)?;
        Ok(Condition::Count(pattern, order, number))
    }

    /// `PATTERN`, `PATTERN is FLAG`, `PATTERN text is|contains|matches "…"`
    fn widget(&mut self) -> Result<Condition, PropertyError> {
        let pattern = self.pattern(
            "a condition: activity, state, dialog, text, count, always, never, not, (, or a widget as #id, \
             Class or \"label\"",
        )?;
        let claim = if self.take("is") {
            let expected = self.expected(&format!("one of {}", flag_names()));
            let name = self.any_word("what it is")?;
            Claim::Is(flag(&name).ok_or(expected)?)
        } else if self.take("text") {
            Claim::Text(self.words()?)
        } else {
            Claim::Exists
        };
        Ok(Condition::Widget(pattern, claim))
    }

    /// `Class`, `#id` and `"label"`, at least one of them, in this order.
    fn pattern(&mut self, expected: &str) -> Result<Pattern, PropertyError> {
        let none = self.expected(expected);
        let mut pattern = Pattern::default();
        if let Some(token) =
            self.peek().filter(|t| t.kind == TokenKind::Word && !is_reserved(&t.text))
        {
            pattern.class.clone_from(&token.text);
            self.at += 1;
        }
        if let Some(token) = self.peek().filter(|token| token.kind == TokenKind::Id) {
            pattern.id.clone_from(&token.text);
            self.at += 1;
        }
        if let Some(token) = self.peek().filter(|token| token.kind == TokenKind::Text) {
            pattern.label.clone_from(&token.text);
            self.at += 1;
        }
        if pattern == Pattern::default() { Err(none) } else { Ok(pattern) }
    }

    fn words(&mut self) -> Result<Words, PropertyError> {
        if self.take("is") {
            Ok(Words::Are(self.text()?))
        } else if self.take("contains") {
            Ok(Words::Contain(self.text()?))
        } else if self.take("matches") {
            let wrong = self.expected("a regular expression");
            let text = self.text()?;
            let regex = Regex::new(&text);
            regex.map(Words::Match).map_err(|error| PropertyError {
                found: format!("{text:?} ({})", error.to_string().replace('\n', " ")),
                ..wrong
            })
        } else {
            Err(self.expected("is, contains or matches"))
        }
    }

    fn peek(&self) -> Option<&'a Token> {
        self.tokens.get(self.at)
    }

    fn take(&mut self, word: &str) -> bool {
        let there = self.peek().is_some_and(|t| t.kind == TokenKind::Word && t.text == word);
        self.at += usize::from(there);
        there
    }

    fn take_sign(&mut self, sign: &str) -> bool {
        let there = self.peek().is_some_and(|t| t.kind == TokenKind::Sign && t.text == sign);
        self.at += usize::from(there);
        there
    }

    fn word(&mut self, word: &str) -> Result<(), PropertyError> {
        if self.take(word) { Ok(()) } else { Err(self.expected(word)) }
    }

    fn sign(&mut self, sign: &str) -> Result<(), PropertyError> {
        if self.take_sign(sign) { Ok(()) } else { Err(self.expected(sign)) }
    }

    fn any_word(&mut self, what: &str) -> Result<String, PropertyError> {
        let token = self.peek().filter(|token| token.kind == TokenKind::Word);
        let token = token.ok_or_else(|| self.expected(what))?;
        self.at += 1;
        Ok(token.text.clone())
    }

    fn text(&mut self) -> Result<String, PropertyError> {
        let token = self.peek().filter(|token| token.kind == TokenKind::Text);
        let token = token.ok_or_else(|| self.expected("a \"text\""))?;
        self.at += 1;
        Ok(token.text.clone())
    }

    fn expected(&self, expected: &str) -> PropertyError {
        let (column, found) = match self.peek() {
            Some(token) => (token.column, format!("{:?}", token.text)),
            None => (self.end, "the end of the line".to_string()),
        };
        PropertyError { line: self.line, column, expected: expected.into(), found }
    }
}

/// Words that a rule would read as something else: no classes.
fn is_reserved(word: &str) -> bool {
    const WORDS: [&str; 8] = ["when", "then", "and", "or", "is", "text", "contains", "matches"];
    WORDS.contains(&word)
}

fn flag(name: &str) -> Option<Flags> {
    FLAG_NAMES.iter().find(|(known, _)| *known == name).map(|(_, flag)| *flag)
}

fn flag_names() -> String {
    FLAG_NAMES.map(|(name, _)| name).join(", ")
}
