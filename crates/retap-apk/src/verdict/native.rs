//! Who loads which native library: the app itself, an engine that runs it, or some library.

use std::collections::{BTreeMap, BTreeSet};

use crate::apk::Apk;
use crate::code::{Class, Code};
use crate::library::Role;
use crate::native::NativeLibrary;
use crate::verdict::{Obstacle, Warning};

/// Calls that load a native library, and wrappers around them whose own calls don't count.
const LOADERS: &[(&str, &str)] = &[
    ("Ljava/lang/System;", "loadLibrary"),
    ("Ljava/lang/System;", "load"),
    ("Ljava/lang/Runtime;", "loadLibrary"),
    ("Ljava/lang/Runtime;", "load"),
    ("Lcom/getkeepsafe/relinker/ReLinker;", "loadLibrary"),
    ("Lcom/facebook/soloader/SoLoader;", "loadLibrary"),
];
const WRAPPERS: &[&str] = &["Lcom/getkeepsafe/relinker/", "Lcom/facebook/soloader/"];

pub fn judge(
    apk: &Apk,
    code: &Code,
    obstacles: &mut Vec<Obstacle>,
    warnings: &mut BTreeSet<Warning>,
) {
    let (mut needed, mut classes) = (BTreeSet::new(), BTreeSet::new());
    let mut by_library = BTreeMap::<&'static str, BTreeSet<String>>::new();
    for load in loads(code) {
        let files = load.files(&apk.native_libraries);
        match (load.class.library(&apk.manifest.package), load.name) {
            (_, Some(name)) if files.is_empty() => {
                let (name, class) = (name.to_owned(), load.class.name());
                warnings.insert(Warning::MissingNativeLibrary { name, class });
            }
            // Loads something from elsewhere: downloaded, or a fallback for other devices.
            _ if files.is_empty() => {}
            (Some(library), _) if library.role == Role::Part => {
                by_library.entry(library.name).or_default().extend(files);
            }
            _ => {
                needed.extend(files);
                classes.insert(load.class.name());
            }
        }
    }
    let is_idle = |file: &String| {
        !needed.contains(file) && !by_library.values().any(|files| files.contains(file))
    };
    let all = apk.native_libraries.iter().map(|library| library.file.clone());
    let idle: BTreeSet<_> = all.filter(is_idle).collect();
    if !idle.is_empty() {
        warnings.insert(Warning::UnusedNativeLibraries { files: idle });
    }
    for (library, files) in by_library {
        warnings.insert(Warning::LibraryIsNative { library, files });
    }
    if !needed.is_empty() {
        obstacles.push(Obstacle::NativeLibraries { files: needed, classes });
    }
}

/// A place in the code that loads a library, and its name where that is a constant.
struct Load<'a> {
    class: &'a Class,
    name: Option<&'a str>,
}

impl Load<'_> {
    /// The files of the APK that may be meant; all of them if only the running app knows.
    fn files(&self, libraries: &[NativeLibrary]) -> Vec<String> {
        let meant = |library: &&NativeLibrary| {
            self.name.is_none_or(|name| name == library.name() || name.ends_with(&library.file))
        };
        libraries.iter().filter(meant).map(|library| library.file.clone()).collect()
    }
}

fn loads(code: &Code) -> impl Iterator<Item = Load<'_>> {
    let is_wrapper =
        |class: &Class| WRAPPERS.iter().any(|prefix| class.descriptor.starts_with(prefix));
    let methods = code.methods().filter(move |(class, _)| !is_wrapper(class));
    methods.flat_map(|(class, method)| {
        let loads = method
            .calls
            .iter()
            .filter(|call| LOADERS.contains(&(&*call.target.class, &*call.target.name)));
        loads.map(move |call| Load { class, name: call.text.as_deref() })
    })
}

impl Code {
    /// `android.app.NativeActivity`, or a subclass of it or of its successor in AndroidX Games.
    pub(super) fn is_native_activity(&self, name: &str) -> bool {
        const NATIVE: [&str; 2] =
            ["Landroid/app/NativeActivity;", "Lcom/google/androidgamesdk/GameActivity;"];
        let descriptor = format!("L{};", name.replace('.', "/"));
        self.superclasses(&descriptor).any(|class| NATIVE.contains(&class))
    }
}
