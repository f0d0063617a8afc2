//! A bound on the work one untrusted file may cause.
//!
//! Binary formats let many small records point at one big one: a megabyte of references to a
//! megabyte of text reads as a terabyte. Honest files share little, so what a file may cost is
//! a small multiple of its own length.

/// How many times its own length a file may be read.
const SHARING: usize = 8;
/// What even an empty file may cost.
const FLOOR: usize = 64 * 1024;

#[derive(Debug, Clone)]
pub(crate) struct Budget {
    left: usize,
}

impl Budget {
    pub fn for_length(len: usize) -> Self {
        Budget { left: len.saturating_mul(SHARING).saturating_add(FLOOR) }
    }

    /// `None` once the budget is spent.
    pub fn spend(&mut self, amount: usize) -> Option<()> {
        self.left = self.left.checked_sub(amount)?;
        Some(())
    }
}
