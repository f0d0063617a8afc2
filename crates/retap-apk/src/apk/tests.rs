//! Well-formed, odd and hostile archives.

use super::part::MANIFEST_LIMIT;
use super::*;
use crate::dex;
use crate::resource::sample::{XmlNode, text, xml};
use crate::sample::{self, apk, manifest, open, zip};

/// The record at the end of an archive without a comment, and its fields.
const END: usize = 22;
const END_COUNT: usize = 10;
const END_OFFSET: usize = 16;

fn message(bytes: &[u8]) -> String {
    let (directory, result) = open(bytes);
    let path = directory.path().join("app.apk").display().to_string();
    result.unwrap_err().to_string().replace(&path, "app.apk")
}

fn check(bytes: &[u8], expected: &str) {
    let message = message(bytes);
    assert!(message.starts_with(expected), "{message}");
}

#[test]
fn an_apk_opens_with_its_manifest_and_code() {
    let (_directory, apk) =
        open(&apk(&manifest(), &[("lib/x86/libm.so", b""), ("lib/x86/a", b"")]));
    let apk = apk.unwrap();
    assert_eq!(apk.manifest.package, "a.b");
    assert_eq!(apk.launcher().unwrap().activity, "a.b.Main");
    assert_eq!(apk.parts.len(), 1);
    assert_eq!(apk.sha256.len(), 64);
    assert_eq!(apk.native_libraries.len(), 1);
    assert_eq!(apk.native_libraries[0].file, "libm.so");
    let app = apk.code().unwrap();
    assert_eq!(app.dex["classes.dex"][0].classes, 1);
    assert_eq!(app.code.classes()[0].name(), "a.Main");
}

#[test]
fn a_file_that_is_no_apk_is_refused_with_the_reason() {
    let dex = dex::sample::loading_a_library();
    let binary_manifest = xml(&manifest());
    check(b"", "app.apk is not an APK: it is not a zip archive");
    check(b"MZ and so on, for longer than an end record", "app.apk is not an APK: it is not a zip");
    check(&zip(&[]), "app.apk is not an APK: it has no AndroidManifest.xml");
    check(&zip(&[("BundleConfig.pb", b"")]), "app.apk is an app bundle for a store");
    check(&zip(&[("classes.dex", &dex)]), "app.apk is not an APK: it has no AndroidManifest.xml");
    check(
        &zip(&[("AndroidManifest.xml", &binary_manifest)]),
        "app.apk has no code: no classes.dex",
    );
    check(
        &zip(&[("AndroidManifest.xml", b"<manifest/>"), ("classes.dex", &dex)]),
        "app.apk: cannot read AndroidManifest.xml: it is plain text",
    );
    check(
        &apk(&manifest(), &[("resources.arsc", b"nonsense")]),
        "app.apk: cannot read resources.arsc: it is not made of resource chunks",
    );
}

#[test]
fn a_file_that_cannot_be_read_is_named() {
    let directory = tempfile::TempDir::new().unwrap();
    let message = |path: PathBuf| Apk::open(path).unwrap_err().to_string();
    assert!(message(directory.path().join("gone.apk")).contains("gone.apk: "));
    assert!(message(directory.path().to_owned()).ends_with("it is a directory"));
}

#[test]
fn a_cut_archive_is_an_error_wherever_it_is_cut() {
    let whole = apk(&manifest(), &[]);
    for len in 0..whole.len() {
        assert!(open(&whole[..len]).1.is_err(), "{len} bytes");
    }
    let cut = "app.apk is cut off: the end of the archive is missing";
    check(&whole[..whole.len() / 2], cut);
    check(&whole[..whole.len() - 1], cut);
    // Here the head is missing, not the tail.
    check(&whole[whole.len() - END..], "app.apk is cut off: its table of contents lies outside");
}

#[test]
fn a_dex_entry_that_is_no_dex_is_refused_when_code_is_read() {
    let binary_manifest = xml(&manifest());
    let (_directory, apk) =
        open(&zip(&[("AndroidManifest.xml", &binary_manifest), ("classes.dex", b"junk")]));
    let message = apk.unwrap().code().unwrap_err().to_string();
    assert!(message.ends_with("cannot read classes.dex: it is not a dex file"), "{message}");
}

#[test]
fn dex_files_are_counted_up_to_the_first_gap() {
    let dex = dex::sample::loading_a_library();
    let more = [("classes2.dex", &*dex), ("classes4.dex", &*dex), ("assets/classes3.dex", &*dex)];
    let (_directory, apk) = open(&apk(&manifest(), &more));
    let dex = apk.unwrap().code().unwrap().dex;
    assert_eq!(dex.keys().collect::<Vec<_>>(), ["classes.dex", "classes2.dex"]);
}

