//! Abstractions: functions from screens to states. There is one for each paper, chosen by name.

mod actionable;
mod activity;
mod layout;
mod reducers;

use crate::screen::Screen;
use crate::state::StateId;
use std::fmt;
use std::str::FromStr;

use layout::HashedTexts;
pub use reducers::{Level, valuation_of};

/// A function from screens to states.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Abstraction {
    /// The activity's name alone (SimplyDroid).
    Activity,
    /// The widget hierarchy with all attributes but the values of text boxes (TimeMachine).
    #[default]
    Layout,
    /// The same without any texts: a new state when "a page's structure changes" (TimeMachine).
    Structure,
    /// The set of actionable widgets with their paths and visible attributes (SwiftHand, DetReduce).
    Actionable,
    /// Attribute valuation maps with cardinality over interactive widgets (ATUA).
    Reducers(Level),
}

impl Abstraction {
    pub const ALL: [Abstraction; 9] = [
        Abstraction::Activity,
        Abstraction::Layout,
        Abstraction::Structure,
        Abstraction::Actionable,
        Abstraction::Reducers(Level::L1),
        Abstraction::Reducers(Level::L2),
        Abstraction::Reducers(Level::L3),
        Abstraction::Reducers(Level::L4),
        Abstraction::Reducers(Level::L5),
    ];

    /// Returns the state of a screen.
    pub fn state(&self, screen: &Screen) -> StateId {
        StateId(match self {
            Abstraction::Activity => activity::hash(screen),
            Abstraction::Layout => layout::hash(screen, HashedTexts::Labels),
            Abstraction::Structure => layout::hash(screen, HashedTexts::None),
            Abstraction::Actionable => actionable::hash(screen),
            Abstraction::Reducers(level) => reducers::hash(screen, *level),
        })
    }
}

impl fmt::Display for Abstraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Abstraction::Activity => f.write_str("activity"),
            Abstraction::Layout => f.write_str("layout"),
            Abstraction::Structure => f.write_str("structure"),
            Abstraction::Actionable => f.write_str("actionable"),
            Abstraction::Reducers(level) => write!(f, "reducers:{level:?}"),
        }
    }
}

impl FromStr for Abstraction {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|known| known.to_string() == text).ok_or_else(|| {
            let names: Vec<String> = Self::ALL.iter().map(ToString::to_string).collect();
            format!("expected one of {}, found {text:?}", names.join(", "))
        })
    }
}

impl serde::Serialize for Abstraction {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> serde::Deserialize<'de> for Abstraction {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests;
