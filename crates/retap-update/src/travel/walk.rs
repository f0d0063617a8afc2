//! Follows a path event by event. When an event leads elsewhere than the path says, that step is blocked and another path
//! is sought. Where a restart or a return takes fewer events than walking, it is taken instead.

use super::path::{Destination, PathSearch, Trust, WayOn};
use crate::input::locate;
use crate::model::{AbstractAction, ModelPlace};
use crate::phase::PlanContext;
use retap_explore::Move;
use retap_model::{Event, Key, StateId};
use std::collections::{BTreeSet, VecDeque};

/// A walk is given up after this many paths.
const MAX_PATHS: u32 = 8;
/// A walk that takes sure steps only has fewer reasons to fail, and none to go on failing.
const MAX_SURE_PATHS: u32 = 3;
/// A walk restarts or returns at most this often.
const MAX_JUMPS: u32 = 3;
/// What a restart costs, in events.
const RESTART_COST: usize = 6;
/// A step that only the graph of windows has may fail. It counts as this many events.
const MODELLED_COST: usize = 2;
/// A step of which something else is believed counts as this many.
const DOUBTED_COST: usize = 4;
/// Each step of a walk that led elsewhere makes going back in time cheaper by this many events.
const FAILURE_COST: usize = 5;

/// What a walk does next.
#[derive(Debug, Clone, PartialEq)]
pub enum WalkStep {
    Arrived,
    Go(Move),
    /// No path leads there.
    Lost,
}

#[derive(Debug, Clone)]
pub struct ModelWalk {
    pub destination: Destination,
    /// False if what was done before must not be undone.
    may_jump: bool,
    trust: Trust,
    blocked: BTreeSet<WayOn>,
    path: VecDeque<WayOn>,
    /// The step that was taken last.
    taken: Option<WayOn>,
    paths: u32,
    jumps: u32,
    /// Steps of this walk that led elsewhere.
    failures: usize,
}

/// A way to the destination, with its cost in events.
struct Plan {
    cost: usize,
    jump: Option<Move>,
    path: Vec<WayOn>,
}

impl ModelWalk {
    /// Walks from here on; it keeps what the app has stored and shown so far.
    pub fn onwards(destination: Destination) -> Self {
        Self {
            destination,
            may_jump: false,
            trust: Trust::Everything,
            blocked: BTreeSet::new(),
            path: VecDeque::new(),
            taken: None,
            paths: 0,
            jumps: 0,
            failures: 0,
        }
    }

    /// Takes no step of which something else is believed.
    pub fn surely(self) -> Self {
        Self { trust: Trust::Modelled, ..self }
    }

    /// Begins with steps that have failed before.
    pub fn without(self, blocked: BTreeSet<WayOn>) -> Self {
        Self { blocked, ..self }
    }

    /// Returns the steps that did not lead where they should.
    pub fn into_blocked(self) -> BTreeSet<WayOn> {
        self.blocked
    }

    /// Walks, restarts or returns, whichever takes the fewest events.
    pub fn anyhow(destination: Destination) -> Self {
        Self { may_jump: true, ..Self::onwards(destination) }
    }

    pub fn next(&mut self, context: &mut PlanContext<'_>) -> WalkStep {
        let here = context.here;
        if self.search(context).is_there(here.state) {
            return WalkStep::Arrived;
        }
        self.check_last_step(here);
        let max_paths = if self.trust == Trust::Everything { MAX_PATHS } else { MAX_SURE_PATHS };
        while self.paths < max_paths {
            if let Some(way) = self.path.pop_front() {
                if let Some(event) = event_of(&way, context) {
                    self.taken = Some(way);
                    return WalkStep::Go(Move::Do(event));
                }
                self.blocked.insert(way);
                self.failures += 1;
                self.path.clear();
            }
            self.paths += 1;
            let Some(plan) = self.plan(context) else { return WalkStep::Lost };
            self.path = plan.path.into();
            if let Some(jump) = plan.jump {
                self.jumps += 1;
                // The state after it is known only then.
                self.path.clear();
                return WalkStep::Go(jump);
            }
        }
        WalkStep::Lost
    }

