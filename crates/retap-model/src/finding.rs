//! Something wrong that is no crash: what an oracle saw, where, and an identity that stays the same when it is
//! met again in another run, on another device or in another world.

use crate::hash::{StableHasher, hex_id};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

hex_id!(
    /// Equal ids mean the same fault. Sixteen hexadecimal digits.
    FindingId, u64, 16
);

/// The oracle that speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FindingKind {
    /// What was there is lost when the display is turned and turned back.
    Rotation,
    /// What was there is lost when the app comes back from the background.
    Background,
    /// Back does not lead out, however often it is pressed.
    Back,
    /// A text is cut, or a widget lies off the screen.
    Layout,
    /// The system reported a leak.
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

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    pub kind: FindingKind,
    /// Where it shows: an activity, fully qualified.
    pub activity: String,
    /// What of it is wrong, in words that do not depend on what the app happens to show: part of the identity.
    pub subject: String,
    /// One sentence for people, with what was seen this time.
    pub message: String,
}

impl Finding {
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
