//! Finds a path breadth first: along abstract transitions that can be believed, along transitions between windows only where
//! none of these leads on, and along the others last.

use crate::input::locate;
use crate::model::{
    AbstractAction, AbstractTransition, InputNumber, RunModel, RunWindowId, UiAction, set_box,
};
use retap_model::{Key, Screen, StateId};
use retap_static::InputEvent;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

/// The end of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Destination {
    Window(RunWindowId),
    State(StateId),
    /// Any state in which one of these inputs can be done.
    Inputs(Arc<BTreeSet<InputNumber>>),
}

impl Destination {
    /// Any state in which an input can be done.
    pub fn input(input: InputNumber) -> Self {
        Self::Inputs(Arc::new(BTreeSet::from([input])))
    }
}

/// One step of a path.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum WayOn {
    /// An abstract transition that was taken before.
    Known { from: StateId, action: AbstractAction, to: StateId },
    /// A transition that only the graph of windows has.
    Modelled { input: InputNumber, to: RunWindowId },
    /// Back to the window that this one was opened from.
    Back { from: RunWindowId, to: RunWindowId },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Node {
    State(StateId),
    /// A window in a state that is not known.
    Window(RunWindowId),
}

/// The steps that a search may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Trust {
    /// What the same action is believed to do again. Boxes stay as they are: setting one changes what the app has stored.
    Believed,
    /// Also what the code says.
    Modelled,
    /// Also what an action did once and others.
    Everything,
}

/// Who leads to a node of a search.
type Reached = BTreeMap<Node, (Node, Option<WayOn>)>;

#[derive(Debug, Clone, Copy)]
pub struct PathSearch<'a> {
    pub model: &'a RunModel,
    pub destination: &'a Destination,
    /// Steps that did not lead where they should.
    pub blocked: &'a BTreeSet<WayOn>,
    /// The least sure steps that it may use.
    pub trust: Trust,
}