    /// Blocks the last step if it led elsewhere than it should.
    fn check_last_step(&mut self, here: ModelPlace) {
        let Some(taken) = self.taken.take() else { return };
        let is_as_expected = match &taken {
            WayOn::Known { to, .. } => here.state == *to,
            WayOn::Modelled { to, .. } | WayOn::Back { to, .. } => here.window == *to,
        };
        if !is_as_expected {
            self.blocked.insert(taken);
            self.failures += 1;
            self.path.clear();
        }
    }

    fn search<'a>(&'a self, context: &PlanContext<'a>) -> PathSearch<'a> {
        PathSearch {
            model: context.model,
            destination: &self.destination,
            blocked: &self.blocked,
            trust: self.trust,
        }
    }

    /// Returns the cheapest way to the destination.
    fn plan(&self, context: &PlanContext<'_>) -> Option<Plan> {
        let search = self.search(context);
        // A walk that was wrong before may be wrong again.
        let penalty = FAILURE_COST * self.failures;
        let walk = search.find(context.here.state).map(|path| Plan {
            cost: cost(&path, context) + penalty,
            jump: None,
            path,
        });
        if !self.may_jump || self.jumps >= MAX_JUMPS {
            return walk;
        }
        let mut best = walk;
        let mut consider = |plan: Plan| {
            if best.as_ref().is_none_or(|best| plan.cost < best.cost) {
                best = Some(plan);
            }
        };
        let launch = context.visits.launch.and_then(|screen| context.state_of(screen));
        // A restart that ends where it began leads nowhere.
        if let Some(launch) = launch.filter(|launch| *launch != context.here.state) {
            let path = if search.is_there(launch) { Some(Vec::new()) } else { search.find(launch) };
            if let Some(path) = path {
                let cost = RESTART_COST + cost(&path, context);
                consider(Plan { cost, jump: Some(Move::Restart), path: Vec::new() });
            }
        }
        for (state, visit) in context.visits.iter() {
            let is_goal = || context.state_of(visit.screen).is_some_and(|it| search.is_there(it));
            let cost = RESTART_COST + visit.events;
            if visit.events > 0 && is_goal() {
                consider(Plan { cost, jump: Some(Move::Return(state)), path: Vec::new() });
            }
        }
        best
    }
}

fn cost(path: &[WayOn], context: &PlanContext<'_>) -> usize {
    let model = context.model;
    let is_doubted = |from: &StateId, action: &AbstractAction, to: &StateId| {
        let node = model.abstracted.states.get(from);
        node.is_some_and(|node| node.believed(action, model.trace_start()) != Some(*to))
    };
    let cost = |way: &WayOn| match way {
        WayOn::Known { from, action, to } if is_doubted(from, action, to) => DOUBTED_COST,
        WayOn::Known { .. } | WayOn::Back { .. } => 1,
        WayOn::Modelled { .. } => MODELLED_COST,
    };
    path.iter().map(cost).sum()
}

/// Returns an event on the current screen that takes a step of a path.
fn event_of(way: &WayOn, context: &mut PlanContext<'_>) -> Option<Event> {
    let screen = context.model.screen(context.here.screen)?.clone();
    match way {
        WayOn::Back { .. } => Some(Event::Key(Key::back())),
        WayOn::Modelled { input, .. } => {
            let input = &context.model.windows.inputs[*input];
            locate::event_for(input, &screen, context.texts, &mut context.rng)
        }
        WayOn::Known { from, action, to } => {
            let node = context.model.abstracted.states.get(from)?;
            let taken = node.out.get(action)?.iter().find(|it| it.to == *to)?;
            let event = &context.model.concrete.steps[taken.step].event;
            let level = context.model.level(context.here.window);
            if AbstractAction::of(event, &screen, level) == *action {
                return Some(event.clone());
            }
            context.event_of_action(action, &screen)
        }
    }
}
