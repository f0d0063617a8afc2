//! Widgets that libraries add to a window. A library's code is not walked, but the classes that a window uses are searched
//! for the layouts that they inflate.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use retap_apk::Operand;

use super::super::WindowWidget;
use super::super::android;
use super::super::code_model::is_own;
use super::{ActivityCode, ModelBuilder};
use crate::flow::is_invoke;

/// How far a window's use of a library is followed from class to class: an activity of the support library makes its frame
/// in a delegate, which another class chooses.
const MAX_STEPS: usize = 2;

/// What each class of a library mentions, found once.
#[derive(Debug, Default)]
pub struct LibraryLayouts(RefCell<BTreeMap<String, LibraryClass>>);

/// What a class of a library, its superclasses included, mentions.
#[derive(Debug, Default, Clone)]
struct LibraryClass {
    layouts: BTreeSet<String>,
    /// Classes that it makes or calls without an object.
    uses: BTreeSet<String>,
}

impl ModelBuilder<'_, '_> {
    /// Returns the widgets that libraries add to an activity, without those that its own layouts have.
    pub(super) fn library_widgets(&self, code: &ActivityCode) -> Vec<WindowWidget> {
        let mut layouts = BTreeSet::new();
        let mut work: Vec<String> = self.library_classes(code).into_iter().collect();
        let names = self.code.program.resources;
        let frames = android::library_frames(&work).into_iter();
        layouts.extend(frames.flat_map(|beginning| names.beginning(beginning)).map(str::to_owned));
        let mut seen: BTreeSet<String> = work.iter().cloned().collect();
        for step in 0..=MAX_STEPS {
            for class in std::mem::take(&mut work) {
                let found = self.library_class(&class);
                layouts.extend(found.layouts);
                if step < MAX_STEPS {
                    work.extend(found.uses.into_iter().filter(|it| seen.insert(it.clone())));
                }
            }
        }
        let mut widgets = Vec::new();
        let mut known = BTreeSet::new();
        for layout in layouts.difference(&code.xml) {
            for widget in self.layouts.widgets(layout).into_iter().flat_map(WindowWidget::flattened)
            {
                if widget.id.as_ref().is_some_and(|id| known.insert(id.clone())) {
                    widgets.push(widget);
                }
            }
        }
        widgets
    }

    /// Returns the classes of libraries that an activity's code and XML use.
    fn library_classes(&self, code: &ActivityCode) -> BTreeSet<String> {
        let mut classes = code.library_views.clone();
        let facts = code.methods.iter().map(|&it| &self.method(it).facts);
        for fact in facts {
            let called = fact.calls.iter().filter(|it| it.is_static).map(|it| it.class);
            classes.extend(fact.made.iter().copied().chain(called).map(str::to_owned));
        }
        let own = code.window_classes().chain(&code.views).cloned().collect::<Vec<_>>();
        classes.extend(own);
        let made: Vec<String> = classes.iter().cloned().collect();
        for class in &made {
            classes.extend(self.code.superclasses(class).map(str::to_owned));
        }
        classes.retain(|it| self.is_library_class(it));
        classes
    }

    fn is_library_class(&self, class: &str) -> bool {
        !is_own(class, self.code.program.package) && self.code.program.class(class).is_some()
    }

    fn library_class(&self, name: &str) -> LibraryClass {
        if let Some(known) = self.libraries.0.borrow().get(name) {
            return known.clone();
        }
        let mut found = LibraryClass::default();
        for class in self.code.superclasses(name).filter_map(|it| self.code.program.class(it)) {
            let file = class.dex.file;
            let codes = class.definition.methods.iter().filter_map(|it| it.code.as_ref());
            for instruction in codes.flat_map(|code| code.instructions()) {
                let literal = match instruction.operand {
                    Operand::Literal(literal) => Some(literal),
                    Operand::Field(index) => file
                        .field(index)
                        .and_then(|field| self.code.constant(field.class, field.name)),
                    Operand::Type(index) if instruction.opcode == 0x22 => {
                        found.uses.extend(file.type_descriptor(index).map(str::to_owned));
                        None
                    }
                    Operand::Method(index) if is_invoke(instruction.opcode) => {
                        let is_static = matches!(instruction.opcode, 0x71 | 0x77);
                        let method = file.method(index).filter(|_| is_static);
                        found.uses.extend(method.map(|method| method.class.to_owned()));
                        None
                    }
                    _ => None,
                };
                let name = literal.and_then(|it| self.code.program.resources.of_literal(it));
                found
                    .layouts
                    .extend(name.filter(|it| it.starts_with("@layout/")).map(str::to_owned));
            }
        }
        found.uses.retain(|it| self.is_library_class(it));
        self.libraries.0.borrow_mut().insert(name.to_owned(), found.clone());
        found
    }
}
