//! A real APK with changed bytes never causes a panic, nor more memory than a small multiple of it.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

use proptest::prelude::*;
use proptest::sample::Index;
use retap_apk::{Apk, Dex, DexFile, Element, Manifest, Operand, ResourceTable, ResourceValue};

/// Files of `notes.apk`, packed and unpacked.
struct Original {
    archive: Vec<u8>,
    manifest: Vec<u8>,
    resources: Vec<u8>,
    dex: Vec<u8>,
    layout: Vec<u8>,
}

static ORIGINAL: LazyLock<Original> = LazyLock::new(|| {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/notes.apk");
    let apk = Apk::open(&path).unwrap();
    let read = |name| apk.parts[0].archive.read_named(name, 1 << 24).unwrap();
    Original {
        archive: fs::read(path).unwrap(),
        manifest: read("AndroidManifest.xml"),
        resources: read("resources.arsc"),
        dex: read("classes.dex"),
        layout: read("res/layout/notes.xml"),
    }
});

/// One change: a byte, an aligned number that is a common edge case, or a cut.
#[derive(Debug, Clone)]
enum Edit {
    Byte(Index, u8),
    Number(Index, u32),
    Cut(Index),
}

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let numbers = prop_oneof![
        Just(0),
        Just(1),
        Just(0x7fff_ffff),
        Just(0xffff_ffff),
        Just(0xffff),
        0u32..100_000,
    ];
    let edit = prop_oneof![
        8 => (any::<Index>(), any::<u8>()).prop_map(|(at, byte)| Edit::Byte(at, byte)),
        8 => (any::<Index>(), numbers).prop_map(|(at, number)| Edit::Number(at, number)),
        1 => any::<Index>().prop_map(Edit::Cut),
    ];
    prop::collection::vec(edit, 1..12)
}

fn edited(original: &[u8], edits: &[Edit]) -> Vec<u8> {
    let mut bytes = original.to_vec();
    for edit in edits {
        match edit {
            _ if bytes.len() < 4 => break,
            Edit::Byte(at, byte) => {
                let at = at.index(bytes.len());
                bytes[at] = *byte;
            }
            Edit::Number(at, number) => {
                let at = at.index(bytes.len() / 4) * 4;
                bytes[at..at + 4].copy_from_slice(&number.to_le_bytes());
            }
            Edit::Cut(at) => bytes.truncate(at.index(bytes.len())),
        }
    }
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn an_edited_archive_is_read_or_refused(edits in edits()) {
        let folder = tempfile::TempDir::new().unwrap();
        let path = folder.path().join("edited.apk");
        fs::write(&path, edited(&ORIGINAL.archive, &edits)).unwrap();
        if let Ok(apk) = Apk::open(path)
            && let Ok(app) = apk.code()
        {
            let ownership = app.code.ownership(&apk.manifest.package);
            let owned: usize = ownership.own.values().chain(ownership.libraries.values()).sum();
            prop_assert_eq!(owned, app.code.classes().len());
        }
        check_memory()?;
    }

    #[test]
    fn an_edited_manifest_is_read_or_refused(edits in edits()) {
        let table = ResourceTable::parse(ORIGINAL.resources.clone()).unwrap();
        if let Ok(manifest) = Manifest::parse(&edited(&ORIGINAL.manifest, &edits), Some(&table)) {
            prop_assert!(!manifest.package.is_empty());
        }
        check_memory()?;
    }

    #[test]
    fn an_edited_table_is_read_or_refused(edits in edits()) {
        if let Ok(table) = ResourceTable::parse(edited(&ORIGINAL.resources, &edits)) {
            for id in (0..16).flat_map(|kind| (0..16).map(move |entry| 0x7f00_0000 | kind << 16 | entry)) {
                prop_assert_ne!(table.value(id), Some(ResourceValue::Reference(id)));
                table.name(id);
            }
            if let Ok(entries) = table.entries() {
                prop_assert!(entries.iter().all(|entry| entry.id >> 16 != 0));
            }
        }
        check_memory()?;
    }

    #[test]
    fn an_edited_dex_is_read_or_refused(edits in edits()) {
        if let Ok(dex) = Dex::parse(&edited(&ORIGINAL.dex, &edits)) {
            let classes: usize = dex.headers.iter().map(|header| header.classes).sum();
            prop_assert_eq!(dex.classes.len(), classes);
        }
        check_memory()?;
    }

    #[test]
    fn an_edited_dex_is_read_in_place_or_refused(edits in edits()) {
        let bytes = edited(&ORIGINAL.dex, &edits);
        for dex in DexFile::parse(&bytes).unwrap_or_default() {
            read_all(&dex)?;
        }
        check_memory()?;
    }

    #[test]
    fn an_edited_layout_is_read_or_refused(edits in edits()) {
        if let Ok(root) = Element::parse(&edited(&ORIGINAL.layout, &edits)) {
            prop_assert!(root.children.len() < ORIGINAL.layout.len());
        }
        check_memory()?;
    }
}

/// Reads everything that a dex file states.
fn read_all(dex: &DexFile) -> Result<(), TestCaseError> {
    for index in 0..dex.header().classes {
        let Ok(class) = dex.class(index) else { continue };
        let _ = class.annotations(dex);
        for code in class.methods.iter().filter_map(|method| method.code.as_ref()) {
            for instruction in code.instructions() {
                prop_assert!(instruction.at < code.units());
                match instruction.operand {
                    Operand::Branch(target) => prop_assert!(target < code.units()),
                    Operand::Payload(payload) => {
                        for (_, target) in code.switch(&instruction, payload).unwrap_or_default() {
                            prop_assert!(target < code.units());
                        }
                        code.array_data(payload);
                    }
                    Operand::CallSite(site) => drop(dex.call_site(site)),
                    _ => {}
                }
            }
            prop_assert!(code.lines(dex).iter().all(|(at, _)| *at < code.units()));
        }
    }
    Ok(())
}

/// Checks the peak memory of this process. The files are tens of kilobytes and the test itself needs
/// a few megabytes. A reader that trusts a count of four billion needs gigabytes.
#[cfg(target_os = "linux")]
fn check_memory() -> Result<(), TestCaseError> {
    const LIMIT_KB: u64 = 128 << 10;
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let peak: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
    prop_assert!(peak < LIMIT_KB, "peak memory {peak} kB");
    Ok(())
}

#[cfg(not(target_os = "linux"))]
fn check_memory() -> Result<(), TestCaseError> {
    Ok(())
}
