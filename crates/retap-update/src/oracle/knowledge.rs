//! What the diff says about what people see: ids and texts of changed resources, and new windows.

use retap_static::{AppDiff, AppVersion};
use std::collections::BTreeSet;

/// The part of a diff that explains differences between screens.
#[derive(Debug, Clone, Default)]
pub struct ChangeKnowledge {
    /// Ids of widgets that a changed layout or menu names, or that only one version has.
    ids: BTreeSet<String>,
    /// Texts of changed resources.
    texts: BTreeSet<String>,
    /// Classes of the manifest that are new.
    new_activities: BTreeSet<String>,
    /// The names of both versions, if they differ.
    versions: Option<[String; 2]>,
}

impl ChangeKnowledge {
    /// Takes what a diff says, and the ids of widgets that only one version has.
    pub fn of(diff: &AppDiff, ids: BTreeSet<String>) -> Self {
        let version = |version: &AppVersion| version.version_name.clone().unwrap_or_default();
        let versions = [version(&diff.old), version(&diff.new)];
        let differ = versions[0] != versions[1] && versions.iter().all(|name| !name.is_empty());
        let mut knowledge = Self { ids, versions: differ.then_some(versions), ..Self::default() };
        for detail in diff.resources.iter().flat_map(|resource| &resource.details) {
            knowledge.learn(detail);
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
            return Some(format!("the update added, removed or changed @id/{id}"));
        }
        if self.is_version(values) {
            return Some("it shows the version".into());
        }
        let is_known = |text: &&str| !text.is_empty() && self.texts.contains(*text);
        let text = values.into_iter().flatten().find(is_known)?;
        Some(format!("a changed resource says {text:?}"))
    }

    /// Returns true if two values differ only in the version that they name.
    fn is_version(&self, values: [Option<&str>; 2]) -> bool {
        let (Some([old, new]), [Some(before), Some(after)]) = (&self.versions, values) else {
            return false;
        };
        before.contains(old.as_str()) && before.replace(old.as_str(), new) == after
    }

    /// Returns true if the diff names this widget or this window.
    pub fn names(&self, id: &str, text: &str, activity: &str) -> bool {
        self.ids.contains(id) || self.texts.contains(text) || self.new_activities.contains(activity)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn knowledge() -> ChangeKnowledge {
        ChangeKnowledge {
            ids: BTreeSet::from(["coupon".to_string()]),
            versions: Some(["0.17".to_string(), "0.20".to_string()]),
            ..ChangeKnowledge::default()
        }
    }

    #[test]
    fn a_widget_that_only_one_version_has_is_explained() {
        let explained = knowledge().explain("@id/coupon", [None, Some("Coupon")], "Main");
        assert_eq!(explained.as_deref(), Some("the update added, removed or changed @id/coupon"));
        assert_eq!(knowledge().explain("@id/total", [Some("1"), Some("2")], "Main"), None);
    }

    #[test]
    fn a_text_that_names_the_version_is_explained_and_another_change_beside_it_is_not() {
        let shown = |old, new| knowledge().explain("@id/about", [Some(old), Some(new)], "Main");
        assert!(shown("Version 0.17", "Version 0.20").is_some());
        assert!(shown("Version 0.17", "Version 0.20 beta").is_none());
        assert!(shown("5 items", "6 items").is_none());
    }
}
