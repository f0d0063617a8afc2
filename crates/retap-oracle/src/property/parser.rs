//! From lines to rules. A line holds one rule; an unknown word is refused with its position and with
//! what was expected there.

use super::Property;
use super::condition::{Condition, TextTest, WidgetClaim, WidgetPattern};
use regex::Regex;
use retap_model::Flags;
use retap_model::text::{Escapes, Lexer, SyntaxError, TokenCursor};
use retap_model::widget::FLAG_NAMES;
use std::cmp::Ordering;

/// Cuts the lines of a property file.
const LEXER: Lexer = Lexer {
    word_characters: &['_', '.', '$', '-'],
    symbols: &["(", ")", ":", "=", "<", ">"],
    has_ids: true,
    escapes: Escapes::Lenient,
    expected: "a word, #id, \"text\" or one of ( ) : = < >",
};

/// Words that a rule reads as something else, so that no class can have their name.
const RESERVED: [&str; 8] = ["when", "then", "and", "or", "is", "text", "contains", "matches"];

pub fn parse(text: &str) -> Result<Vec<Property>, SyntaxError> {
    let mut rules: Vec<Property> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let number = index + 1;
        let tokens = LEXER.tokens(line, number)?;
        if tokens.is_empty() {
            continue;
        }
        let rule = Parser { cursor: TokenCursor::new(number, line, &tokens) }.parse_rule(line)?;
        if rules.iter().any(|known| known.name == rule.name) {
            let message =
                format!("expected a name that no other rule has, found {:?} again", rule.name);
            return Err(SyntaxError::in_line(number, message));
        }
        rules.push(rule);
    }
    Ok(rules)
}

struct Parser<'a> {
    cursor: TokenCursor<'a>,
}

impl Parser<'_> {
    /// `["name":] when CONDITION then CONDITION`
    fn parse_rule(&mut self, line: &str) -> Result<Property, SyntaxError> {
        let name = match self.cursor.take_text() {
            Some(name) => {
                self.cursor.expect(":")?;
                name.to_string()
            }
            None => {
                let words = line.split_whitespace();
                words.take_while(|word| *word != "#").collect::<Vec<_>>().join(" ")
            }
        };
        self.cursor.expect("when")?;
        let when = self.parse_disjunction()?;
        self.cursor.expect("then")?;
        let then = self.parse_disjunction()?;
        match self.cursor.peek() {
            None => Ok(Property { name, when, then }),
            Some(_) => Err(self.cursor.expected("and, or, or the end of the line")),
        }
    }

    fn parse_disjunction(&mut self) -> Result<Condition, SyntaxError> {
        let mut left = self.parse_conjunction()?;
        while self.cursor.take("or") {
            left = Condition::Or(Box::new(left), Box::new(self.parse_conjunction()?));
        }
        Ok(left)
    }

    fn parse_conjunction(&mut self) -> Result<Condition, SyntaxError> {
        let mut left = self.parse_single()?;
        while self.cursor.take("and") {
            left = Condition::And(Box::new(left), Box::new(self.parse_single()?));
        }
        Ok(left)
    }

    /// Parses a condition without `and` and `or` outside parentheses.
    fn parse_single(&mut self) -> Result<Condition, SyntaxError> {
        let cursor = &mut self.cursor;
        if cursor.take("not") {
            return Ok(Condition::Not(Box::new(self.parse_single()?)));
        }
        if cursor.take("(") {
            let inner = self.parse_disjunction()?;
            self.cursor.expect(")")?;
            return Ok(inner);
        }
        if cursor.take("always") {
            return Ok(Condition::Always);
        }
        if cursor.take("never") {
            return Ok(Condition::Not(Box::new(Condition::Always)));
        }
        if cursor.take("dialog") {
            return Ok(Condition::Dialog);
        }
        if cursor.take("activity") {
            return Ok(Condition::Activity(cursor.expect_word("an activity's name")?.into()));
        }
        if cursor.take("state") {
            let expected = cursor.expected("a state's 16 hexadecimal digits");
            let id = cursor.expect_word("a state's 16 hexadecimal digits")?;
            return id.parse().map(Condition::State).map_err(|_| expected);
        }
        if cursor.take("text") {
            return Ok(Condition::Text(self.parse_text_test()?));
        }
        if cursor.take("count") {
            return self.parse_count();
        }
        self.parse_widget()
    }

    /// `count PATTERN =|<|> N`
    fn parse_count(&mut self) -> Result<Condition, SyntaxError> {
        let pattern = self.parse_pattern("a widget to count: #id, Class or \"label\"")?;
        let order = if self.cursor.take("=") {
            Ordering::Equal
        } else if self.cursor.take("<") {
            Ordering::Less
        } else if self.cursor.take(">") {
            Ordering::Greater
        } else {
            return Err(self.cursor.expected("=, < or >"));
        };
        let expected = self.cursor.expected("a number");
        let number = self.cursor.expect_word("a number")?.parse().map_err(|_| expected)?;
        Ok(Condition::Count { pattern, order, number })
    }

    /// `PATTERN`, `PATTERN is FLAG`, `PATTERN text is|contains|matches "…"`
    fn parse_widget(&mut self) -> Result<Condition, SyntaxError> {
        let pattern = self.parse_pattern(
            "a condition: activity, state, dialog, text, count, always, never, not, (, or a widget as #id, \
             Class or \"label\"",
        )?;
        let claim = if self.cursor.take("is") {
            let expected = self.cursor.expected(&format!("one of {}", flag_names()));
            let name = self.cursor.expect_word("a flag")?;
            WidgetClaim::Is(find_flag(name).ok_or(expected)?)
        } else if self.cursor.take("text") {
            WidgetClaim::Text(self.parse_text_test()?)
        } else {
            WidgetClaim::Exists
        };
        Ok(Condition::Widget(pattern, claim))
    }

    /// Parses `Class`, `#id` and `"label"`: at least one of them, in this order.
    fn parse_pattern(&mut self, expected: &str) -> Result<WidgetPattern, SyntaxError> {
        let nothing = self.cursor.expected(expected);
        let class = self.cursor.take_word_except(&RESERVED).unwrap_or_default().to_string();
        let id = self.cursor.take_id().unwrap_or_default().to_string();
        let label = self.cursor.take_text().unwrap_or_default().to_string();
        let pattern = WidgetPattern { class, id, label };
        if pattern == WidgetPattern::default() { Err(nothing) } else { Ok(pattern) }
    }

    fn parse_text_test(&mut self) -> Result<TextTest, SyntaxError> {
        let cursor = &mut self.cursor;
        if cursor.take("is") {
            Ok(TextTest::Is(cursor.expect_text(TEXT)?.into()))
        } else if cursor.take("contains") {
            Ok(TextTest::Contains(cursor.expect_text(TEXT)?.into()))
        } else if cursor.take("matches") {
            let wrong = cursor.expected("a regular expression");
            let text = cursor.expect_text(TEXT)?;
            Regex::new(text).map(TextTest::Matches).map_err(|error| {
                let reason = error.to_string().replace('\n', " ");
                SyntaxError { message: format!("{} ({reason})", wrong.message), ..wrong }
            })
        } else {
            Err(cursor.expected("is, contains or matches"))
        }
    }
}

const TEXT: &str = "a \"text\"";

fn find_flag(name: &str) -> Option<Flags> {
    FLAG_NAMES.iter().find(|(known, _)| *known == name).map(|(_, flag)| *flag)
}

fn flag_names() -> String {
    FLAG_NAMES.map(|(name, _)| name).join(", ")
}
