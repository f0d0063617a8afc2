//! Tests `retap instrument` as a user runs it: what the new APK keeps, how it lies on disk, and what is refused.
#![allow(clippy::unwrap_used)] // a test may panic

use crate::common::{assert_refused, fixture, retap};
use retap_apk::Archive;
use std::fs::{self, File};
use std::path::Path;
use std::process::Command;
use tempfile::tempdir;

fn open(path: &Path) -> Archive {
    Archive::from_file(path.display().to_string(), File::open(path).unwrap()).unwrap()
}

#[test]
fn the_new_apk_keeps_what_the_old_one_has_and_lies_as_a_phone_wants_it() {
    let dir = tempdir().unwrap();
    let new = dir.path().join("new.apk");
    let (old, name) = (fixture("modern.apk"), new.display().to_string());
    let run = retap(&["instrument", &old, "-o", &name, "--json", "-q"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let summary = run.json();
    assert!(summary["classes"].as_u64().unwrap() > 0);
    assert_eq!(summary["left"], serde_json::json!([]));
    let (before, after) = (open(old.as_ref()), open(&new));
    let is_code = |name: &str| name.starts_with("classes") && name.ends_with(".dex");
    let read = |archive: &Archive, name: &str| archive.read_named(name, u64::MAX).unwrap();
    for entry in before.entries() {
        let name = entry.name.as_str();
        if !is_code(name) && name != "AndroidManifest.xml" && !name.starts_with("META-INF/") {
            assert_eq!(read(&before, name), read(&after, name), "{name}");
        }
    }
    let code = |archive: &Archive| -> Vec<Vec<u8>> {
        let all = archive.entries().filter(|entry| is_code(&entry.name));
        all.map(|entry| read(archive, &entry.name)).collect()
    };
    let own = code(&before);
    assert_eq!(code(&after).iter().filter(|dex| own.contains(dex)).count(), own.len());
    check_alignment(&fs::read(&new).unwrap());
    // The JDK's verifier knows scheme 1 alone; apksig's has checked all of them.
    let verifier = Command::new("jarsigner").arg("-verify").arg(&new).output();
    if let Ok(verified) = verifier {
        assert!(verified.status.success(), "{}", String::from_utf8_lossy(&verified.stdout));
    }
    let other = dir.path().join("2").display().to_string();
    assert_refused(&["instrument", &name, "-o", &other], 2, &["is instrumented already"]);
    assert_refused(&["instrument", &old, "-o", &name], 2, &["--force"]);
}

/// Checks that stored entries begin at multiples of four bytes, and libraries at those of 16 KiB.
fn check_alignment(zip: &[u8]) {
    let half = |at: usize| usize::from(u16::from_le_bytes([zip[at], zip[at + 1]]));
    let word = |at: usize| half(at) | half(at + 2) << 16;
    let end = (0..zip.len() - 22).rev().find(|&at| zip[at..].starts_with(b"PK\x05\x06"));
    let end = end.unwrap_or(zip.len() - 22);
    let mut at = word(end + 16);
    for _ in 0..half(end + 10) {
        let (method, name_len, local) = (half(at + 10), half(at + 28), word(at + 42));
        let name = String::from_utf8_lossy(&zip[at + 46..at + 46 + name_len]);
        let start = local + 30 + half(local + 26) + half(local + 28);
        let unit = if name.ends_with(".so") { 16 << 10 } else { 4 };
        assert!(method != 0 || start % unit == 0, "{name} begins at {start}");
        at += 46 + name_len + half(at + 30) + half(at + 32);
    }
}

#[test]
fn what_cannot_be_instrumented_is_refused_and_leaves_no_file() {
    let dir = tempdir().unwrap();
    let out = dir.path().join("new.apk");
    let name = out.display().to_string();
    let good = fs::read(fixture("notes.apk")).unwrap();
    let cut = dir.path().join("cut.apk");
    fs::write(&cut, &good[..good.len() / 2]).unwrap();
    let (cut, notes) = (cut.display().to_string(), fixture("notes.apk"));
    let refused = |arguments: &[&str], text: &str| {
        assert_refused(&[&["instrument"], arguments].concat(), 2, &[text]);
    };
    refused(&[&cut, "-o", &name], "cut off");
    refused(&[&fixture("parts.apks"), "-o", &name], "parts");
    refused(&[&notes, "-o", &name, "--include", "no.such"], "--include");
    let nowhere = dir.path().join("no/such/place.apk").display().to_string();
    refused(&[&notes, "-o", &nowhere], "cannot write");
    refused(&[&notes, "--read", &cut], "is not instrumented");
    refused(&[&notes, "-o", &name, "--key", &cut], "cannot be opened");
    assert!(!out.exists());
}
