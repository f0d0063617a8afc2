//! What to type: by class, so that what works in a field is learnt of the class; the words themselves come from
//! the app's own code where it is known, from what worked before, and from a list of edges.

use crate::dice::Dice;
use retap_model::{Flags, Target};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextClass {
    Word,
    Number,
    /// A mail or web address, a date.
    Formatted,
    Empty,
    /// Signs that code forgets.
    Odd,
    Long,
}

/// Texts that the app's code compares with or shows.
#[derive(Debug, Clone, Default)]
pub struct Lexicon {
    words: Vec<String>,
}

impl Lexicon {
    /// Keeps what a person could have typed.
    pub fn new(literals: impl IntoIterator<Item = String>) -> Self {
        let typable = |word: &String| {
            (1..=24).contains(&word.chars().count()) && !word.chars().any(char::is_control)
        };
        let mut words: Vec<String> = literals.into_iter().filter(typable).collect();
        words.sort_unstable();
        words.dedup();
        Self { words }
    }

    fn draw(&self, class: TextClass, dice: &mut Dice) -> Option<String> {
        // A few tries: most words are of one class.
        (0..4).filter_map(|_| dice.pick(&self.words)).find(|w| TextClass::of(w) == class).cloned()
    }
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

    pub fn of(text: &str) -> Self {
        let odd = |c: char| !c.is_ascii() || "'\"<>&;%\\{}".contains(c);
        if text.trim().is_empty() {
            TextClass::Empty
        } else if text.trim().parse::<f64>().is_ok() {
            TextClass::Number
        } else if text.chars().count() > 40 {
            TextClass::Long
        } else if text.chars().any(odd) {
            TextClass::Odd
        } else if text.contains(['@', '/', ':']) || text.matches('-').count() == 2 {
            TextClass::Formatted
        } else {
            TextClass::Word
        }
    }

    pub fn prior(self) -> f64 {
        match self {
            TextClass::Word => 0.7,
            TextClass::Number => 0.6,
            TextClass::Formatted => 0.35,
            TextClass::Empty | TextClass::Odd | TextClass::Long => 0.2,
        }
    }

    /// A text of this class: half of the time one of the app's own, where it has any.
    pub fn draw(self, target: &Target, lexicon: &Lexicon, dice: &mut Dice) -> String {
        if dice.chance(0.5)
            && let Some(word) = lexicon.draw(self, dice)
        {
            return word;
        }
        let secret = target.on.as_ref().is_some_and(|on| {
            let hint = format!("{} {}", on.id, on.description).to_lowercase();
            hint.contains("pass") || hint.contains("pin")
        });
        let words: &[&str] = match self {
            TextClass::Word if secret => &["password", "secret", "admin", "test", "Passw0rd"],
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
        dice.pick(words).map_or_else(String::new, |word| (*word).to_string())
    }
}

/// Whether a field hides what is typed.
pub fn is_secret(flags: Flags) -> bool {
    flags.contains(Flags::PASSWORD | Flags::EDITABLE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_drawn_of_a_class_is_of_that_class() {
        let lexicon = Lexicon::new(["alpha", "7", "a@b"].map(String::from));
        for class in TextClass::ALL {
            for decision in 0..200 {
                let mut dice = Dice::new(5, decision);
                let text = class.draw(&Target::default(), &lexicon, &mut dice);
                assert_eq!(TextClass::of(&text), class, "{text:?}");
            }
        }
    }

    #[test]
    fn the_apps_own_words_are_typed() {
        let lexicon = Lexicon::new(["xyzzy".to_string(), "\u{0}".into(), "z".repeat(99)]);
        let typed = |n| TextClass::Word.draw(&Target::default(), &lexicon, &mut Dice::new(1, n));
        assert!((0..50).any(|n| typed(n) == "xyzzy"));
    }
}
