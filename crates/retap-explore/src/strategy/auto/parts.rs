//! The parts of the strategy. Each can be switched off, to measure what it contributes.

use crate::policy::{PolicyError, parse_name};
use std::fmt;
use std::str::FromStr;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AutoPart {
    /// The expected reward of an event is learnt from its family.
    Families,
    /// Walks to a better state along known events.
    Walk,
    /// Returns to a better state.
    Return,
    /// Types texts that led to something new before, and words of the app's code.
    Text,
    /// Counts a button as another button when other fields are filled.
    Forms,
    /// Performs bursts of unplanned events while nothing new is met.
    Bursts,
    /// Lets the last events before a reward share in it.
    Credit,
    /// Fills in the other fields of a form after the first.
    Fill,
}

impl AutoPart {
    pub const ALL: [AutoPart; 8] = [
        AutoPart::Families,
        AutoPart::Walk,
        AutoPart::Return,
        AutoPart::Text,
        AutoPart::Forms,
        AutoPart::Bursts,
        AutoPart::Credit,
        AutoPart::Fill,
    ];

    /// Names that earlier versions wrote and that are still parsed.
    pub const OLD_NAMES: [(&str, AutoPart); 3] =
        [("kin", AutoPart::Families), ("shake", AutoPart::Bursts), ("escape", AutoPart::Bursts)];
}

/// All parts but those that are switched off.
#[derive(Debug, Clone, Default)]
pub struct AutoParts {
    pub without: Vec<AutoPart>,
}

impl AutoParts {
    pub fn has(&self, part: AutoPart) -> bool {
        !self.without.contains(&part)
    }
}

impl fmt::Display for AutoPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            AutoPart::Families => "families",
            AutoPart::Walk => "walk",
            AutoPart::Return => "return",
            AutoPart::Text => "text",
            AutoPart::Forms => "forms",
            AutoPart::Bursts => "bursts",
            AutoPart::Credit => "credit",
            AutoPart::Fill => "fill",
        })
    }
}

impl FromStr for AutoPart {
    type Err = PolicyError;

    fn from_str(text: &str) -> Result<Self, PolicyError> {
        let by_old_name = Self::OLD_NAMES.iter().find(|(name, _)| *name == text);
        by_old_name.map_or_else(|| parse_name(text, &Self::ALL), |(_, part)| Ok(*part))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_is_parsed_by_its_name_and_by_its_old_name() {
        for part in AutoPart::ALL {
            assert_eq!(part.to_string().parse(), Ok(part));
        }
        assert_eq!("kin".parse(), Ok(AutoPart::Families));
        assert_eq!("shake".parse(), Ok(AutoPart::Bursts));
        assert!("luck".parse::<AutoPart>().is_err());
    }
}
