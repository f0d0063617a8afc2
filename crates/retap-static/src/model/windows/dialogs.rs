//! Dialogs and popup menus, found where they are made.

use std::collections::BTreeSet;

use super::super::android::FrameworkKind;
use super::super::code_model::is_own;
use super::super::facts::{MethodNumber, Value};
use super::super::{AppWindow, AppWindowKind};
use super::{ActivityCode, ModelBuilder, descriptor_of, window};
use crate::program::java_name;

impl ModelBuilder<'_, '_> {
    /// Adds the dialogs and popup menus that an activity's code makes.
    pub(super) fn dialogs(&mut self, activity: &ActivityCode) {
        self.navigation_dialogs(activity);
        for &number in &activity.methods {
            let makings: Vec<(u32, &str)> = self
                .method(number)
                .facts
                .calls
                .iter()
                .filter(|call| call.name == "<init>" && self.window_kind(call.class).is_some())
                .flat_map(|call| call.arguments.first().into_iter().flatten().copied())
                .filter_map(|value| match value {
                    Value::Object(class, made_in, at) if made_in == number => Some((at, class)),
                    _ => None,
                })
                .collect();
            for (at, class) in makings {
                if self.object_windows.contains_key(&(number, at)) {
                    continue;
                }
                let Some(kind) = self.window_kind(class) else { continue };
                let id = self.dialog_id(number, class, kind);
                self.object_windows.insert((number, at), id.clone());
                if self.model.window(&id).is_none() {
                    let mut dialog = window(id, kind, Some(activity.id.clone()));
                    self.fill_dialog(&mut dialog, number, class);
                    self.model.windows.push(dialog);
                }
            }
        }
    }

    /// Adds the dialogs that navigation graphs name.
    fn navigation_dialogs(&mut self, activity: &ActivityCode) {
        for name in activity.navigation.dialogs() {
            let code = self.window_code(name, descriptor_of(name));
            if let Some(code) = code.filter(|_| self.model.window(name).is_none()) {
                let owner = Some(activity.id.clone());
                let mut dialog = window(name.clone(), AppWindowKind::Dialog, owner);
                self.fill(&mut dialog, &code);
                self.model.windows.push(dialog);
            }
        }
    }

    /// Returns the window that a method's code is part of: the dialog that its class, or the class around it, is; else the activity.
    pub fn window_of(&self, activity: &ActivityCode, number: MethodNumber) -> String {
        let class = java_name(self.method(number).class.descriptor());
        let outer = class.split('$').next().unwrap_or(&class);
        let dialog = [&*class, outer].into_iter().filter_map(|it| self.model.window(it));
        let dialog = dialog.into_iter().find(|it| it.kind == AppWindowKind::Dialog);
        dialog.map_or_else(|| activity.id.clone(), |it| it.id.clone())
    }

    pub fn window_kind(&self, class: &str) -> Option<AppWindowKind> {
        match self.code.kind(class)? {
            FrameworkKind::Dialog | FrameworkKind::DialogBuilder => Some(AppWindowKind::Dialog),
            FrameworkKind::PopupMenu => Some(AppWindowKind::PopupMenu),
            FrameworkKind::Fragment if self.is_dialog_fragment(class) => {
                Some(AppWindowKind::Dialog)
            }
            _ => None,
        }
    }

    /// Names a dialog by its own class, or by the method that makes it.
    fn dialog_id(&self, number: MethodNumber, class: &str, kind: AppWindowKind) -> String {
        if self.code.program.class(class).is_some() && is_own(class, self.code.program.package) {
            return java_name(class);
        }
        let method = self.method(number);
        let suffix = if kind == AppWindowKind::PopupMenu { "popup-menu" } else { "dialog" };
        let base = format!("{}.{}#{suffix}", java_name(method.class.descriptor()), method.name());
        let taken = |id: &String| self.object_windows.values().any(|it| it == id);
        let numbered = (2..).map(|it| format!("{base}-{it}"));
        std::iter::once(base.clone()).chain(numbered).find(|it| !taken(it)).unwrap_or(base)
    }

    /// Fills a dialog of the app's own class with what that holds, and a popup menu with its items.
    fn fill_dialog(&self, dialog: &mut AppWindow, made_in: MethodNumber, class: &str) {
        if dialog.kind == AppWindowKind::PopupMenu {
            dialog.widgets = self.menu_items(&BTreeSet::from([made_in]));
        } else if is_own(class, self.code.program.package)
            && let Some(code) = self.window_code(&dialog.id, class.to_owned())
        {
            self.fill(dialog, &code);
        }
    }
}
