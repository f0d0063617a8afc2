//! Activities: the fragments and views that each hosts, and what all of them bring: code, layouts, texts.

use std::collections::BTreeSet;

use retap_apk::Activity;

use super::super::android::FrameworkKind;
use super::super::code_model::is_own;
use super::super::facts::MethodNumber;
use super::super::framework;
use super::super::layout::NamedClasses;
use super::super::navigation::NavigationGraph;
use super::super::{AppWindow, AppWindowKind, WindowWidget};
use super::{ModelBuilder, descriptor_of, terms, window};
use crate::program::java_name;

/// Everything that belongs to one activity.
#[derive(Debug)]
pub struct ActivityCode {
    pub id: String,
    pub class: String,
    /// Classes of fragments that it hosts.
    pub fragments: BTreeSet<String>,
    /// Own classes of views and preferences that its XML names.
    pub views: BTreeSet<String>,
    /// Methods that can run while it shows.
    pub methods: BTreeSet<MethodNumber>,
    /// Its layouts, menus and other XML.
    pub xml: BTreeSet<String>,
    /// Classes of libraries that its XML names.
    pub library_views: BTreeSet<String>,
    /// The navigation graphs that it hosts.
    pub navigation: NavigationGraph,
}

impl ActivityCode {
    /// Returns the classes whose callbacks are those of the window.
    pub fn window_classes(&self) -> impl Iterator<Item = &String> {
        std::iter::once(&self.class).chain(&self.fragments)
    }
}

impl ModelBuilder<'_, '_> {
    pub(super) fn activity(&mut self, activity: &Activity) -> Option<ActivityCode> {
        let id = &activity.component.name;
        let code = self.window_code(id, descriptor_of(id))?;
        let mut shown = window(id.clone(), AppWindowKind::Activity, None);
        shown.label = activity.label.clone();
        shown.exported = activity.component.exported;
        self.fill(&mut shown, &code);
        self.model.windows.push(shown);
        Some(code)
    }

    /// Fills a window with what its code and XML hold.
    pub(super) fn fill(&self, shown: &mut AppWindow, code: &ActivityCode) {
        let of_kind = |kind: &str| -> BTreeSet<String> {
            code.xml.iter().filter(|it| it.starts_with(kind)).cloned().collect()
        };
        let layouts = of_kind("@layout/");
        let screens = of_kind("@xml/").into_iter().filter(|it| self.layouts.is_preferences(it));
        let xml = layouts.iter().cloned().chain(screens);
        shown.widgets = xml.flat_map(|it| self.layouts.widgets(&it)).collect();
        shown.widgets.extend(self.made_widgets(&code.methods));
        shown.library_widgets = self.library_widgets(code);
        shown.fragments = code.fragments.iter().map(|it| java_name(it)).collect();
        shown.layouts = layouts.into_iter().collect();
        shown.literals = self.literals(&code.methods);
        shown.extras = self.extras(&code.methods);
        shown.terms = terms(self.code, self.class_methods(&code.class));
    }

    /// Collects the code of an activity, or of a dialog's class. Fragments and views bring layouts and code, which bring fragments and views.
    pub(super) fn window_code(&self, id: &str, class: String) -> Option<ActivityCode> {
        self.code.program.class(&class)?;
        let mut code = ActivityCode {
            id: id.to_owned(),
            class,
            fragments: BTreeSet::new(),
            views: BTreeSet::new(),
            methods: BTreeSet::new(),
            xml: BTreeSet::new(),
            library_views: BTreeSet::new(),
            navigation: NavigationGraph::default(),
        };
        loop {
            let classes_of = |it: &ActivityCode| {
                it.fragments.len() + it.views.len() + it.navigation.dialogs().count()
            };
            let before = classes_of(&code);
            code.methods = self.methods_of_window(&code);
            self.add_fragments_in_code(&mut code);
            code.xml = ["@layout/", "@xml/", "@menu/", "@navigation/"]
                .iter()
                .flat_map(|kind| self.resources(&code.methods, kind))
                .collect();
            self.add_classes_in_xml(&mut code);
            if classes_of(&code) == before {
                return Some(code);
            }
        }
    }

    /// Returns the methods that can run while a window shows.
    fn methods_of_window(&self, code: &ActivityCode) -> BTreeSet<MethodNumber> {
        // Nobody makes the dialogs of navigation graphs but the library.
        let dialogs: Vec<String> = code.navigation.dialogs().map(|it| descriptor_of(it)).collect();
        let classes = code.window_classes().chain(&code.views).chain(&dialogs);
        let entries: Vec<MethodNumber> = classes
            .flat_map(|class| self.code.superclasses(class))
            .flat_map(|it| self.code.methods_of(it))
            .collect();
        let lineage: Vec<&str> = self.code.superclasses(&code.class).collect();
        self.code.reachable(entries, &|method| {
            let owner = method.class.descriptor();
            let is_other = self.code.kind(owner) == Some(FrameworkKind::Activity);
            // Shared objects are made once, whichever window comes first: their code says nothing of this one.
            let is_shared = method.name() == "<clinit>";
            !is_shared && (method.is_static() || !is_other || lineage.contains(&owner))
        })
    }

    /// Adds the fragments that code makes, or names for others to make.
    fn add_fragments_in_code(&self, code: &mut ActivityCode) {
        for &number in &code.methods {
            let facts = &self.method(number).facts;
            for class in facts.made.iter().chain(&facts.classes) {
                if self.code.kind(class) == Some(FrameworkKind::Fragment)
                    && self.code.program.class(class).is_some()
                    && !self.is_dialog_fragment(class)
                {
                    code.fragments.insert((*class).to_owned());
                }
            }
        }
    }

    fn add_classes_in_xml(&self, code: &mut ActivityCode) {
        let mut named = NamedClasses::default();
        code.xml.iter().for_each(|name| self.layouts.classes(name, &mut named));
        let known = |name: &String| {
            Some(descriptor_of(name)).filter(|it| self.code.program.class(it).is_some())
        };
        code.fragments.extend(named.fragments.iter().filter_map(known));
        named.graphs.iter().for_each(|it| code.navigation.add(&self.layouts, it));
        for class in named.widgets.iter().filter_map(known) {
            if is_own(&class, self.code.program.package) {
                code.views.insert(class);
            } else {
                code.library_views.insert(class);
            }
        }
    }

    /// Returns the widgets that code makes itself.
    fn made_widgets(&self, methods: &BTreeSet<MethodNumber>) -> Vec<WindowWidget> {
        let made = methods.iter().flat_map(|&it| self.method(it).facts.made.iter());
        let is_widget = |class: &&&str| {
            let last = self.code.superclasses(class).last().unwrap_or_default();
            framework::extends(last, "android/view/View")
        };
        let classes: BTreeSet<&str> = made.filter(is_widget).copied().collect();
        classes
            .into_iter()
            .map(|it| WindowWidget { class: java_name(it), ..WindowWidget::default() })
            .collect()
    }
}
