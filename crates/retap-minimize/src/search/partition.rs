//! Splits of a list into contiguous parts, by count or by weight.

use super::candidate::Candidate;
use std::ops::Range;

/// A candidate cut into parts of even length: the parts themselves, and the candidate without each.
///
/// Of two parts, each is the other's complement. The examiner never runs a candidate twice, so such
/// a split needs no special case.
#[derive(Debug)]
pub(crate) struct Split {
    pub subsets: Vec<Candidate>,
    pub complements: Vec<Candidate>,
}

impl Split {
    /// Cuts a candidate into `parts` contiguous parts, of which there are at most its length.
    pub fn evenly(candidate: &Candidate, parts: usize) -> Self {
        let ranges = partition_evenly(candidate.len(), parts);
        Self {
            subsets: ranges.iter().map(|range| candidate.slice(range.clone())).collect(),
            complements: ranges.iter().map(|range| candidate.without(range.clone())).collect(),
        }
    }
}

/// Returns `parts` contiguous ranges that cover `0..len`. Their lengths differ by at most one, and the
/// longer ones come first.
fn partition_evenly(len: usize, parts: usize) -> Vec<Range<usize>> {
    let (size, longer_parts) = (len / parts, len % parts);
    let mut start = 0;
    (0..parts)
        .map(|part| {
            let end = start + size + usize::from(part < longer_parts);
            let range = start..end;
            start = end;
            range
        })
        .collect()
}

/// Returns `parts` contiguous, non-empty ranges of nearly equal weight: BHDD's partition.
///
/// Each cut is the nearest to an even share; of two equally near cuts it is the later one.
pub(crate) fn partition_by_weight(weights: &[usize], parts: usize) -> Vec<Range<usize>> {
    let sums: Vec<usize> = std::iter::once(0)
        .chain(weights.iter().scan(0, |sum, weight| {
            *sum += weight;
            Some(*sum)
        }))
        .collect();
    let total = sums[weights.len()];
    let mut start = 0;
    (1..=parts)
        .map(|part| {
            // Every part keeps at least one element and leaves one for each part behind it.
            let cuts = start + 1..=weights.len() - (parts - part);
            let end = cuts
                .rev()
                .min_by_key(|&cut| (sums[cut] * parts).abs_diff(total * part))
                .unwrap_or(weights.len());
            let range = start..end;
            start = end;
            range
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn even_parts_cover_a_length_that_they_do_not_divide() {
        assert_eq!(partition_evenly(13, 2), [0..7, 7..13]);
        assert_eq!(partition_evenly(7, 3), [0..3, 3..5, 5..7]);
        assert_eq!(partition_evenly(3, 3), [0..1, 1..2, 2..3]);
    }

    #[test]
    fn bhdds_example_splits_19_against_16() {
        // Nodes 2, 7, 17, 18, 21, 22 of DalvikExplorer with the events of their subtrees.
        assert_eq!(partition_by_weight(&[5, 10, 1, 3, 1, 15], 2), [0..4, 4..6]);
    }

    #[test]
    fn no_part_is_empty_however_unequal_the_weights() {
        assert_eq!(partition_by_weight(&[100, 1, 1], 3), [0..1, 1..2, 2..3]);
        assert_eq!(partition_by_weight(&[1, 1, 100], 2), [0..2, 2..3]);
        assert_eq!(partition_by_weight(&[100, 1, 1, 1], 2), [0..1, 1..4]);
    }
}
