//! An open APK: one archive, or the base and splits of a bundle read as one app.

mod bundle;
mod native;
mod part;
mod signer;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use crate::archive::Archive;
use crate::code::Code;
use crate::dex::{Dex, DexHeader};
use crate::digest::sha256_hex_of_reader;
use crate::error::ApkError;
use crate::manifest::{Launcher, Manifest};
use crate::resource::{Element, ResourceTable};

pub use native::NativeLibrary;
pub use part::ApkPart;

/// Limits on unpacked sizes, each several times the largest seen in the wild.
const DEX_LIMIT: u64 = 128 << 20;
const ALL_DEX_LIMIT: u64 = 768 << 20;
const XML_LIMIT: u64 = 16 << 20;

/// An entry that instrumented APKs alone have, and the classes that were added to them.
const INSTRUMENTED: &str = "retap/units.table";
const PROBES: &str = "Ldev/retap/probes/";

/// An APK or a bundle of split APKs, read except for its code.
#[derive(Debug)]
pub struct Apk {
    pub path: PathBuf,
    /// The digest of the file as it lies on disk, in hexadecimal.
    pub sha256: String,
    pub manifest: Manifest,
    /// The base first, then the splits by name.
    pub parts: Vec<ApkPart>,
    pub native_libraries: Vec<NativeLibrary>,
    resources: Option<ResourceTable>,
}

/// The dex files of an APK, as [`Apk::code`] reads them.
#[derive(Debug)]
pub struct AppCode {
    /// The headers of each dex file, by the name of its part and entry.
    pub dex: BTreeMap<String, Vec<DexHeader>>,
    pub code: Code,
}

