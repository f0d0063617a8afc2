//! Class definitions as the file states them: fields, methods, the values of static fields, annotations.

use crate::dex::DexError;
use crate::dex::annotation::{self, ClassAnnotations};
use crate::dex::code_item::CodeItem;
use crate::dex::encoded_value::{self, EncodedValue};
use crate::dex::file::{DexFile, FieldId, MethodId};
use crate::dex::header::DexTables;
use crate::dex::pool::NO_INDEX;
use crate::untrusted::ByteCursor;

/// A class with its members. Names are slices of the file.
#[derive(Debug)]
pub struct ClassDefinition<'a> {
    /// `Lcom/example/Main;`
    pub descriptor: &'a str,
    pub access: u32,
    /// `None` for `java.lang.Object` alone.
    pub superclass: Option<&'a str>,
    pub interfaces: Vec<&'a str>,
    /// The name of the source file, if the compiler kept it.
    pub source: Option<&'a str>,
    /// The static fields first.
    pub fields: Vec<FieldDefinition<'a>>,
    /// Direct methods (constructors, private, static) first, then virtual ones.
    pub methods: Vec<MethodDefinition<'a>>,
    annotations_at: usize,
}

/// A field of a class.
#[derive(Debug)]
pub struct FieldDefinition<'a> {
    /// The field's number in its file.
    pub index: u32,
    pub id: FieldId<'a>,
    pub access: u32,
    /// The value of a static field before the class's initialiser runs, if it is not zero.
    pub value: Option<EncodedValue<'a>>,
}

/// A method of a class.
#[derive(Debug)]
pub struct MethodDefinition<'a> {
    /// The method's number in its file.
    pub index: u32,
    pub id: MethodId<'a>,
    pub access: u32,
    /// `None` for abstract and native methods.
    pub code: Option<CodeItem<'a>>,
}

impl<'a> ClassDefinition<'a> {
    /// Reads the annotations of the class and of its members.
    pub fn annotations(&self, dex: &'a DexFile) -> Result<ClassAnnotations<'a>, DexError> {
        annotation::read(dex, self.annotations_at)
    }
}

pub(super) fn read<'a>(dex: &'a DexFile, index: usize) -> Result<ClassDefinition<'a>, DexError> {
    let broken = || DexError::Broken { what: "class", index: index as u32 };
    let in_table = index < dex.header().classes;
    let at = dex.tables.classes_at + index * DexTables::CLASS;
    let definition =
        dex.file.slice(at, DexTables::CLASS).filter(|_| in_table).ok_or_else(broken)?;
    let field = |at| definition.u32(at).ok_or_else(broken);
    let optional = |index: u32| (index != NO_INDEX).then_some(index);
    let class_type = |index| dex.type_descriptor(index).ok_or_else(broken);
    let mut class = ClassDefinition {
        descriptor: class_type(field(0)?)?,
        access: field(4)?,
        superclass: optional(field(8)?).map(class_type).transpose()?,
        interfaces: dex.type_list(field(12)? as usize).ok_or_else(broken)?,
        source: optional(field(16)?).and_then(|index| dex.string(index)),
        fields: Vec::new(),
        methods: Vec::new(),
        annotations_at: field(20)? as usize,
    };
    let data_at = field(24)? as usize;
    if data_at != 0 {
        members(dex, data_at, &mut class).unwrap_or_else(|| Err(broken()))?;
    }
    let values_at = field(28)? as usize;
    if values_at != 0 {
        let values = encoded_value::read_array_at(dex, values_at).ok_or_else(broken)?;
        for (field, value) in class.fields.iter_mut().zip(values) {
            field.value = Some(value);
        }
    }
    Ok(class)
}

/// Reads the fields and methods at `at`. `None` where the data is cut off or refers to something that is not there.
fn members<'a>(
    dex: &'a DexFile,
    at: usize,
    class: &mut ClassDefinition<'a>,
) -> Option<Result<(), DexError>> {
    let mut cursor = ByteCursor::new(dex.file, at);
    let counts = [cursor.uleb128()?, cursor.uleb128()?, cursor.uleb128()?, cursor.uleb128()?];
    for count in &counts[..2] {
        let mut index = 0u32;
        for _ in 0..*count {
            index = index.checked_add(cursor.uleb128()?)?;
            let access = cursor.uleb128()?;
            let field = FieldDefinition { index, id: dex.field(index)?, access, value: None };
            class.fields.push(field);
            if dex.budget.spend(size_of::<u64>()).is_none() {
                return Some(Err(DexError::TooCostly));
            }
        }
    }
    for count in &counts[2..] {
        let mut index = 0u32;
        for _ in 0..*count {
            index = index.checked_add(cursor.uleb128()?)?;
            let (access, code_at) = (cursor.uleb128()?, cursor.uleb128()? as usize);
            let id = dex.method(index)?;
            let code = match CodeItem::read(dex, code_at) {
                Ok(code) => code,
                Err(DexError::TooCostly) => return Some(Err(DexError::TooCostly)),
                Err(_) => return Some(Err(DexError::Broken { what: "code of method", index })),
            };
            class.methods.push(MethodDefinition { index, id, access, code });
        }
    }
    Some(Ok(()))
}
