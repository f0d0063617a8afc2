//! Android's own types, as far as apps extend them: who extends whom, and which methods may be overridden. The table is made from the
//! framework that the embedded device runs (`framework/make`), so that reading an APK needs no set-up.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

static TYPES: LazyLock<BTreeMap<&'static str, FrameworkType>> =
    LazyLock::new(|| include_str!("../../framework/types.txt").lines().filter_map(read).collect());

/// A type of Android.
struct FrameworkType {
    parents: Vec<&'static str>,
    /// The methods that apps may override, without those of its parents.
    methods: BTreeSet<&'static str>,
}

/// Reads `android/view/View$OnClickListener::onClick`.
fn read(line: &'static str) -> Option<(&'static str, FrameworkType)> {
    let mut parts = line.split(':');
    let name = parts.next()?;
    let parents = parts.next()?.split(',').filter(|it| !it.is_empty()).collect();
    let methods = parts.next()?.split(' ').filter(|it| !it.is_empty()).collect();
    Some((name, FrameworkType { parents, methods }))
}

/// Returns a type of Android, given as a descriptor, and everything that it extends or implements.
pub fn lineage(descriptor: &str) -> Vec<&'static str> {
    let mut lineage = Vec::new();
    let mut work: Vec<&str> = vec![path(descriptor)];
    while let Some(name) = work.pop() {
        let Some((name, known)) = TYPES.get_key_value(name) else { continue };
        if !lineage.contains(name) {
            lineage.push(*name);
            work.extend(&known.parents);
        }
    }
    lineage
}

/// Returns true if a type that the app does not define lets it override a method of this name. Of Android's types those that are not in
/// the table are hidden; others, such as Java's, may have any method.
pub fn may_override(descriptor: &str, method: &str) -> bool {
    let Some(known) = TYPES.get(path(descriptor)) else {
        return !["android/", "com/android/"].iter().any(|it| path(descriptor).starts_with(it));
    };
    known.methods.contains(method) || known.parents.iter().any(|it| may_override(it, method))
}

/// Returns true if a type of Android, given as a descriptor, is the one named or extends it.
pub fn extends(descriptor: &str, name: &str) -> bool {
    lineage(descriptor).contains(&name)
}

fn path(descriptor: &str) -> &str {
    descriptor.strip_prefix('L').and_then(|it| it.strip_suffix(';')).unwrap_or(descriptor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_know_what_they_extend_and_what_may_be_overridden() {
        assert!(extends("Landroid/preference/PreferenceActivity;", "android/app/Activity"));
        assert!(!extends("Landroid/app/Activity;", "android/preference/PreferenceActivity"));
        assert!(may_override("Landroid/view/View$OnClickListener;", "onClick"));
        assert!(!may_override("Landroid/view/View$OnClickListener;", "onLongClick"));
        // Inherited from a parent's interface.
        assert!(may_override("Landroid/app/ListActivity;", "onKeyDown"));
        assert!(may_override("Lcom/example/Unknown;", "anything"));
    }
}
