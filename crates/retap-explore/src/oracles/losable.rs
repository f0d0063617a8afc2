//! What probed states could lose. A further state is worth a probe only if it can lose something else: most states of
//! a run differ in nothing that a probe asks about.

use retap_oracle::LosableThing;
use std::collections::{BTreeMap, BTreeSet};

/// The most contents of one thing that are probed. Some texts are different in every state.
const MAX_CONTENTS: usize = 3;

#[derive(Debug, Default)]
pub(super) struct ProbedThings {
    /// The contents of each thing, by activity and subject.
    contents: BTreeMap<(String, String), BTreeSet<String>>,
}

impl ProbedThings {
    /// Returns true if one of the things was not probed with this content yet.
    pub fn has_new(&self, activity: &str, things: &BTreeSet<LosableThing>) -> bool {
        things.iter().any(|thing| {
            let key = (activity.to_string(), thing.subject.clone());
            self.contents.get(&key).is_none_or(|contents| {
                contents.len() < MAX_CONTENTS && !contents.contains(&thing.content)
            })
        })
    }

    /// Adds the things of a state that was probed.
    pub fn add(&mut self, activity: &str, things: BTreeSet<LosableThing>) {
        for LosableThing { subject, content } in things {
            self.contents.entry((activity.to_string(), subject)).or_default().insert(content);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn things(all: &[(&str, &str)]) -> BTreeSet<LosableThing> {
        let thing = |&(subject, content): &(&str, &str)| LosableThing {
            subject: subject.into(),
            content: content.into(),
        };
        all.iter().map(thing).collect()
    }

    #[test]
    fn a_state_is_worth_a_probe_if_it_can_lose_something_else() {
        let mut probed = ProbedThings::default();
        let list = things(&[("screen", ""), ("rows of #list", "3")]);
        assert!(probed.has_new("Main", &list));
        probed.add("Main", list.clone());
        assert!(!probed.has_new("Main", &list));
        assert!(!probed.has_new("Main", &things(&[("screen", "")])));
        assert!(probed.has_new("Main", &things(&[("rows of #list", "4")])), "another content");
        assert!(probed.has_new("Main", &things(&[("dialog", "")])));
        assert!(probed.has_new("Other", &list), "another activity");
    }

    #[test]
    fn a_text_that_always_changes_is_probed_a_few_times() {
        let mut probed = ProbedThings::default();
        let clock = |second: usize| things(&[("text of #clock", &second.to_string())]);
        let probes = (0..100).filter(|&second| {
            let is_new = probed.has_new("Main", &clock(second));
            if is_new {
                probed.add("Main", clock(second));
            }
            is_new
        });
        assert_eq!(probes.count(), MAX_CONTENTS);
    }
}
