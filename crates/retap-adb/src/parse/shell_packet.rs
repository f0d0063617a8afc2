//! The packets of the second shell protocol: a kind, a length, the content.

use crate::host::ShellReply;

const OUTPUT: u8 = 1;
const ERRORS: u8 = 2;
const EXIT: u8 = 3;

/// Decodes everything that a command sent; `None` if it was cut before the exit code.
pub fn decode(mut bytes: &[u8]) -> Option<ShellReply> {
    let mut reply = ShellReply::default();
    while let Some((head, rest)) = bytes.split_at_checked(5) {
        let length = u32::from_le_bytes([head[1], head[2], head[3], head[4]]);
        let (content, rest) = rest.split_at_checked(length as usize)?;
        match head[0] {
            OUTPUT => reply.output.extend_from_slice(content),
            ERRORS => reply.errors.extend_from_slice(content),
            EXIT => reply.code = content.first().copied(),
            _ => {}
        }
        bytes = rest;
    }
    reply.code.is_some().then_some(reply)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_and_errors_are_told_apart_and_a_cut_is_seen() {
        let all = b"\x01\x02\0\0\0hi\x02\x03\0\0\0bad\x01\x01\0\0\0!\x03\x01\0\0\0\x07";
        let reply = decode(all).unwrap();
        assert_eq!(reply.output, b"hi!");
        assert_eq!(reply.errors, b"bad");
        assert_eq!(reply.code, Some(7));
        for end in 0..all.len() {
            assert_eq!(decode(&all[..end]), None, "{end}");
        }
    }
}
