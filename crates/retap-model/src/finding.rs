//! Findings: faults that are not crashes. A finding's identity is the same in another run, on
//! another device or in another world.

use crate::hash::{StableHasher, hex_id};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

hex_id!(
    /// Sixteen hexadecimal digits. Equal ids mean the same fault.
    FindingId, u64, 16
);

/// The kind of fault, named after the oracle that finds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FindingKind {
    /// The app loses state when the display is turned and turned back.
    Rotation,
    /// The app loses state when it comes back from the background.
    Background,
    /// Back does not leave the app, however often it is pressed.
    Back,
    /// A text is cut, or a widget lies off the screen.
    Layout,
    /// The system reports a leak.
    Leak,
    /// A property of the user's own does not hold.
    Property,
}

impl FindingKind {
    pub const ALL: [FindingKind; 6] = [
        FindingKind::Rotation,
        FindingKind::Background,
        FindingKind::Back,
        FindingKind::Layout,
        FindingKind::Leak,
        FindingKind::Property,
    ];
}

impl fmt::Display for FindingKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            FindingKind::Rotation => "rotation",
            FindingKind::Background => "background",
            FindingKind::Back => "back",
            FindingKind::Layout => "layout",
            FindingKind::Leak => "leak",
            FindingKind::Property => "property",
        })
    }
}

impl FromStr for FindingKind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|kind| kind.to_string() == text).ok_or_else(|| {
            format!("expected rotation, background, back, layout, leak or property, found {text:?}")
        })
    }
}

/// Something wrong that is not a crash.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    pub kind: FindingKind,
    /// The fully qualified activity that shows the fault.
    pub activity: String,
    /// The faulty thing, in words that do not depend on the content of the screen. It is part of
    /// the identity.
    pub subject: String,
    /// One sentence for people, with the content of the screen this time.
    pub message: String,
}

impl Finding {
    /// Returns the identity, which does not depend on the message.
    pub fn id(&self) -> FindingId {
        let mut hasher = StableHasher::new("finding");
        hasher.str(&self.kind.to_string()).str(&self.activity).str(&self.subject);
        FindingId(hasher.finish())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_seen_this_time_is_no_part_of_the_identity() {
        let finding = |kind, message: &str| Finding {
            kind,
            activity: "a.Main".into(),
            subject: "text of #name".into(),
            message: message.into(),
        };
        let id = finding(FindingKind::Rotation, "\"x\" is gone").id();
        assert_eq!(id, finding(FindingKind::Rotation, "\"y\" is gone").id());
        assert_ne!(id, finding(FindingKind::Background, "\"x\" is gone").id());
    }

    #[test]
    fn kinds_are_written_as_they_are_read() {
        for kind in FindingKind::ALL {
            assert_eq!(kind.to_string().parse(), Ok(kind));
        }
        assert!("rotate".parse::<FindingKind>().is_err());
    }
}
