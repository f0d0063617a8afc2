//! A bound on the work one untrusted file may cause.
//!
//! Binary formats let many small records point at one big one: a megabyte of references to a
//! megabyte of text reads as a terabyte. Honest files share little, so a file may cost only a
//! small multiple of its own length.

use std::sync::atomic::{AtomicUsize, Ordering};

/// The multiple of its own length that a file may cost.
const SHARING: usize = 8;
/// The cost that even an empty file may have.
const FLOOR: usize = 64 * 1024;

/// The bytes that decoding one file may still produce.
#[derive(Debug, Clone)]
pub struct ReadBudget {
    left: usize,
}

impl ReadBudget {
    /// Returns the budget of a file of `len` bytes.
    pub fn for_length(len: usize) -> Self {
        ReadBudget { left: len.saturating_mul(SHARING).saturating_add(FLOOR) }
    }

    /// Takes `amount` from the budget; `None` if it is spent.
    pub fn spend(&mut self, amount: usize) -> Option<()> {
        self.left = self.left.checked_sub(amount)?;
        Some(())
    }
}

/// A budget that several threads spend. Whether it lasts does not depend on their order.
#[derive(Debug)]
pub struct SharedBudget {
    left: AtomicUsize,
}

impl SharedBudget {
    /// Returns the budget of a file of `len` bytes.
    pub fn for_length(len: usize) -> Self {
        SharedBudget { left: AtomicUsize::new(ReadBudget::for_length(len).left) }
    }

    /// Takes `amount` from the budget; `None` if it is spent.
    pub fn spend(&self, amount: usize) -> Option<()> {
        let take = |left: usize| left.checked_sub(amount);
        self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).ok().map(|_| ())
    }
}
