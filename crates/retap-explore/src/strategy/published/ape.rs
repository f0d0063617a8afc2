//! APE (Gu et al., ICSE 2019): a model whose abstraction is refined where an action is ambiguous and coarsened where
//! states multiply, and the strategy SATA: untried actions first, here or along certain transitions, then least tried ones.

mod gui_tree;
mod model;
mod naming;

use super::actions::GuiAction;
use super::gui_model::GuiModel;
use crate::decision_rng::DecisionRng;
use crate::strategy::random::Random;
use crate::strategy::{DecisionContext, Move, RecordedEntry, Strategy};
use gui_tree::{GuiTree, TreeAction};
use model::{ApeModel, StateKnowledge};
use naming::{ActionName, ModelState};
use retap_model::{App, Event, Key, StateId};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

/// How often a random action is chosen instead of the least tried one.
const EPSILON: f64 = 0.05;
/// How often a random event is performed in the model's stead.
const FUZZING: f64 = 0.02;
/// The app is restarted when the model has not changed for this many events.
const MAX_STABLE_EVENTS: u64 = 100;
/// Activities are compared by their visits only if there are more than this many.
const MIN_ACTIVITIES: usize = 3;
/// The largest number of states of the run whose screens are known. Those met longest ago are forgotten.
const MAX_TREES: usize = 20_000;

#[derive(Debug, Clone)]
pub struct Ape {
    random: Random,
    app: App,
    gui: GuiModel,
    model: ApeModel,
    /// The last screen of each state of the run.
    trees: BTreeMap<StateId, Arc<GuiTree>>,
    order: VecDeque<StateId>,
    current: Option<Arc<GuiTree>>,
    entries: BTreeSet<ModelState>,
    /// States and transitions of the model, and the events since their number changed.
    size: (usize, usize),
    stable_events: u64,
    reason: &'static str,
}

/// An action of the screen at hand with its name in the model.
#[derive(Debug, Clone, Copy)]
struct NamedAction<'a> {
    action: &'a GuiAction,
    name: ActionName,
    priority: u32,
}

impl Ape {
    pub fn new(random: Random, app: App) -> Self {
        Self {
            random,
            gui: GuiModel::new(app.clone()),
            app,
            model: ApeModel::default(),
            trees: BTreeMap::new(),
            order: VecDeque::new(),
            current: None,
            entries: BTreeSet::new(),
            size: (0, 0),
            stable_events: 0,
            reason: "",
        }
    }

    /// Returns true if an action of a state is untried: nowhere in the activity, or not on all widgets of its name.
    fn is_greedy(&self, state: &StateKnowledge, name: ActionName) -> bool {
        state.actions.get(&name).is_none_or(|known| {
            known.needs_widget
                && (self.model.is_new_name(&state.activity, name) || !known.is_saturated())
        })
    }

    fn is_greedy_state(&self, state: &StateKnowledge) -> bool {
        state.actions.keys().any(|name| self.is_greedy(state, *name))
    }

    /// Finds the first action of the shortest walk along certain transitions to a state that is wanted.
    fn find_walk(
        &self,
        from: ModelState,
        takes: &dyn Fn(bool) -> bool,
        wants: &dyn Fn(ModelState, &StateKnowledge) -> bool,
    ) -> Option<ActionName> {
        let mut first_actions: BTreeMap<ModelState, ActionName> = BTreeMap::new();
        let mut queue = VecDeque::from([from]);
        while let Some(at) = queue.pop_front() {
            let state = self.model.states.get(&at)?;
            let first = first_actions.get(&at).copied();
            if let Some(first) = first.filter(|_| wants(at, state)) {
                return Some(first);
            }
            for (name, known) in state.actions.iter().filter(|(_, it)| takes(it.is_back)) {
                let Some(to) = known.certain_target().filter(|to| *to != from) else { continue };
                let is_known = self.model.states.contains_key(&to);
                if is_known && !first_actions.contains_key(&to) {
                    first_actions.insert(to, first.unwrap_or(*name));
                    queue.push_back(to);
                }
            }
        }
        None
    }

    /// Returns the activities that were visited less than the mean and the median.
    fn rare_activities(&self) -> BTreeSet<&str> {
        let visits = &self.model.activity_visits;
        if visits.len() <= MIN_ACTIVITIES {
            return BTreeSet::new();
        }
        let mut counts: Vec<u64> = visits.values().copied().collect();
        counts.sort_unstable();
        let mean = counts.iter().sum::<u64>() / counts.len() as u64;
        let limit = mean.max(counts[counts.len() / 2]);
        visits.iter().filter(|(_, count)| **count <= limit).map(|(name, _)| name.as_str()).collect()
    }

