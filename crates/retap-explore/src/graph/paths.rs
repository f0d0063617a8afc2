//! Ways from a clean launch, as a tree: ways that begin alike share their beginning, and each distinct
//! event is kept once.

use retap_model::Event;
use std::collections::BTreeMap;

/// Together some tens of megabytes at most.
const MOST_STEPS: usize = 1 << 20;
const MOST_EVENTS: usize = 1 << 17;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PathId(u32);

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct EventId(u32);

#[derive(Debug, Clone)]
pub struct Paths {
    /// The first is the launch.
    steps: Vec<PathStep>,
    events: Vec<Event>,
    ids: BTreeMap<Event, EventId>,
}

#[derive(Debug, Clone, Copy)]
struct PathStep {
    before: PathId,
    event: EventId,
    length: u32,
}

impl Default for Paths {
    fn default() -> Self {
        let launch = PathStep { before: Self::LAUNCH, event: EventId(u32::MAX), length: 0 };
        Self { steps: vec![launch], events: Vec::new(), ids: BTreeMap::new() }
    }
}

impl Paths {
    pub const LAUNCH: PathId = PathId(0);

    pub fn len(&self, path: PathId) -> usize {
        self.steps[path.0 as usize].length as usize
    }

    pub fn event(&self, id: EventId) -> Option<&Event> {
        self.events.get(id.0 as usize)
    }

    /// `None` when there is no room.
    pub fn intern(&mut self, event: &Event) -> Option<EventId> {
        if let Some(id) = self.ids.get(event) {
            return Some(*id);
        }
        if self.events.len() >= MOST_EVENTS {
            return None;
        }
        let id = EventId(self.events.len() as u32);
        self.events.push(event.clone());
        self.ids.insert(event.clone(), id);
        Some(id)
    }

    /// `None` when there is no room.
    pub fn extend(&mut self, before: PathId, event: &Event) -> Option<PathId> {
        if self.steps.len() >= MOST_STEPS {
            return None;
        }
        let event = self.intern(event)?;
        let length = self.steps[before.0 as usize].length + 1;
        self.steps.push(PathStep { before, event, length });
        Some(PathId(self.steps.len() as u32 - 1))
    }

    pub fn events(&self, path: PathId) -> Vec<Event> {
        let mut events: Vec<Event> =
            self.backwards(path).filter_map(|step| self.event(step.event)).cloned().collect();
        events.reverse();
        events
    }

    /// Whether the path consists of just these events.
    pub fn is<'e>(&self, path: PathId, events: impl Iterator<Item = &'e Event>) -> bool {
        let events: Vec<&Event> = events.collect();
        events.len() == self.len(path)
            && self
                .backwards(path)
                .zip(events.into_iter().rev())
                .all(|(step, event)| self.event(step.event) == Some(event))
    }

    /// Appends the paths to each step of this one.
    pub fn trail(&self, path: PathId, trail: &mut Vec<PathId>) {
        let begin = trail.len();
        let mut at = path;
        while at != Self::LAUNCH {
            trail.push(at);
            at = self.steps[at.0 as usize].before;
        }
        trail[begin..].reverse();
    }

    /// Time to compact, before there is no room.
    pub fn is_full(&self) -> bool {
        // Room for the longest trace that could still come.
        self.steps.len() + MOST_STEPS / 64 > MOST_STEPS
            || self.events.len() + MOST_EVENTS / 64 > MOST_EVENTS
    }

    /// Keeps only these paths and events, and renames them.
    pub fn compact(&mut self, paths: Vec<&mut PathId>, events: Vec<&mut EventId>) {
        let old = std::mem::take(self);
        let mut renamed = vec![None; old.steps.len()];
        renamed[0] = Some(Self::LAUNCH);
        for path in paths {
            *path = self.keep(&old, *path, &mut renamed);
        }
        for id in events {
            if let Some(kept) = old.event(*id).and_then(|event| self.intern(event)) {
                *id = kept;
            }
        }
    }

    fn keep(&mut self, old: &Paths, path: PathId, renamed: &mut [Option<PathId>]) -> PathId {
        let mut missing = Vec::new();
        let mut at = path;
        let mut kept = loop {
            match renamed[at.0 as usize] {
                Some(kept) => break kept,
                None => {
                    missing.push(at);
                    at = old.steps[at.0 as usize].before;
                }
            }
        };
        for at in missing.into_iter().rev() {
            let step = old.steps[at.0 as usize];
            // There was room for all of it before.
            if let Some(next) = old.event(step.event).and_then(|e| self.extend(kept, e)) {
                kept = next;
            }
            renamed[at.0 as usize] = Some(kept);
        }
        kept
    }

    fn backwards(&self, path: PathId) -> impl Iterator<Item = PathStep> + '_ {
        let step = |id: PathId| self.steps[id.0 as usize];
        std::iter::successors(Some(step(path)), move |at| Some(step(at.before)))
            .take(self.len(path))
    }
}
