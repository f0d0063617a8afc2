//! A state: what an abstraction function says of a screen. Two screens are the same state when their
//! ids are equal; the id is the same on every machine.

use crate::hash::hex_id;

hex_id!(
    /// Sixteen hexadecimal digits.
    StateId, u64, 16
);
