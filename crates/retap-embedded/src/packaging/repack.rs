//! Packs an instrumented APK from the app's own entries and the new ones.

use crate::app_package::device_error;
use crate::coverage::ProbeTable;
use crate::instrumented_app::{CLASSES_ENTRY, PLAIN_ENTRY, PROVIDER_CLASS, TABLE_ENTRY, authority};
use retap_apk::{Apk, Archive, ArchiveWriter, NewProvider, Packing};
use retap_device::DeviceError;
use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::Path;

const MANIFEST: &str = "AndroidManifest.xml";
const MAX_MANIFEST: u64 = 16 << 20;

/// Writes the APK, not signed yet. `made` is the folder with the files that the agent's tool made.
pub fn write(apk: &Apk, made: &Path, table: &ProbeTable, to: &Path) -> Result<(), DeviceError> {
    let Some(base) = apk.parts.first() else {
        return Err(DeviceError::App(format!("{} has no base", apk.path.display())));
    };
    let archive = &base.archive;
    let failed = |error: io::Error| super::cannot_write(to, &error);
    let dex = new_dex(&made.join("dex")).map_err(failed)?;
    let mut writer = ArchiveWriter::new(BufWriter::new(File::create(to).map_err(failed)?));
    writer.add(MANIFEST, &edit_manifest(apk, archive)?, Packing::Deflated).map_err(failed)?;
    for (index, bytes) in dex.iter().enumerate() {
        writer.add(&dex_name(index + 1), bytes, Packing::Deflated).map_err(failed)?;
    }
    let own_dex = (1..).take_while(|&number| archive.entry(&dex_name(number)).is_some()).count();
    for entry in archive.entries() {
        let own = (1..=own_dex).find(|&number| dex_name(number) == entry.name);
        let name = match own {
            _ if entry.name == MANIFEST || is_signature(&entry.name) => continue,
            Some(number) => dex_name(dex.len() + number),
            // A dex file after a gap is no code, but it must not become code now.
            None if is_hidden_dex(&entry.name, dex.len() + own_dex) => continue,
            None => entry.name.clone(),
        };
        writer.copy(archive, entry, &name).map_err(device_error)?;
    }
    let read = |name: &str| fs::read(made.join(name)).map_err(failed);
    writer.add(TABLE_ENTRY, &read("units.table")?, Packing::Deflated).map_err(failed)?;
    writer.add(CLASSES_ENTRY, &encode_classes(table), Packing::Deflated).map_err(failed)?;
    writer.add(PLAIN_ENTRY, &read("classes.jar")?, Packing::Deflated).map_err(failed)?;
    writer.finish().map_err(failed)?;
    Ok(())
}

fn edit_manifest(apk: &Apk, archive: &Archive) -> Result<Vec<u8>, DeviceError> {
    let manifest = archive.read_named(MANIFEST, MAX_MANIFEST).map_err(device_error)?;
    let provider =
        NewProvider { class: PROVIDER_CLASS.into(), authority: authority(&apk.manifest.package) };
    provider.add_to(&manifest).map_err(|error| {
        DeviceError::App(format!("{}: cannot edit {MANIFEST}: {error}", apk.path.display()))
    })
}

/// Reads the new dex files in their order.
fn new_dex(folder: &Path) -> io::Result<Vec<Vec<u8>>> {
    (1..)
        .map(|number| folder.join(dex_name(number)))
        .take_while(|file| file.exists())
        .map(fs::read)
        .collect()
}

fn dex_name(number: usize) -> String {
    match number {
        1 => "classes.dex".into(),
        number => format!("classes{number}.dex"),
    }
}

/// Returns true for a dex file whose name is taken by a renamed one, or would come next.
fn is_hidden_dex(name: &str, count: usize) -> bool {
    let number = name.strip_prefix("classes").and_then(|it| it.strip_suffix(".dex"));
    number.and_then(|number| number.parse().ok()).is_some_and(|number: usize| number <= count + 1)
}

/// Returns true for a file of an old signature, which the new one replaces.
fn is_signature(name: &str) -> bool {
    let Some(file) = name.strip_prefix("META-INF/") else { return false };
    let upper = file.to_ascii_uppercase();
    let ends = |ends: &[&str]| ends.iter().any(|end| upper.ends_with(end));
    !file.contains('/')
        && (upper == "MANIFEST.MF"
            || upper.starts_with("SIG-")
            || ends(&[".SF", ".RSA", ".DSA", ".EC"]))
}

/// Returns the ids and names of the classes as Java's `DataInput` reads them.
fn encode_classes(table: &ProbeTable) -> Vec<u8> {
    let mut out = (table.classes.len() as u32).to_be_bytes().to_vec();
    for class in &table.classes {
        out.extend(class.id.to_be_bytes());
        crate::coverage::write_java_string(&mut out, &class.name);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_signatures_are_left_out_and_other_files_of_their_folder_stay() {
        for name in ["META-INF/MANIFEST.MF", "META-INF/CERT.SF", "META-INF/a.rsa", "META-INF/SIG-X"]
        {
            assert!(is_signature(name), "{name}");
        }
        for name in ["META-INF/services/a.B", "META-INF/x.version", "res/a.SF", "META-INF/d/a.SF"] {
            assert!(!is_signature(name), "{name}");
        }
    }

    #[test]
    fn a_dex_file_after_a_gap_does_not_become_code() {
        assert!(is_hidden_dex("classes3.dex", 2));
        assert!(!is_hidden_dex("classes4.dex", 2));
        assert!(!is_hidden_dex("classesX.dex", 2));
    }
}
