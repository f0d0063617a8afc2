//! Hidden handlers: methods of window classes that nobody is seen to call.

use std::collections::BTreeSet;

use super::super::HiddenHandler;
use super::{ActivityCode, ModelBuilder};

impl ModelBuilder<'_, '_> {
    /// A method of a window class that overrides nothing, that nobody calls and that handles nothing we know.
    pub(super) fn hidden_handlers(&mut self, activity: &ActivityCode, handlers: &BTreeSet<String>) {
        let mut found = Vec::new();
        for class in activity.window_classes() {
            for number in self.code.methods_of(class) {
                let method = self.method(number);
                let name = method.name();
                let is_ordinary = !name.starts_with('<')
                    && !name.starts_with("on")
                    && !method.is_static()
                    && !crate::canonical::is_unstable_method(name)
                    && method.definition.access & 0x1000 == 0
                    && method.definition.code.is_some();
                let signature = method.signature();
                if is_ordinary
                    && self.code.callers[number as usize].is_empty()
                    && !handlers.contains(&signature)
                {
                    let reaches = self.code.reachable([number], &|_| true);
                    found.push(HiddenHandler {
                        window: activity.id.clone(),
                        method: signature,
                        target_methods: Vec::new(),
                        reaches: reaches.iter().map(|&it| self.method(it).signature()).collect(),
                    });
                }
            }
        }
        self.model.hidden_handlers.extend(found);
    }
}
