//! Small APKs for the tests of this crate.

use std::fs;
use std::io::{Cursor, Write};

use tempfile::TempDir;
use zip::write::SimpleFileOptions;

use crate::apk::Apk;
use crate::dex;
use crate::error::ApkError;
use crate::resource::sample::{XmlNode, text, xml};

const NAME: u32 = 0x0101_0003;

/// Returns an archive of these entries, deflated.
pub fn zip(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Deflated);
    for (name, content) in entries {
        writer.start_file(*name, options).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// Returns the smallest manifest: `a.b` with a launcher activity `a.b.Main`.
pub fn manifest() -> XmlNode {
    let activity = named("activity", ".Main").child(launcher_filter());
    let application = XmlNode::new("application").child(activity);
    XmlNode::new("manifest").with("package", 0, text("a.b")).child(application)
}

/// Returns the intent filter of an activity with an icon on the home screen.
pub fn launcher_filter() -> XmlNode {
    XmlNode::new("intent-filter")
        .child(named("action", "android.intent.action.MAIN"))
        .child(named("category", "android.intent.category.LAUNCHER"))
}

/// Returns an APK of that manifest, a dex file and further entries.
pub fn apk(manifest: &XmlNode, more: &[(&str, &[u8])]) -> Vec<u8> {
    let manifest = xml(manifest);
    let dex = dex::sample::loading_a_library();
    let mut entries = vec![("AndroidManifest.xml", &*manifest), ("classes.dex", &*dex)];
    entries.extend(more);
    zip(&entries)
}

/// Opens bytes as the file `app.apk` in a new folder, which the caller keeps alive.
pub fn open(bytes: &[u8]) -> (TempDir, Result<Apk, ApkError>) {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("app.apk");
    fs::write(&path, bytes).unwrap();
    (directory, Apk::open(path))
}

/// Returns an element with an `android:name`.
pub fn named(kind: &str, name: &str) -> XmlNode {
    XmlNode::new(kind).with("name", NAME, text(name))
}
