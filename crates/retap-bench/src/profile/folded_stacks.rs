//! Stacks with the processor time that was spent in them, equal stacks folded into one.

use std::collections::BTreeMap;
use std::fmt::Write;

/// What other tools that draw such files know as interpreted.
const INTERPRETED_MARK: &str = "_[0]";

/// A method in a stack, or a part of the JVM in brackets.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct StackFrame {
    pub name: String,
    pub is_interpreted: bool,
}

impl StackFrame {
    /// Returns a frame that is no method of Java.
    pub fn part(name: &str) -> Self {
        Self { name: name.into(), is_interpreted: false }
    }
}

/// Stacks with microseconds, the outermost frame first.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FoldedStacks(BTreeMap<Vec<StackFrame>, f64>);

impl FoldedStacks {
    pub fn add(&mut self, stack: Vec<StackFrame>, micros: f64) {
        if micros > 0.0 {
            *self.0.entry(stack).or_default() += micros;
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = (&[StackFrame], f64)> {
        self.0.iter().map(|(stack, micros)| (stack.as_slice(), *micros))
    }

    /// Returns one line for each stack: its frames separated by semicolons, then its microseconds.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for (stack, micros) in self.iter() {
            for (at, frame) in stack.iter().enumerate() {
                let separator = if at == 0 { "" } else { ";" };
                let mark = if frame.is_interpreted { INTERPRETED_MARK } else { "" };
                // Writing to a string cannot fail.
                let _ = write!(text, "{separator}{}{mark}", frame.name.replace([';', ' '], "_"));
            }
            let _ = writeln!(text, " {micros:.0}");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_stacks_become_one_line() {
        let mut stacks = FoldedStacks::default();
        let interpreted = StackFrame { name: "a.B.<init>".into(), is_interpreted: true };
        stacks.add(vec![StackFrame::part("event"), interpreted.clone()], 1500.2);
        stacks.add(vec![StackFrame::part("event"), StackFrame::part("(garbage collector)")], 40.0);
        stacks.add(vec![StackFrame::part("event"), interpreted], 500.0);
        stacks.add(vec![StackFrame::part("nothing")], 0.0);
        assert_eq!(stacks.to_text(), "event;(garbage_collector) 40\nevent;a.B.<init>_[0] 2000\n");
    }
}
