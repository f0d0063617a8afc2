//! Turns the probes that the agent sends into coverage. Most events repeat exactly the probes of an
//! earlier event, so that results are cached.

use super::ProbeTable;
use crate::wire::{BodyReader, MalformedData};
use retap_model::{Coverage, UnitId};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The number of cached results, which take some megabytes. A full cache is cleared.
const MAX_CACHED: usize = 2_000;

/// Decodes probes with an app's table of units.
#[derive(Debug, Default)]
pub struct ProbeDecoder {
    table: Arc<ProbeTable>,
    cached: BTreeMap<Vec<u8>, Arc<Coverage>>,
}

impl ProbeDecoder {
    pub fn new(table: Arc<ProbeTable>) -> Self {
        Self { table, cached: BTreeMap::new() }
    }

    pub fn table(&self) -> &Arc<ProbeTable> {
        &self.table
    }

    /// Returns the units that these probes show.
    pub fn coverage(&mut self, sent: &[u8]) -> Result<Arc<Coverage>, MalformedData> {
        if let Some(coverage) = self.cached.get(sent) {
            return Ok(Arc::clone(coverage));
        }
        let coverage = Arc::new(decode(sent, &self.table)?);
        if self.cached.len() == MAX_CACHED {
            self.cached.clear();
        }
        self.cached.insert(sent.to_vec(), Arc::clone(&coverage));
        Ok(coverage)
    }
}

fn decode(sent: &[u8], table: &ProbeTable) -> Result<Coverage, MalformedData> {
    let mut body = BodyReader::new(sent);
    let mut units: Vec<UnitId> = Vec::new();
    let mut classes = NumberSequence::default();
    while let Some(index) = classes.next(&mut body)? {
        let unknown = |what, value: usize| MalformedData::Unknown {
            what,
            value: u32::try_from(value).unwrap_or(u32::MAX),
        };
        let class = table.classes.get(index).ok_or_else(|| unknown("class", index))?;
        let mut probes = NumberSequence::default();
        while let Some(probe) = probes.next(&mut body)? {
            let shown = class.units_of(probe).ok_or_else(|| unknown("probe", probe))?;
            units.extend_from_slice(shown);
        }
    }
    body.finish()?;
    units.sort_unstable();
    units.dedup();
    Ok(units.into_iter().collect())
}

/// A sequence of growing numbers, each sent as its distance from the previous one. A distance of 0
/// ends it.
#[derive(Debug, Default)]
struct NumberSequence {
    previous: usize,
}

impl NumberSequence {
    fn next(&mut self, body: &mut BodyReader<'_>) -> Result<Option<usize>, MalformedData> {
        let distance = body.varint()? as usize;
        self.previous = self.previous.saturating_add(distance);
        Ok((distance > 0).then(|| self.previous - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::super::probe_table::tests::sample_table;
    use super::*;

    fn check(sent: &[u8], expected: Result<&[UnitId], MalformedData>) {
        let covered = ProbeDecoder::new(Arc::new(sample_table())).coverage(sent);
        let covered = covered.map(|covered| covered.iter().collect::<Vec<_>>());
        assert_eq!(covered, expected.map(<[UnitId]>::to_vec), "{sent:?}");
    }

    #[test]
    fn probes_become_the_units_they_show() {
        check(&[0], Ok(&[]));
        check(&[1, 1, 0, 0], Ok(&[0, 1, 3]));
        check(&[1, 1, 1, 0, 1, 1, 0, 0], Ok(&[0, 1, 2, 3]));
        check(&[2, 1, 0, 0], Ok(&[3]));
    }

    #[test]
    fn unknown_classes_and_probes_are_refused() {
        check(&[3, 1, 0, 0], Err(MalformedData::Unknown { what: "class", value: 2 }));
        check(&[1, 4, 0, 0], Err(MalformedData::Unknown { what: "probe", value: 3 }));
        check(&[1, 1, 0], Err(MalformedData::Short { at: 3, wanted: 1 }));
        check(&[0, 0], Err(MalformedData::LeftOver(1)));
        let endless = [0xff; 6];
        check(&endless, Err(MalformedData::Unknown { what: "number", value: u32::MAX }));
    }

    #[test]
    fn the_same_probes_share_one_coverage() {
        let mut decoder = ProbeDecoder::new(Arc::new(sample_table()));
        let first = decoder.coverage(&[2, 1, 0, 0]).unwrap();
        assert!(Arc::ptr_eq(&first, &decoder.coverage(&[2, 1, 0, 0]).unwrap()));
    }

    #[test]
    fn damaged_probes() {
        let table = Arc::new(sample_table());
        let samples: [&[u8]; 3] = [&[0], &[1, 1, 0, 0], &[1, 1, 1, 0, 1, 1, 0, 0]];
        retap_fuzz::fuzz("probes", &samples, &["\0", "\u{1}", "\u{7f}"], |bytes| {
            let Ok(covered) = decode(bytes, &table) else { return false };
            assert!(covered.iter().all(|unit| (unit as usize) < table.units.len()));
            true
        });
    }
}
