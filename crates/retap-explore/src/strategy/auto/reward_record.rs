//! The record of alike events: what another try may give.

/// What is believed before a try counts as much as this many tries.
const PRIOR_TRIES: f64 = 2.0;
/// A record halves when it holds this many tries, so that it tells of the app as it is now.
const MAX_RECORDED_TRIES: f64 = 16.0;

/// How often alike events were tried and what they gave. What was long ago counts less.
#[derive(Debug, Clone, Copy, Default)]
pub struct RewardRecord {
    tries: f64,
    reward: f64,
}

impl RewardRecord {
    pub fn add(&mut self, reward: f64) {
        if self.tries >= MAX_RECORDED_TRIES {
            self.halve();
        }
        self.tries += 1.0;
        self.reward += reward;
    }

    /// Adds a share of a reward that a later event earned.
    pub fn share(&mut self, share: f64) {
        self.reward += share;
    }

    /// Makes it tell of as many fruitless tries as it holds.
    pub fn give_up(&mut self) {
        *self = Self { tries: MAX_RECORDED_TRIES, reward: 0.0 };
    }

    pub fn halve(&mut self) {
        self.tries /= 2.0;
        self.reward /= 2.0;
    }

    /// Returns true if it tells of one try at most.
    pub fn is_single(self) -> bool {
        self.tries <= 1.0
    }

    /// Returns the expected reward of another try: the mean of what the tries gave and of what was believed before them.
    pub fn expected_reward(self, prior: f64) -> f64 {
        (PRIOR_TRIES * prior + self.reward) / (PRIOR_TRIES + self.tries)
    }

    /// Returns the record without the tries that another one also holds, so that none counts twice.
    pub fn without(self, other: Self) -> Self {
        Self {
            tries: (self.tries - other.tries).max(0.0),
            reward: (self.reward - other.reward).max(0.0),
        }
    }
}
