//! APE's abstraction: reducers that keep some attributes of a widget, and a decision tree that says which reducers
//! apply to which screens. It grows where an action is ambiguous and shrinks where it grew in vain.

use super::gui_tree::{Attributes, GuiTree, TreeAction};
use retap_model::hash::StableHasher;
use std::collections::{BTreeMap, BTreeSet};

/// The attributes that a name keeps, as bits in the order of [`Attributes`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reducer(u8);

impl Reducer {
    /// The reducer that the model begins with: the type of the widget.
    const BASE: Reducer = Reducer(0b0001);
    const ALL: u8 = 0b1111;

    /// Lists the reducers that keep more than this one, those that keep least first.
    fn finer(self) -> Vec<Reducer> {
        let is_finer = |bits: &u8| bits & self.0 == self.0 && *bits != self.0;
        let mut finer: Vec<u8> = (1..=Self::ALL).filter(is_finer).collect();
        finer.sort_by_key(|bits| (bits.count_ones(), *bits));
        finer.into_iter().map(Reducer).collect()
    }

    fn name(self, attributes: &Attributes) -> WidgetName {
        let mut hasher = StableHasher::new("name");
        hasher.u64(self.0.into());
        for (bit, attribute) in attributes.iter().enumerate() {
            hasher.u64(if self.0 >> bit & 1 == 1 { *attribute } else { 0 });
        }
        WidgetName(hasher.finish())
    }
}

/// A widget as a naming sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct WidgetName(u64);

/// An action as a naming sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ActionName(u64);

/// A state of APE's model: an activity and the names of the actions in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ModelState(pub u64);

/// The base reducer and its refinements: widgets of a name get a finer one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WidgetNaming {
    refinements: Vec<(WidgetName, Reducer)>,
}

impl WidgetNaming {
    fn resolve(&self, attributes: &Attributes) -> (WidgetName, Reducer) {
        let base = (Reducer::BASE.name(attributes), Reducer::BASE);
        self.refinements.iter().fold(base, |(name, reducer), (coarse, finer)| {
            if name == *coarse { (finer.name(attributes), *finer) } else { (name, reducer) }
        })
    }

    pub fn name(&self, action: &TreeAction) -> ActionName {
        let mut hasher = StableHasher::new("action");
        hasher.str(&format!("{:?}", action.kind));
        hasher.u64(action.attributes.map_or(0, |attributes| self.resolve(&attributes).0.0));
        ActionName(hasher.finish())
    }

    fn state(&self, tree: &GuiTree) -> ModelState {
        let names: BTreeSet<ActionName> = tree.actions.iter().map(|it| self.name(it)).collect();
        let mut hasher = StableHasher::new("state");
        hasher.str(&tree.activity);
        for (coarse, finer) in &self.refinements {
            hasher.u64(coarse.0).u64(finer.0.into());
        }
        for name in &names {
            hasher.u64(name.0);
        }
        ModelState(hasher.finish())
    }

    fn refined(&self, name: WidgetName, finer: Reducer) -> Self {
        let mut refinements = self.refinements.clone();
        refinements.push((name, finer));
        Self { refinements }
    }

    /// Returns the number of states into which a refinement to this naming may split one.
    fn max_states(&self) -> usize {
        (2usize << self.refinements.len().min(4)).min(8)
    }
}

/// The decision tree: states of a naming that a finer naming tells apart.
#[derive(Debug, Clone, Default)]
pub struct NamingTree {
    finer: BTreeMap<ModelState, WidgetNaming>,
    /// States whose refinement gave too many states. They are not refined again.
    given_up: BTreeSet<ModelState>,
}

/// A screen as the model sees it.
#[derive(Debug, Clone)]
pub struct NamedTree {
    pub state: ModelState,
    pub naming: WidgetNaming,
    /// The state that the refinements split, from the coarsest on.
    pub coarser: Vec<ModelState>,
}

impl NamingTree {
    pub fn name(&self, tree: &GuiTree) -> NamedTree {
        let mut named = NamedTree {
            state: ModelState(0),
            naming: WidgetNaming::default(),
            coarser: Vec::new(),
        };
        loop {
            named.state = named.naming.state(tree);
            let Some(finer) = self.finer.get(&named.state) else { return named };
            named.coarser.push(named.state);
            named.naming = finer.clone();
        }
    }

    /// Refines a state so that an action that led to different states is two actions or happens in two states. Returns
    /// false if no reducer tells the two cases apart without too many states.
    pub fn refine(&mut self, first: Case<'_>, second: Case<'_>, of_state: &[&GuiTree]) -> bool {
        let NamedTree { state, naming, .. } = self.name(first.tree);
        if self.given_up.contains(&state) {
            return false;
        }
        let refinement = actions_apart(&naming, first, second)
            .into_iter()
            .chain(states_apart(&naming, first.tree, second.tree))
            .find(|naming| {
                let states: BTreeSet<ModelState> =
                    of_state.iter().map(|tree| naming.state(tree)).collect();
                states.len() <= naming.max_states()
            });
        let is_found = refinement.is_some();
        self.finer.extend(refinement.map(|naming| (state, naming)));
        is_found
    }

    /// Takes the refinement of a state back for good.
    pub fn coarsen(&mut self, state: ModelState) {
        self.finer.remove(&state);
        self.given_up.insert(state);
    }
}

/// A screen and the action that was performed on it.
#[derive(Debug, Clone, Copy)]
pub struct Case<'a> {
    pub tree: &'a GuiTree,
    pub action: &'a TreeAction,
}

/// Lists the namings that give the widgets of two actions different names (action refinement).
fn actions_apart(naming: &WidgetNaming, first: Case<'_>, second: Case<'_>) -> Vec<WidgetNaming> {
    let (Some(one), Some(other)) = (first.action.attributes, second.action.attributes) else {
        return Vec::new();
    };
    let (name, reducer) = naming.resolve(&one);
    let tells_apart = |finer: &Reducer| finer.name(&one) != finer.name(&other);
    reducer.finer().into_iter().filter(tells_apart).map(|it| naming.refined(name, it)).collect()
}

/// Lists the namings that make two screens different states (state refinement).
fn states_apart<'a>(
    naming: &'a WidgetNaming,
    first: &'a GuiTree,
    second: &'a GuiTree,
) -> impl Iterator<Item = WidgetNaming> + 'a {
    let widgets = first.actions.iter().filter_map(|action| action.attributes);
    let names: BTreeMap<WidgetName, Reducer> = widgets.map(|it| naming.resolve(&it)).collect();
    let finer = names
        .into_iter()
        .flat_map(|(name, reducer)| reducer.finer().into_iter().map(move |finer| (name, finer)));
    finer
        .map(|(name, finer)| naming.refined(name, finer))
        .filter(|naming| naming.state(first) != naming.state(second))
}
