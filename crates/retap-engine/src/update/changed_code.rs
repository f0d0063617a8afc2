//! The code of the old version that an update touches, by the names that coverage uses.

use retap_model::{Coverage, UnitKind, Units};
use retap_static::{AppDiff, Change};
use std::collections::BTreeSet;

/// Methods that another version has changed, and classes of which it has changed more than the code of methods.
#[derive(Debug, Default)]
pub struct ChangedCode {
    /// `com.example.Main.run()V`
    methods: BTreeSet<String>,
    classes: BTreeSet<String>,
}

impl ChangedCode {
    /// Reads what changed. `openers` are methods that show changed layouts, as `Lcom/example/Main;->run()V`.
    pub fn of(diff: &AppDiff, openers: &[String]) -> Self {
        let mut changed = Self::default();
        for class in diff.packages.iter().flat_map(|package| &package.classes) {
            let old_class = class.old_name.as_ref().unwrap_or(&class.name);
            // A new method may override one that is called already, and a field's value is in no method.
            let is_new = |change: Change| change == Change::New;
            if class.change == Change::Removed
                || !class.declaration.is_empty()
                || !class.fields.is_empty()
                || class.methods.iter().any(|method| is_new(method.change))
            {
                changed.classes.insert(old_class.clone());
            }
            for method in &class.methods {
                if matches!(method.change, Change::Modified | Change::Removed) {
                    let name = method.old_name.as_ref().unwrap_or(&method.name);
                    changed.methods.insert(format!("{old_class}.{name}{}", method.descriptor));
                }
            }
        }
        let shown = openers.iter().filter_map(|opener| opener.split_once("->"));
        changed.methods.extend(shown.map(|(class, method)| {
            let class = class.trim_start_matches('L').trim_end_matches(';').replace('/', ".");
            format!("{class}.{method}")
        }));
        changed
    }

    /// Returns true if the coverage, of units of the old version, has something of it.
    pub fn is_in(&self, coverage: &Coverage, units: &Units) -> bool {
        let methods = coverage.iter().filter_map(|id| units.get(id));
        methods.filter(|unit| unit.kind == UnitKind::Method).any(|unit| {
            let path = unit.name.split('(').next().unwrap_or_default();
            let class = path.rsplit_once('.').map_or(path, |(class, _)| class);
            self.methods.contains(&unit.name) || self.classes.contains(class)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use retap_model::coverage::Unit;

    fn touches(changed: &ChangedCode, method: &str) -> bool {
        let unit = |name: &str| Unit { kind: UnitKind::Method, name: name.into(), weight: 1 };
        let units = Units::new(vec![unit(method)]);
        changed.is_in(&[0].into_iter().collect(), &units)
    }

    #[test]
    fn changed_methods_and_all_methods_of_changed_classes_count() {
        let changed = ChangedCode {
            methods: ["a.A.run()V".to_owned()].into(),
            classes: ["a.B$C".to_owned()].into(),
        };
        assert!(touches(&changed, "a.A.run()V") && touches(&changed, "a.B$C.<init>(La/A;)V"));
        assert!(!touches(&changed, "a.A.run(I)V") && !touches(&changed, "a.B.run()V"));
    }
}
