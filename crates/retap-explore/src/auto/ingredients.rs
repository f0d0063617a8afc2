//! The parts that the strategy is made of. Each can be left out, so that what it is good for can be measured.

use crate::policy::{self, PolicyError};
use std::fmt;
use std::str::FromStr;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ingredient {
    /// What an event promises is learnt from events like it.
    Kin,
    /// Walking to a better state along known events.
    Walk,
    /// Going back to a better state.
    Return,
    /// Typing what worked before, and words of the app's code.
    Text,
    /// A button is another one when other fields are filled.
    Forms,
    /// More and more random, and somewhere else altogether, while nothing new is met.
    Shake,
}

impl Ingredient {
    pub const ALL: [Ingredient; 6] = [
        Ingredient::Kin,
        Ingredient::Walk,
        Ingredient::Return,
        Ingredient::Text,
        Ingredient::Forms,
        Ingredient::Shake,
    ];
}

/// All but those that were left out.
#[derive(Debug, Clone, Default)]
pub struct Ingredients {
    pub without: Vec<Ingredient>,
}

impl Ingredients {
    pub fn has(&self, ingredient: Ingredient) -> bool {
        !self.without.contains(&ingredient)
    }
}

impl fmt::Display for Ingredient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Ingredient::Kin => "kin",
            Ingredient::Walk => "walk",
            Ingredient::Return => "return",
            Ingredient::Text => "text",
            Ingredient::Forms => "forms",
            Ingredient::Shake => "shake",
        })
    }
}

impl FromStr for Ingredient {
    type Err = PolicyError;

    fn from_str(text: &str) -> Result<Self, PolicyError> {
        policy::by_name(text, &Self::ALL)
    }
}
