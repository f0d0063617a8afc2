//! Where to be: here, a few known events away, or back at an earlier state.

use super::{Auto, Ingredient};
use crate::strategy::{Move, Place};
use retap_model::StateId;

/// What a promise is still worth for every event that it takes to get there.
const PATIENCE: f64 = 0.93;
/// Elsewhere must promise this much more than here.
const RELUCTANCE: f64 = 1.3;
/// A clean launch costs time, though no event.
const LAUNCH: usize = 6;
const LONGEST_WALK: usize = 12;
/// A snapshot spares the events of a way, but they are still written: so many weigh as much as one.
const WRITTEN: usize = 8;
/// Where nothing anywhere promises more than this all is worn out, and going somewhere else only fills the disk.
pub(super) const WORN_OUT: f64 = 0.001;
/// Of so many states that promised most when last looked at it is worked out anew.
const LOOK_AT: usize = 12;

impl Auto {
    /// A better place than this one, if there is one, and the move that leads there.
    pub(super) fn elsewhere(
        &self,
        place: &Place<'_>,
        here: StateId,
        worth: f64,
    ) -> Option<(Move, String)> {
        let reluctance = (worth * RELUCTANCE).max(WORN_OUT);
        let walk = self.best_walk(place, here, reluctance);
        let to_beat = walk.as_ref().map_or(reluctance, |(_, promise, _)| *promise);
        let back = self.best_return(place, to_beat);
        if let Some((to, why)) = back {
            return Some((Move::Return(to), self.explain(place, here, why)));
        }
        let (to, _, why) = walk?;
        let first = place.graph.route(here, to, LONGEST_WALK)?.into_iter().next()?;
        Some((Move::Do(first.event), self.explain(place, here, why)))
    }

    fn best_walk(
        &self,
        place: &Place<'_>,
        here: StateId,
        to_beat: f64,
    ) -> Option<(StateId, f64, String)> {
        // Where a return costs no events, walking costs what a return does not.
        if place.snapshots || !self.with.has(Ingredient::Walk) {
            return None;
        }
        let near = place.graph.distances(here, LONGEST_WALK);
        let (to, promise, distance) = self.best(near.into_iter(), to_beat)?;
        Some((
            to,
            promise,
            format!("on the way to {to}, {distance} events away, which promises {promise:.2}"),
        ))
    }

    pub(super) fn best_return(&self, place: &Place<'_>, to_beat: f64) -> Option<(StateId, String)> {
        if !self.with.has(Ingredient::Return) {
            return None;
        }
        let others = place
            .graph
            .nodes()
            .filter(|(state, _)| Some(*state) != place.graph.here() || place.is_over);
        let candidates = others.filter_map(|(state, node)| {
            let depth = node.is_reachable().then(|| place.graph.depth(state))??;
            // Chosen again and again and never gone to, it would keep the run at its beginning.
            if depth >= place.room {
                return None;
            }
            Some((state, if place.snapshots { 1 + depth / WRITTEN } else { depth + LAUNCH }))
        });
        let (to, promise, cost) = self.best(candidates, to_beat)?;
        Some((to, format!("it promises {promise:.2} at a cost of {cost}")))
    }

    /// The state that promises most for its cost, if that is more than `to_beat`.
    fn best(
        &self,
        candidates: impl Iterator<Item = (StateId, usize)>,
        to_beat: f64,
    ) -> Option<(StateId, f64, usize)> {
        let discounted = |worth: f64, cost: usize| worth * PATIENCE.powi(cost as i32);
        let mut promising: Vec<(f64, StateId, usize)> = candidates
            .map(|(state, cost)| (discounted(self.ledger.worth(state), cost), state, cost))
            .filter(|(promise, ..)| *promise > to_beat)
            .collect();
        promising.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        promising
            .into_iter()
            .take(LOOK_AT)
            .map(|(_, state, cost)| (state, discounted(self.ledger.worth_now(state), cost), cost))
            .filter(|(_, promise, _)| *promise > to_beat)
            .reduce(|best, next| if next.1 > best.1 { next } else { best })
    }

    /// The state that was visited least, for what it took to get there.
    pub(super) fn rarest(&self, place: &Place<'_>) -> Option<StateId> {
        let has_room =
            |state: StateId| place.graph.depth(state).is_some_and(|depth| depth < place.room);
        let reachable = place.graph.nodes().filter(|(state, _)| has_room(*state));
        let rare = reachable.min_by_key(|(state, node)| (node.visits + node.restored, *state));
        rare.map(|(state, _)| state)
    }

    /// Adds what is wrong with this place, where something is.
    fn explain(&self, place: &Place<'_>, here: StateId, why: String) -> String {
        let (untried, offered) = self.ledger.untried(here);
        let stays = place.graph.node(here).is_some_and(|node| node.next().all(|to| to == here));
        let asks = place.seen.screen.actionable().any(|w| super::text::is_secret(w.widget().flags));
        match (untried, stays) {
            (0, true) if asks => format!("a login wall, {offered} events tried; {why}"),
            (0, true) => format!("a dead end, {offered} events tried; {why}"),
            (0, false) => format!("all {offered} events were tried here; {why}"),
            _ => why,
        }
    }
}
