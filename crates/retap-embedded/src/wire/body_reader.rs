//! Reads the body of a frame piece by piece.

use super::MalformedData;

/// The bytes that are not read yet.
#[derive(Debug)]
pub struct BodyReader<'a> {
    rest: &'a [u8],
    length: usize,
}

impl<'a> BodyReader<'a> {
    pub fn new(body: &'a [u8]) -> Self {
        Self { rest: body, length: body.len() }
    }

    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// Returns an error unless everything has been read.
    pub fn finish(self) -> Result<(), MalformedData> {
        match self.rest.len() {
            0 => Ok(()),
            left => Err(MalformedData::LeftOver(left)),
        }
    }

    pub fn u8(&mut self) -> Result<u8, MalformedData> {
        Ok(self.array::<1>()?[0])
    }

    pub fn u16(&mut self) -> Result<u16, MalformedData> {
        Ok(u16::from_be_bytes(self.array()?))
    }

    pub fn u32(&mut self) -> Result<u32, MalformedData> {
        Ok(u32::from_be_bytes(self.array()?))
    }

    pub fn i32(&mut self) -> Result<i32, MalformedData> {
        Ok(i32::from_be_bytes(self.array()?))
    }

    pub fn u64(&mut self) -> Result<u64, MalformedData> {
        Ok(u64::from_be_bytes(self.array()?))
    }

    /// Reads a number of variable length: seven bits a byte, the lowest first, and the highest bit set
    /// on all but the last byte.
    pub fn varint(&mut self) -> Result<u32, MalformedData> {
        let mut value = 0_u32;
        for shift in (0..u32::BITS).step_by(7) {
            let byte = self.u8()?;
            value |= u32::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(MalformedData::Unknown { what: "number", value })
    }

    /// Returns everything that is left.
    pub fn rest(&mut self) -> &'a [u8] {
        std::mem::take(&mut self.rest)
    }

    pub fn blob(&mut self) -> Result<&'a [u8], MalformedData> {
        let length = self.u32()?;
        self.take(length as usize)
    }

    /// Reads a text. Apps show any bytes they like, so invalid UTF-8 is replaced, not refused.
    pub fn string(&mut self) -> Result<String, MalformedData> {
        Ok(String::from_utf8_lossy(self.blob()?).into_owned())
    }

    /// Reads a list of texts. Memory grows only with bytes that are there, whatever the count says.
    pub fn strings(&mut self) -> Result<Vec<String>, MalformedData> {
        let count = self.u16()?;
        (0..count).map(|_| self.string()).collect()
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], MalformedData> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8], MalformedData> {
        let (taken, rest) = self
            .rest
            .split_at_checked(count)
            .ok_or(MalformedData::Short { at: self.length - self.rest.len(), wanted: count })?;
        self.rest = rest;
        Ok(taken)
    }
}
