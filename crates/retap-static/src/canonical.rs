//! The canonical form of a method: what it does, without what the compiler chose.
//!
//! Registers, copies of registers, the width of constants and branches, the place of constants, the order of blocks, the
//! direction of conditions, nops and line numbers leave no trace. Names, constants, calls, operands and the way control
//! flows do. Two methods with one canonical form do the same.

mod form;
mod naming;
mod value;
mod writer;

use std::collections::BTreeMap;

use retap_apk::{CodeItem, MethodDefinition};

use crate::flow::{ControlFlow, ReachingDefinitions, is_condition, is_invoke};
use crate::program::{ProgramClass, ResourceNames};

pub use form::CanonicalForm;
use form::FormText;
pub use naming::{MemberKey, Naming, Renamed, Shape, is_unstable_class, is_unstable_method};
use writer::CanonicalWriter;

/// A method's code in the order in which its canonical form is written.
pub struct CanonicalCode<'a> {
    class: &'a ProgramClass<'a>,
    code: &'a CodeItem<'a>,
    flow: ControlFlow,
    order: BlockOrder,
}

impl<'a> CanonicalCode<'a> {
    pub fn new(class: &'a ProgramClass<'a>, code: &'a CodeItem<'a>) -> Self {
        let flow = ControlFlow::new(code);
        let order = block_order(&flow);
        CanonicalCode { class, code, flow, order }
    }

    /// Counts calls and accesses of fields. Each is a line of the canonical form whatever it is called, so two methods with
    /// other counts have other forms: to know that costs a fraction of writing them.
    pub fn effects(&self) -> EffectCounts {
        let mut counts = EffectCounts::default();
        for &block in self.order.chains.iter().flatten() {
            let block = &self.flow.blocks[block];
            for instruction in &self.flow.instructions[block.first..block.end] {
                match instruction.opcode {
                    opcode if is_invoke(opcode) => counts.calls += 1,
                    0x52..=0x58 | 0x60..=0x66 => counts.reads += 1,
                    0x59..=0x5f | 0x67..=0x6d => counts.writes += 1,
                    _ => {}
                }
            }
        }
        counts
    }

    /// Appends a line for each thing that the code does.
    fn write(&self, resources: &'a ResourceNames, text: &mut FormText<'a>) {
        let definitions = ReachingDefinitions::new(self.code, &self.flow);
        CanonicalWriter::new(self, resources, text).write(definitions.as_ref());
    }
}

/// Returns the canonical form of a method: its modifiers, its descriptor and what its code does.
pub fn canonical_form<'a>(
    class: &'a ProgramClass<'a>,
    method: &'a MethodDefinition<'a>,
    code: Option<&CanonicalCode<'a>>,
    resources: &'a ResourceNames,
) -> CanonicalForm<'a> {
    let mut text = FormText::default();
    text.put(format_args!("{} ", method.access));
    text.descriptor(class.method_descriptor(method));
    text.push("\n");
    if let Some(code) = code {
        code.write(resources, &mut text);
    }
    text.finish()
}

/// How many calls, reads and writes of fields a method can reach.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct EffectCounts {
    calls: usize,
    reads: usize,
    writes: usize,
}

/// The blocks in the order of a walk from the entry that follows jumps, each with the number of its place if other
/// blocks need to name it.
struct BlockOrder {
    chains: Vec<Vec<usize>>,
    /// The number of the chain that begins with a block.
    labels: BTreeMap<usize, usize>,
}

fn block_order(flow: &ControlFlow) -> BlockOrder {
    let predecessors = flow.predecessors();
    let mut order = BlockOrder { chains: Vec::new(), labels: BTreeMap::new() };
    let mut stack = if flow.blocks.is_empty() { vec![] } else { vec![0] };
    while let Some(head) = stack.pop() {
        if order.labels.contains_key(&head) {
            continue;
        }
        order.labels.insert(head, order.chains.len());
        let mut chain = vec![head];
        let mut handlers: Vec<usize> = Vec::new();
        let mut last = head;
        loop {
            handlers.extend(flow.blocks[last].handlers.iter().copied());
            match flow.blocks[last].successors[..] {
                [next] if predecessors[next] == 1 && next != 0 => {
                    chain.push(next);
                    last = next;
                }
                _ => break,
            }
        }
        order.chains.push(chain);
        stack.extend(handlers.into_iter().rev());
        stack.extend(following(flow, last).into_iter().rev());
    }
    order
}

/// Returns what may follow a block, in an order that does not depend on the direction of its condition.
fn following(flow: &ControlFlow, block: usize) -> Vec<usize> {
    let mut successors = flow.blocks[block].successors.clone();
    let last = &flow.instructions[flow.blocks[block].end - 1];
    if is_condition(last.opcode) && is_negated(last.opcode) {
        successors.reverse();
    }
    successors
}

/// `ne`, `ge` and `le` are the negations of `eq`, `lt` and `gt`.
fn is_negated(opcode: u8) -> bool {
    matches!(opcode, 0x33 | 0x35 | 0x37 | 0x39 | 0x3b | 0x3d)
}
