//! Texts that the app's code compares with or shows.

use super::text_class::TextClass;
use crate::decision_rng::DecisionRng;

/// A class is looked for in this many draws. A few suffice, because most words are of one class.
const MAX_DRAWS: usize = 4;

#[derive(Debug, Clone, Default)]
pub struct Vocabulary {
    words: Vec<String>,
}

impl Vocabulary {
    /// Keeps the literals that a person could have typed.
    pub fn new(literals: impl IntoIterator<Item = String>) -> Self {
        let can_be_typed = |word: &String| {
            (1..=24).contains(&word.chars().count()) && !word.chars().any(char::is_control)
        };
        let mut words: Vec<String> = literals.into_iter().filter(can_be_typed).collect();
        words.sort_unstable();
        words.dedup();
        Self { words }
    }

    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// Draws one of the words of this class for which a condition holds, if there is one.
    pub(super) fn draw_where(
        &self,
        class: TextClass,
        holds: &dyn Fn(&str) -> bool,
        rng: &mut DecisionRng,
    ) -> Option<String> {
        let is_wanted = |word: &&String| TextClass::of(word) == class && holds(word);
        let words: Vec<&String> = self.words.iter().filter(is_wanted).collect();
        rng.pick(&words).map(|word| (*word).clone())
    }

    /// Draws a word of this class, if a few draws find one.
    pub(super) fn draw(&self, class: TextClass, rng: &mut DecisionRng) -> Option<String> {
        (0..MAX_DRAWS)
            .filter_map(|_| rng.pick(&self.words))
            .find(|word| TextClass::of(word) == class)
            .cloned()
    }
}
