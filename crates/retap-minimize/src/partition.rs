//! Cutting a list into contiguous parts, by count or by weight.

use std::ops::Range;

/// `parts` contiguous parts that cover 0..len, whose lengths differ by at most one, longer first.
pub(crate) fn even(len: usize, parts: usize) -> Vec<Range<usize>> {
    let (size, longer) = (len / parts, len % parts);
    let mut start = 0;
    (0..parts)
        .map(|part| {
            let end = start + size + usize::from(part < longer);
            let range = start..end;
            start = end;
            range
        })
        .collect()
}

/// BHDD's partition: `parts` contiguous, non-empty parts with weights as equal as cutting nearest
/// to each even share makes them; of two equally near cuts the later.
pub(crate) fn balanced(weights: &[usize], parts: usize) -> Vec<Range<usize>> {
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
            // Every part keeps at least one element, and leaves one for each part behind it.
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
    fn even_parts_cover_what_does_not_divide() {
        assert_eq!(even(13, 2), [0..7, 7..13]);
        assert_eq!(even(7, 3), [0..3, 3..5, 5..7]);
        assert_eq!(even(3, 3), [0..1, 1..2, 2..3]);
    }

    #[test]
    fn bhdds_example_splits_19_against_16() {
        // Nodes 2, 7, 17, 18, 21, 22 of DalvikExplorer with the events of their subtrees.
        assert_eq!(balanced(&[5, 10, 1, 3, 1, 15], 2), [0..4, 4..6]);
    }

    #[test]
    fn no_part_is_empty_however_lopsided_the_weights() {
        assert_eq!(balanced(&[100, 1, 1], 3), [0..1, 1..2, 2..3]);
        assert_eq!(balanced(&[1, 1, 100], 2), [0..2, 2..3]);
        assert_eq!(balanced(&[100, 1, 1, 1], 2), [0..1, 1..4]);
    }
}
