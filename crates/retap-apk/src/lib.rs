//! Reads Android packages: archive, manifest, resources, native libraries and dex code. Writes an archive, and a
//! manifest with one provider more.
//!
//! ```no_run
//! let apk = retap_apk::Apk::open("notes.apk")?;
//! let app = apk.code()?;
//! let classes = app.code.classes().len();
//! println!("{} has {classes} classes", apk.manifest.package);
//! # Ok::<(), retap_apk::ApkError>(())
//! ```
//!
//! Law: this crate reads the files it is given and runs nothing. It does **not** know any device:
//! whether an app can run somewhere is for the device to say.
//!
//! An APK is somebody else's file, often a hostile one. No read here trusts an offset, a count or a
//! size, memory is bounded, and every fault of a file is an [`ApkError`].

mod apk;
mod archive;
mod code;
mod dex;
mod digest;
mod error;
mod manifest;
mod resource;
#[cfg(test)]
mod sample;
mod untrusted;

pub use apk::{Apk, ApkPart, AppCode, DexEntryBytes, NativeLibrary};
pub use archive::{Archive, ArchiveEntry, ArchiveWriter, Packing};
pub use code::{
    Call, ClassMethod, Code, DexClass, DexMethod, Library, LibraryRole, MethodReference, Ownership,
    library_of,
};
pub use dex::{
    Annotation, ArrayData, CallSite, ClassAnnotations, ClassDefinition, CodeItem, Dex, DexError,
    DexFile, DexHeader, EncodedValue, FieldDefinition, FieldId, Instruction, MethodDefinition,
    MethodHandle, MethodId, Operand, Proto, Registers, TryBlock, Visibility,
};
pub use digest::{sha256_hex, sha256_hex_of_reader};
pub use error::ApkError;
pub use manifest::{
    Activity, ActivityAlias, AppComponent, Application, Instrumentation, IntentData, IntentFilter,
    LaunchMode, Launcher, Manifest, ManifestError, NewProvider, PREVIEW_API_LEVEL,
    PlatformDependency, Provider,
};
pub use resource::{
    Attribute, ChunkError, Element, ResourceBag, ResourceContent, ResourceEntry, ResourceName,
    ResourceTable, ResourceValue,
};
