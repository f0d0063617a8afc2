//! A class of an APK with its methods and their calls.

use std::fmt;
use std::sync::Arc;

use super::library::{self, Library};

/// A class that a dex file defines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DexClass {
    /// `Lcom/example/Main;`
    pub descriptor: Arc<str>,
    pub access: u32,
    /// `None` for `java.lang.Object` alone.
    pub superclass: Option<Arc<str>>,
    pub interfaces: Vec<Arc<str>>,
    pub methods: Vec<DexMethod>,
}

/// A method that a class defines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DexMethod {
    pub name: Arc<str>,
    /// `(ILjava/lang/String;)V`
    pub descriptor: Arc<str>,
    pub access: u32,
    /// The length of its code in 16-bit units; 0 for abstract and native methods.
    pub code_units: usize,
    pub calls: Vec<Call>,
}

/// One call instruction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    pub target: Arc<MethodReference>,
    /// The first constant text among its arguments.
    pub text: Option<Arc<str>>,
}

/// A method by name. It may be inherited: the search for it begins at `class`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MethodReference {
    pub class: Arc<str>,
    pub name: Arc<str>,
    pub descriptor: Arc<str>,
}

impl DexClass {
    /// Returns the name as in Java source: `com.example.Main`.
    pub fn name(&self) -> String {
        self.path().replace('/', ".")
    }

    /// Returns the library the class comes from, or none if it is the app's own.
    pub fn library(&self, app_package: &str) -> Option<&'static Library> {
        library::find(self.path(), app_package)
    }

    pub(super) fn package(&self) -> &str {
        self.path().rsplit_once('/').map_or("", |(package, _)| package)
    }

    fn path(&self) -> &str {
        path_of(&self.descriptor)
    }
}

/// Returns `com/example/Main` for `Lcom/example/Main;`.
pub(super) fn path_of(descriptor: &str) -> &str {
    let path = descriptor.strip_prefix('L').unwrap_or(descriptor);
    path.strip_suffix(';').unwrap_or(path)
}

impl fmt::Display for MethodReference {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}->{}{}", self.class, self.name, self.descriptor)
    }
}
