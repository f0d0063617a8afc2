//! The words that an app compares its input with, read from its code: what to type where a form asks for one.

use retap_apk::Apk;
use retap_explore::auto::text::Lexicon;
use std::path::Path;

/// Calls that compare texts. What an app logs or looks up by name is no word to type.
const COMPARE: [&str; 11] = [
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

/// Of the app's own classes. Nothing where the file is no APK or cannot be read: words are a help, not a need.
pub fn read(apk: &Path, package: &str) -> Lexicon {
    let Ok(app) = Apk::open(apk).and_then(|apk| apk.code()) else { return Lexicon::default() };
    let own = app.code.methods().filter(|(class, _)| class.library(package).is_none());
    let calls = own.flat_map(|(_, method)| &method.calls);
    let compared = calls.filter(|call| COMPARE.contains(&&*call.target.name));
    Lexicon::new(compared.filter_map(|call| Some(call.text.as_ref()?.to_string())))
}
