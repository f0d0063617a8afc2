//! Classes of texts. The strategy learns of each class what it leads to in a field; the texts themselves come from
//! the app's own code if it is known, from texts that worked before, and from a list of edge cases.

use super::vocabulary::Vocabulary;
use crate::decision_rng::DecisionRng;
use retap_model::{Flags, Target};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextClass {
    Word,
    Number,
    /// A mail or web address, a date.
    Formatted,
    Empty,
    /// Characters that code forgets to handle.
    Odd,
    Long,
}

impl TextClass {
    pub const ALL: [TextClass; 6] = [
        TextClass::Word,
        TextClass::Number,
        TextClass::Formatted,
        TextClass::Empty,
        TextClass::Odd,
        TextClass::Long,
    ];

    /// Returns the class of a text.
    pub fn of(text: &str) -> Self {
        let is_odd = |c: char| !c.is_ascii() || "'\"<>&;%\\{}".contains(c);
        if text.trim().is_empty() {
            TextClass::Empty
        } else if text.trim().parse::<f64>().is_ok() {
            TextClass::Number
        } else if text.chars().count() > 40 {
            TextClass::Long
        } else if text.chars().any(is_odd) {
            TextClass::Odd
        } else if text.contains(['@', '/', ':']) || text.matches('-').count() == 2 {
            TextClass::Formatted
        } else {
            TextClass::Word
        }
    }

    /// Returns the expected reward of typing a text of this class before any was tried.
    pub fn prior(self) -> f64 {
        match self {
            TextClass::Word => 0.7,
            TextClass::Number => 0.6,
            TextClass::Formatted => 0.35,
            TextClass::Empty | TextClass::Odd | TextClass::Long => 0.2,
        }
    }

    /// Draws a text of this class. Half of the texts are the app's own, if it has any.
    pub fn draw(self, target: &Target, vocabulary: &Vocabulary, rng: &mut DecisionRng) -> String {
        if rng.chance(0.5)
            && let Some(word) = vocabulary.draw(self, rng)
        {
            return word;
        }
        let asks_for_password = target.on.as_ref().is_some_and(|on| {
            let hint = format!("{} {}", on.id, on.description).to_lowercase();
            hint.contains("pass") || hint.contains("pin")
        });
        let values: &[&str] = match self {
            TextClass::Word if asks_for_password => {
                &["password", "secret", "admin", "test", "Passw0rd"]
            }
            TextClass::Word => &["hello", "Ada Lovelace", "a", "admin", "test", "42nd Street"],
            TextClass::Number => &["1", "42", "0", "-1", "3.14", "1234", "2147483648", "1e309"],
            TextClass::Formatted => {
                &["ada@example.org", "https://example.org/a?b=c", "2024-02-29", "12:30"]
            }
            TextClass::Empty => &["", " "],
            TextClass::Odd => &["'; --", "<b>&amp;", "日本語 👩‍👩‍👧", "Zürich", "%s%n", "{\"a\":1}"],
            TextClass::Long => &[
                "the quick brown fox jumps over the lazy dog, again and again, until the line is full",
            ],
        };
        rng.pick(values).map_or_else(String::new, |value| (*value).to_string())
    }
}

/// Returns true for a field that hides what is typed.
pub fn is_password(flags: Flags) -> bool {
    flags.contains(Flags::PASSWORD | Flags::EDITABLE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_is_drawn_for_a_class_is_of_that_class() {
        let vocabulary = Vocabulary::new(["alpha", "7", "a@b"].map(String::from));
        for class in TextClass::ALL {
            for number in 0..200 {
                let mut rng = DecisionRng::new(5, number);
                let text = class.draw(&Target::default(), &vocabulary, &mut rng);
                assert_eq!(TextClass::of(&text), class, "{text:?}");
            }
        }
    }

    #[test]
    fn the_apps_own_words_are_typed() {
        let vocabulary = Vocabulary::new(["xyzzy".to_string(), "\u{0}".into(), "z".repeat(99)]);
        let draw = |number| {
            let mut rng = DecisionRng::new(1, number);
            TextClass::Word.draw(&Target::default(), &vocabulary, &mut rng)
        };
        assert!((0..50).any(|number| draw(number) == "xyzzy"));
    }
}