#[test]
fn an_encryption_flag_on_plain_data_is_ignored() {
    let mut bytes = apk(&manifest(), &[]);
    flag_as_encrypted(&mut bytes);
    assert!(open(&bytes).1.is_ok());
    // The manifest comes first; its data begins behind its local header and name.
    for byte in &mut bytes[30 + "AndroidManifest.xml".len()..][..8] {
        *byte ^= 0x5a;
    }
    check(&bytes, "app.apk: AndroidManifest.xml is encrypted");
}

fn flag_as_encrypted(bytes: &mut [u8]) {
    for at in 0..bytes.len() - 4 {
        match &bytes[at..at + 4] {
            b"PK\x03\x04" => bytes[at + 6] |= 1,
            b"PK\x01\x02" => bytes[at + 8] |= 1,
            _ => {}
        }
    }
}

#[test]
fn a_wrong_checksum_is_reported_as_damage() {
    let mut bytes = apk(&manifest(), &[]);
    let at = directory_at(&bytes);
    bytes[at + 16] ^= 1;
    check(&bytes, "app.apk is damaged: AndroidManifest.xml does not match its checksum");
}

#[test]
fn an_entry_that_declares_a_huge_size_is_refused() {
    let bomb = vec![0; usize::try_from(MANIFEST_LIMIT).unwrap() + 1];
    let dex = dex::sample::loading_a_library();
    let bytes = zip(&[("AndroidManifest.xml", &bomb), ("classes.dex", &dex)]);
    assert!(bytes.len() < 100_000);
    check(&bytes, "app.apk is too big: AndroidManifest.xml is 16777217 bytes");
}

#[test]
fn an_entry_larger_than_it_declares_is_reported_as_damage() {
    let bomb = vec![0; 8 << 20];
    let mut bytes = zip(&[("AndroidManifest.xml", &bomb)]);
    let at = directory_at(&bytes);
    bytes[at + 24..at + 28].copy_from_slice(&100u32.to_le_bytes());
    check(&bytes, "app.apk is damaged: AndroidManifest.xml does not match its checksum");
}

#[test]
fn two_entries_of_one_name_are_refused() {
    let mut bytes = apk(&manifest(), &[("classes.dey", b"")]);
    for at in 0..bytes.len() - 11 {
        if &bytes[at..at + 11] == b"classes.dey" {
            bytes[at + 10] = b'x';
        }
    }
    check(&bytes, "app.apk is damaged: it has two entries named classes.dex");
}

#[test]
fn entries_that_share_their_data_are_each_read() {
    let dex = dex::sample::loading_a_library();
    let mut bytes = apk(&manifest(), &[("classes2.dex", &dex)]);
    let first = directory_at(&bytes);
    let second = first + 46 + "AndroidManifest.xml".len();
    let third = second + 46 + "classes.dex".len();
    let offset = bytes[second + 42..second + 46].to_vec();
    bytes[third + 42..third + 46].copy_from_slice(&offset);
    assert_eq!(open(&bytes).1.unwrap().code().unwrap().dex.len(), 2);
}

#[test]
fn an_archive_may_have_tens_of_thousands_of_entries() {
    let names: Vec<String> = (0..60_000).map(|number| format!("res/{number}")).collect();
    let many: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &b""[..])).collect();
    let (_directory, apk) = open(&apk(&manifest(), &many));
    assert_eq!(apk.unwrap().parts[0].archive.entries().count(), 60_002);
}

#[test]
fn a_table_of_contents_with_wrong_fields_is_refused() {
    let whole = apk(&manifest(), &[]);
    let patched = |field: usize, value: &[u8]| {
        let mut bytes = whole.clone();
        let at = bytes.len() - END + field;
        bytes[at..at + value.len()].copy_from_slice(value);
        bytes
    };
    let count = patched(END_COUNT, &u16::MAX.to_le_bytes());
    check(&count, "app.apk is cut off: its table of contents ends early");
    let zip64 = patched(END_OFFSET, &u32::MAX.to_le_bytes());
    check(&zip64, "app.apk is damaged: it is a zip64 archive");
    let offset = patched(END_OFFSET, &0u32.to_le_bytes());
    check(&offset, "app.apk is cut off: its table of contents ends early");
}

fn directory_at(bytes: &[u8]) -> usize {
    let field = bytes.len() - END + END_OFFSET;
    u32::from_le_bytes(bytes[field..field + 4].try_into().unwrap()) as usize
}

