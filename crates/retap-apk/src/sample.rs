//! Small APKs for the tests of this crate, made from scratch.

use std::fs;
use std::io::{Cursor, Write};

use tempfile::TempDir;
use zip::write::SimpleFileOptions;

use crate::apk::Apk;
use crate::dex;
use crate::error::ApkError;
use crate::resource::build::{self, Node, integer, text};

pub const NAME: u32 = 0x0101_0003;

/// An archive of these entries, deflated.
pub fn zip(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Deflated);
    for (name, content) in entries {
        writer.start_file(*name, options).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// The smallest app: `a.b` with a launcher activity `a.b.Main`.
pub fn manifest() -> Node {
    let entrance = Node::new("intent-filter")
        .child(named("action", "android.intent.action.MAIN"))
        .child(named("category", "android.intent.category.LAUNCHER"));
    let application = Node::new("application").child(named("activity", ".Main").child(entrance));
    Node::new("manifest").with("package", 0, text("a.b")).child(application)
}

pub fn uses_sdk(min: u32, target: u32) -> Node {
    Node::new("uses-sdk").with("minSdkVersion", 0x0101_020c, integer(min)).with(
        "targetSdkVersion",
        0x0101_0270,
        integer(target),
    )
}

/// An APK of that manifest, a dex file and further entries.
pub fn apk(manifest: &Node, more: &[(&str, &[u8])]) -> Vec<u8> {
    let manifest = build::xml(manifest);
    let dex = dex::build::sample();
    let mut entries = vec![("AndroidManifest.xml", &*manifest), ("classes.dex", &*dex)];
    entries.extend(more);
    zip(&entries)
}

/// Opens bytes as the file `app.apk` of a folder that lives as long as the result.
pub fn open(bytes: &[u8]) -> (TempDir, Result<Apk, ApkError>) {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("app.apk");
    fs::write(&path, bytes).unwrap();
    (directory, Apk::open(path))
}

pub fn named(kind: &str, name: &str) -> Node {
    Node::new(kind).with("name", NAME, text(name))
}
