//! Writes the body of a frame piece by piece.

/// The bytes written so far.
#[derive(Debug, Default)]
pub struct BodyWriter(Vec<u8>);

impl BodyWriter {
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
        // A longer value does not fit in a frame, which is checked when it is sent.
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
