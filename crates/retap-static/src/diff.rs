//! AppDiff: what changed between two versions of an app, from packages down to methods, and in resources and manifest.
//!
//! Step 1 of ATUA: a tree of hashes, package over class over method, is matched top-down, and only where hashes differ is
//! anything looked at more closely. A method's hash covers its signature and its code by name. Where it differs, the
//! canonical forms decide, so that another compiler's choices are no change.

mod classes;
mod fingerprint;
mod forms;
mod manifest;
mod matching;
mod methods;
mod page;
mod resources;
mod shape;
mod widget_ids;

pub use widget_ids::changed_widget_ids;

use retap_apk::{Apk, ApkError};
use serde::Serialize;

use crate::program::{Program, with_programs};
use fingerprint::CodeTree;

/// The difference between two versions of an app.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AppDiff {
    pub old: AppVersion,
    pub new: AppVersion,
    /// One line for each declaration that changed: SDK levels, permissions, components.
    pub manifest: Vec<String>,
    pub packages: Vec<PackageDiff>,
    pub resources: Vec<ResourceDiff>,
}

/// One of the compared versions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AppVersion {
    pub path: String,
    pub package: String,
    pub version_name: Option<String>,
    pub version_code: u64,
    pub classes: usize,
    pub methods: usize,
    /// The hash at the root of the version's tree.
    pub code_hash: String,
}

/// What became of something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Change {
    Modified,
    New,
    Removed,
    /// It has another name or lies in another package, and does the same.
    Renamed,
}

/// The classes of a package that changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PackageDiff {
    pub name: String,
    /// The library that the package comes from; none for the app's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub library: Option<String>,
    pub classes: Vec<ClassDiff>,
}

/// A class that changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ClassDiff {
    /// The name in the new version, or in the old one if it was removed: `com.example.Main`.
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old_name: Option<String>,
    pub change: Change,
    /// Changes of the class itself: what it extends and implements, its modifiers and annotations.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub declaration: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<FieldDiff>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub methods: Vec<MethodDiff>,
}

/// A field that changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FieldDiff {
    /// `int limit`
    pub name: String,
    pub change: Change,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old_value: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new_value: Option<String>,
}

/// A method that changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MethodDiff {
    pub name: String,
    /// `(ILjava/lang/String;)V`
    pub descriptor: String,
    pub change: Change,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old_name: Option<String>,
    /// Instructions in the old version.
    pub old_instructions: usize,
    pub new_instructions: usize,
    /// Old and new code, if asked for.
    #[serde(skip)]
    pub listing: Option<MethodListing>,
}

/// The code of a method in both versions, a line for each instruction.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MethodListing {
    pub old: Vec<String>,
    pub new: Vec<String>,
}

/// A resource that changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ResourceDiff {
    /// `@layout/main`
    pub name: String,
    /// The configuration as a folder's name states it; empty for the default.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub configuration: String,
    pub change: Change,
    /// What changed in words: a text's old and new value, a layout's elements.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub details: Vec<String>,
}

/// Choices about a comparison.
#[derive(Debug, Clone, Copy, Default)]
pub struct DiffOptions {
    /// Keep the code of changed methods, for the page.
    pub listings: bool,
}

/// The changed methods as `Lcom/example/Main;->run()V`: ATUA's targets are the modified and the new ones.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ChangedMethods {
    pub modified: Vec<String>,
    pub new: Vec<String>,
    pub removed: Vec<String>,
}

impl AppDiff {
    pub fn compare(old: &Apk, new: &Apk) -> Result<Self, ApkError> {
        AppDiff::compare_with(old, new, DiffOptions::default())
    }

    pub fn compare_with(old: &Apk, new: &Apk, options: DiffOptions) -> Result<Self, ApkError> {
        let (resources, code) = rayon::join(
            || resources::compare(old, new),
            || {
                with_programs(old, new, |one, other| {
                    compare_code((old, one), (new, other), options)
                })
            },
        );
        let (resources, (packages, versions)) = (resources?, code?);
        let manifest = manifest::compare(&old.manifest, &new.manifest);
        Ok(AppDiff { old: versions.0, new: versions.1, manifest, packages, resources })
    }

    pub fn is_empty(&self) -> bool {
        self.manifest.is_empty() && self.packages.is_empty() && self.resources.is_empty()
    }

    /// Returns the changed methods of the app's own code and of its libraries.
    pub fn sets(&self) -> ChangedMethods {
        let mut sets = ChangedMethods::default();
        for class in self.packages.iter().flat_map(|package| &package.classes) {
            let descriptor = format!("L{};", class.name.replace('.', "/"));
            for method in &class.methods {
                let name = format!("{descriptor}->{}{}", method.name, method.descriptor);
                match method.change {
                    Change::Modified => sets.modified.push(name),
                    Change::New => sets.new.push(name),
                    Change::Removed => sets.removed.push(name),
                    Change::Renamed => {}
                }
            }
        }
        sets
    }

    /// Returns a page with the changes and, where listings were kept, old and new code side by side.
    pub fn page(&self) -> String {
        page::render(self)
    }
}

/// Compares the code of two versions. Returns what changed, and both versions.
fn compare_code(
    (old, old_program): (&Apk, &Program),
    (new, new_program): (&Apk, &Program),
    options: DiffOptions,
) -> (Vec<PackageDiff>, (AppVersion, AppVersion)) {
    let trees = rayon::join(|| CodeTree::new(old_program), || CodeTree::new(new_program));
    let packages = classes::compare((old_program, &trees.0), (new_program, &trees.1), options);
    let old = AppVersion::new(old, old_program, &trees.0);
    (packages, (old, AppVersion::new(new, new_program, &trees.1)))
}

impl AppVersion {
    fn new(apk: &Apk, program: &Program, tree: &CodeTree) -> Self {
        let methods = program.classes.iter().map(|class| class.definition.methods.len());
        AppVersion {
            path: apk.path.display().to_string(),
            package: apk.manifest.package.clone(),
            version_name: apk.manifest.version_name.clone(),
            version_code: apk.manifest.version_code,
            classes: program.classes.len(),
            methods: methods.sum(),
            code_hash: format!("{:032x}", tree.root),
        }
    }
}
