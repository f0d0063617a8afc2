//! The names of the algorithms.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A minimisation algorithm.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Algorithm {
    /// Our own combination: the hierarchy first, a flat pass to 1-minimality last.
    #[default]
    Auto,
    /// Zeller's ddmin on the flat sequence.
    Dd,
    /// SimplyDroid's hierarchical delta debugging.
    Hdd,
    /// HDD with parts balanced by the events in their subtrees.
    Bhdd,
    /// BHDD with pre-selection and local checks.
    Lhdd,
    /// ND3MIN.
    Nd,
    /// Probabilistic delta debugging.
    Probdd,
    /// Counter-based delta debugging.
    Cdd,
}

impl Algorithm {
    pub const ALL: [Self; 8] = [
        Self::Auto,
        Self::Dd,
        Self::Hdd,
        Self::Bhdd,
        Self::Lhdd,
        Self::Nd,
        Self::Probdd,
        Self::Cdd,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Dd => "dd",
            Self::Hdd => "hdd",
            Self::Bhdd => "bhdd",
            Self::Lhdd => "lhdd",
            Self::Nd => "nd",
            Self::Probdd => "probdd",
            Self::Cdd => "cdd",
        }
    }

    /// Returns true for the hierarchical algorithms, which work on the tree of states.
    pub fn needs_states(self) -> bool {
        matches!(self, Self::Hdd | Self::Bhdd | Self::Lhdd)
    }

    /// Returns true if no single event of the answer can be left out. The hierarchical algorithms, as
    /// published, do not promise it: they never try to leave out the last node of a level.
    pub fn promises_one_minimal(self) -> bool {
        !self.needs_states()
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Algorithm {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|algorithm| algorithm.name() == text).ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            format!("no algorithm is called {text:?}; there are {names}")
        })
    }
}
