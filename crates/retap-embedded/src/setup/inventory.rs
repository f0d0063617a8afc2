//! The list of a folder's files with their hashes. A folder without a list was never finished. A folder
//! whose files differ from the list was truncated or edited. Neither is used.

use retap_apk::sha256_hex_of_reader;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

const FILE_NAME: &str = "inventory.txt";

/// The files of a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inventory {
    items: Vec<InventoryItem>,
}

/// One file and its line: hash, size, time of last change, name.
#[derive(Debug, Clone, PartialEq, Eq)]
struct InventoryItem {
    sha256: String,
    size: u64,
    /// The time of the last change in nanoseconds. A file of the same size and time is not hashed
    /// again, because jars of hundreds of megabytes would cost a second at every start.
    changed: i128,
    name: String,
}

impl Inventory {
    /// Lists the files of a folder and writes the list there.
    pub fn create(folder: &Path) -> io::Result<Self> {
        let mut names = Vec::new();
        collect(folder, Path::new(""), &mut names)?;
        names.sort();
        let items = names.into_iter().map(|name| InventoryItem::of(folder, name));
        let inventory = Self { items: items.collect::<io::Result<_>>()? };
        inventory.write(folder)?;
        Ok(inventory)
    }

    /// Returns the list of a folder; `None` unless every file still matches it.
    pub fn verify(folder: &Path) -> Option<Self> {
        let text = fs::read_to_string(folder.join(FILE_NAME)).ok()?;
        let items: Vec<InventoryItem> =
            text.lines().map(InventoryItem::parse).collect::<Option<_>>()?;
        let mut is_touched = false;
        let mut inventory = Self { items };
        for item in &mut inventory.items {
            let (size, changed) = size_and_time(&folder.join(&item.name)).ok()?;
            if size != item.size {
                return None;
            }
            if changed != item.changed {
                if hash(&folder.join(&item.name)).ok()? != item.sha256 {
                    return None;
                }
                item.changed = changed;
                is_touched = true;
            }
        }
        if is_touched {
            // The folder was copied or restored. Writing the new times saves the next start the
            // hashing. A cache that cannot be written is valid all the same.
            let _ = inventory.write(folder);
        }
        (!inventory.items.is_empty()).then_some(inventory)
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.items.iter().map(|item| item.name.as_str())
    }

    fn write(&self, folder: &Path) -> io::Result<()> {
        let text: String = self.items.iter().map(|item| format!("{item}\n")).collect();
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        io::Write::write_all(&mut file, text.as_bytes())?;
        file.as_file().sync_all()?;
        file.persist(folder.join(FILE_NAME))?;
        Ok(())
    }
}

impl InventoryItem {
    fn of(folder: &Path, name: String) -> io::Result<Self> {
        let (size, changed) = size_and_time(&folder.join(&name))?;
        Ok(Self { sha256: hash(&folder.join(&name))?, size, changed, name })
    }

    fn parse(line: &str) -> Option<Self> {
        let mut fields = line.splitn(4, ' ');
        Some(Self {
            sha256: fields.next()?.to_string(),
            size: fields.next()?.parse().ok()?,
            changed: fields.next()?.parse().ok()?,
            name: fields.next()?.to_string(),
        })
    }
}

impl std::fmt::Display for InventoryItem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {} {} {}", self.sha256, self.size, self.changed, self.name)
    }
}

fn collect(folder: &Path, below: &Path, names: &mut Vec<String>) -> io::Result<()> {
    for entry in fs::read_dir(folder.join(below))? {
        let entry = entry?;
        let name = below.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            collect(folder, &name, names)?;
        } else if name != Path::new(FILE_NAME) {
            names.push(name.to_string_lossy().into_owned());
        }
    }
    Ok(())
}

fn size_and_time(path: &Path) -> io::Result<(u64, i128)> {
    let found = fs::metadata(path)?;
    Ok((found.len(), i128::from(found.mtime()) * 1_000_000_000 + i128::from(found.mtime_nsec())))
}

fn hash(path: &Path) -> io::Result<String> {
    sha256_hex_of_reader(File::open(path)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, SystemTime};

    fn listed() -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("lib")).unwrap();
        fs::write(dir.path().join("lib/b jar.jar"), "bbb").unwrap();
        fs::write(dir.path().join("a.jar"), "aaa").unwrap();
        Inventory::create(dir.path()).unwrap();
        dir
    }

    fn set_time(path: &Path) {
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000);
        File::options().write(true).open(path).unwrap().set_modified(time).unwrap();
    }

    #[test]
    fn an_untouched_folder_is_valid_and_lists_its_files() {
        let dir = listed();
        let inventory = Inventory::verify(dir.path()).unwrap();
        assert_eq!(inventory.names().collect::<Vec<_>>(), ["a.jar", "lib/b jar.jar"]);
    }

    #[test]
    fn a_copied_folder_is_valid() {
        let dir = listed();
        set_time(&dir.path().join("a.jar"));
        assert!(Inventory::verify(dir.path()).is_some());
        let text = fs::read_to_string(dir.path().join(FILE_NAME)).unwrap();
        assert!(text.contains(" 1000000000000000 a.jar"), "the new time is kept: {text}");
    }

    #[test]
    fn a_truncated_edited_or_missing_file_makes_a_folder_invalid() {
        let dir = listed();
        fs::write(dir.path().join("a.jar"), "aa").unwrap();
        assert_eq!(Inventory::verify(dir.path()), None);
        let dir = listed();
        fs::write(dir.path().join("a.jar"), "aab").unwrap();
        set_time(&dir.path().join("a.jar"));
        assert_eq!(Inventory::verify(dir.path()), None);
        let dir = listed();
        fs::remove_file(dir.path().join("lib/b jar.jar")).unwrap();
        assert_eq!(Inventory::verify(dir.path()), None);
    }

    #[test]
    fn a_truncated_or_missing_list_makes_a_folder_invalid() {
        for list in ["", "abc", "abc 3", "abc x 3 a.jar"] {
            let dir = listed();
            fs::write(dir.path().join(FILE_NAME), list).unwrap();
            assert_eq!(Inventory::verify(dir.path()), None, "{list:?}");
        }
        let dir = listed();
        fs::remove_file(dir.path().join(FILE_NAME)).unwrap();
        assert_eq!(Inventory::verify(dir.path()), None);
    }
}
