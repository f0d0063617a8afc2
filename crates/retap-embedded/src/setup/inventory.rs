//! The list of a folder's files with their hashes. A folder without a list was never finished. A folder
//! whose files differ from the list was truncated or edited. Neither is used.

use retap_apk::sha256_hex_of_reader;
use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Component, Path};

const FILE_NAME: &str = "inventory.txt";

/// The files of a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inventory {
    items: Vec<InventoryItem>,
}

/// One file and its line: hash, size, times, name.
#[derive(Debug, Clone, PartialEq, Eq)]
struct InventoryItem {
    sha256: String,
    size: u64,
    /// The times of the last change of the file and of its content. A file of the same size and times
    /// is not hashed again, because jars of hundreds of megabytes would cost a second at every start.
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
        let inventory = Self::parse(&text)?;
        let mut is_touched = false;
        let mut inventory = inventory;
        for item in &mut inventory.items {
            // Opening it shows that it can be read.
            let file = File::open(folder.join(&item.name)).ok()?;
            let (size, changed) = size_and_times(&file).ok()?;
            if size != item.size {
                return None;
            }
            if changed != item.changed {
                if sha256_hex_of_reader(file).ok()? != item.sha256 {
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

    /// Returns true if a folder has a list.
    pub fn exists(folder: &Path) -> bool {
        folder.join(FILE_NAME).exists()
    }

    fn parse(text: &str) -> Option<Self> {
        let items: Vec<InventoryItem> =
            text.lines().map(InventoryItem::parse).collect::<Option<_>>()?;
        Some(Self { items })
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.items.iter().map(|item| item.name.as_str())
    }

    fn write(&self, folder: &Path) -> io::Result<()> {
        let text: String = self.items.iter().map(|item| format!("{item}\n")).collect();
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        io::Write::write_all(&mut file, text.as_bytes())?;
        // A temporary file is its owner's alone, but other users may read a cache.
        file.as_file().set_permissions(Permissions::from_mode(0o644))?;
        file.as_file().sync_all()?;
        file.persist(folder.join(FILE_NAME))?;
        Ok(())
    }
}

impl InventoryItem {
    fn of(folder: &Path, name: String) -> io::Result<Self> {
        let file = File::open(folder.join(&name))?;
        let (size, changed) = size_and_times(&file)?;
        Ok(Self { sha256: sha256_hex_of_reader(file)?, size, changed, name })
    }

    fn parse(line: &str) -> Option<Self> {
        let mut fields = line.splitn(4, ' ');
        let item = Self {
            sha256: fields.next()?.to_string(),
            size: fields.next()?.parse().ok()?,
            changed: fields.next()?.parse().ok()?,
            name: fields.next()?.to_string(),
        };
        // The file lies in the folder, whatever somebody wrote into the list.
        let is_inside = |part: Component<'_>| matches!(part, Component::Normal(_));
        let is_listed = !item.name.is_empty() && Path::new(&item.name).components().all(is_inside);
        is_listed.then_some(item)
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

/// Returns the size of a file and its two times in one number. The time of the content can be set by
/// anybody who may write the file, the other one by nobody.
fn size_and_times(file: &File) -> io::Result<(u64, i128)> {
    let found = file.metadata()?;
    let nanoseconds = |s: i64, ns: i64| i128::from(s) * 1_000_000_000 + i128::from(ns);
    let content = nanoseconds(found.mtime(), found.mtime_nsec());
    let any = nanoseconds(found.ctime(), found.ctime_nsec());
    Ok((found.len(), (any << 64) + content))
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
    fn other_users_can_read_the_list() {
        let list = fs::metadata(listed().path().join(FILE_NAME)).unwrap();
        assert_eq!(list.mode() & 0o777, 0o644);
    }

    #[test]
    fn a_copied_folder_is_valid() {
        let dir = listed();
        set_time(&dir.path().join("a.jar"));
        assert!(Inventory::verify(dir.path()).is_some());
        let text = fs::read_to_string(dir.path().join(FILE_NAME)).unwrap();
        let kept = Inventory::parse(&text).unwrap();
        let times = size_and_times(&File::open(dir.path().join("a.jar")).unwrap()).unwrap().1;
        assert_eq!(kept.items[0].changed, times, "the new time is kept: {text}");
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
        for list in
            ["", "abc", "abc 3", "abc x 3 a.jar", "abc 3 3 ../a.jar", "abc 3 3 /a", "a 3 3 "]
        {
            let dir = listed();
            fs::write(dir.path().join(FILE_NAME), list).unwrap();
            assert_eq!(Inventory::verify(dir.path()), None, "{list:?}");
        }
        let dir = listed();
        fs::remove_file(dir.path().join(FILE_NAME)).unwrap();
        assert_eq!(Inventory::verify(dir.path()), None);
    }

    #[test]
    fn damaged_lists() {
        let dir = listed();
        let list = fs::read(dir.path().join(FILE_NAME)).unwrap();
        let words = ["\n", " ", "../", "/", "a.jar", "lib/b jar.jar", "-1"];
        retap_fuzz::fuzz("inventory", &[&list], &words, |bytes| {
            fs::write(dir.path().join(FILE_NAME), bytes).unwrap();
            Inventory::verify(dir.path()).is_some()
        });
    }
}
