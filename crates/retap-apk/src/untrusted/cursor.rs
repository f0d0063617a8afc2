//! Reading bytes from front to back.

use super::Bytes;

/// A slice and the position of the next read.
#[derive(Debug, Clone, Copy)]
pub struct ByteCursor<'a> {
    pub bytes: Bytes<'a>,
    pub at: usize,
}

impl<'a> ByteCursor<'a> {
    pub fn new(bytes: Bytes<'a>, at: usize) -> Self {
        ByteCursor { bytes, at }
    }

    pub fn u8(&mut self) -> Option<u8> {
        let byte = self.bytes.u8(self.at)?;
        self.at += 1;
        Some(byte)
    }

    /// Reads the variable-length number of the dex format, which has five bytes at most.
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

    /// Reads the signed form of that number.
    pub fn sleb128(&mut self) -> Option<i32> {
        let mut value = 0i64;
        for shift in [0, 7, 14, 21, 28] {
            let byte = self.u8()?;
            value |= i64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                let unused = 64 - (shift + 7);
                return Some((value << unused >> unused) as i32);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uleb128_takes_seven_bits_a_byte() {
        let read = |bytes: &[u8]| ByteCursor::new(Bytes(bytes), 0).uleb128();
        assert_eq!(read(&[0x00]), Some(0));
        assert_eq!(read(&[0x80, 0x7f]), Some(16256));
        assert_eq!(read(&[0xff, 0xff, 0xff, 0xff, 0x0f]), Some(u32::MAX));
        assert_eq!(read(&[0x80; 6]), None);
        assert_eq!(read(&[0x80]), None);
    }

    #[test]
    fn sleb128_extends_the_sign() {
        let read = |bytes: &[u8]| ByteCursor::new(Bytes(bytes), 0).sleb128();
        assert_eq!(read(&[0x00]), Some(0));
        assert_eq!(read(&[0x7f]), Some(-1));
        assert_eq!(read(&[0x80, 0x7f]), Some(-128));
        assert_eq!(read(&[0x80, 0x80, 0x80, 0x80, 0x78]), Some(i32::MIN));
        assert_eq!(read(&[0x80]), None);
    }
}
