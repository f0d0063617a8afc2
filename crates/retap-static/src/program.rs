//! An app's code with all its names at hand: the ground of every analysis.

mod resource_names;
mod symbols;

use std::collections::BTreeMap;

use rayon::prelude::*;
use retap_apk::{
    Apk, ApkError, ClassDefinition, DexEntryBytes, DexError, DexFile, MethodDefinition,
};

pub use resource_names::ResourceNames;
pub use symbols::{SymbolHashes, call_site_text, handle_text, value_text};

/// All classes of an app. Of two classes with one name the first counts, as on a phone.
pub struct Program<'a> {
    pub package: &'a str,
    pub resources: &'a ResourceNames,
    /// In the order of their descriptors.
    pub classes: Vec<ProgramClass<'a>>,
    by_descriptor: BTreeMap<&'a str, usize>,
}

/// A class and the file it lies in.
pub struct ProgramClass<'a> {
    pub dex: &'a DexNames<'a>,
    pub definition: ClassDefinition<'a>,
}

/// A dex file with texts and hashes that are made once for each item of its tables.
pub struct DexNames<'a> {
    pub file: &'a DexFile<'a>,
    descriptors: Vec<String>,
    pub hashes: SymbolHashes,
}

/// Reads the code of an APK and hands it to `work`.
pub fn with_program<T>(apk: &Apk, work: impl FnOnce(&Program) -> T) -> Result<T, ApkError> {
    with_entries(apk, &apk.dex_files()?, work)
}

/// Reads the code of two APKs at once and hands it to `work`.
pub fn with_programs<T>(
    old: &Apk,
    new: &Apk,
    work: impl FnOnce(&Program, &Program) -> T,
) -> Result<T, ApkError> {
    let (old_entries, new_entries) = rayon::join(|| old.dex_files(), || new.dex_files());
    let (old_entries, new_entries) = (old_entries?, new_entries?);
    with_entries(old, &old_entries, |old| with_entries(new, &new_entries, |new| work(old, new)))?
}

fn with_entries<T>(
    apk: &Apk,
    entries: &[DexEntryBytes],
    work: impl FnOnce(&Program) -> T,
) -> Result<T, ApkError> {
    let resources = ResourceNames::new(apk.resources());
    let parsed =
        entries.par_iter().map(|entry| parse(apk, entry)).collect::<Result<Vec<_>, _>>()?;
    let files: Vec<(&str, DexFile)> = parsed.into_iter().flatten().collect();
    let names: Vec<DexNames> = files.par_iter().map(|(_, file)| DexNames::new(file)).collect();
    let classes = files.iter().zip(&names).map(|((entry, _), names)| {
        let read = |index| names.file.class(index);
        let classes = (0..names.file.header().classes).into_par_iter().map(read);
        let classes = classes.collect::<Result<Vec<_>, _>>();
        let classes = classes.map_err(|source| bad_dex(apk, entry, source))?;
        Ok(classes.into_iter().map(|definition| ProgramClass { dex: names, definition }))
    });
    let classes = classes.collect::<Result<Vec<_>, ApkError>>()?.into_iter().flatten();
    Ok(work(&Program::new(&apk.manifest.package, &resources, classes.collect())))
}

fn parse<'a>(apk: &Apk, entry: &'a DexEntryBytes) -> Result<Vec<(&'a str, DexFile<'a>)>, ApkError> {
    let files = DexFile::parse(&entry.bytes).map_err(|source| bad_dex(apk, &entry.name, source))?;
    Ok(files.into_iter().map(|file| (entry.name.as_str(), file)).collect())
}

fn bad_dex(apk: &Apk, entry: &str, source: DexError) -> ApkError {
    ApkError::BadDex { name: apk.path.display().to_string(), entry: entry.to_owned(), source }
}

impl<'a> Program<'a> {
    fn new(
        package: &'a str,
        resources: &'a ResourceNames,
        mut classes: Vec<ProgramClass<'a>>,
    ) -> Self {
        classes.sort_by_key(|class| class.definition.descriptor);
        classes.dedup_by_key(|class| class.definition.descriptor);
        let named =
            |(position, class): (usize, &ProgramClass<'a>)| (class.definition.descriptor, position);
        let by_descriptor = classes.iter().enumerate().map(named).collect();
        Program { package, resources, classes, by_descriptor }
    }

    /// Returns the position of the class with this descriptor.
    pub fn position(&self, descriptor: &str) -> Option<usize> {
        self.by_descriptor.get(descriptor).copied()
    }

    pub fn class(&self, descriptor: &str) -> Option<&ProgramClass<'a>> {
        self.position(descriptor).map(|position| &self.classes[position])
    }
}

impl<'a> ProgramClass<'a> {
    pub fn descriptor(&self) -> &'a str {
        self.definition.descriptor
    }

    /// Returns a method's prototype as one text: `(ILjava/lang/String;)V`.
    pub fn method_descriptor(&self, method: &MethodDefinition) -> &'a str {
        self.dex.descriptor(method.id.proto)
    }
}

impl<'a> DexNames<'a> {
    fn new(file: &'a DexFile<'a>) -> Self {
        let protos = 0..file.header().protos as u32;
        let descriptors: Vec<String> =
            protos.map(|proto| file.descriptor(proto).unwrap_or_default()).collect();
        let hashes = SymbolHashes::new(file, &descriptors);
        DexNames { file, descriptors, hashes }
    }

    pub fn descriptor(&self, proto: u32) -> &str {
        self.descriptors.get(proto as usize).map_or("", String::as_str)
    }
}

/// Returns the name as in Java source: `com.example.Main` for `Lcom/example/Main;`.
pub fn java_name(descriptor: &str) -> String {
    let elements = descriptor.trim_start_matches('[');
    let dimensions = descriptor.len() - elements.len();
    let name = match elements {
        "V" => "void".to_owned(),
        "Z" => "boolean".to_owned(),
        "B" => "byte".to_owned(),
        "S" => "short".to_owned(),
        "C" => "char".to_owned(),
        "I" => "int".to_owned(),
        "J" => "long".to_owned(),
        "F" => "float".to_owned(),
        "D" => "double".to_owned(),
        class => class.trim_start_matches('L').trim_end_matches(';').replace('/', "."),
    };
    name + &"[]".repeat(dimensions)
}

/// Returns the types of a method descriptor's parameters, in their order, and then what it returns.
pub fn descriptor_types(descriptor: &str) -> Vec<&str> {
    let mut types = Vec::new();
    let mut rest = descriptor;
    while let Some(first) = rest.chars().next() {
        if matches!(first, '(' | ')') {
            rest = &rest[1..];
            continue;
        }
        let name_at = rest.len() - rest.trim_start_matches('[').len();
        let len = match rest[name_at..].chars().next() {
            Some('L') => rest.find(';').map_or(rest.len(), |end| end + 1),
            Some(other) => name_at + other.len_utf8(),
            None => rest.len(),
        };
        types.push(&rest[..len]);
        rest = &rest[len..];
    }
    types
}
