//! The user's own properties: a small file of rules, `when CONDITION then CONDITION`, each about one screen. A rule is
//! broken where the first condition holds and the second does not.
//!
//! ```text
//! # a note cannot be saved without a title
//! "no title, no saving": when #title text is "" then not #save is enabled
//! when activity EditorActivity then #save and not text contains "null"
//! ```

mod condition;
mod parse;
mod token;

use condition::Condition;
use retap_model::{Abstraction, Finding, FindingKind, Observation, Outcome};

#[derive(Debug, Clone, Default)]
pub struct Properties {
    rules: Vec<Property>,
}

#[derive(Debug, Clone)]
struct Property {
    /// As it was named, or else as it was written.
    name: String,
    when: Condition,
    then: Condition,
}

/// Where a file is wrong, and what was expected there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: expected {expected}, found {found}")]
pub struct PropertyError {
    pub line: usize,
    pub column: usize,
    pub expected: String,
    pub found: String,
}

impl Properties {
    pub fn parse(text: &str) -> Result<Self, PropertyError> {
        parse::parse(text).map(|rules| Self { rules })
    }

    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// The rules that what is seen breaks. Nothing is asked while another app is in front.
    pub fn broken(&self, seen: &Observation, abstraction: Abstraction) -> Vec<Finding> {
        if seen.outcome != Outcome::Running {
            return Vec::new();
        }
        let screen = &*seen.screen;
        let is_broken = |rule: &&Property| {
            rule.when.holds(screen, abstraction) && !rule.then.holds(screen, abstraction)
        };
        let finding = |rule: &Property| Finding {
            kind: FindingKind::Property,
            activity: screen.activity.clone(),
            subject: rule.name.clone(),
            message: format!("Does not hold: {}", rule.name),
        };
        self.rules.iter().filter(is_broken).map(finding).collect()
    }
}

#[cfg(test)]
mod tests;
