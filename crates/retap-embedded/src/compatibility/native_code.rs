//! Finds the loader of each native library: the app itself, an engine that runs it, or a library.

use std::collections::{BTreeMap, BTreeSet};

use super::{AppContents, Reasons, Warning};
use retap_apk::{Code, DexClass, LibraryRole};

/// Methods that load a native library, as class and name.
const LOADERS: &[(&str, &str)] = &[
    ("Ljava/lang/System;", "loadLibrary"),
    ("Ljava/lang/System;", "load"),
    ("Ljava/lang/Runtime;", "loadLibrary"),
    ("Ljava/lang/Runtime;", "load"),
    ("Lcom/getkeepsafe/relinker/ReLinker;", "loadLibrary"),
    ("Lcom/facebook/soloader/SoLoader;", "loadLibrary"),
];

/// Packages that wrap the loading. Their own calls do not count, because the caller decides.
const WRAPPERS: &[&str] = &["Lcom/getkeepsafe/relinker/", "Lcom/facebook/soloader/"];

/// The flag of a native method in dex code.
const ACC_NATIVE: u32 = 0x100;

/// Adds a warning for each library, by who loads it, and for the native methods that may be called.
pub fn check(contents: AppContents<'_>, reasons: &mut Reasons) {
    let files = contents.native_libraries.iter().map(|library| library.file.clone()).collect();
    let mut loaded_by = collect_loads(contents, &files, reasons);
    let mut unclaimed = files;
    unclaimed.retain(|file| !loaded_by.values().any(|loaded| loaded.files.contains(file)));
    if resolve_unnamed_loads(&mut loaded_by, &unclaimed) {
        unclaimed.clear();
    }
    for (loader, Loaded { files, classes, .. }) in loaded_by {
        match loader {
            _ if files.is_empty() => {}
            Loader::App => {
                reasons.warnings.insert(Warning::NativeLibraries { files, classes });
                warn_of_native_methods(contents.code, reasons);
            }
            Loader::Library(library) => {
                reasons.warnings.insert(Warning::LibraryIsNative { library, files });
            }
        }
    }
    if !unclaimed.is_empty() {
        reasons.warnings.insert(Warning::UnusedNativeLibraries { files: unclaimed });
    }
}

fn warn_of_native_methods(code: &Code, reasons: &mut Reasons) {
    let mut classes = BTreeMap::<String, usize>::new();
    for it in code.methods().filter(|it| it.method.access & ACC_NATIVE != 0) {
        *classes.entry(it.class.name()).or_default() += 1;
    }
    if !classes.is_empty() {
        reasons.warnings.insert(Warning::NativeMethods { classes });
    }
}

/// Returns true for `android.app.NativeActivity` and for subclasses of it or of its successor in
/// AndroidX Games.
pub fn is_native_activity(code: &Code, name: &str) -> bool {
    const NATIVE: [&str; 2] =
        ["Landroid/app/NativeActivity;", "Lcom/google/androidgamesdk/GameActivity;"];
    let descriptor = format!("L{};", name.replace('.', "/")).into();
    code.superclasses(&descriptor).any(|class| NATIVE.contains(&&**class))
}

/// The code that loads a native library.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Loader {
    /// The app, or the engine that runs it.
    App,
    /// A library that the app may or may not use.
    Library(&'static str),
}

/// The libraries that one loader loads.
#[derive(Default)]
struct Loaded {
    files: BTreeSet<String>,
    /// The classes that load those files.
    classes: BTreeSet<String>,
    /// The classes that load a library whose name is not a constant.
    without_name: BTreeSet<String>,
}

/// One call that loads a library, with its name or path if that is a constant.
struct LoadCall<'a> {
    class: &'a DexClass,
    name: Option<&'a str>,
}

impl LoadCall<'_> {
    fn loader(&self, app_package: &str) -> Loader {
        match self.class.library(app_package) {
            Some(library) if library.role == LibraryRole::Ordinary => Loader::Library(library.name),
            _ => Loader::App,
        }
    }
}

/// Groups the calls by loader, and warns of libraries that are not among `files`.
fn collect_loads(
    contents: AppContents<'_>,
    files: &BTreeSet<String>,
    reasons: &mut Reasons,
) -> BTreeMap<Loader, Loaded> {
    let mut loaded_by = BTreeMap::<Loader, Loaded>::new();
    for call in load_calls(contents.code) {
        let class = call.class.name();
        let loaded = loaded_by.entry(call.loader(&contents.manifest.package)).or_default();
        match call.name {
            None => {
                loaded.without_name.insert(class);
            }
            Some(name) if files.contains(&file_name(name)) => {
                loaded.files.insert(file_name(name));
                loaded.classes.insert(class);
            }
            Some(name) => {
                let name = name.to_owned();
                reasons.warnings.insert(Warning::MissingNativeLibrary { name, class });
            }
        }
    }
    loaded_by
}

/// Assigns the libraries that no call names to the calls whose names are known only at run time.
/// Returns true if there was such a call.
fn resolve_unnamed_loads(
    loaded_by: &mut BTreeMap<Loader, Loaded>,
    unclaimed: &BTreeSet<String>,
) -> bool {
    let mut is_resolved = false;
    for loaded in loaded_by.values_mut() {
        if !unclaimed.is_empty() && !loaded.without_name.is_empty() {
            loaded.files.extend(unclaimed.iter().cloned());
            loaded.classes.append(&mut loaded.without_name);
            is_resolved = true;
        }
    }
    is_resolved
}

/// Returns the file that a library's name or path refers to.
fn file_name(name: &str) -> String {
    match name.rsplit_once('/') {
        Some((_, file)) => file.to_owned(),
        None => format!("lib{name}.so"),
    }
}

fn load_calls(code: &Code) -> impl Iterator<Item = LoadCall<'_>> {
    let is_wrapper =
        |class: &DexClass| WRAPPERS.iter().any(|prefix| class.descriptor.starts_with(prefix));
    let methods = code.methods().filter(move |it| !is_wrapper(it.class));
    methods.flat_map(|it| {
        let loads = it
            .method
            .calls
            .iter()
            .filter(|call| LOADERS.contains(&(&*call.target.class, &*call.target.name)));
        loads.map(move |call| LoadCall { class: it.class, name: call.text.as_deref() })
    })
}
