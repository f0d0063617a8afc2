//! Options, context and popup menus, and their items from XML and from code.

use std::collections::BTreeSet;

use super::super::android;
use super::super::facts::{MethodNumber, Value};
use super::super::{AppWindowKind, WindowWidget};
use super::{ActivityCode, ModelBuilder, window};

impl ModelBuilder<'_, '_> {
    /// Adds the options and context menus of an activity and of its fragments.
    pub(super) fn menus(&mut self, activity: &ActivityCode) {
        let menus = [
            ("onCreateOptionsMenu", AppWindowKind::OptionsMenu, "options-menu"),
            ("onCreateContextMenu", AppWindowKind::ContextMenu, "context-menu"),
        ];
        for (method, kind, suffix) in menus {
            let classes = activity.window_classes();
            let mut creators: BTreeSet<MethodNumber> =
                classes.filter_map(|class| self.code.named(class, method)).collect();
            if kind == AppWindowKind::ContextMenu {
                creators.extend(self.named_in(activity, "onCreateActionMode"));
            }
            if creators.is_empty() {
                continue;
            }
            let id = format!("{}#{suffix}", activity.id);
            let mut menu = window(id, kind, Some(activity.id.clone()));
            let helped = self.code.reachable(creators, &|it| {
                it.is_static() || !android::is_input_callback(it.name())
            });
            menu.widgets = self.menu_items(&helped);
            self.model.windows.push(menu);
        }
    }

    /// Returns the methods of a name that can run while an activity shows.
    pub fn named_in(
        &self,
        activity: &ActivityCode,
        name: &str,
    ) -> impl Iterator<Item = MethodNumber> {
        activity.methods.iter().copied().filter(move |&it| self.method(it).name() == name)
    }

    /// Returns the items that methods put into a menu, from XML and by code.
    pub(super) fn menu_items(&self, creators: &BTreeSet<MethodNumber>) -> Vec<WindowWidget> {
        let menus = self.resources(creators, "@menu/");
        let mut items: Vec<WindowWidget> =
            menus.iter().flat_map(|menu| self.layouts.widgets(menu)).collect();
        for &number in creators {
            for call in
                self.method(number).facts.calls.iter().filter(|it| is_menu_add(it.class, it.name))
            {
                let value = |place: usize| {
                    let values = call.arguments.get(place).into_iter().flatten();
                    values.flat_map(|&it| self.code.resolve(it, number)).next()
                };
                let title = value(call.arguments.len() - 1);
                let id = if call.arguments.len() == 5 { value(2) } else { None };
                items.push(WindowWidget {
                    class: "item".to_owned(),
                    id: match id {
                        Some(Value::Integer(id)) if id != 0 => {
                            let name = self.code.program.resources.of_literal(id);
                            Some(name.map_or_else(|| id.to_string(), str::to_owned))
                        }
                        _ => None,
                    },
                    text: title.and_then(|title| self.text(title)),
                    ..WindowWidget::default()
                });
            }
        }
        items
    }
}

pub fn is_menu_add(class: &str, name: &str) -> bool {
    name == "add"
        && ["Landroid/view/Menu;", "Landroid/view/ContextMenu;", "Landroid/view/SubMenu;"]
            .contains(&class)
}
