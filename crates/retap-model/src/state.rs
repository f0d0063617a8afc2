//! A state: the value of an abstraction on a screen. Screens with equal ids are the same state, and
//! the id is the same on every machine.

use crate::hash::hex_id;

hex_id!(
    /// Sixteen hexadecimal digits.
    StateId, u64, 16
);
