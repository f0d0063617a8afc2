//! Reading little-endian numbers at absolute offsets.
//!
//! Every offset and count in an APK is untrusted, so nothing here indexes: a read outside
//! the slice is `None`, and the formats above turn that into their own error.

/// A slice that is read at absolute offsets.
#[derive(Debug, Clone, Copy)]
pub struct Bytes<'a>(pub &'a [u8]);

impl<'a> Bytes<'a> {
    pub fn len(self) -> usize {
        self.0.len()
    }

    pub fn u8(self, at: usize) -> Option<u8> {
        self.0.get(at).copied()
    }

    pub fn u16(self, at: usize) -> Option<u16> {
        Some(u16::from_le_bytes(self.array(at)?))
    }

    pub fn u32(self, at: usize) -> Option<u32> {
        Some(u32::from_le_bytes(self.array(at)?))
    }

    /// Reads a `u32` that is used as an offset or a count.
    pub fn size(self, at: usize) -> Option<usize> {
        usize::try_from(self.u32(at)?).ok()
    }

    pub fn slice(self, at: usize, len: usize) -> Option<Bytes<'a>> {
        self.0.get(at..at.checked_add(len)?).map(Bytes)
    }

    /// Returns everything from `at` on.
    pub fn from(self, at: usize) -> Option<Bytes<'a>> {
        self.0.get(at..).map(Bytes)
    }

    /// Returns true if a table of `count` records of `width` bytes fits at `at`.
    pub fn holds_table(self, at: usize, count: usize, width: usize) -> bool {
        count.checked_mul(width).is_some_and(|len| self.slice(at, len).is_some())
    }

    fn array<const N: usize>(self, at: usize) -> Option<[u8; N]> {
        self.0.get(at..at.checked_add(N)?)?.try_into().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_read_past_the_end_is_none() {
        let bytes = Bytes(&[1, 2, 3]);
        assert_eq!(bytes.u16(1), Some(0x0302));
        assert_eq!(bytes.u16(2), None);
        assert_eq!(bytes.u32(usize::MAX), None);
        assert!(bytes.slice(2, usize::MAX).is_none());
        assert!(!bytes.holds_table(0, usize::MAX, 4));
    }
}
