//! Damaged archives, bundles and manifests. Each is opened or refused; readers of code and resources have tests of their
//! own.
#![allow(clippy::unwrap_used)] // a test may panic

use retap_apk::{Apk, Element, Manifest};
use retap_fuzz::fuzz;
use std::fs;
use std::io::{Cursor, Write};
use zip::write::SimpleFileOptions;

const WORDS: [&str; 8] = [
    "PK\u{1}\u{2}",
    "PK\u{3}\u{4}",
    "PK\u{5}\u{6}",
    ".apk",
    "AndroidManifest.xml",
    "classes.dex",
    "../",
    "\0\0\0\0",
];

fn fixture(name: &str) -> Vec<u8> {
    fs::read(format!("{}/../../fixtures/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// Returns an archive of these entries, stored, so that damage meets their content too.
fn archive(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for (name, content) in entries {
        writer.start_file(*name, options).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// Returns the manifest of a fixture.
fn manifest() -> Vec<u8> {
    let bytes = fixture("exit.apk");
    let mut zip = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
    let mut entry = zip.by_name("AndroidManifest.xml").unwrap();
    let mut manifest = Vec::new();
    std::io::copy(&mut entry, &mut manifest).unwrap();
    manifest
}

fn fuzz_files(name: &str, samples: &[&[u8]]) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("app.apk");
    fuzz(name, samples, &WORDS, |bytes| {
        fs::write(&path, bytes).unwrap();
        Apk::open(&path).is_ok_and(|apk| apk.unpack(folder.path()).is_ok())
    });
}

#[test]
fn archives() {
    let manifest = manifest();
    let plain = archive(&[("AndroidManifest.xml", &manifest), ("classes.dex", b"dex")]);
    fuzz_files("archive", &[&plain]);
}

#[test]
fn bundles() {
    let manifest = manifest();
    let base = archive(&[("AndroidManifest.xml", &manifest), ("classes.dex", b"dex")]);
    fuzz_files("bundle", &[&archive(&[("base.apk", &base), ("toc.pb", b"")])]);
}

#[test]
fn manifests() {
    fuzz("manifest", &[&manifest()], &WORDS, |bytes| {
        let _ = Element::parse(bytes);
        Manifest::parse(bytes, None).is_ok()
    });
}