impl PathSearch<'_> {
    /// Returns the fewest steps from a state to the destination.
    pub fn find(&self, from: StateId) -> Option<Vec<WayOn>> {
        [Trust::Believed, Trust::Modelled, Trust::Everything]
            .into_iter()
            .filter(|trust| *trust <= self.trust)
            .find_map(|trust| self.search(from, trust))
    }

    pub fn is_there(&self, state: StateId) -> bool {
        let Some(node) = self.model.abstracted.states.get(&state) else { return false };
        match self.destination {
            Destination::State(wanted) => state == *wanted,
            Destination::Window(window) => node.window == *window,
            Destination::Inputs(inputs) => {
                let Some(screen) = self.screen_of(state) else { return false };
                let mut here = self.model.windows.inputs_at(node.window);
                here.any(|(number, input)| {
                    inputs.contains(&number) && locate::is_available(input, screen)
                })
            }
        }
    }

    /// Returns true if the destination may lie in a window of which no state is known.
    fn may_be_in(&self, window: RunWindowId) -> bool {
        let is_unvisited = self.model.abstracted.states_of(window).next().is_none();
        match self.destination {
            Destination::State(_) => false,
            Destination::Window(wanted) => window == *wanted,
            Destination::Inputs(inputs) => {
                let mut here = self.model.windows.inputs_at(window);
                is_unvisited && here.any(|(number, _)| inputs.contains(&number))
            }
        }
    }

    fn search(&self, from: StateId, trust: Trust) -> Option<Vec<WayOn>> {
        let start = Node::State(from);
        let mut reached: Reached = BTreeMap::new();
        let mut queue = VecDeque::from([start]);
        while let Some(node) = queue.pop_front() {
            let is_goal = match node {
                Node::State(state) => node != start && self.is_there(state),
                Node::Window(window) => self.may_be_in(window),
            };
            if is_goal {
                return Some(path_to(node, start, &reached));
            }
            for (next, way) in self.ways_from(node, trust) {
                if next == start || reached.contains_key(&next) {
                    continue;
                }
                if way.as_ref().is_some_and(|way| self.blocked.contains(way)) {
                    continue;
                }
                reached.insert(next, (node, way));
                queue.push_back(next);
            }
        }
        None
    }

    fn ways_from(&self, node: Node, trust: Trust) -> Vec<(Node, Option<WayOn>)> {
        match node {
            Node::State(state) => {
                let mut ways = self.known_ways(state, trust);
                ways.extend(self.way_back(state));
                if trust >= Trust::Modelled {
                    ways.extend(self.modelled_ways(state));
                }
                ways
            }
            Node::Window(window) => {
                // A window that was visited offers what its known states offer. Of any other the code's word is taken.
                let states = self.model.abstracted.states_of(window);
                let known: Vec<(Node, Option<WayOn>)> =
                    states.map(|(state, _)| (Node::State(state), None)).collect();
                if known.is_empty() { self.transitions_at(window, None) } else { known }
            }
        }
    }

    fn known_ways(&self, from: StateId, trust: Trust) -> Vec<(Node, Option<WayOn>)> {
        let Some(node) = self.model.abstracted.states.get(&from) else { return Vec::new() };
        let ways = node.out.iter().flat_map(|(action, transitions)| {
            let believed = node.believed(action, self.model.trace_start());
            let is_trusted = move |it: &&AbstractTransition| {
                trust == Trust::Everything
                    || (believed == Some(it.to) && !self.sets_a_box(it.last_step))
            };
            let onwards = transitions.iter().filter(move |it| it.to != from);
            onwards.filter(is_trusted).map(move |it| {
                let way = WayOn::Known { from, action: action.clone(), to: it.to };
                (Node::State(it.to), Some(way))
            })
        });
        ways.collect()
    }

    fn sets_a_box(&self, step: usize) -> bool {
        let step = &self.model.concrete.steps[step];
        let screen = self.model.screen(step.from);
        screen.is_some_and(|screen| set_box(&step.event, screen).is_some())
    }

    /// Returns the transitions of a state's window that no action of the state has shown to lead elsewhere.
    fn modelled_ways(&self, state: StateId) -> Vec<(Node, Option<WayOn>)> {
        let Some(node) = self.model.abstracted.states.get(&state) else { return Vec::new() };
        let Some(screen) = self.screen_of(state) else { return Vec::new() };
        self.transitions_at(node.window, Some(screen))
    }

    /// Returns the way back, as long as nobody has gone back from this very state. It is as sure as what was done before, and a
    /// walk that knew it from other states alone would first bring the window into one of them: it would undo what was set.
    fn way_back(&self, state: StateId) -> Option<(Node, Option<WayOn>)> {
        let node = self.model.abstracted.states.get(&state)?;
        let is_back = |action: &AbstractAction| {
            action.kind == UiAction::Key && action.data == Key::back().name()
        };
        let to = self.model.opened_from(node.window)?;
        let is_untried = !node.out.keys().any(is_back);
        is_untried.then_some((Node::Window(to), Some(WayOn::Back { from: node.window, to })))
    }

    fn transitions_at(
        &self,
        window: RunWindowId,
        screen: Option<&Screen>,
    ) -> Vec<(Node, Option<WayOn>)> {
        let windows = &self.model.windows;
        let leaves =
            windows.transitions().filter(|it| it.from == window || windows.is_at(it.from, window));
        let can_be_done =
            leaves.filter(|it| is_done_by_user(windows.inputs[it.input].event)).filter(|it| {
                screen.is_none_or(|screen| locate::is_available(&windows.inputs[it.input], screen))
            });
        can_be_done
            .map(|it| (Node::Window(it.to), Some(WayOn::Modelled { input: it.input, to: it.to })))
            .collect()
    }

    fn screen_of(&self, state: StateId) -> Option<&Screen> {
        let node = self.model.abstracted.states.get(&state)?;
        let id = node.screens.iter().next()?;
        self.model.screen(*id).map(AsRef::as_ref)
    }
}

/// Returns true for inputs that a user does to get somewhere. What Android does by itself, a walk cannot cause, and going back
/// is a step of its own.
fn is_done_by_user(event: InputEvent) -> bool {
    !matches!(
        event,
        InputEvent::Lifecycle | InputEvent::Result | InputEvent::Back | InputEvent::Dismiss
    )
}

fn path_to(end: Node, start: Node, reached: &Reached) -> Vec<WayOn> {
    let mut path = Vec::new();
    let mut node = end;
    while node != start {
        let Some((before, way)) = reached.get(&node) else { break };
        path.extend(way.clone());
        node = *before;
    }
    path.reverse();
    path
}
