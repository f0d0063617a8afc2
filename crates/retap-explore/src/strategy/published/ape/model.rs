//! APE's model: states and transitions as the current abstraction sees the recorded ones. Whenever the abstraction
//! changes, the model is made anew from the recorded transitions.

use super::gui_tree::{GuiTree, TreeAction, TreeActionKind};
use super::naming::{ActionName, Case, ModelState, NamingTree};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

/// The number of transitions that a new model is made from: the last ones.
const MAX_TRANSITIONS: usize = 4_000;
/// An activity with more states than this is not refined.
const MAX_STATES_PER_ACTIVITY: usize = 10;
/// A refinement that led to more states than this is taken back.
const MAX_REFINED_STATES: usize = 8;

#[derive(Debug, Clone)]
struct RecordedTransition {
    from: Arc<GuiTree>,
    action: TreeAction,
    /// `None` if the app ended.
    to: Option<Arc<GuiTree>>,
}

#[derive(Debug, Clone, Default)]
pub struct ApeModel {
    namings: NamingTree,
    recorded: VecDeque<RecordedTransition>,
    pub states: BTreeMap<ModelState, StateKnowledge>,
    pub activity_visits: BTreeMap<String, u64>,
    /// The actions that were tried anywhere in an activity.
    tried_names: BTreeSet<(String, ActionName)>,
}

#[derive(Debug, Clone, Default)]
pub struct StateKnowledge {
    pub activity: String,
    pub visits: u64,
    pub actions: BTreeMap<ActionName, ActionKnowledge>,
    coarser: Vec<ModelState>,
}

#[derive(Debug, Clone, Default)]
pub struct ActionKnowledge {
    pub is_back: bool,
    pub needs_widget: bool,
    /// The number of widgets that the name stands for.
    pub widgets: u64,
    pub tries: u64,
    pub led_to: BTreeMap<ModelState, u64>,
}

impl ActionKnowledge {
    /// Returns the state that the action leads to, if it has always led there.
    pub fn certain_target(&self) -> Option<ModelState> {
        let (to, _) = self.led_to.first_key_value().filter(|_| self.led_to.len() == 1)?;
        Some(*to)
    }

    /// Returns true if the action was tried on all widgets that it stands for.
    pub fn is_saturated(&self) -> bool {
        self.tries >= self.widgets.max(1)
    }
}

impl ApeModel {
    pub fn state_of(&self, tree: &GuiTree) -> ModelState {
        self.namings.name(tree).state
    }

    /// Returns the names of actions on a screen.
    pub fn names_of(&self, tree: &GuiTree, actions: &[TreeAction]) -> Vec<ActionName> {
        let naming = self.namings.name(tree).naming;
        actions.iter().map(|action| naming.name(action)).collect()
    }

    /// Returns true if the action was tried in no state of the activity.
    pub fn is_new_name(&self, activity: &str, name: ActionName) -> bool {
        !self.tried_names.contains(&(activity.to_string(), name))
    }

    /// Records a screen that was met.
    pub fn visit(&mut self, tree: &GuiTree) {
        let named = self.namings.name(tree);
        let names = self.names_of(tree, &tree.actions);
        let state = self.states.entry(named.state).or_default();
        state.activity.clone_from(&tree.activity);
        state.visits += 1;
        state.coarser = named.coarser;
        let mut widgets: BTreeMap<ActionName, u64> = BTreeMap::new();
        names.iter().for_each(|name| *widgets.entry(*name).or_default() += 1);
        for (action, name) in tree.actions.iter().zip(names) {
            let known = state.actions.entry(name).or_default();
            known.is_back = action.kind == TreeActionKind::Back;
            known.needs_widget = action.attributes.is_some();
            known.widgets = known.widgets.max(widgets[&name]);
        }
        *self.activity_visits.entry(tree.activity.clone()).or_default() += 1;
    }

    /// Records a transition and changes the abstraction if it calls for that. After a crash there is no screen.
    pub fn record(&mut self, from: &Arc<GuiTree>, action: TreeAction, to: Option<Arc<GuiTree>>) {
        let transition = RecordedTransition { from: Arc::clone(from), action, to };
        self.add(&transition);
        self.recorded.push_back(transition);
        if self.recorded.len() > MAX_TRANSITIONS {
            self.recorded.pop_front();
        }
        let mut has_changed = self.coarsen();
        has_changed |= action.kind != TreeActionKind::Back && self.refine(from, &action);
        if has_changed {
            self.rebuild();
        }
    }

    fn add(&mut self, RecordedTransition { from, action, to }: &RecordedTransition) {
        let named = self.namings.name(from);
        let name = named.naming.name(action);
        let target = to.as_ref().map(|to| self.state_of(to));
        let known = self.states.entry(named.state).or_default().actions.entry(name).or_default();
        known.tries += 1;
        if let Some(target) = target {
            *known.led_to.entry(target).or_default() += 1;
        }
        self.tried_names.insert((from.activity.clone(), name));
    }

