//! An APK, opened: one archive, or the base and splits of a bundle read as one app.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::archive::Archive;
use crate::bundle;
use crate::code::Code;
use crate::dex::{Dex, DexHeader};
use crate::error::ApkError;
use crate::manifest::{Launcher, Manifest};
use crate::native::{self, NativeLibrary};
use crate::resource::ResourceTable;

const MANIFEST: &str = "AndroidManifest.xml";
/// What every `.aab` has and no APK.
const STORE_BUNDLE: &str = "BundleConfig.pb";
const RESOURCES: &str = "resources.arsc";
/// Limits on unpacked sizes, each several times the largest seen in the wild.
const MANIFEST_LIMIT: u64 = 16 << 20;
const RESOURCES_LIMIT: u64 = 256 << 20;
const DEX_LIMIT: u64 = 128 << 20;
const ALL_DEX_LIMIT: u64 = 768 << 20;
const HASHED_AT_ONCE: usize = 64 << 10;

#[derive(Debug)]
pub struct Apk {
    pub path: PathBuf,
    /// Of the file as it lies on disk, in hexadecimal.
    pub sha256: String,
    pub manifest: Manifest,
    /// The base first, then the splits by name.
    pub parts: Vec<Part>,
    pub native_libraries: Vec<NativeLibrary>,
    resources: Option<ResourceTable>,
}

/// One installable archive.
#[derive(Debug)]
pub struct Part {
    /// The split's name; none for the base.
    pub split: Option<String>,
    pub archive: Archive,
}

/// What `Apk::code` reads.
#[derive(Debug)]
pub struct AppCode {
    /// Per dex file, by the name of its part and entry.
    pub dex: BTreeMap<String, Vec<DexHeader>>,
    pub code: Code,
}

impl Apk {
    /// Opens an APK or a bundle of splits (`.apks`, `.xapk`, `.apkm`) and reads all but its code.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self, ApkError> {
        let path = path.into();
        let (file, sha256) = hash(&path).map_err(|source| io_error(&path, source))?;
        let archive = Archive::from_file(path.display().to_string(), file)?;
        let parts = if bundle::is_bundle(&archive) {
            bundle::parts(&archive)?
        } else {
            vec![Part { split: None, archive }]
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
            return Err(ApkError::NoDex { name: apk.name() });
        }
        Ok(apk)
    }

    /// The activity to start, or the reason there is none.
    pub fn launcher(&self) -> Result<Launcher, ApkError> {
        let package = || self.manifest.package.clone();
        self.manifest.launcher().ok_or_else(|| ApkError::NoLauncher { package: package() })
    }

    /// The base's resource table, if it has one.
    pub fn resources(&self) -> Option<&ResourceTable> {
        self.resources.as_ref()
    }

    /// Reads all dex files. This is the costly part, so it is apart from `open`.
    pub fn code(&self) -> Result<AppCode, ApkError> {
        let mut dex = BTreeMap::new();
        let mut classes = Vec::new();
        let mut left = ALL_DEX_LIMIT;
        for (part, entry) in self.dex_entries() {
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
        Ok(AppCode { dex, code: Code::new(classes) })
    }

    /// Where the parts lie as files: the APK itself, or the parts of a bundle written into
    /// `directory` under names of our own, base first.
    pub fn unpack(&self, directory: &Path) -> Result<Vec<PathBuf>, ApkError> {
        if let [part] = &*self.parts
            && !part.archive.is_nested()
        {
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

    /// `classes.dex`, `classes2.dex` and so on of every part, up to the first gap, as the
    /// class loader takes them.
    fn dex_entries(&self) -> impl Iterator<Item = (&Part, String)> {
        self.parts.iter().flat_map(|part| {
            let name = |number| match number {
                1 => "classes.dex".to_owned(),
                number => format!("classes{number}.dex"),
            };
            let exists = |entry: &String| part.archive.entry(entry).is_some();
            (1..).map(name).take_while(exists).map(move |entry| (part, entry))
        })
    }

    fn name(&self) -> String {
        self.path.display().to_string()
    }
}

impl Part {
    pub(crate) fn manifest(&self, table: Option<&ResourceTable>) -> Result<Manifest, ApkError> {
        let name = || self.archive.name().to_owned();
        if self.archive.entry(STORE_BUNDLE).is_some() {
            return Err(ApkError::AppBundle { name: name() });
        }
        if self.archive.entry(MANIFEST).is_none() {
            return Err(ApkError::NoManifest { name: name() });
        }
        let file = self.archive.read_named(MANIFEST, MANIFEST_LIMIT)?;
        Manifest::parse(&file, table)
            .map_err(|source| ApkError::BadManifest { name: name(), source })
    }

    fn resources(&self) -> Result<Option<ResourceTable>, ApkError> {
        if self.archive.entry(RESOURCES).is_none() {
            return Ok(None);
        }
        let file = self.archive.read_named(RESOURCES, RESOURCES_LIMIT)?;
        let name = || self.archive.name().to_owned();
        ResourceTable::parse(file)
            .map(Some)
            .map_err(|source| ApkError::BadResources { name: name(), source })
    }

    fn entry_name(&self, entry: &str) -> String {
        match &self.split {
            Some(split) => format!("{split}!{entry}"),
            None => entry.to_owned(),
        }
    }
}

fn hash(path: &Path) -> io::Result<(File, String)> {
    if fs::metadata(path)?.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a directory"));
    }
    let mut file = File::open(path)?;
    let mut hasher = Sha256::new();
    let mut block = vec![0; HASHED_AT_ONCE];
    loop {
        match file.read(&mut block)? {
            0 => break,
            len => hasher.update(&block[..len]),
        }
    }
    let digest = hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    Ok((file, digest))
}

fn io_error(path: &Path, source: io::Error) -> ApkError {
    ApkError::Io { path: path.to_owned(), source }
}

#[cfg(test)]
mod tests;
