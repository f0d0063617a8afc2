//! A small dense set of requirement groups. Searches copy, join and compare such sets millions of times.

/// A set of numbers below a size that is fixed when the set is made. Only sets of one size can be combined.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BitSet(Box<[u64]>);

impl BitSet {
    pub fn empty(size: usize) -> Self {
        Self(vec![0; size.div_ceil(64)].into_boxed_slice())
    }

    pub fn insert(&mut self, bit: usize) {
        self.0[bit / 64] |= 1 << (bit % 64);
    }

    pub fn contains(&self, bit: usize) -> bool {
        self.0[bit / 64] >> (bit % 64) & 1 == 1
    }

    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    pub fn union_with(&mut self, other: &BitSet) {
        self.check_size(other);
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a |= b);
    }

    pub fn intersect_with(&mut self, other: &BitSet) {
        self.check_size(other);
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a &= b);
    }

    pub fn remove_all(&mut self, other: &BitSet) {
        self.check_size(other);
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a &= !b);
    }

    pub fn minus(&self, other: &BitSet) -> BitSet {
        self.check_size(other);
        Self(self.0.iter().zip(&other.0).map(|(a, b)| a & !b).collect())
    }

    pub fn is_subset(&self, other: &BitSet) -> bool {
        self.check_size(other);
        self.0.iter().zip(&other.0).all(|(a, b)| a & !b == 0)
    }

    /// Returns true if this set holds a member of `wanted` that `covered` does not hold.
    pub fn has_new(&self, covered: &BitSet, wanted: &BitSet) -> bool {
        self.check_size(covered);
        self.check_size(wanted);
        let words = self.0.iter().zip(&covered.0).zip(&wanted.0);
        words.into_iter().any(|((a, b), c)| a & !b & c != 0)
    }

    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(index, word)| {
            let mut rest = *word;
            std::iter::from_fn(move || {
                let bit = rest.trailing_zeros() as usize;
                (rest != 0).then(|| {
                    rest &= rest - 1;
                    index * 64 + bit
                })
            })
        })
    }

    /// Returns the sum of the members' weights.
    pub fn weight(&self, weights: &[u64]) -> u64 {
        self.iter().map(|bit| weights[bit]).sum()
    }

    fn check_size(&self, other: &BitSet) {
        debug_assert_eq!(self.0.len(), other.0.len(), "only sets of one size can be combined");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(bits: &[usize]) -> BitSet {
        let mut set = BitSet::empty(200);
        bits.iter().for_each(|bit| set.insert(*bit));
        set
    }

    #[test]
    fn sets_of_several_words_are_joined_and_subtracted_and_list_their_members_in_order() {
        let mut set = of(&[3, 64, 130]);
        set.union_with(&of(&[63, 130]));
        assert_eq!(set.iter().collect::<Vec<_>>(), [3, 63, 64, 130]);
        assert_eq!(set.minus(&of(&[3, 130])), of(&[63, 64]));
        assert!(of(&[64]).is_subset(&set) && !set.is_subset(&of(&[64])));
        assert!(BitSet::empty(0).is_empty() && set.contains(130) && !set.contains(131));
    }
}
