//! Random numbers without memory: the numbers of the n-th decision depend on the seed and on n alone.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The random numbers of one decision.
#[derive(Debug, Clone)]
pub struct DecisionRng(ChaCha8Rng);

impl DecisionRng {
    pub fn new(seed: u64, decision_number: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(decision_number);
        Self(rng)
    }

    /// Draws a number below `bound`; returns zero if the bound is zero.
    pub fn below(&mut self, bound: usize) -> usize {
        if bound == 0 { 0 } else { self.0.random_range(0..bound) }
    }

    /// Draws a number from `low` up to but not including `high`; returns `low` if that range is empty.
    pub fn between(&mut self, low: i32, high: i32) -> i32 {
        if low >= high { low } else { self.0.random_range(low..high) }
    }

    /// Draws a number from zero up to but not including one.
    pub fn fraction(&mut self) -> f64 {
        self.0.random()
    }

    /// Returns true with this probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.0.random_bool(probability.clamp(0.0, 1.0))
    }

    /// Draws one of the items, each with the same probability.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len()))
    }

    /// Draws one of the items with probability proportional to its weight. Returns `None` if no item has weight.
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
    fn the_same_seed_and_decision_number_give_the_same_numbers() {
        let draw = |seed, number| DecisionRng::new(seed, number).below(1_000_000);
        assert_eq!(draw(7, 3), draw(7, 3));
        assert_ne!(draw(7, 3), draw(7, 4));
        assert_ne!(draw(7, 3), draw(8, 3));
    }

    #[test]
    fn an_item_without_weight_is_never_drawn() {
        for number in 0..1000 {
            assert_eq!(DecisionRng::new(1, number).weighted(&[("a", 0), ("b", 3)]), Some(&"b"));
        }
        assert_eq!(DecisionRng::new(1, 1).weighted(&[("a", 0)]), None);
    }
}
