//! The ids of widgets that an update added or removed. An id has no value that could change, so the comparison of
//! resources leaves ids out; what carries such an id was added or removed on purpose.

use std::collections::BTreeSet;

use retap_apk::Apk;

use crate::program::ResourceNames;

/// Returns the ids that only one of two versions has, without `@id/`.
pub fn changed_widget_ids(old: &Apk, new: &Apk) -> BTreeSet<String> {
    let ids = |apk: &Apk| -> BTreeSet<String> {
        let names = ResourceNames::new(apk.resources());
        names.beginning("@id/").map(|name| name["@id/".len()..].to_owned()).collect()
    };
    ids(old).symmetric_difference(&ids(new)).cloned().collect()
}
