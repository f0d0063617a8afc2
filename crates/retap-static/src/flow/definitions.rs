//! Reaching definitions: which instructions may have produced what a register holds. Copies are looked through.

use std::collections::BTreeMap;

use retap_apk::CodeItem;

use super::{ControlFlow, is_move, is_move_result, written_register};

/// Larger sets are of no use to anybody.
const MAX_DEFINITIONS: usize = 8;
/// Methods whose blocks and registers multiply to more than this are generated, and are not analysed.
const MAX_STATE: usize = 4_000_000;

/// What each register may hold at the start of each block: positions of instructions and, from their number on,
/// parameters.
pub struct ReachingDefinitions<'a> {
    flow: &'a ControlFlow,
    /// A set's number for each register, for each block that can be reached.
    entries: Vec<Option<Vec<u32>>>,
    pool: SetPool,
}

impl<'a> ReachingDefinitions<'a> {
    /// Returns `None` for a method that is too large.
    pub fn new(code: &CodeItem, flow: &'a ControlFlow) -> Option<Self> {
        let registers = usize::from(code.registers);
        (registers * flow.blocks.len() <= MAX_STATE).then_some(())?;
        let parameters = usize::from(code.parameters);
        let mut pool = SetPool::new(flow.instructions.len() + parameters);
        let mut entry = vec![SetPool::EMPTY; registers];
        let first_parameter = registers - parameters;
        for (number, register) in (first_parameter..registers).enumerate() {
            entry[register] = SetPool::single((flow.instructions.len() + number) as u32);
        }
        let mut entries = vec![None; flow.blocks.len()];
        let mut work = Vec::new();
        if !flow.blocks.is_empty() {
            entries[0] = Some(entry);
            work.push(0);
        }
        while let Some(block) = work.pop() {
            let Some(mut state) = entries[block].clone() else { continue };
            for position in flow.blocks[block].first..flow.blocks[block].end {
                // An exception leaves with what was there before the instruction.
                for &handler in &flow.blocks[block].handlers {
                    if pool.merge_state(&mut entries[handler], &state) {
                        work.push(handler);
                    }
                }
                transfer(flow, position, &mut state);
            }
            for &next in &flow.blocks[block].successors {
                if pool.merge_state(&mut entries[next], &state) {
                    work.push(next);
                }
            }
        }
        Some(ReachingDefinitions { flow, entries, pool })
    }

    /// Calls `visit` for each instruction of a block that can be reached, with the definitions of every register before it.
    pub fn walk(&self, block: usize, mut visit: impl FnMut(usize, RegisterValues<'_>)) {
        let Some(mut state) = self.entries[block].clone() else { return };
        for position in self.flow.blocks[block].first..self.flow.blocks[block].end {
            visit(position, RegisterValues { pool: Some(&self.pool), state: &state });
            transfer(self.flow, position, &mut state);
        }
    }
}

/// What every register may hold before an instruction.
#[derive(Clone, Copy)]
pub struct RegisterValues<'a> {
    pool: Option<&'a SetPool>,
    state: &'a [u32],
}

impl<'a> RegisterValues<'a> {
    /// Nothing is known of any register.
    pub const UNKNOWN: RegisterValues<'static> = RegisterValues { pool: None, state: &[] };

    pub fn of(self, register: u16) -> &'a [u32] {
        let set = self.state.get(usize::from(register)).copied().unwrap_or(SetPool::EMPTY);
        self.pool.map_or(&[], |pool| pool.get(set))
    }
}

fn transfer(flow: &ControlFlow, position: usize, state: &mut [u32]) {
    let instruction = &flow.instructions[position];
    let Some(register) = written_register(instruction).map(usize::from) else { return };
    if register >= state.len() {
        return;
    }
    state[register] = if is_move(instruction.opcode) {
        let source = instruction.registers.get(1).map_or(usize::MAX, usize::from);
        state.get(source).copied().unwrap_or(SetPool::EMPTY)
    } else if is_move_result(instruction.opcode) {
        // The value is the call's, which comes right before.
        SetPool::single(position.saturating_sub(1) as u32)
    } else {
        SetPool::single(position as u32)
    };
}

/// Sets of definitions, each kept once. Most have one definition: their numbers are the definitions' own, after the empty set's.
struct SetPool {
    /// All definitions in their order: what the sets of one hold.
    definitions: Vec<u32>,
    unions: Vec<Vec<u32>>,
    numbers: BTreeMap<Vec<u32>, u32>,
    merged: BTreeMap<(u32, u32), u32>,
}

impl SetPool {
    const EMPTY: u32 = 0;

    fn new(definitions: usize) -> Self {
        SetPool {
            definitions: (0..definitions as u32).collect(),
            unions: Vec::new(),
            numbers: BTreeMap::new(),
            merged: BTreeMap::new(),
        }
    }

    fn single(definition: u32) -> u32 {
        definition + 1
    }

    fn get(&self, number: u32) -> &[u32] {
        let singles = self.definitions.len();
        match (number as usize).checked_sub(1) {
            None => &[],
            Some(place) if place < singles => &self.definitions[place..=place],
            Some(place) => &self.unions[place - singles],
        }
    }

    fn intern(&mut self, set: Vec<u32>) -> u32 {
        if let Some(&number) = self.numbers.get(&set) {
            return number;
        }
        let number = (self.definitions.len() + self.unions.len() + 1) as u32;
        self.unions.push(set.clone());
        self.numbers.insert(set, number);
        number
    }

    fn merge(&mut self, one: u32, other: u32) -> u32 {
        if one == other || other == SetPool::EMPTY {
            return one;
        }
        if one == SetPool::EMPTY {
            return other;
        }
        let key = (one.min(other), one.max(other));
        if let Some(&number) = self.merged.get(&key) {
            return number;
        }
        let mut union = self.get(one).to_vec();
        union.extend(self.get(other));
        union.sort_unstable();
        union.dedup();
        union.truncate(MAX_DEFINITIONS);
        let number = self.intern(union);
        self.merged.insert(key, number);
        number
    }

    /// Merges a state into a block's entry. Returns true if that changed it.
    fn merge_state(&mut self, entry: &mut Option<Vec<u32>>, state: &[u32]) -> bool {
        let Some(entry) = entry else {
            *entry = Some(state.to_vec());
            return true;
        };
        let mut changed = false;
        for (known, &more) in entry.iter_mut().zip(state) {
            let merged = self.merge(*known, more);
            changed |= merged != *known;
            *known = merged;
        }
        changed
    }
}
