//! The file tree that clients see. It is kept in memory, so that no path of a client can reach a file of this machine.

use std::collections::BTreeMap;
use std::sync::Arc;

/// All files together.
const MAX_BYTES: usize = 1 << 30;
const MAX_FILES: usize = 100_000;
const MAX_PATH: usize = 4_096;
/// Where clients may write; what else a phone has is not here.
const WRITABLE: [&str; 3] = ["/data/local/tmp", "/storage/emulated/0", "/tmp"];
/// Takes everything and holds nothing.
pub const NOTHING: &str = "/dev/null";
/// Other names of the same folder.
const ALIASES: [(&str, &str); 4] = [
    ("/sdcard", "/storage/emulated/0"),
    ("/mnt/sdcard", "/storage/emulated/0"),
    ("/storage/self/primary", "/storage/emulated/0"),
    ("/storage/emulated/legacy", "/storage/emulated/0"),
];

/// A file or a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileNode {
    /// None for a folder.
    pub content: Option<Arc<Vec<u8>>>,
    /// The permission bits.
    pub permissions: u32,
    /// Seconds since 1970.
    pub modified: u32,
}

impl FileNode {
    pub fn is_folder(&self) -> bool {
        self.content.is_none()
    }

    pub fn size(&self) -> u64 {
        self.content.as_ref().map_or(4096, |content| content.len() as u64)
    }

    /// Returns type and permissions as `stat` does.
    pub fn mode(&self) -> u32 {
        self.permissions | if self.is_folder() { 0o040_000 } else { 0o100_000 }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    #[error("No such file or directory")]
    NotFound,
    #[error("Is a directory")]
    IsFolder,
    #[error("Not a directory")]
    NoFolder,
    #[error("File exists")]
    Exists,
    #[error("Directory not empty")]
    NotEmpty,
    #[error("Permission denied")]
    ReadOnly,
    #[error("No space left on device")]
    NoSpace,
    #[error("File name too long")]
    TooLong,
}

impl FileError {
    /// Returns the number that Linux gives the error.
    pub fn number(self) -> u32 {
        match self {
            FileError::NotFound => 2,
            FileError::ReadOnly => 13,
            FileError::Exists => 17,
            FileError::NoFolder => 20,
            FileError::IsFolder => 21,
            FileError::NoSpace => 28,
            FileError::TooLong => 36,
            FileError::NotEmpty => 39,
        }
    }
}

/// All files by absolute path.
#[derive(Debug)]
pub struct FileTree {
    nodes: BTreeMap<String, FileNode>,
    bytes: usize,
}

impl Default for FileTree {
    fn default() -> Self {
        let mut tree = Self { nodes: BTreeMap::new(), bytes: 0 };
        for folder in WRITABLE.iter().chain(&[
            "/system/bin",
            "/storage/emulated/0/Download",
            "/storage/emulated/0/Pictures",
        ]) {
            let mut path = String::new();
            tree.nodes.insert("/".into(), folder_node(0));
            for part in folder.split('/').skip(1) {
                path = format!("{path}/{part}");
                tree.nodes.entry(path.clone()).or_insert_with(|| folder_node(0));
            }
        }
        tree
    }
}

fn folder_node(modified: u32) -> FileNode {
    FileNode { content: None, permissions: 0o771, modified }
}

/// Returns the absolute path without `.`, `..` and other names of a folder.
pub fn resolve(current: &str, path: &str) -> String {
    let joined = if path.starts_with('/') { path.to_string() } else { format!("{current}/{path}") };
    let mut parts: Vec<&str> = Vec::new();
    for part in joined.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    let plain = format!("/{}", parts.join("/"));
    let alias = ALIASES.iter().find_map(|(alias, folder)| {
        let rest = plain.strip_prefix(alias)?;
        (rest.is_empty() || rest.starts_with('/')).then(|| format!("{folder}{rest}"))
    });
    alias.unwrap_or(plain)
}

impl FileTree {
    /// Returns what is at a resolved path.
    pub fn get(&self, path: &str) -> Result<&FileNode, FileError> {
        self.nodes.get(path).ok_or(FileError::NotFound)
    }

    pub fn read(&self, path: &str) -> Result<Arc<Vec<u8>>, FileError> {
        if path == NOTHING {
            return Ok(Arc::default());
        }
        self.get(path)?.content.clone().ok_or(FileError::IsFolder)
    }

    /// Returns the names in a folder, sorted.
    pub fn list(&self, folder: &str) -> Result<Vec<(String, FileNode)>, FileError> {
        if !self.get(folder)?.is_folder() {
            return Err(FileError::NoFolder);
        }
        let prefix = prefix_of(folder);
        let inside =
            self.nodes.range(prefix.clone()..).take_while(|(path, _)| path.starts_with(&prefix));
        let names = inside.filter_map(|(path, node)| {
            let name = &path[prefix.len()..];
            (!name.is_empty() && !name.contains('/')).then(|| (name.to_string(), node.clone()))
        });
        Ok(names.collect())
    }

