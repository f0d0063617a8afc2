//! Randomness without memory: the dice for the n-th decision depend on the seed and on n alone.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

#[derive(Debug, Clone)]
pub struct Dice(ChaCha8Rng);

impl Dice {
    pub fn new(seed: u64, decision: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(decision);
        Self(rng)
    }

    /// A number below `bound`; zero when the bound is.
    pub fn below(&mut self, bound: usize) -> usize {
        if bound == 0 { 0 } else { self.0.random_range(0..bound) }
    }

    pub fn between(&mut self, low: i32, high: i32) -> i32 {
        if low >= high { low } else { self.0.random_range(low..high) }
    }

    pub fn chance(&mut self, probability: f64) -> bool {
        self.0.random_bool(probability.clamp(0.0, 1.0))
    }

    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len()))
    }

    /// One of the items, with probability proportional to its weight. `None` if nothing has weight.
    pub fn weighted<'a, T>(&mut self, items: &'a [(T, u32)]) -> Option<&'a T> {
        let total: u32 = items.iter().map(|(_, weight)| weight).sum();
        let mut draw = if total == 0 { return None } else { self.0.random_range(0..total) };
        for (item, weight) in items {
            if draw < *weight {
                return Some(item);
            }
            draw -= weight;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_decision_has_the_same_dice() {
        let draw = |seed, decision| Dice::new(seed, decision).below(1_000_000);
        assert_eq!(draw(7, 3), draw(7, 3));
        assert_ne!(draw(7, 3), draw(7, 4));
        assert_ne!(draw(7, 3), draw(8, 3));
    }

    #[test]
    fn what_has_no_weight_is_never_drawn() {
        for decision in 0..1000 {
            assert_eq!(Dice::new(1, decision).weighted(&[("a", 0), ("b", 3)]), Some(&"b"));
        }
        assert_eq!(Dice::new(1, 1).weighted(&[("a", 0)]), None);
    }
}
