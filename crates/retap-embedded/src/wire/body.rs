//! The body of one frame, written and read piece by piece.

/// A reply that is not what the protocol says.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Malformed {
    #[error("it ends after {at} bytes, where {wanted} more were to come")]
    Short { at: usize, wanted: usize },
    #[error("{0} bytes are left over")]
    LeftOver(usize),
    #[error("{what} {value} is unknown")]
    Unknown { what: &'static str, value: u32 },
    #[error("a widget tree is more than {0} levels deep")]
    Deep(u16),
    #[error("the screen is said to be unchanged, but none was sent before")]
    NoScreen,
}

#[derive(Debug, Default)]
pub struct Writer(Vec<u8>);

impl Writer {
    pub fn finish(self) -> Vec<u8> {
        self.0
    }

    pub fn u8(&mut self, value: u8) -> &mut Self {
        self.raw(&[value])
    }

    pub fn u16(&mut self, value: u16) -> &mut Self {
        self.raw(&value.to_be_bytes())
    }

    pub fn i32(&mut self, value: i32) -> &mut Self {
        self.raw(&value.to_be_bytes())
    }

    pub fn u64(&mut self, value: u64) -> &mut Self {
        self.raw(&value.to_be_bytes())
    }

    pub fn string(&mut self, value: &str) -> &mut Self {
        self.blob(value.as_bytes())
    }

    pub fn blob(&mut self, value: &[u8]) -> &mut Self {
        // A longer one would not fit a frame, which is checked when it is sent.
        let length = u32::try_from(value.len()).unwrap_or(u32::MAX);
        self.raw(&length.to_be_bytes()).raw(value)
    }

    pub fn strings<S: AsRef<str>>(&mut self, values: &[S]) -> &mut Self {
        let values = &values[..values.len().min(u16::MAX.into())];
        self.u16(values.len() as u16);
        for value in values {
            self.string(value.as_ref());
        }
        self
    }

    fn raw(&mut self, bytes: &[u8]) -> &mut Self {
        self.0.extend_from_slice(bytes);
        self
    }
}

#[derive(Debug)]
pub struct Reader<'a> {
    rest: &'a [u8],
    length: usize,
}

impl<'a> Reader<'a> {
    pub fn new(body: &'a [u8]) -> Self {
        Self { rest: body, length: body.len() }
    }

    /// Everything must have been read.
    pub fn finish(self) -> Result<(), Malformed> {
        match self.rest.len() {
            0 => Ok(()),
            left => Err(Malformed::LeftOver(left)),
        }
    }

    pub fn u8(&mut self) -> Result<u8, Malformed> {
        Ok(self.array::<1>()?[0])
    }

    pub fn u16(&mut self) -> Result<u16, Malformed> {
        Ok(u16::from_be_bytes(self.array()?))
    }

    pub fn u32(&mut self) -> Result<u32, Malformed> {
        Ok(u32::from_be_bytes(self.array()?))
    }

    pub fn i32(&mut self) -> Result<i32, Malformed> {
        Ok(i32::from_be_bytes(self.array()?))
    }

    pub fn u64(&mut self) -> Result<u64, Malformed> {
        Ok(u64::from_be_bytes(self.array()?))
    }

    /// Seven bits a byte, the lowest first, the highest bit set on all but the last.
    pub fn number(&mut self) -> Result<u32, Malformed> {
        let mut value = 0_u32;
        for shift in (0..u32::BITS).step_by(7) {
            let byte = self.u8()?;
            value |= u32::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(Malformed::Unknown { what: "number", value })
    }

    /// All that is left.
    pub fn rest(&mut self) -> &'a [u8] {
        std::mem::take(&mut self.rest)
    }

    pub fn blob(&mut self) -> Result<&'a [u8], Malformed> {
        let length = self.u32()?;
        self.take(length as usize)
    }

    /// Apps show any bytes they like: what is no UTF-8 is replaced, not refused.
    pub fn string(&mut self) -> Result<String, Malformed> {
        Ok(String::from_utf8_lossy(self.blob()?).into_owned())
    }

    /// Counts are not believed in advance: memory grows only with bytes that are there.
    pub fn strings(&mut self) -> Result<Vec<String>, Malformed> {
        let count = self.u16()?;
        (0..count).map(|_| self.string()).collect()
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Malformed> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8], Malformed> {
        let (taken, rest) = self
            .rest
            .split_at_checked(count)
            .ok_or(Malformed::Short { at: self.length - self.rest.len(), wanted: count })?;
        self.rest = rest;
        Ok(taken)
    }
}
