//! Who loads which native library: the app itself, an engine that runs it, or some library.

use std::collections::{BTreeMap, BTreeSet};

use crate::apk::Apk;
use crate::code::{Class, Code};
use crate::library::Role;
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
    let mut idle: BTreeSet<_> =
        apk.native_libraries.iter().map(|library| library.file.clone()).collect();
    let mut loaded = BTreeMap::<Who, Loaded>::new();
    for load in loads(code) {
        let class = load.class.name();
        let loaded = loaded.entry(load.who(&apk.manifest.package)).or_default();
        match load.name {
            None => {
                loaded.without_name.insert(class);
            }
            Some(name) if idle.contains(&file(name)) => {
                loaded.files.insert(file(name));
                loaded.classes.insert(class);
            }
            Some(name) => {
                let name = name.to_owned();
                warnings.insert(Warning::MissingNativeLibrary { name, class });
            }
        }
    }
    idle.retain(|file| !loaded.values().any(|loaded| loaded.files.contains(file)));
    let nameless = idle.clone();
    for (who, mut loaded) in loaded {
        // Where only the running app knows the name, it means those that no other place names.
        if !nameless.is_empty() && !loaded.without_name.is_empty() {
            loaded.files.extend(nameless.iter().cloned());
            loaded.classes.append(&mut loaded.without_name);
            idle.clear();
        }
        let Loaded { files, classes, .. } = loaded;
        match who {
            _ if files.is_empty() => {}
            Who::App => obstacles.push(Obstacle::NativeLibraries { files, classes }),
            Who::Library(library) => {
                warnings.insert(Warning::LibraryIsNative { library, files });
            }
        }
    }
    if !idle.is_empty() {
        warnings.insert(Warning::UnusedNativeLibraries { files: idle });
    }
}

/// Who loads: the app, its engine included, or a library that it may or may not use.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Who {
    App,
    Library(&'static str),
}

#[derive(Default)]
struct Loaded {
    files: BTreeSet<String>,
    /// The classes that load those files.
    classes: BTreeSet<String>,
    /// The classes that load what is no constant.
    without_name: BTreeSet<String>,
}

/// A place in the code that loads a library, and its name or path where that is a constant.
struct Load<'a> {
    class: &'a Class,
    name: Option<&'a str>,
}

impl Load<'_> {
    fn who(&self, app_package: &str) -> Who {
        match self.class.library(app_package) {
            Some(library) if library.role == Role::Part => Who::Library(library.name),
            _ => Who::App,
        }
    }
}

/// The file that a library's name or path stands for.
fn file(name: &str) -> String {
    match name.rsplit_once('/') {
        Some((_, file)) => file.to_owned(),
        None => format!("lib{name}.so"),
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
        let descriptor = format!("L{};", name.replace('.', "/")).into();
        self.superclasses(&descriptor).any(|class| NATIVE.contains(&&**class))
    }
}