impl Apk {
    /// Opens an APK or a bundle of splits (`.apks`, `.xapk`, `.apkm`) and reads all but its code.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self, ApkError> {
        let path = path.into();
        let io_error = |source| ApkError::Io { path: path.clone(), source };
        let file = open_file(&path).map_err(io_error)?;
        let sha256 = sha256_hex_of_reader(&file).map_err(io_error)?;
        let archive = Archive::from_file(path.display().to_string(), file)?;
        let parts = if bundle::is_bundle(&archive) {
            bundle::read_parts(&archive)?
        } else {
            vec![ApkPart { split: None, archive }]
        };
        let Some(base) = parts.first() else {
            return Err(ApkError::NoBase { name: path.display().to_string() });
        };
        let resources = base.resources()?;
        let manifest = base.manifest(resources.as_ref())?;
        let apk = Apk {
            native_libraries: native::collect(parts.iter().map(|part| &part.archive)),
            path,
            sha256,
            manifest,
            parts,
            resources,
        };
        if apk.dex_entries().next().is_none() {
            return Err(ApkError::NoDex { name: apk.path.display().to_string() });
        }
        Ok(apk)
    }

    /// Returns the activity to start, or the reason there is none.
    pub fn launcher(&self) -> Result<Launcher, ApkError> {
        let package = || self.manifest.package.clone();
        self.manifest.launcher().ok_or_else(|| ApkError::NoLauncher { package: package() })
    }

    /// Returns true if the file is a bundle whose parts are APKs, and not an APK itself.
    pub fn is_bundle(&self) -> bool {
        self.parts.iter().any(|part| part.archive.is_nested())
    }

    /// Returns the digest of the certificate that the APK is signed with, if it has a signing block.
    pub fn signer(&self) -> Option<String> {
        signer::certificate_of(&self.path)
    }

    /// Returns the base's resource table, if it has one.
    pub fn resources(&self) -> Option<&ResourceTable> {
        self.resources.as_ref()
    }

    /// Unpacks all dex files, for readers that work in place ([`crate::DexFile`]).
    pub fn dex_files(&self) -> Result<Vec<DexEntryBytes>, ApkError> {
        let mut left = ALL_DEX_LIMIT;
        let mut files = Vec::new();
        for DexEntry { part, entry } in self.written_first() {
            let bytes = part.archive.read_named(&entry, left.min(DEX_LIMIT))?;
            left -= bytes.len() as u64;
            files.push(DexEntryBytes { name: part.entry_name(&entry), bytes });
        }
        Ok(files)
    }

    /// Reads a binary XML file of the APK by its path: `res/layout/main.xml`. `None` if there is none.
    pub fn xml(&self, path: &str) -> Result<Option<Element>, ApkError> {
        let Some(part) = self.parts.iter().find(|part| part.archive.entry(path).is_some()) else {
            return Ok(None);
        };
        let name = || part.archive.name().to_owned();
        let file = part.archive.read_named(path, XML_LIMIT)?;
        let bad = |source| ApkError::BadXml { name: name(), entry: path.to_owned(), source };
        Element::parse(&file).map(Some).map_err(bad)
    }

    /// Returns true if `retap instrument` made the file: its own classes come last, behind those that count.
    fn is_instrumented(&self) -> bool {
        self.parts.first().is_some_and(|base| base.archive.entry(INSTRUMENTED).is_some())
    }

    /// Returns the dex files, those of an instrumented app's own classes before those that count.
    fn written_first(&self) -> Vec<DexEntry<'_>> {
        let mut entries: Vec<DexEntry<'_>> = self.dex_entries().collect();
        if self.is_instrumented() {
            entries.reverse();
        }
        entries
    }

    /// Reads all dex files. `open` does not, because this is the costly part. Of an instrumented app this is the code that
    /// a person wrote, so that it compares with that of other versions.
    pub fn code(&self) -> Result<AppCode, ApkError> {
        let mut dex = BTreeMap::new();
        let mut classes = Vec::new();
        let mut left = ALL_DEX_LIMIT;
        for DexEntry { part, entry } in self.written_first() {
            let name = part.archive.name();
            let file = part.archive.read_named(&entry, left.min(DEX_LIMIT))?;
            left -= file.len() as u64;
            let parsed = Dex::parse(&file).map_err(|source| ApkError::BadDex {
                name: name.to_owned(),
                entry: entry.clone(),
                source,
            })?;
            dex.insert(part.entry_name(&entry), parsed.headers);
            classes.extend(parsed.classes);
        }
        if self.is_instrumented() {
            let mut seen = BTreeSet::new();
            classes.retain(|class| {
                seen.insert(class.descriptor.clone()) && !class.descriptor.starts_with(PROBES)
            });
        }
        Ok(AppCode { dex, code: Code::new(classes) })
    }

    /// Returns the parts as files, base first: the APK itself, or a bundle's parts, which this
    /// writes to `directory` under names of our own.
    pub fn unpack(&self, directory: &Path) -> Result<Vec<PathBuf>, ApkError> {
        if !self.is_bundle() {
            return Ok(vec![self.path.clone()]);
        }
        let mut paths = Vec::new();
        for (index, part) in self.parts.iter().enumerate() {
            let name = if index == 0 { "base.apk".to_owned() } else { format!("split{index}.apk") };
            let path = directory.join(name);
            let write = || io::copy(&mut part.archive.bytes(), &mut File::create(&path)?);
            write().map_err(|source| ApkError::Write { path: path.clone(), source })?;
            paths.push(path);
        }
        Ok(paths)
    }

    /// Returns `classes.dex`, `classes2.dex` and so on of every part, up to the first gap, because
    /// a phone's class loader stops there too.
    fn dex_entries(&self) -> impl Iterator<Item = DexEntry<'_>> {
        self.parts.iter().flat_map(|part| {
            let name = |number| match number {
                1 => "classes.dex".to_owned(),
                number => format!("classes{number}.dex"),
            };
            let exists = |entry: &String| part.archive.entry(entry).is_some();
            (1..).map(name).take_while(exists).map(move |entry| DexEntry { part, entry })
        })
    }
}

/// An unpacked dex file.
#[derive(Debug)]
pub struct DexEntryBytes {
    /// The name of its part and entry: `camera!classes.dex`.
    pub name: String,
    pub bytes: Vec<u8>,
}

/// A dex file of one part.
struct DexEntry<'a> {
    part: &'a ApkPart,
    entry: String,
}

fn open_file(path: &Path) -> io::Result<File> {
    if fs::metadata(path)?.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a directory"));
    }
    File::open(path)
}

#[cfg(test)]
mod tests;
