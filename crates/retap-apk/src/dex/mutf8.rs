//! Modified UTF-8: NUL takes two bytes, and characters beyond the first plane are two surrogates.

use std::borrow::Cow;

use crate::untrusted::ByteCursor;

/// Reads the text up to the closing NUL. Malformed bytes become the replacement character, which
/// is never longer than the bytes it replaces.
pub fn read(cursor: &mut ByteCursor) -> Option<String> {
    read_slice(cursor).map(Cow::into_owned)
}

/// Reads the same text as a slice of the file, if its bytes are ordinary UTF-8.
pub fn read_slice<'a>(cursor: &mut ByteCursor<'a>) -> Option<Cow<'a, str>> {
    let rest = cursor.bytes.0.get(cursor.at..)?;
    let len = rest.iter().position(|&byte| byte == 0)?;
    let encoded = &rest[..len];
    cursor.at += len + 1;
    match std::str::from_utf8(encoded) {
        Ok(text) => Some(Cow::Borrowed(text)),
        Err(_) => Some(Cow::Owned(decode(encoded))),
    }
}

fn decode(encoded: &[u8]) -> String {
    let units = std::iter::from_fn({
        let mut rest = encoded;
        move || {
            let (unit, len) = match *rest {
                [] => return None,
                [a, b, ..] if a >> 5 == 0b110 && is_tail(b) => (bits(a, 0x1f, 6) | tail(b), 2),
                [a, b, c, ..] if a >> 4 == 0b1110 && is_tail(b) && is_tail(c) => {
                    (bits(a, 0x0f, 12) | tail(b) << 6 | tail(c), 3)
                }
                [a, ..] if a < 0x80 => (a.into(), 1),
                _ => (0xfffd, 1),
            };
            rest = &rest[len..];
            Some(unit)
        }
    });
    char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

fn is_tail(byte: u8) -> bool {
    byte >> 6 == 0b10
}

fn tail(byte: u8) -> u16 {
    bits(byte, 0x3f, 0)
}

fn bits(byte: u8, mask: u8, shift: u32) -> u16 {
    u16::from(byte & mask) << shift
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::untrusted::Bytes;

    fn check(bytes: &[u8], expected: Option<&str>) {
        assert_eq!(read(&mut ByteCursor::new(Bytes(bytes), 0)).as_deref(), expected);
    }

    #[test]
    fn text_is_read_up_to_its_nul() {
        check(b"plain\0rest", Some("plain"));
        check("grüße\0".as_bytes(), Some("grüße"));
        check(b"a\xc0\x80b\0", Some("a\0b"));
        check(b"\xed\xa0\xbe\xed\xb6\x80\0", Some("🦀"));
        check(b"\xed\xa0\xbe!\0", Some("\u{fffd}!"));
        check(b"\xff\0", Some("\u{fffd}"));
        check(b"endless", None);
    }
}
