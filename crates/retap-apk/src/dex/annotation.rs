//! Annotations of classes and their members.

use crate::dex::DexError;
use crate::dex::encoded_value::{self, EncodedValue};
use crate::dex::file::DexFile;
use crate::untrusted::{ByteCursor, Bytes};

/// An annotation with its elements.
#[derive(Debug, Clone, PartialEq)]
pub struct Annotation<'a> {
    pub kind: &'a str,
    pub visibility: Visibility,
    pub elements: Vec<(&'a str, EncodedValue<'a>)>,
}

/// Who can see an annotation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Visibility {
    Build,
    Runtime,
    /// The virtual machine alone: enclosing classes, generic signatures, thrown exceptions.
    System,
}

/// The annotations of one class. Members are named by their numbers.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ClassAnnotations<'a> {
    pub class: Vec<Annotation<'a>>,
    pub fields: Vec<(u32, Vec<Annotation<'a>>)>,
    pub methods: Vec<(u32, Vec<Annotation<'a>>)>,
    /// A list for each parameter of a method.
    pub parameters: Vec<(u32, Vec<Vec<Annotation<'a>>>)>,
}

/// Reads the directory at `at`; nothing if that is 0.
pub(super) fn read<'a>(dex: &'a DexFile, at: usize) -> Result<ClassAnnotations<'a>, DexError> {
    if at == 0 {
        return Ok(ClassAnnotations::default());
    }
    directory(dex, at).ok_or(DexError::Outside("annotations"))
}

fn directory<'a>(dex: &'a DexFile, at: usize) -> Option<ClassAnnotations<'a>> {
    let header = dex.file.slice(at, 16)?;
    let (fields, methods, parameters) = (header.size(4)?, header.size(8)?, header.size(12)?);
    let entries = fields.checked_add(methods)?.checked_add(parameters)?;
    let table = dex.file.slice(at + 16, entries.checked_mul(8)?)?;
    dex.budget.spend(table.len())?;
    let entry = |index: usize| Some((table.u32(8 * index)?, table.size(8 * index + 4)?));
    let member = |index| {
        let (member, at) = entry(index)?;
        Some((member, set(dex, at)?))
    };
    let parameter = |index| {
        let (method, at) = entry(index)?;
        let lists = offsets(dex.file, at)?;
        Some((method, lists.map(|at| set(dex, at?)).collect::<Option<_>>()?))
    };
    Some(ClassAnnotations {
        class: set(dex, header.size(0)?)?,
        fields: (0..fields).map(member).collect::<Option<_>>()?,
        methods: (fields..fields + methods).map(member).collect::<Option<_>>()?,
        parameters: (fields + methods..entries).map(parameter).collect::<Option<_>>()?,
    })
}

/// Reads the annotations of one item; none if `at` is 0.
fn set<'a>(dex: &'a DexFile, at: usize) -> Option<Vec<Annotation<'a>>> {
    if at == 0 {
        return Some(Vec::new());
    }
    let read = |at: Option<usize>| {
        let mut cursor = ByteCursor::new(dex.file, at?);
        let visibility = match cursor.u8()? {
            0 => Visibility::Build,
            1 => Visibility::Runtime,
            _ => Visibility::System,
        };
        Some(Annotation { visibility, ..read_one(dex, &mut cursor, 0)? })
    };
    offsets(dex.file, at)?.map(read).collect()
}

/// Returns the offsets of the list at `at`.
fn offsets(file: Bytes, at: usize) -> Option<impl Iterator<Item = Option<usize>>> {
    let count = file.size(at)?;
    let list = file.slice(at.checked_add(4)?, count.checked_mul(4)?)?;
    Some((0..count).map(move |index| list.size(4 * index)))
}

/// Reads an annotation without its visibility, which nested ones lack.
pub(super) fn read_one<'a>(
    dex: &'a DexFile,
    cursor: &mut ByteCursor,
    depth: usize,
) -> Option<Annotation<'a>> {
    let kind = dex.type_descriptor(cursor.uleb128()?)?;
    let mut elements = Vec::new();
    for _ in 0..cursor.uleb128()? {
        let name = dex.string(cursor.uleb128()?)?;
        elements.push((name, encoded_value::read(dex, cursor, depth + 1)?));
    }
    Some(Annotation { kind, visibility: Visibility::Build, elements })
}
