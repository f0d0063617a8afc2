//! Reading little-endian numbers out of somebody else's bytes.
//!
//! Every offset and count in an APK is untrusted, so nothing here indexes: a read outside
//! the slice is `None`, and the formats above turn that into their own error.

/// A slice that is read at absolute offsets.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bytes<'a>(pub &'a [u8]);

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

    /// A `u32` that is used as an offset or a count.
    pub fn size(self, at: usize) -> Option<usize> {
        usize::try_from(self.u32(at)?).ok()
    }

    pub fn slice(self, at: usize, len: usize) -> Option<Bytes<'a>> {
        self.0.get(at..at.checked_add(len)?).map(Bytes)
    }

    pub fn from(self, at: usize) -> Option<Bytes<'a>> {
        self.0.get(at..).map(Bytes)
    }

    /// Whether a table of `count` records of `width` bytes fits at `at`.
    pub fn holds_table(self, at: usize, count: usize, width: usize) -> bool {
        count.checked_mul(width).is_some_and(|len| self.slice(at, len).is_some())
    }

    fn array<const N: usize>(self, at: usize) -> Option<[u8; N]> {
        self.0.get(at..at.checked_add(N)?)?.try_into().ok()
    }
}

/// A slice that is read from front to back.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cursor<'a> {
    pub bytes: Bytes<'a>,
    pub at: usize,
}

impl<'a> Cursor<'a> {
    pub fn new(bytes: Bytes<'a>, at: usize) -> Self {
        Cursor { bytes, at }
    }

    pub fn u8(&mut self) -> Option<u8> {
        let byte = self.bytes.u8(self.at)?;
        self.at += 1;
        Some(byte)
    }

    /// The variable-length number of the dex format; five bytes at most.
    pub fn uleb128(&mut self) -> Option<u32> {
        let mut value = 0u32;
        for shift in [0, 7, 14, 21, 28] {
            let byte = self.u8()?;
            value |= u32::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
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

    #[test]
    fn uleb128_takes_seven_bits_a_byte() {
        let read = |bytes: &[u8]| Cursor::new(Bytes(bytes), 0).uleb128();
        assert_eq!(read(&[0x00]), Some(0));
        assert_eq!(read(&[0x80, 0x7f]), Some(16256));
        assert_eq!(read(&[0xff, 0xff, 0xff, 0xff, 0x0f]), Some(u32::MAX));
        assert_eq!(read(&[0x80; 6]), None);
        assert_eq!(read(&[0x80]), None);
    }
}
