//! Collects the texts that an app's code compares its input with. A form that asks for a password or a command often
//! only goes on with one of them.

use retap_apk::Apk;
use retap_explore::Vocabulary;
use std::path::Path;

/// Methods that compare texts. Literals that are only logged or used as keys are not worth typing.
const COMPARING_METHODS: [&str; 11] = [
    "equals",
    "equalsIgnoreCase",
    "contentEquals",
    "startsWith",
    "endsWith",
    "contains",
    "compareTo",
    "compareToIgnoreCase",
    "areEqual",
    "indexOf",
    "matches",
];

/// Reads the compared texts of the app's own classes. Returns an empty lexicon where the file is not a readable APK,
/// because exploring works without it.
pub fn read(apk: &Path, package: &str) -> Vocabulary {
    let Ok(app) = Apk::open(apk).and_then(|apk| apk.code()) else { return Vocabulary::default() };
    let own = app.code.methods().filter(|one| one.class.library(package).is_none());
    let calls = own.flat_map(|one| &one.method.calls);
    let compared = calls.filter(|call| COMPARING_METHODS.contains(&&*call.target.name));
    Vocabulary::new(compared.filter_map(|call| Some(call.text.as_ref()?.to_string())))
}