    fn rebuild(&mut self) {
        self.states.clear();
        self.activity_visits.clear();
        self.tried_names.clear();
        let recorded = std::mem::take(&mut self.recorded);
        for transition in &recorded {
            self.visit(&transition.from);
            self.add(transition);
        }
        if let Some(last) = recorded.back().and_then(|last| last.to.as_ref()) {
            self.visit(last);
        }
        self.recorded = recorded;
    }

    /// Takes refinements back that led to too many states. Returns true if there were any.
    fn coarsen(&mut self) -> bool {
        let mut split: BTreeMap<ModelState, usize> = BTreeMap::new();
        for state in self.states.values() {
            state.coarser.iter().for_each(|coarse| *split.entry(*coarse).or_default() += 1);
        }
        let in_vain = split.into_iter().filter(|(_, states)| *states > MAX_REFINED_STATES);
        let in_vain: Vec<ModelState> = in_vain.map(|(state, _)| state).collect();
        in_vain.iter().for_each(|state| self.namings.coarsen(*state));
        !in_vain.is_empty()
    }

    /// Refines the abstraction if an action has led to different states. Returns true if that was possible.
    fn refine(&mut self, from: &GuiTree, action: &TreeAction) -> bool {
        let named = self.namings.name(from);
        let name = named.naming.name(action);
        let Some(state) = self.states.get(&named.state) else { return false };
        let is_ambiguous = state.actions.get(&name).is_some_and(|known| known.led_to.len() > 1);
        let in_activity = self.states.values().filter(|it| it.activity == from.activity).count();
        if !is_ambiguous || in_activity > MAX_STATES_PER_ACTIVITY {
            return false;
        }
        let alike = |it: &&RecordedTransition| {
            it.from.activity == from.activity && self.state_of(&it.from) == named.state
        };
        let of_state: Vec<&RecordedTransition> = self.recorded.iter().filter(alike).collect();
        let same = of_state.iter().filter(|it| named.naming.name(&it.action) == name);
        let same: Vec<&&RecordedTransition> = same.collect();
        let target_of = |it: &RecordedTransition| it.to.as_ref().map(|to| self.state_of(to));
        let Some(last) = same.last() else { return false };
        let target = target_of(last);
        let Some(other) = same.iter().rev().find(|it| target_of(it) != target) else {
            return false;
        };
        let first = Case { tree: &other.from, action: &other.action };
        let second = Case { tree: &last.from, action: &last.action };
        let trees: Vec<&GuiTree> = of_state.iter().map(|it| it.from.as_ref()).collect();
        let mut namings = self.namings.clone();
        let is_refined = namings.refine(first, second, &trees);
        self.namings = namings;
        is_refined
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use retap_model::{Selector, Target};

    /// Returns a tap on a widget with this id and text.
    fn tap(id: &str, text: &str) -> TreeAction {
        let on = Selector { id: id.into(), text: text.into(), ..Selector::default() };
        let event = retap_model::Event::Tap(Target { on: Some(on), at: None });
        TreeAction::of(&event).unwrap()
    }

    fn tree(activity: &str, actions: &[TreeAction]) -> Arc<GuiTree> {
        Arc::new(GuiTree { activity: activity.into(), actions: actions.to_vec() })
    }

    #[test]
    fn an_action_that_leads_to_different_states_becomes_two_actions() {
        let (one, other) = (tap("row", "one"), tap("row", "other"));
        let list = tree("List", &[one, other]);
        let (page, form) = (tree("Page", &[tap("close", "")]), tree("Form", &[tap("save", "")]));
        let mut model = ApeModel::default();
        model.visit(&list);
        let names = model.names_of(&list, &list.actions);
        assert_eq!(names[0], names[1], "only the type counts at first");
        model.record(&list, one, Some(Arc::clone(&page)));
        model.record(&list, other, Some(Arc::clone(&form)));
        let names = model.names_of(&list, &list.actions);
        assert_ne!(names[0], names[1]);
        let actions = &model.states[&model.state_of(&list)].actions;
        assert_eq!(actions[&names[0]].certain_target(), Some(model.state_of(&page)));
        assert_eq!(actions[&names[1]].certain_target(), Some(model.state_of(&form)));
    }

    #[test]
    fn a_refinement_is_taken_back_when_states_multiply() {
        let send = tap("send", "Send");
        let counter = |count: usize| tree("Log", &[tap("count", &count.to_string()), send]);
        let (page, form) = (tree("Page", &[tap("close", "")]), tree("Form", &[tap("save", "")]));
        let mut model = ApeModel::default();
        let mut most = 0;
        for count in 0..40 {
            let log = counter(count);
            model.visit(&log);
            let to = if count % 2 == 0 { &page } else { &form };
            model.record(&log, send, Some(Arc::clone(to)));
            let logs = model.states.values().filter(|state| state.activity == "Log").count();
            most = most.max(logs);
        }
        assert!(most > 1, "the counter told the two cases apart at first");
        assert_eq!(model.state_of(&counter(1)), model.state_of(&counter(2)));
    }
}
