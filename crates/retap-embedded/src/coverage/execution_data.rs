//! JaCoCo's execution data, `coverage.exec`: the executed probes of each class. All times are zero, so
//! that the same run makes the same bytes.

use super::ProbeTable;
use retap_model::Coverage;

const HEADER: u8 = 0x01;
const MAGIC: u16 = 0xc0c0;
const VERSION: u16 = 0x1007;
const SESSION: u8 = 0x10;
const EXECUTION: u8 = 0x11;

/// Returns the contents of `coverage.exec` for these units.
pub fn encode(table: &ProbeTable, covered: &Coverage) -> Vec<u8> {
    let mut out = vec![HEADER];
    out.extend_from_slice(&MAGIC.to_be_bytes());
    out.extend_from_slice(&VERSION.to_be_bytes());
    out.push(SESSION);
    write_string(&mut out, "retap");
    out.extend_from_slice(&[0; 16]);
    for (class, probes) in table.classes.iter().zip(table.probes_within(covered)) {
        if probes.contains(&true) {
            out.push(EXECUTION);
            out.extend_from_slice(&class.id.to_be_bytes());
            write_string(&mut out, &class.name);
            write_probes(&mut out, &probes);
        }
    }
    out
}

/// Writes Java's modified UTF-8: a length in two bytes, zero in two bytes, surrogates separately.
fn write_string(out: &mut Vec<u8>, text: &str) {
    let mut bytes = Vec::new();
    for unit in text.encode_utf16() {
        let [high, middle, low] =
            [unit >> 12, unit >> 6 & 0x3f, unit & 0x3f].map(|part| part as u8);
        match unit {
            0x01..=0x7f => bytes.push(unit as u8),
            0 | 0x80..=0x7ff => bytes.extend([0xc0 | high << 6 | middle, 0x80 | low]),
            _ => bytes.extend([0xe0 | high, 0x80 | middle, 0x80 | low]),
        }
    }
    // The class file bounds the length of a class's name in the same way.
    out.extend_from_slice(&(bytes.len() as u16).to_be_bytes());
    out.extend_from_slice(&bytes);
}

/// Writes the number of probes, seven bits a byte, then eight probes a byte, the first in the lowest
/// bit.
fn write_probes(out: &mut Vec<u8>, probes: &[bool]) {
    let mut left = probes.len();
    while left > 0x7f {
        out.push(left as u8 | 0x80);
        left >>= 7;
    }
    out.push(left as u8);
    for byte in probes.chunks(8) {
        let bit = |(at, set): (usize, &bool)| u8::from(*set) << at;
        out.push(byte.iter().enumerate().map(bit).sum());
    }
}

#[cfg(test)]
mod tests {
    use super::super::probe_table::tests::sample_table;
    use super::*;

    #[test]
    fn the_file_has_the_format_that_jacoco_documents() {
        let expected = [
            &[1, 0xc0, 0xc0, 0x10, 0x07, 0x10, 0, 5][..],
            b"retap",
            &[0; 16],
            &[0x11, 1, 2, 3, 4, 5, 6, 7, 8, 0, 3],
            b"a/B",
            &[3, 0b010],
            &[0x11, 1, 2, 3, 4, 5, 6, 7, 8, 0, 5],
            b"a/B$C",
            &[1, 1],
        ];
        let covered = [0, 2, 3].into_iter().collect();
        assert_eq!(encode(&sample_table(), &covered), expected.concat());
    }

    #[test]
    fn strings_are_modified_utf8_and_large_counts_take_more_bytes() {
        let mut out = Vec::new();
        write_string(&mut out, "aé€😀\0");
        let expected: &[u8] = &[
            0, 14, b'a', 0xc3, 0xa9, 0xe2, 0x82, 0xac, 0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80, 0xc0,
            0x80,
        ];
        assert_eq!(out, expected);
        let mut out = Vec::new();
        write_probes(&mut out, &[true; 300]);
        assert_eq!(out[..2], [0xac, 0x02]);
        assert_eq!(out.len(), 2 + 38);
        assert_eq!(out[39], 0x0f);
    }
}
