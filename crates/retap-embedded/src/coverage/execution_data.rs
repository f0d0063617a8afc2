//! JaCoCo's execution data, `coverage.exec`: the executed probes of each class. All times are zero, so
//! that the same run makes the same bytes.

use super::ProbeTable;
use super::probe_table::ProbedClass;
use crate::wire::{BodyReader, MalformedData};
use retap_model::{Coverage, UnitId};
use std::collections::BTreeMap;

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

/// Returns the units that execution data shows. Other tools and other runs may have written parts of it: classes that the
/// table does not have are skipped.
pub fn decode(table: &ProbeTable, data: &[u8]) -> Result<Coverage, MalformedData> {
    let classes: BTreeMap<u64, &ProbedClass> =
        table.classes.iter().map(|class| (class.id, class)).collect();
    let mut body = BodyReader::new(data);
    let mut units: Vec<UnitId> = Vec::new();
    let mut is_begun = false;
    while !body.is_empty() {
        match body.u8()? {
            HEADER => {
                let (magic, version) = (body.u16()?, body.u16()?);
                if (magic, version) != (MAGIC, VERSION) {
                    return Err(MalformedData::Unknown { what: "version", value: version.into() });
                }
                is_begun = true;
            }
            SESSION if is_begun => {
                skip_string(&mut body)?;
                body.u64()?;
                body.u64()?;
            }
            EXECUTION if is_begun => {
                let id = body.u64()?;
                skip_string(&mut body)?;
                decode_probes(&mut body, classes.get(&id).copied(), &mut units)?;
            }
            kind => return Err(MalformedData::Unknown { what: "block", value: kind.into() }),
        }
    }
    units.sort_unstable();
    units.dedup();
    Ok(units.into_iter().collect())
}

fn skip_string(body: &mut BodyReader<'_>) -> Result<(), MalformedData> {
    for _ in 0..body.u16()? {
        body.u8()?;
    }
    Ok(())
}

fn decode_probes(
    body: &mut BodyReader<'_>,
    class: Option<&ProbedClass>,
    units: &mut Vec<UnitId>,
) -> Result<(), MalformedData> {
    let count = body.varint()?;
    if class.is_some_and(|class| class.probe_count() != count as usize) {
        return Err(MalformedData::Unknown { what: "number of probes", value: count });
    }
    for first in (0..count as usize).step_by(8) {
        let bits = body.u8()?;
        for probe in (0..8).filter(|bit| bits >> bit & 1 != 0).map(|bit| first + bit) {
            units.extend(class.and_then(|class| class.units_of(probe)).unwrap_or_default());
        }
    }
    Ok(())
}

/// Writes Java's modified UTF-8: a length in two bytes, zero in two bytes, surrogates separately.
pub fn write_string(out: &mut Vec<u8>, text: &str) {
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

    /// Returns the sample with an id for each class, as in every real table.
    fn distinct_table() -> ProbeTable {
        let mut table = sample_table();
        for (id, class) in (1..).zip(&mut table.classes) {
            class.id = id;
        }
        table
    }

    #[test]
    fn what_is_written_is_read() {
        let table = distinct_table();
        let covered: Coverage = [0, 1, 3].into_iter().collect();
        let file = encode(&table, &covered);
        let twice = [&file[..], &file].concat();
        for data in [&file, &twice] {
            assert!(decode(&table, data).unwrap().iter().all(|unit| covered.contains(unit)));
        }
        assert_eq!(decode(&table, &[]).unwrap(), Coverage::default());
        let unbegun = MalformedData::Unknown { what: "block", value: 0x11 };
        assert_eq!(decode(&table, &[EXECUTION]), Err(unbegun));
        assert!(decode(&table, &file[..file.len() - 1]).is_err());
    }

    #[test]
    fn damaged_execution_data() {
        let table = distinct_table();
        let whole = encode(&table, &(0..4).collect());
        retap_fuzz::fuzz("execution-data", &[&whole], &["\u{11}", "\u{1}"], |bytes| {
            let Ok(covered) = decode(&table, bytes) else { return false };
            assert!(covered.iter().all(|unit| (unit as usize) < table.units.len()));
            true
        });
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
