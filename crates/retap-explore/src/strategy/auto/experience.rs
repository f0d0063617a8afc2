//! What an earlier run learnt about an app, for the next run of it or of its next version: what the first tries of each
//! event family gave, and texts that led to something new. Families name no state, so that both outlive a new version.

use super::event_key::EventFamily;
use std::collections::BTreeMap;

/// The first tries tell what an event gives to a run that knows nothing. Later ones find it used up.
const FIRST_TRIES: u32 = 3;
/// What gave nothing in the earlier run is worth a try in this one, because chance had a part in it.
const LEAST_PRIOR: f64 = 0.05;

#[derive(Debug, Clone, Default)]
pub struct Experience {
    gains: BTreeMap<EventFamily, FirstGains>,
    pub(super) texts: BTreeMap<EventFamily, String>,
}

#[derive(Debug, Clone, Copy, Default)]
struct FirstGains {
    tries: u32,
    reward: f64,
}

impl Experience {
    pub(super) fn record_try(&mut self, family: EventFamily, reward: f64) {
        let gains = self.gains.entry(family).or_default();
        if gains.tries < FIRST_TRIES {
            gains.tries += 1;
            gains.reward += reward;
        }
    }

    /// Returns the prior of an event: what its family gave in the earlier run, if it was tried there.
    pub(super) fn prior(&self, family: EventFamily, prior: f64) -> f64 {
        self.gains
            .get(&family)
            .map_or(prior, |gains| (gains.reward / f64::from(gains.tries.max(1))).max(LEAST_PRIOR))
    }
}

#[cfg(test)]
mod tests {
    use super::super::event_key::key_of_event;
    use super::*;
    use retap_model::{Event, Key};

    #[test]
    fn what_the_first_tries_gave_replaces_the_prior() {
        let family = |key: Key| key_of_event(&Event::Key(key), "Main", 0).family;
        let mut experience = Experience::default();
        experience.record_try(family(Key::menu()), 2.0);
        experience.record_try(family(Key::back()), 0.0);
        (0..9).for_each(|_| experience.record_try(family(Key::menu()), 0.0));
        assert!(experience.prior(family(Key::menu()), 0.5) > 0.6);
        assert_eq!(experience.prior(family(Key::back()), 0.5), LEAST_PRIOR);
        assert_eq!(experience.prior(family(Key::home()), 0.5), 0.5);
    }
}