    /// Chooses the name of the next action (SATA).
    fn choose(
        &self,
        at: ModelState,
        actions: &[NamedAction<'_>],
        rng: &mut DecisionRng,
    ) -> (Option<ActionName>, &'static str) {
        let Some(state) = self.model.states.get(&at) else {
            return (None, "a state without model");
        };
        let greedy = actions.iter().filter(|action| self.is_greedy(state, action.name));
        let greedy: Vec<_> = greedy.map(|action| (action.name, action.priority)).collect();
        if let Some(name) = rng.weighted(&greedy) {
            return (Some(*name), "untried");
        }
        let forward = |is_back: bool| !is_back;
        if let Some(name) = self.find_walk(at, &forward, &|_, it| self.is_greedy_state(it)) {
            return (Some(name), "on the way to an untried action");
        }
        let rare = self.rare_activities();
        let has_untried = |it: &StateKnowledge| it.actions.values().any(|known| known.tries == 0);
        let is_wanted =
            |_, it: &StateKnowledge| rare.contains(it.activity.as_str()) && has_untried(it);
        let walk = if rare.contains(state.activity.as_str()) {
            None
        } else {
            self.find_walk(at, &forward, &is_wanted)
        };
        if let Some(name) = walk {
            return (Some(name), "on the way to a rare activity");
        }
        let mut backs = state.actions.iter().filter(|(_, known)| known.is_back);
        if let Some((name, _)) = backs.find(|(_, known)| known.tries == 0) {
            return (Some(*name), "Back is untried");
        }
        let is_parent =
            |at, it: &StateKnowledge| self.is_greedy_state(it) || self.entries.contains(&at);
        if let Some(name) = self.find_walk(at, &|is_back| is_back, &is_parent) {
            return (Some(name), "back to an earlier state");
        }
        let tries = |name| state.actions.get(&name).map_or(0, |known| known.tries);
        if rng.chance(EPSILON) {
            let all: Vec<_> = actions.iter().map(|it| (it.name, it.priority)).collect();
            return (rng.weighted(&all).copied(), "any action");
        }
        let least = actions.iter().map(|action| action.name).min_by_key(|name| tries(*name));
        (least, "least tried")
    }

    /// Returns the screen of an entry: the one shown with it, or the last one of its state.
    fn tree_of(&mut self, entry: RecordedEntry<'_>) -> Option<Arc<GuiTree>> {
        let novelty = entry.novelty();
        let state = novelty.result.state.filter(|_| novelty.result.outcome.is_running())?;
        let Some(screen) = novelty.screen else { return self.trees.get(&state).cloned() };
        let tree = Arc::new(GuiTree::of(screen, &self.app));
        if self.trees.insert(state, Arc::clone(&tree)).is_none() {
            self.order.push_back(state);
        }
        if self.order.len() > MAX_TREES
            && let Some(oldest) = self.order.pop_front()
        {
            self.trees.remove(&oldest);
        }
        Some(tree)
    }

    fn count_stable_event(&mut self) {
        let transitions = |state: &StateKnowledge| {
            state.actions.values().map(|known| known.led_to.len()).sum::<usize>()
        };
        let size =
            (self.model.states.len(), self.model.states.values().map(transitions).sum::<usize>());
        let has_changed = std::mem::replace(&mut self.size, size) != size;
        self.stable_events = if has_changed { 0 } else { self.stable_events + 1 };
    }
}

impl Strategy for Ape {
    fn decide(&mut self, context: &DecisionContext<'_>) -> Move {
        self.reason = "";
        if context.is_trace_over {
            return Move::Restart;
        }
        if let Some(event) = self.gui.way_back(context) {
            return Move::Do(event);
        }
        if self.stable_events >= MAX_STABLE_EVENTS {
            self.reason = "the model is stable";
            return Move::Restart;
        }
        let mut rng = DecisionRng::new(self.random.seed, context.decision_number);
        if rng.chance(FUZZING) {
            self.reason = "any event";
            return Move::Do(self.random.draw_event(context));
        }
        let offers = self.gui.offered(context, &mut rng);
        let tree = GuiTree::of(&context.observation.screen, &self.app);
        let known: Vec<(&GuiAction, TreeAction)> = offers
            .iter()
            .filter_map(|offer| Some((offer, TreeAction::of(&offer.event)?)))
            .collect();
        let as_tree: Vec<TreeAction> = known.iter().map(|(_, action)| *action).collect();
        let names = self.model.names_of(&tree, &as_tree);
        let actions: Vec<NamedAction<'_>> = known
            .iter()
            .zip(names)
            .map(|((action, as_tree), name)| NamedAction {
                action,
                name,
                priority: as_tree.priority(),
            })
            .collect();
        let (name, reason) = self.choose(self.model.state_of(&tree), &actions, &mut rng);
        self.reason = reason;
        let named: Vec<_> = actions.iter().filter(|action| Some(action.name) == name).collect();
        let chosen = rng.pick(&named).map(|named| named.action);
        let chosen = chosen.or_else(|| rng.pick(&offers));
        Move::Do(chosen.map_or(Event::Key(Key::back()), |action| action.event.clone()))
    }

    fn learn(&mut self, entry: RecordedEntry<'_>) {
        self.gui.learn(entry);
        let tree = self.tree_of(entry);
        if let Some(tree) = &tree {
            self.model.visit(tree);
        }
        match entry {
            RecordedEntry::Step(step, _) => {
                let action = TreeAction::of(&step.event);
                if let (Some(from), Some(action)) = (&self.current, action) {
                    self.model.record(from, action, tree.clone());
                }
                self.count_stable_event();
            }
            RecordedEntry::Start(_) | RecordedEntry::Return { .. } => {
                self.entries.extend(tree.as_ref().map(|tree| self.model.state_of(tree)));
                self.stable_events = 0;
            }
        }
        self.current = tree;
    }

    fn reason(&self) -> String {
        self.reason.into()
    }

    fn wants_screens(&self) -> bool {
        true
    }
}
