//! The recorded paths from a clean launch, as a tree. Paths share their common beginning, and each distinct event is
//! stored once.

use retap_model::Event;
use std::collections::BTreeMap;

/// Both limits together keep the tree at some tens of megabytes.
const MAX_STEPS: usize = 1 << 20;
const MAX_EVENTS: usize = 1 << 17;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PathId(u32);

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct EventId(u32);

#[derive(Debug, Clone)]
pub struct PathTree {
    /// The first step stands for the launch.
    steps: Vec<TreeStep>,
    events: Vec<Event>,
    event_ids: BTreeMap<Event, EventId>,
}

#[derive(Debug, Clone, Copy)]
struct TreeStep {
    before: PathId,
    event: EventId,
    length: u32,
}

impl Default for PathTree {
    fn default() -> Self {
        let launch = TreeStep { before: Self::LAUNCH, event: EventId(u32::MAX), length: 0 };
        Self { steps: vec![launch], events: Vec::new(), event_ids: BTreeMap::new() }
    }
}

impl PathTree {
    /// The empty path: the launch alone.
    pub const LAUNCH: PathId = PathId(0);

    /// Returns the number of events of a path.
    pub fn len(&self, path: PathId) -> usize {
        self.step(path).length as usize
    }

    pub fn event(&self, id: EventId) -> Option<&Event> {
        self.events.get(id.0 as usize)
    }

    /// Returns the id of an event and stores the event if it is new. Returns `None` if there is no room.
    pub fn intern(&mut self, event: &Event) -> Option<EventId> {
        if let Some(id) = self.event_ids.get(event) {
            return Some(*id);
        }
        if self.events.len() >= MAX_EVENTS {
            return None;
        }
        let id = EventId(self.events.len() as u32);
        self.events.push(event.clone());
        self.event_ids.insert(event.clone(), id);
        Some(id)
    }

    /// Stores the path `before` followed by one event. Returns `None` if there is no room.
    pub fn extend(&mut self, before: PathId, event: &Event) -> Option<PathId> {
        if self.steps.len() >= MAX_STEPS {
            return None;
        }
        let event = self.intern(event)?;
        let length = self.step(before).length + 1;
        self.steps.push(TreeStep { before, event, length });
        Some(PathId(self.steps.len() as u32 - 1))
    }

    pub fn events(&self, path: PathId) -> Vec<Event> {
        let mut events: Vec<Event> =
            self.steps_backwards(path).filter_map(|step| self.event(step.event)).cloned().collect();
        events.reverse();
        events
    }

    /// Returns true if the path consists of just these events.
    pub fn is<'e>(&self, path: PathId, events: impl Iterator<Item = &'e Event>) -> bool {
        let events: Vec<&Event> = events.collect();
        events.len() == self.len(path)
            && self
                .steps_backwards(path)
                .zip(events.into_iter().rev())
                .all(|(step, event)| self.event(step.event) == Some(event))
    }

    /// Appends every prefix of a path but the launch, the shortest first, and then the path itself.
    pub fn push_prefixes(&self, path: PathId, prefixes: &mut Vec<PathId>) {
        let first = prefixes.len();
        let mut current = path;
        while current != Self::LAUNCH {
            prefixes.push(current);
            current = self.step(current).before;
        }
        prefixes[first..].reverse();
    }

    /// Returns true if the tree must be compacted before it has no room for another long trace.
    pub fn is_nearly_full(&self) -> bool {
        self.steps.len() + MAX_STEPS / 64 > MAX_STEPS
            || self.events.len() + MAX_EVENTS / 64 > MAX_EVENTS
    }

    /// Keeps only these paths and events, and gives them new ids.
    pub fn compact(&mut self, paths: Vec<&mut PathId>, events: Vec<&mut EventId>) {
        let old = std::mem::take(self);
        let mut new_ids = vec![None; old.steps.len()];
        new_ids[0] = Some(Self::LAUNCH);
        for path in paths {
            *path = self.copy_path(&old, *path, &mut new_ids);
        }
        for id in events {
            if let Some(new_id) = old.event(*id).and_then(|event| self.intern(event)) {
                *id = new_id;
            }
        }
    }

    /// Copies a path from another tree and returns its id in this one.
    fn copy_path(
        &mut self,
        old: &PathTree,
        path: PathId,
        new_ids: &mut [Option<PathId>],
    ) -> PathId {
        let mut missing = Vec::new();
        let mut current = path;
        let mut new_id = loop {
            match new_ids[current.0 as usize] {
                Some(new_id) => break new_id,
                None => {
                    missing.push(current);
                    current = old.step(current).before;
                }
            }
        };
        for current in missing.into_iter().rev() {
            let event = old.event(old.step(current).event);
            let next = event.and_then(|event| self.extend(new_id, event));
            debug_assert!(next.is_some(), "a compacted tree has room for the paths of the old one");
            new_id = next.unwrap_or(new_id);
            new_ids[current.0 as usize] = Some(new_id);
        }
        new_id
    }

    fn step(&self, path: PathId) -> TreeStep {
        self.steps[path.0 as usize]
    }

    /// Returns the steps of a path, the last one first.
    fn steps_backwards(&self, path: PathId) -> impl Iterator<Item = TreeStep> + '_ {
        std::iter::successors(Some(self.step(path)), |step| Some(self.step(step.before)))
            .take(self.len(path))
    }
}
