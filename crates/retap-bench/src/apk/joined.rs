//! APKs that hold the code of many: the windows of the first stay the same and the code grows.

use retap_apk::{Apk, ApkError};
use retap_engine::Failure;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use zip::write::SimpleFileOptions;

/// Writes an APK with the manifest and resources of the first app and the code of all, repeated until there are so many bytes of code.
pub fn write(apks: &[PathBuf], bytes: u64, path: &Path) -> Result<(), Failure> {
    let cannot = |error: String| Failure::input(format!("{}: {error}", path.display()));
    let dex = dex_files(apks, bytes).map_err(|error| Failure::input(error.to_string()))?;
    let file = File::create(path).map_err(|error| cannot(error.to_string()))?;
    let mut writer = zip::ZipWriter::new(file);
    let mut add = |name: &str, content: &[u8]| {
        let started = writer.start_file(name, SimpleFileOptions::default());
        started.map_err(|it| it.to_string())?;
        writer.write_all(content).map_err(|it| it.to_string())
    };
    let first = first_entries(&apks[0]).map_err(|it| cannot(it.to_string()))?;
    for (name, content) in &first {
        add(name, content).map_err(cannot)?;
    }
    for (number, content) in dex.iter().enumerate() {
        let name = if number == 0 { String::new() } else { (number + 1).to_string() };
        add(&format!("classes{name}.dex"), content).map_err(cannot)?;
    }
    writer.finish().map_err(|error| cannot(error.to_string()))?;
    Ok(())
}

fn dex_files(apks: &[PathBuf], bytes: u64) -> Result<Vec<Vec<u8>>, ApkError> {
    let mut files = Vec::new();
    for apk in apks {
        files.extend(Apk::open(apk)?.dex_files()?.into_iter().map(|it| it.bytes.to_vec()));
    }
    let mut left = i64::try_from(bytes).unwrap_or(i64::MAX);
    let enough = |file: &Vec<u8>| {
        let is_wanted = left > 0;
        left -= file.len() as i64;
        is_wanted
    };
    Ok(files.iter().cycle().cloned().take_while(enough).collect())
}

/// Returns the entries of an archive that are not code.
fn first_entries(path: &Path) -> zip::result::ZipResult<Vec<(String, Vec<u8>)>> {
    let mut archive = zip::ZipArchive::new(File::open(path)?)?;
    let mut entries = Vec::new();
    for number in 0..archive.len() {
        let mut entry = archive.by_index(number)?;
        let name = entry.name()?.into_owned();
        if !name.ends_with(".dex") && !entry.is_dir() {
            let mut content = Vec::new();
            std::io::copy(&mut entry, &mut content)?;
            entries.push((name, content));
        }
    }
    Ok(entries)
}
