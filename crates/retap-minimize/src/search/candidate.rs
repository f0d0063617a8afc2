//! A candidate: the positions of the original sequence that are kept, in order.
//!
//! Candidates have a total order: by length, then by positions. It gives every search one answer.

use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// A subsequence of the original, as ascending positions.
///
/// Positions are `u32` and shared, because the memory of a search holds thousands of candidates.
#[derive(Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "Vec<u32>", into = "Vec<u32>")]
pub struct Candidate(Arc<[u32]>);

impl Candidate {
    /// Returns the whole sequence of `length` positions.
    pub fn whole(length: usize) -> Self {
        (0..length as u32).collect()
    }

    pub fn empty() -> Self {
        Self::whole(0)
    }

    /// Returns the positions, ascending and without repetition.
    pub fn positions(&self) -> &[u32] {
        &self.0
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the first `length` positions, or all of them if there are fewer.
    pub fn prefix(&self, length: usize) -> Self {
        self.0.iter().copied().take(length).collect()
    }

    /// Returns true if this is the original's own prefix up to `end`, exclusive. The baseline has
    /// already shown the effect of such a candidate.
    pub fn is_prefix_until(&self, end: u32) -> bool {
        self.0.len() == end as usize && self.0.last().is_none_or(|&last| last + 1 == end)
    }

    /// Returns the candidate without the elements at `indices`, which count within this candidate.
    pub(crate) fn without(&self, indices: Range<usize>) -> Self {
        self.0[..indices.start].iter().chain(&self.0[indices.end..]).copied().collect()
    }

    /// Returns only the elements at `indices`, which count within this candidate.
    pub(crate) fn slice(&self, indices: Range<usize>) -> Self {
        self.0[indices].iter().copied().collect()
    }
}

impl FromIterator<u32> for Candidate {
    fn from_iter<I: IntoIterator<Item = u32>>(positions: I) -> Self {
        Vec::from_iter(positions).into()
    }
}

impl From<Vec<u32>> for Candidate {
    fn from(mut positions: Vec<u32>) -> Self {
        positions.sort_unstable();
        positions.dedup();
        Self(positions.into())
    }
}

impl From<Candidate> for Vec<u32> {
    fn from(candidate: Candidate) -> Self {
        candidate.0.to_vec()
    }
}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        self.len().cmp(&other.len()).then_with(|| self.0.cmp(&other.0))
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Debug for Candidate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "⟨")?;
        for (index, position) in self.0.iter().enumerate() {
            write!(f, "{}{position}", if index == 0 { "" } else { "," })?;
        }
        write!(f, "⟩")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shorter_candidate_comes_before_an_earlier_one() {
        let mut candidates: Vec<Candidate> =
            [vec![0, 1], vec![5], vec![], vec![0, 2], vec![4]].map(Candidate::from).to_vec();
        candidates.sort();
        let expected = [vec![], vec![4], vec![5], vec![0, 1], vec![0, 2]].map(Candidate::from);
        assert_eq!(candidates, expected);
    }

    #[test]
    fn only_the_first_positions_of_the_original_are_its_prefix() {
        assert!(Candidate::whole(3).is_prefix_until(3));
        assert!(Candidate::empty().is_prefix_until(0));
        assert!(!Candidate::from(vec![0, 2]).is_prefix_until(3));
        assert!(!Candidate::from(vec![0, 1]).is_prefix_until(3));
        assert!(!Candidate::from(vec![0, 2]).is_prefix_until(2));
    }
}
