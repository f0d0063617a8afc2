//! What the diff says about what people see: ids and texts of changed resources, and new windows.

use retap_static::{AppDiff, Change};
use std::collections::BTreeSet;

/// The part of a diff that explains differences between screens.
#[derive(Debug, Clone, Default)]
pub struct ChangeKnowledge {
    /// Ids of widgets that a changed layout or menu names.
    ids: BTreeSet<String>,
    /// Texts of changed resources.
    texts: BTreeSet<String>,
    /// Classes of the manifest that are new.
    new_activities: BTreeSet<String>,
}

impl ChangeKnowledge {
    pub fn of(diff: &AppDiff) -> Self {
        let mut knowledge = Self::default();
        for resource in &diff.resources {
            // An id that is new names the widgets that carry it.
            if resource.change == Change::New
                && let Some(id) = resource.name.strip_prefix("@id/")
            {
                knowledge.ids.insert(id.to_string());
            }
            for detail in &resource.details {
                knowledge.learn(detail);
            }
        }
        for line in &diff.manifest {
            if let Some((_, class)) = line.split_once("activity ") {
                let class = class.split_whitespace().next().unwrap_or_default();
                knowledge.new_activities.insert(class.to_string());
            }
        }
        knowledge
    }

    fn learn(&mut self, detail: &str) {
        for part in detail.split("id/").skip(1) {
            let end = part.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(part.len());
            self.ids.insert(part[..end].to_string());
        }
        self.texts.extend(detail.split('"').skip(1).step_by(2).map(str::to_string));
    }

    /// Returns the explanation of a difference at a fact, if the diff has one.
    pub fn explain(&self, fact: &str, values: [Option<&str>; 2], activity: &str) -> Option<String> {
        if self.new_activities.contains(activity) {
            return Some(format!("{activity} is new"));
        }
        let id = fact.strip_prefix("@id/").and_then(|rest| rest.split(' ').next());
        if let Some(id) = id.filter(|id| self.ids.contains(*id)) {
            return Some(format!("a changed layout or menu names @id/{id}"));
        }
        let is_known = |text: &&str| !text.is_empty() && self.texts.contains(*text);
        let text = values.into_iter().flatten().find(is_known)?;
        Some(format!("a changed resource says {text:?}"))
    }

    /// Returns true if the diff names this widget or this window.
    pub fn names(&self, id: &str, text: &str, activity: &str) -> bool {
        self.ids.contains(id) || self.texts.contains(text) || self.new_activities.contains(activity)
    }
}