    /// Writes a whole file. Its folder must exist.
    pub fn write(
        &mut self,
        path: &str,
        content: Vec<u8>,
        permissions: u32,
        modified: u32,
    ) -> Result<(), FileError> {
        self.check_new(path)?;
        let before = match self.nodes.get(path) {
            Some(node) if node.is_folder() => return Err(FileError::IsFolder),
            Some(node) => node.content.as_ref().map_or(0, |content| content.len()),
            None => 0,
        };
        let bytes = self.bytes - before + content.len();
        if bytes > MAX_BYTES {
            return Err(FileError::NoSpace);
        }
        self.bytes = bytes;
        let node = FileNode {
            content: Some(Arc::new(content)),
            permissions: permissions & 0o777,
            modified,
        };
        self.nodes.insert(path.to_string(), node);
        Ok(())
    }

    pub fn make_folder(
        &mut self,
        path: &str,
        with_parents: bool,
        modified: u32,
    ) -> Result<(), FileError> {
        if let Ok(found) = self.get(path) {
            return if with_parents && found.is_folder() { Ok(()) } else { Err(FileError::Exists) };
        }
        if with_parents {
            let parent = parent_of(path);
            if self.get(parent).is_err() {
                self.make_folder(parent, true, modified)?;
            }
        }
        self.check_new(path)?;
        self.nodes.insert(path.to_string(), folder_node(modified));
        Ok(())
    }

    pub fn remove(&mut self, path: &str, recursive: bool) -> Result<(), FileError> {
        let is_folder = self.get(path)?.is_folder();
        if !is_writable(path) || WRITABLE.contains(&path) {
            return Err(FileError::ReadOnly);
        }
        if is_folder && !recursive {
            return Err(FileError::IsFolder);
        }
        let prefix = prefix_of(path);
        let gone = |node: &FileNode| node.content.as_ref().map_or(0, |content| content.len());
        let bytes = &mut self.bytes;
        self.nodes.retain(|other, node| {
            let stays = other != path && !other.starts_with(&prefix);
            if !stays {
                *bytes -= gone(node);
            }
            stays
        });
        Ok(())
    }

    /// Removes a folder without content.
    pub fn remove_folder(&mut self, path: &str) -> Result<(), FileError> {
        if !self.list(path)?.is_empty() {
            return Err(FileError::NotEmpty);
        }
        self.remove(path, true)
    }

    fn check_new(&self, path: &str) -> Result<(), FileError> {
        if path.len() > MAX_PATH {
            return Err(FileError::TooLong);
        }
        if !is_writable(path) {
            return Err(FileError::ReadOnly);
        }
        if !self.get(parent_of(path))?.is_folder() {
            return Err(FileError::NoFolder);
        }
        if self.nodes.len() >= MAX_FILES && !self.nodes.contains_key(path) {
            return Err(FileError::NoSpace);
        }
        Ok(())
    }
}

fn is_writable(path: &str) -> bool {
    WRITABLE.iter().any(|folder| path == *folder || path.starts_with(&prefix_of(folder)))
}

fn prefix_of(folder: &str) -> String {
    if folder == "/" { "/".into() } else { format!("{folder}/") }
}

fn parent_of(path: &str) -> &str {
    match path.rsplit_once('/') {
        Some(("", _)) | None => "/",
        Some((parent, _)) => parent,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_cannot_leave_the_tree() {
        assert_eq!(resolve("/", "../../etc/passwd"), "/etc/passwd");
        assert_eq!(resolve("/data", "local/./tmp/x"), "/data/local/tmp/x");
        assert_eq!(resolve("/", "/sdcard/a"), "/storage/emulated/0/a");
        assert_eq!(resolve("/", "/sdcardx"), "/sdcardx");
        let mut tree = FileTree::default();
        assert_eq!(tree.get("/etc/passwd"), Err(FileError::NotFound));
        assert_eq!(tree.write("/etc/passwd", vec![1], 0o644, 0), Err(FileError::ReadOnly));
        assert_eq!(tree.remove("/data/local/tmp", true), Err(FileError::ReadOnly));
    }

    #[test]
    fn files_are_written_listed_and_removed() {
        let mut tree = FileTree::default();
        let file = "/data/local/tmp/folder/file";
        assert_eq!(tree.write(file, vec![1], 0o644, 0), Err(FileError::NotFound));
        tree.make_folder("/data/local/tmp/folder", false, 0).unwrap();
        assert_eq!(tree.make_folder("/data/local/tmp/folder", false, 0), Err(FileError::Exists));
        tree.write(file, vec![1, 2], 0o644, 5).unwrap();
        assert_eq!(tree.get(file).unwrap().mode(), 0o100_644);
        let names: Vec<String> =
            tree.list("/data/local/tmp").unwrap().into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["folder"]);
        assert_eq!(tree.remove_folder("/data/local/tmp/folder"), Err(FileError::NotEmpty));
        tree.remove("/data/local/tmp/folder", true).unwrap();
        assert_eq!((tree.get(file), tree.bytes), (Err(FileError::NotFound), 0));
    }

    #[test]
    fn the_tree_does_not_grow_without_end() {
        let mut tree = FileTree { bytes: MAX_BYTES, ..FileTree::default() };
        assert_eq!(tree.write("/tmp/x", vec![0], 0o644, 0), Err(FileError::NoSpace));
    }
}
