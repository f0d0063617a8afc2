//! Call sites of `invoke-custom` and the method handles they are made of.

use crate::dex::encoded_value::{self, EncodedValue};
use crate::dex::file::{DexFile, FieldId, MethodId};

/// What a method handle refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MethodHandle<'a> {
    Field(FieldId<'a>),
    Method(MethodId<'a>),
}

/// A call whose target the bootstrap method decides when it is first run.
#[derive(Debug, Clone, PartialEq)]
pub struct CallSite<'a> {
    pub bootstrap: MethodHandle<'a>,
    pub name: &'a str,
    /// The number of the prototype that the call is made with.
    pub proto: u32,
    /// Further arguments of the bootstrap method; for a lambda, a handle of its body is among them.
    pub arguments: Vec<EncodedValue<'a>>,
}

impl DexFile<'_> {
    pub fn method_handle(&self, index: u32) -> Option<MethodHandle<'_>> {
        let record = self.method_handle_record(index)?;
        let target = record.u16(4)?.into();
        // Handles 0 to 3 put and get fields, the others call methods.
        Some(match record.u16(0)? {
            0..=3 => MethodHandle::Field(self.field(target)?),
            _ => MethodHandle::Method(self.method(target)?),
        })
    }

    pub fn call_site(&self, index: u32) -> Option<CallSite<'_>> {
        let mut values = encoded_value::read_array_at(self, self.call_site_at(index)?)?.into_iter();
        let (
            Some(EncodedValue::MethodHandle(bootstrap)),
            Some(EncodedValue::String(name)),
            Some(EncodedValue::Proto(proto)),
        ) = (values.next(), values.next(), values.next())
        else {
            return None;
        };
        let bootstrap = self.method_handle(bootstrap)?;
        Some(CallSite { bootstrap, name, proto, arguments: values.collect() })
    }
}
