//! The app's source files in the folders that the user named.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The number of files and folders that are looked at, so that a wrong folder ends in time.
const MAX_ENTRIES: usize = 300_000;
/// The largest source file that is shown, and the most of all together.
const MAX_FILE_BYTES: u64 = 512 << 10;
const MAX_TOTAL_BYTES: usize = 3 << 20;
/// Folders that hold no source of the app.
const SKIPPED: [&str; 4] = ["build", "node_modules", "target", "out"];

/// Java and Kotlin files, by name.
#[derive(Debug, Default)]
pub struct SourceIndex {
    files: BTreeMap<String, Vec<PathBuf>>,
}

impl SourceIndex {
    /// Lists the sources below these folders. Links are not followed.
    pub fn list(folders: &[PathBuf]) -> Self {
        let mut index = Self::default();
        let mut left = MAX_ENTRIES;
        let mut waiting: Vec<PathBuf> = folders.to_vec();
        while let Some(folder) = waiting.pop() {
            let mut entries: Vec<fs::DirEntry> =
                fs::read_dir(&folder).into_iter().flatten().flatten().take(left).collect();
            left -= entries.len();
            entries.sort_by_key(fs::DirEntry::file_name);
            for entry in entries {
                let Ok(name) = entry.file_name().into_string() else { continue };
                let Ok(kind) = entry.file_type() else { continue };
                if kind.is_dir() && !name.starts_with('.') && !SKIPPED.contains(&name.as_str()) {
                    waiting.push(entry.path());
                } else if kind.is_file() && (name.ends_with(".java") || name.ends_with(".kt")) {
                    index.files.entry(name).or_default().push(entry.path());
                }
            }
        }
        index
    }

    /// Finds the file that code names by its package and name, `com/app/Main.java`. Kotlin files may lie in other folders
    /// than their package says, so that a name that only one file has is enough.
    pub fn find(&self, file: &str) -> Option<&Path> {
        let name = file.rsplit('/').next()?;
        let alike = self.files.get(name)?;
        let exact = alike.iter().find(|path| path.ends_with(file));
        exact.or_else(|| alike.first().filter(|_| alike.len() == 1)).map(PathBuf::as_path)
    }

    /// Reads the texts of these files, as many as a page has room for.
    pub fn read<'f>(&self, files: impl Iterator<Item = &'f str>) -> BTreeMap<&'f str, String> {
        let mut room = MAX_TOTAL_BYTES;
        let mut texts = BTreeMap::new();
        for file in files.filter(|file| !file.is_empty()) {
            if texts.contains_key(file) {
                continue;
            }
            let text = self.find(file).filter(|path| is_small(path)).and_then(read_text);
            if let Some(text) = text.filter(|text| text.len() <= room) {
                room -= text.len();
                texts.insert(file, text);
            }
        }
        texts
    }
}

fn is_small(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| found.len() <= MAX_FILE_BYTES)
}

fn read_text(path: &Path) -> Option<String> {
    fs::read_to_string(path).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_found_by_its_package_or_by_a_name_that_only_it_has() {
        let dir = tempfile::tempdir().unwrap();
        for file in ["a/com/app/Main.java", "a/com/other/Main.java", "kotlin/Note.kt", "build/X.kt"]
        {
            let path = dir.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, file).unwrap();
        }
        let index = SourceIndex::list(&[dir.path().to_path_buf()]);
        let found = |file: &str| index.find(file).map(|path| fs::read_to_string(path).unwrap());
        assert_eq!(found("com/app/Main.java").unwrap(), "a/com/app/Main.java");
        assert_eq!(found("com/app/Note.kt").unwrap(), "kotlin/Note.kt");
        assert_eq!(found("com/third/Main.java"), None, "two files have this name");
        assert_eq!(found("com/app/X.kt"), None, "what a build made is no source");
        let files = ["com/app/Main.java", "com/app/Main.java", "", "none.kt"];
        assert_eq!(index.read(files.into_iter()).len(), 1);
    }
}
