//! The stacks of a run joined into one tree: a method's time includes that of all it called.

use super::super::folded_stacks::{FoldedStacks, StackFrame};
use std::collections::BTreeMap;

/// A method called along one path, or a part of the JVM.
#[derive(Debug, Default)]
pub struct CallTree {
    pub name: String,
    pub micros: f64,
    /// The time in the method itself.
    pub own_micros: f64,
    /// The time while the method was interpreted.
    pub interpreted_micros: f64,
    called: BTreeMap<String, CallTree>,
}

impl CallTree {
    pub fn new(name: &str, stacks: &FoldedStacks) -> Self {
        let mut tree = Self { name: name.into(), ..Self::default() };
        for (stack, micros) in stacks.iter() {
            tree.add(stack, micros);
        }
        tree
    }

    fn add(&mut self, stack: &[StackFrame], micros: f64) {
        self.micros += micros;
        let Some((first, rest)) = stack.split_first() else {
            self.own_micros += micros;
            return;
        };
        let called = self.called.entry(first.name.clone()).or_default();
        if called.name.is_empty() {
            called.name.clone_from(&first.name);
        }
        if first.is_interpreted {
            called.interpreted_micros += micros;
        }
        called.add(rest, micros);
    }

    /// Returns what it called, the longest first.
    pub fn called(&self) -> Vec<&CallTree> {
        let mut called: Vec<&CallTree> = self.called.values().collect();
        called.sort_by(|one, two| two.micros.total_cmp(&one.micros));
        called
    }

    pub fn interpreted_share(&self) -> f64 {
        if self.micros > 0.0 { self.interpreted_micros / self.micros } else { 0.0 }
    }
}
