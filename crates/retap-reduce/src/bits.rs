//! A small dense set of bundles: what searches copy, join and compare millions of times.

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Bits(Box<[u64]>);

impl Bits {
    pub fn none(size: usize) -> Self {
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

    pub fn union_with(&mut self, other: &Bits) {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a |= b);
    }

    pub fn intersect_with(&mut self, other: &Bits) {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a &= b);
    }

    pub fn remove_all(&mut self, other: &Bits) {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a &= !b);
    }

    pub fn minus(&self, other: &Bits) -> Bits {
        Self(self.0.iter().zip(&other.0).map(|(a, b)| a & !b).collect())
    }

    pub fn is_subset(&self, other: &Bits) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| a & !b == 0)
    }

    /// Whether this holds something of `wanted` that `have` does not.
    pub fn adds(&self, have: &Bits, wanted: &Bits) -> bool {
        let words = self.0.iter().zip(&have.0).zip(&wanted.0);
        words.into_iter().any(|((a, b), c)| a & !b & c != 0)
    }

    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(at, word)| {
            let mut left = *word;
            std::iter::from_fn(move || {
                let bit = left.trailing_zeros() as usize;
                (left != 0).then(|| {
                    left &= left - 1;
                    at * 64 + bit
                })
            })
        })
    }

    /// The sum of the members' weights.
    pub fn weight(&self, weights: &[u64]) -> u64 {
        self.iter().map(|bit| weights[bit]).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(bits: &[usize]) -> Bits {
        let mut set = Bits::none(200);
        bits.iter().for_each(|bit| set.insert(*bit));
        set
    }

    #[test]
    fn sets_across_words_join_differ_and_list_in_order() {
        let mut set = of(&[3, 64, 130]);
        set.union_with(&of(&[63, 130]));
        assert_eq!(set.iter().collect::<Vec<_>>(), [3, 63, 64, 130]);
        assert_eq!(set.minus(&of(&[3, 130])), of(&[63, 64]));
        assert!(of(&[64]).is_subset(&set) && !set.is_subset(&of(&[64])));
        assert!(Bits::none(0).is_empty() && set.contains(130) && !set.contains(131));
    }
}
