//! The user's own properties: a small file of rules, `when CONDITION then CONDITION`, each about one
//! screen. A screen breaks a rule if the first condition holds and the second does not.
//!
//! ```text
//! # a note cannot be saved without a title
//! "no title, no saving": when #title text is "" then not #save is enabled
//! when activity EditorActivity then #save and not text contains "null"
//! ```

mod condition;
mod parser;

use condition::Condition;
use retap_model::text::SyntaxError;
use retap_model::{Abstraction, Finding, FindingKind, Observation, Outcome};

/// The rules of a property file.
#[derive(Debug, Clone, Default)]
pub struct Properties {
    rules: Vec<Property>,
}

/// One rule of a property file.
#[derive(Debug, Clone)]
struct Property {
    /// The name that the file gives, or else the line itself.
    name: String,
    when: Condition,
    then: Condition,
}

impl Properties {
    /// Parses a property file.
    pub fn parse(text: &str) -> Result<Self, SyntaxError> {
        parser::parse(text).map(|rules| Self { rules })
    }

    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// Returns a finding for each rule that the observation breaks, and none while another app is in
    /// front.
    pub fn find_broken(&self, observation: &Observation, abstraction: Abstraction) -> Vec<Finding> {
        if observation.outcome != Outcome::Running {
            return Vec::new();
        }
        let screen = &*observation.screen;
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
