//! What an instruction of a canonical form works on.

use std::fmt;

/// A value's name. The order is any that does not depend on the compiler: operands that may be swapped are sorted by it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum ValueName<'a> {
    Number(i64),
    /// A string or a resource.
    Constant(String),
    /// A class, by its descriptor.
    Class(&'a str),
    Parameter(usize),
    /// The line that made it.
    Line(u32),
    /// A line that comes later, as in a loop.
    Later,
    Several,
    Unknown,
}

impl fmt::Display for ValueName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ValueName::Number(number) => write!(f, "{number}"),
            ValueName::Constant(text) => f.write_str(text),
            ValueName::Class(descriptor) => write!(f, "class {descriptor}"),
            ValueName::Parameter(number) => write!(f, "p{number}"),
            ValueName::Line(number) => write!(f, "#{number}"),
            ValueName::Later => f.write_str("later"),
            ValueName::Several => f.write_str("several"),
            ValueName::Unknown => f.write_str("unknown"),
        }
    }
}
