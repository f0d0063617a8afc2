//! Methods that answer users' inputs by what they override, whether or not a registration was found: what a run is measured by, so that a handler
//! which the model lacks is seen to be missed.

use std::collections::{BTreeMap, BTreeSet};

use super::android;
use super::code_model::is_own;
use super::facts::MethodNumber;
use super::inputs::body;
use super::windows::{ActivityCode, ModelBuilder};
use crate::program::ProgramClass;

/// Returns the methods that answer users' inputs, each with the cause if the model lacks it.
pub fn find(builder: &ModelBuilder, activities: &[ActivityCode]) -> BTreeMap<String, &'static str> {
    let code = builder.code;
    let named = builder.layouts.named_handlers();
    let in_windows: BTreeSet<MethodNumber> =
        activities.iter().flat_map(|it| it.methods.iter().copied()).collect();
    let hosted: BTreeSet<&String> = activities.iter().flat_map(|it| it.window_classes()).collect();
    let mut found = BTreeMap::new();
    let is_own = |class: &&ProgramClass| is_own(class.descriptor(), code.program.package);
    for class in code.program.classes.iter().filter(is_own) {
        let callbacks: BTreeSet<MethodNumber> =
            code.callbacks(class.descriptor()).into_iter().collect();
        let is_window = code.kind(class.descriptor()).is_some();
        for number in code.methods_of(class.descriptor()) {
            let name = builder.method(number).name();
            let answers =
                android::is_input_callback(name) || is_window && android::is_window_input(name);
            if !(callbacks.contains(&number) && answers || is_window && named.contains(name)) {
                continue;
            }
            let cause = if is_window && !hosted.contains(&class.descriptor().to_owned()) {
                "in a fragment or dialog that no window is seen to show"
            } else if in_windows.contains(&number) {
                "its registration was not found in a window's code"
            } else {
                "made in code that no window is seen to run"
            };
            found.insert(builder.method(body(code, number)).signature(), cause);
        }
    }
    found
}
