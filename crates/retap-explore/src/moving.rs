//! What a move does: a clean start, a return to a state, or an event.

use crate::exploration::{Exploration, ExploreError, Limits, room};
use crate::strategy::Move;
use crate::travel::{Arrival, Journey, Way};
use retap_device::Rig;
use retap_model::StateId;
use retap_model::format::run::{TravelKind, TravelRow};
use retap_model::trace::Return;

impl Exploration<'_> {
    /// One restart, return or event, whoever chose it.
    pub fn take(
        &mut self,
        next: &Move,
        rig: &mut Rig<'_>,
        limits: Limits,
        why: &str,
    ) -> Result<(), ExploreError> {
        match next {
            Move::Restart => self.restart(rig, why),
            Move::Return(to) => self.go_back(*to, rig, limits, why),
            Move::Do(event) => {
                let seen = rig.perform(event)?;
                let interesting = self.record_step(event.clone(), seen)?;
                if interesting && self.strategy.travels() { self.keep(rig) } else { Ok(()) }
            }
        }
    }

    fn restart(&mut self, rig: &mut Rig<'_>, why: &str) -> Result<(), ExploreError> {
        let from = self.graph.here();
        if let Some(from) = from.filter(|_| !why.is_empty()) {
            let row = TravelRow::new(TravelKind::Restarted, from);
            self.journal.note_travel(TravelRow { why: why.into(), ..row })?;
        }
        let world_seed = self.journal.info().world_seed;
        let seen = rig.reset(world_seed)?;
        self.record_start(world_seed, seen)?;
        if self.strategy.travels() { self.keep(rig) } else { Ok(()) }
    }

    /// Goes back to a state. Where no way is known, or none that the limits have room for, a clean start is
    /// the nearest thing.
    fn go_back(
        &mut self,
        to: StateId,
        rig: &mut Rig<'_>,
        limits: Limits,
        why: &str,
    ) -> Result<(), ExploreError> {
        let free = rig.device()?.describe().snapshots;
        let room = room(limits, self.findings.events, free);
        let Some(way) = self.way_to(to, free).filter(|way| way.len() < room) else {
            return self.restart(rig, why);
        };
        let info = self.journal.info();
        let (world_seed, abstraction) = (info.world_seed, info.abstraction);
        // A shortcut that takes as long as the recorded way is none.
        let longest = match &way {
            Way::Recorded(_) => room,
            Way::Shortcut(_) => self.graph.depth(to).unwrap_or(room).min(room),
        };
        let journey = Journey { world_seed, to, way: &way, abstraction, longest };
        let arrival = journey.go(rig, &self.graph)?;
        let steps = rig.events().len();
        let returns = Return { to, steps, events: if free { 0 } else { steps as u64 } };
        let what = match arrival {
            Arrival::AsPlanned => TravelKind::Returned,
            Arrival::Repaired => TravelKind::Repaired,
            Arrival::Elsewhere => TravelKind::Failed,
        };
        let row = TravelRow::new(what, to);
        self.journal.note_travel(TravelRow { steps: Some(steps), why: why.into(), ..row })?;
        self.record_return(world_seed, returns, rig.events(), rig.seen())?;
        if arrival == Arrival::Elsewhere { Ok(()) } else { self.keep(rig) }
    }

    /// A snapshot lies at the end of a recorded way; where every event of a way must be run the shorter one is better.
    fn way_to(&self, to: StateId, free: bool) -> Option<Way> {
        let shortcut = if free { None } else { self.graph.shortcut_to(to) };
        shortcut.map(Way::Shortcut).or_else(|| self.graph.way_to(to).map(Way::Recorded))
    }

    /// Keeps a snapshot of where the run stands, where the device can.
    pub fn keep(&mut self, rig: &mut Rig<'_>) -> Result<(), ExploreError> {
        let Some(here) = self.graph.here() else { return Ok(()) };
        for row in self.snapshots.keep(rig, here, &mut self.graph)? {
            self.journal.note_travel(row)?;
        }
        Ok(())
    }
}
