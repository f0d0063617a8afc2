//! Follows values through registers, fields, parameters and what helpers return.

use std::collections::{BTreeMap, BTreeSet};

use super::CodeModel;
use crate::model::facts::{CallFact, MethodNumber, Value};

/// Values are followed through this many fields, helpers and parameters.
const MAX_DEPTH: usize = 8;
/// A step through a field, helper or parameter costs as much as this many fluent calls, of which a builder has many.
const STEP_COST: usize = 8;
/// A parameter with more callers than this could be anything.
const MAX_CALLERS: usize = 12;
/// A search that takes more steps than this has left what a person could follow.
const MAX_STEPS: usize = 4_000;

/// What methods write to each field, by class and name.
pub type FieldValues<'a> = BTreeMap<(&'a str, &'a str), Vec<(Value<'a>, MethodNumber)>>;

/// The calls that led to a method, innermost last.
type Stack = Vec<(MethodNumber, u32)>;

/// The calls that matter for one input.
#[derive(Debug, Clone, Copy)]
pub struct CallScope<'c> {
    /// The methods that can run.
    pub methods: &'c BTreeSet<MethodNumber>,
    /// The calls of the handler that can run, if not all of them can.
    pub branch: Option<(MethodNumber, &'c [u32])>,
}

impl CallScope<'_> {
    /// Returns true if a method's call at a position can run.
    pub fn has(self, caller: MethodNumber, position: u32) -> bool {
        self.branch.is_none_or(|(handler, calls)| handler != caller || calls.contains(&position))
    }
}

/// A search for what a value may be.
pub struct ValueSearch<'a, 'c> {
    code: &'c CodeModel<'a>,
    /// The calls that matter; none if all do.
    scope: Option<CallScope<'c>>,
    found: BTreeSet<Value<'a>>,
    steps: usize,
}

impl<'a, 'c> ValueSearch<'a, 'c> {
    pub fn new(code: &'c CodeModel<'a>, scope: Option<CallScope<'c>>) -> Self {
        ValueSearch { code, scope, found: BTreeSet::new(), steps: 0 }
    }

    /// Returns what a value found in a method may be.
    pub fn run(mut self, value: Value<'a>, number: MethodNumber) -> Vec<Value<'a>> {
        self.follow(value, number, &Vec::new(), MAX_DEPTH * STEP_COST);
        self.found.into_iter().collect()
    }

    fn follow(&mut self, value: Value<'a>, number: MethodNumber, stack: &Stack, budget: usize) {
        self.steps += 1;
        if self.steps > MAX_STEPS {
            return;
        }
        match value {
            Value::Field(class, name) => {
                let Some(budget) = budget.checked_sub(STEP_COST) else { return };
                let constant = self.code.constant(class, name);
                self.found.extend(constant.map(Value::Integer));
                let code = self.code;
                for &(value, writer) in code.field_values.get(&(class, name)).into_iter().flatten()
                {
                    self.follow(value, writer, &Vec::new(), budget);
                }
            }
            Value::Parameter(argument) => {
                let Some(budget) = budget.checked_sub(STEP_COST) else { return };
                match stack.split_last() {
                    Some((&(caller, position), outer)) => {
                        self.follow_argument(caller, position, argument, &outer.to_vec(), budget);
                    }
                    None => self.follow_callers(number, argument, budget),
                }
            }
            Value::Returned(method, position) => {
                self.follow_result(value, method, position, stack, budget);
            }
            value => {
                self.found.insert(value);
            }
        }
    }

    fn follow_callers(&mut self, number: MethodNumber, argument: u16, budget: usize) {
        let method = &self.code.methods[number as usize];
        if argument == 0 && !method.is_static() {
            self.found.insert(Value::Parameter(0));
            return;
        }
        let all = &self.code.callers[number as usize];
        let wanted =
            all.iter().filter(|it| self.scope.is_some_and(|scope| scope.methods.contains(it)));
        let mut callers: Vec<MethodNumber> = wanted.copied().collect();
        if callers.is_empty() {
            callers.extend(all);
        }
        if callers.len() > MAX_CALLERS {
            return;
        }
        for caller in callers {
            for call in &self.code.methods[caller as usize].facts.calls {
                let can_run = self.scope.is_none_or(|scope| scope.has(caller, call.position));
                if can_run && call.name == method.name() && self.code.leads_to(call, number) {
                    self.follow_argument(caller, call.position, argument, &Vec::new(), budget);
                }
            }
        }
    }

    fn follow_result(
        &mut self,
        value: Value<'a>,
        method: MethodNumber,
        position: u32,
        stack: &Stack,
        budget: usize,
    ) {
        let code = self.code;
        let Some(call) = code.methods[method as usize].facts.call_at(position) else { return };
        match code.declared(call.class, call.name, call.descriptor) {
            Some(callee) if stack.len() < MAX_DEPTH => {
                let Some(budget) = budget.checked_sub(STEP_COST) else { return };
                let mut inner = stack.clone();
                inner.push((method, position));
                for &value in &code.methods[callee as usize].facts.returned {
                    self.follow(value, callee, &inner, budget);
                }
            }
            // A fluent call returns what it was called on.
            _ if is_fluent(call) => {
                let Some(budget) = budget.checked_sub(1) else { return };
                for &value in call.arguments.first().into_iter().flatten() {
                    self.follow(value, method, stack, budget);
                }
            }
            _ => {
                self.found.insert(value);
            }
        }
    }

    fn follow_argument(
        &mut self,
        caller: MethodNumber,
        position: u32,
        argument: u16,
        stack: &Stack,
        budget: usize,
    ) {
        let code = self.code;
        let call = code.methods[caller as usize].facts.call_at(position);
        let values = call.and_then(|call| call.arguments.get(usize::from(argument)));
        for &value in values.into_iter().flatten() {
            self.follow(value, caller, stack, budget);
        }
    }
}

/// Returns true for calls such as `builder.setTitle(…)`, which return what they are called on; `view.findViewById(…)` returns another
/// object of the same class.
fn is_fluent(call: &CallFact) -> bool {
    let finds = ["find", "get", "require"].iter().any(|it| call.name.starts_with(it));
    !call.is_static && !finds && call.descriptor.ends_with(call.class)
}