#[test]
fn a_bundle_is_read_as_its_base_and_splits() {
    let dex = dex::sample::loading_a_library();
    let feature = sample::manifest().with("split", 0, text("camera"));
    let abi = XmlNode::new("manifest").with("package", 0, text("a.b"));
    let abi = xml(&abi.with("split", 0, text("config.arm64_v8a")));
    let other = sample::apk(&XmlNode::new("manifest").with("package", 0, text("z.z")), &[]);
    let bytes = zip(&[
        ("../../evil/base.apk", &apk(&manifest(), &[])),
        ("splits/camera.apk", &apk(&feature, &[("classes2.dex", &dex)])),
        (
            "splits/arm64.apk",
            &zip(&[("AndroidManifest.xml", &abi), ("lib/arm64-v8a/libm.so", b"")]),
        ),
        ("splits/camera_2.apk", &apk(&feature, &[])),
        ("splits/other.apk", &other),
        ("toc.pb", b""),
    ]);
    let (directory, apk) = open(&bytes);
    let apk = apk.unwrap();
    let splits: Vec<_> = apk.parts.iter().map(|part| part.split.as_deref()).collect();
    assert_eq!(splits, [None, Some("camera"), Some("config.arm64_v8a")]);
    assert_eq!(apk.native_libraries[0].file, "libm.so");
    let dex = apk.code().unwrap().dex;
    let entries: Vec<_> = dex.keys().collect();
    assert_eq!(entries, ["camera!classes.dex", "camera!classes2.dex", "classes.dex"]);

    let paths = apk.unpack(directory.path()).unwrap();
    let names = ["base.apk", "split1.apk", "split2.apk"].map(|name| directory.path().join(name));
    assert_eq!(paths, names);
    assert_eq!(Apk::open(&paths[0]).unwrap().manifest, apk.manifest);
}

#[test]
fn a_plain_apk_is_not_copied_when_unpacked() {
    let (directory, apk) = open(&apk(&manifest(), &[]));
    let apk = apk.unwrap();
    assert_eq!(apk.unpack(directory.path()).unwrap(), [apk.path]);
}

#[test]
fn a_bundle_without_a_base_is_refused() {
    let split = apk(&manifest().with("split", 0, text("camera")), &[]);
    check(&zip(&[("camera.apk", &split)]), "app.apk is a bundle without a base APK");
    check(&zip(&[("base.apk", b"junk")]), "app.apk!base.apk is not an APK: it is not a zip");
}

/// A bundle that unpacks to far more than its own size is refused before much of it is unpacked.
#[test]
fn a_bundle_that_grows_beyond_measure_is_refused() {
    let bomb = vec![0; 48 << 20];
    let packed = zip(&[("a.apk", &bomb)]);
    assert!(packed.len() < 100_000);
    // The first is no archive, which ends the reading; what counts here is that it may be unpacked.
    check(&packed, "app.apk!a.apk is not an APK: it is not a zip archive");
    let large = vec![0; 80 << 20];
    check(&zip(&[("a.apk", &large)]), "app.apk is too big: a.apk is 83886080 bytes, and at most 6");

    // Each part is small enough, and all are too big together. Stored entries hide as zeros before an archive.
    let mut padded = vec![0; 30 << 20];
    padded.extend(apk(&manifest(), &[]));
    let shift = 30 << 20;
    let end = padded.len() - END + END_OFFSET;
    let offset = u32::from_le_bytes(padded[end..end + 4].try_into().unwrap()) + shift;
    padded[end..end + 4].copy_from_slice(&offset.to_le_bytes());
    let mut at = offset as usize;
    while padded[at..].starts_with(b"PK\x01\x02") {
        let local = u32::from_le_bytes(padded[at + 42..at + 46].try_into().unwrap()) + shift;
        padded[at + 42..at + 46].copy_from_slice(&local.to_le_bytes());
        let len = |field: usize| {
            usize::from(u16::from_le_bytes([padded[at + field], padded[at + field + 1]]))
        };
        at += 46 + len(28) + len(30) + len(32);
    }
    assert!(open(&zip(&[("a.apk", &padded)])).1.is_ok());
    let many = zip(&[("a.apk", &padded), ("b.apk", &padded), ("c.apk", &padded)]);
    check(&many, "app.apk is too big: c.apk is 3");
}

#[test]
fn a_bundle_of_very_many_apks_is_refused() {
    let names: Vec<String> = (0..5000).map(|number| format!("{number}.apk")).collect();
    let many: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &b""[..])).collect();
    check(&zip(&many), "app.apk is damaged: it holds 5000 APKs, and at most 4096 are read");
}
