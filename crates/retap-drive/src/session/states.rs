//! The states that the session knows, and the way back to them.

use super::{DriveSession, MoveAnswer};
use retap_engine::Failure;
use retap_explore::{Move, StateNode};
use retap_model::StateId;
use retap_model::format::run::{read_states, screen_path};
use serde::Serialize;
use std::collections::BTreeMap;

/// A state of the session.
#[derive(Debug, Clone, Serialize)]
pub struct KnownState {
    pub state: StateId,
    /// From 1, in the order of first visits.
    pub number: usize,
    pub activity: String,
    pub visits: u64,
    /// The number of events from a clean install; none if no way is known.
    pub events_away: Option<usize>,
    pub names: Vec<String>,
    pub is_here: bool,
    /// True if the run holds a picture of it.
    pub has_picture: bool,
}

/// An event that led from one state to another.
#[derive(Debug, Clone, Serialize)]
pub struct StateEdgeRow {
    pub from: StateId,
    pub to: StateId,
    pub event: String,
    pub times: u64,
}

impl DriveSession<'_, '_> {
    /// Lists all states in the order of first visits.
    pub fn states(&self) -> Result<Vec<KnownState>, Failure> {
        let graph = self.exploration.graph();
        let here = graph.current_state();
        let mut names: BTreeMap<StateId, Vec<String>> = BTreeMap::new();
        for (name, state) in &self.names {
            names.entry(*state).or_default().push(name.clone());
        }
        let rows = read_states(&self.run)?;
        let known = rows.into_iter().zip(1..).map(|(row, number)| KnownState {
            state: row.state,
            number,
            activity: row.activity,
            visits: graph
                .node(row.state)
                .map_or(0, |StateNode { visits, stays, .. }| visits + stays),
            events_away: graph.path_length(row.state),
            names: names.remove(&row.state).unwrap_or_default(),
            is_here: here == Some(row.state),
            has_picture: screen_path(&self.run, row.screen).with_extension("png").is_file(),
        });
        Ok(known.collect())
    }

    /// Lists the events that connect the states.
    pub fn edges(&self) -> Vec<StateEdgeRow> {
        let graph = self.exploration.graph();
        let edges = graph.nodes().flat_map(|(from, node)| {
            node.edges.iter().filter(move |edge| edge.to != from).map(move |edge| StateEdgeRow {
                from,
                to: edge.to,
                event: graph.event_of(edge).map_or_else(String::new, ToString::to_string),
                times: edge.times.into(),
            })
        });
        edges.collect()
    }

    /// Names the state where the app is, and keeps a snapshot where the device can.
    pub fn save(&mut self, name: &str) -> Result<StateId, Failure> {
        let here = self.exploration.graph().current_state();
        let here = here.ok_or_else(|| Failure::input("the app is nowhere: restart it first"))?;
        self.undraw()?;
        self.exploration.save_snapshot(self.lab.rig())?;
        let name = if name.is_empty() { here.to_string() } else { name.to_string() };
        self.names.insert(name, here);
        Ok(here)
    }

    /// Goes back to a state, by its name, its number or the beginning of its id.
    pub fn go(&mut self, name: &str) -> Result<MoveAnswer, Failure> {
        let to = self.find(name)?;
        if self.drawn {
            // The way is exact only if nothing was drawn before.
            self.lab.rig().forget_position();
        }
        let answer = self.make_move(&Move::Return(to))?;
        let arrived = self.exploration.graph().current_state() == Some(to);
        if !arrived {
            self.context.remark(&format!("the way to {name} ended in state {}", answer.state));
        }
        Ok(answer)
    }

    fn find(&self, name: &str) -> Result<StateId, Failure> {
        if let Some(state) = self.names.get(name) {
            return Ok(*state);
        }
        let states = self.states()?;
        if let Ok(number) = name.parse::<usize>()
            && let Some(state) = states.iter().find(|state| state.number == number)
        {
            return Ok(state.state);
        }
        let alike =
            |state: &&KnownState| !name.is_empty() && state.state.to_string().starts_with(name);
        let found: Vec<&KnownState> = states.iter().filter(alike).collect();
        match found.as_slice() {
            [one] => Ok(one.state),
            [] => Err(Failure::input(format!(
                "no state is called {name:?}: list the states, or save one under that name first"
            ))),
            several => Err(Failure::input(format!("{} states begin with {name:?}", several.len()))),
        }
    }
}
