//! What an event covered, from the probes that the agent sends. Most events repeat what an earlier one
//! covered, probe by probe: such an answer is looked up, not worked out again.

use super::Table;
use crate::wire::{Malformed, Reader};
use retap_model::{Coverage, UnitId};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Some megabytes; when there are more, all are worked out anew.
const MOST_KNOWN: usize = 2_000;

#[derive(Debug, Default)]
pub struct Probes {
    table: Arc<Table>,
    known: BTreeMap<Vec<u8>, Arc<Coverage>>,
}

impl Probes {
    pub fn new(table: Arc<Table>) -> Self {
        Self { table, known: BTreeMap::new() }
    }

    pub fn table(&self) -> &Arc<Table> {
        &self.table
    }

    pub fn coverage(&mut self, sent: &[u8]) -> Result<Arc<Coverage>, Malformed> {
        if let Some(known) = self.known.get(sent) {
            return Ok(Arc::clone(known));
        }
        let coverage = Arc::new(decode(sent, &self.table)?);
        if self.known.len() == MOST_KNOWN {
            self.known.clear();
        }
        self.known.insert(sent.to_vec(), Arc::clone(&coverage));
        Ok(coverage)
    }
}

fn decode(sent: &[u8], table: &Table) -> Result<Coverage, Malformed> {
    let mut body = Reader::new(sent);
    let mut units: Vec<UnitId> = Vec::new();
    let mut classes = Numbers::default();
    while let Some(index) = classes.next(&mut body)? {
        let unknown = |what, value: usize| Malformed::Unknown {
            what,
            value: u32::try_from(value).unwrap_or(u32::MAX),
        };
        let class = table.classes.get(index).ok_or_else(|| unknown("class", index))?;
        let mut probes = Numbers::default();
        while let Some(probe) = probes.next(&mut body)? {
            let shown = class.shown(probe).ok_or_else(|| unknown("probe", probe))?;
            units.extend_from_slice(shown);
        }
    }
    body.finish()?;
    units.sort_unstable();
    units.dedup();
    Ok(units.into_iter().collect())
}

/// Growing numbers, each sent as its distance from the one before; a distance of 0 ends them.
#[derive(Debug, Default)]
struct Numbers {
    after: usize,
}

impl Numbers {
    fn next(&mut self, body: &mut Reader<'_>) -> Result<Option<usize>, Malformed> {
        let distance = body.number()? as usize;
        self.after = self.after.saturating_add(distance);
        Ok((distance > 0).then(|| self.after - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::super::table::tests::table;
    use super::*;

    fn check(sent: &[u8], expected: Result<&[UnitId], Malformed>) {
        let covered = Probes::new(Arc::new(table())).coverage(sent);
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
    fn what_no_table_knows_is_refused() {
        check(&[3, 1, 0, 0], Err(Malformed::Unknown { what: "class", value: 2 }));
        check(&[1, 4, 0, 0], Err(Malformed::Unknown { what: "probe", value: 3 }));
        check(&[1, 1, 0], Err(Malformed::Short { at: 3, wanted: 1 }));
        check(&[0, 0], Err(Malformed::LeftOver(1)));
        let endless = [0xff; 6];
        check(&endless, Err(Malformed::Unknown { what: "number", value: u32::MAX }));
    }

    #[test]
    fn the_same_probes_are_the_same_allocation() {
        let mut probes = Probes::new(Arc::new(table()));
        let first = probes.coverage(&[2, 1, 0, 0]).unwrap();
        assert!(Arc::ptr_eq(&first, &probes.coverage(&[2, 1, 0, 0]).unwrap()));
    }
}
