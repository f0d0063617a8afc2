//! Finds the windows of an app: activities with the fragments they host, menus, dialogs; and what each holds.

use std::collections::{BTreeMap, BTreeSet};

use retap_apk::{Activity, Apk};

use super::android::FrameworkKind;
use super::code_model::{CodeModel, OwnMethod};
use super::facts::{MethodNumber, Value};
use super::layout::LayoutReader;
use super::{AppModel, AppWindow, AppWindowKind, HiddenHandler, WindowWidget, inputs};
use crate::program::java_name;

/// Windows are found once for every activity; a window's texts beyond this many are of no use.
const MAX_LITERALS: usize = 400;

/// Everything that belongs to one activity.
pub struct ActivityCode {
    pub id: String,
    pub class: String,
    /// Classes of fragments that it hosts.
    pub fragments: BTreeSet<String>,
    /// Methods that can run while it shows.
    pub methods: BTreeSet<MethodNumber>,
}

/// A model in the making.
pub struct ModelBuilder<'a, 'b> {
    pub code: &'b CodeModel<'a>,
    pub apk: &'b Apk,
    pub layouts: LayoutReader<'b>,
    pub model: AppModel,
    /// The dialog or popup menu that the object made at a place is part of.
    pub object_windows: BTreeMap<(MethodNumber, u32), String>,
}

pub fn read(apk: &Apk, code: &CodeModel) -> AppModel {
    let layouts = LayoutReader { apk, names: code.program.resources };
    let model = AppModel { package: apk.manifest.package.clone(), ..AppModel::default() };
    let mut builder = ModelBuilder { code, apk, layouts, model, object_windows: BTreeMap::new() };
    let activities: Vec<ActivityCode> =
        apk.manifest.activities.iter().filter_map(|it| builder.activity(it)).collect();
    for activity in &activities {
        builder.menus(activity);
        builder.dialogs(activity);
    }
    let out_of_app = window("out-of-app".to_owned(), AppWindowKind::OutOfApp, None);
    builder.model.windows.push(out_of_app);
    for activity in &activities {
        inputs::collect(&mut builder, activity);
    }
    let handlers = builder.model.inputs.iter().flat_map(|it| it.handlers.iter().cloned()).collect();
    for activity in &activities {
        builder.hidden_handlers(activity, &handlers);
    }
    builder.model
}

pub fn descriptor_of(java_name: &str) -> String {
    format!("L{};", java_name.replace('.', "/"))
}

fn window(id: String, kind: AppWindowKind, owner: Option<String>) -> AppWindow {
    AppWindow {
        id,
        kind,
        owner,
        label: None,
        exported: false,
        fragments: Vec::new(),
        layouts: Vec::new(),
        widgets: Vec::new(),
        literals: Vec::new(),
        extras: Vec::new(),
        terms: BTreeMap::new(),
    }
}

impl<'a> ModelBuilder<'a, '_> {
    pub fn method(&self, number: MethodNumber) -> &OwnMethod<'a> {
        &self.code.methods[number as usize]
    }

    fn activity(&mut self, activity: &Activity) -> Option<ActivityCode> {
        let id = activity.component.name.clone();
        let class = descriptor_of(&id);
        self.code.program.class(&class)?;
        let mut fragments = BTreeSet::<String>::new();
        let mut methods;
        // Fragments bring layouts and code, which bring fragments.
        loop {
            let mut entries: Vec<MethodNumber> =
                self.code.superclasses(&class).flat_map(|it| self.code.methods_of(it)).collect();
            for fragment in &fragments {
                entries.extend(
                    self.code.superclasses(fragment).flat_map(|it| self.code.methods_of(it)),
                );
            }
            let lineage: Vec<&str> = self.code.superclasses(&class).collect();
            methods = self.code.reachable(entries, &|method| {
                let owner = method.class.descriptor();
                let is_other = self.code.kind(owner) == Some(FrameworkKind::Activity);
                method.is_static() || !is_other || lineage.contains(&owner)
            });
            let before = fragments.len();
            for &number in &methods {
                for made in &self.method(number).facts.made {
                    if self.code.kind(made) == Some(FrameworkKind::Fragment)
                        && !self.is_dialog_fragment(made)
                    {
                        fragments.insert((*made).to_owned());
                    }
                }
            }
            for layout in self.resources(&methods, "@layout/") {
                let mut named = Vec::new();
                if let Some(root) = self.layouts.root(&layout) {
                    self.layouts.fragments(&root, &mut named);
                }
                fragments.extend(named.iter().map(|it| descriptor_of(it)));
            }
            fragments.retain(|it| self.code.program.class(it).is_some());
            if fragments.len() == before {
                break;
            }
        }
        let layouts = self.resources(&methods, "@layout/");
        let mut widgets: Vec<WindowWidget> =
            layouts.iter().flat_map(|layout| self.layouts.widgets(layout)).collect();
        for xml in self.resources(&methods, "@xml/") {
            let is_preferences =
                self.layouts.root(&xml).is_some_and(|it| it.name.ends_with("PreferenceScreen"));
            if is_preferences {
                widgets.extend(self.layouts.widgets(&xml));
            }
        }
        widgets.extend(self.made_widgets(&methods));
        let own = self.class_methods(&class);
        let mut shown = window(id.clone(), AppWindowKind::Activity, None);
        shown.label = activity.label.clone();
        shown.exported = activity.component.exported;
        shown.fragments = fragments.iter().map(|it| java_name(it)).collect();
        shown.layouts = layouts.into_iter().collect();
        shown.widgets = widgets;
        shown.literals = self.literals(&methods);
        shown.extras = self.extras(&methods);
        shown.terms = terms(self.code, own);
        self.model.windows.push(shown);
        Some(ActivityCode { id, class, fragments, methods })
    }

    /// Returns the methods of a class and of its parent, as far as they are the app's own.
    fn class_methods(&self, class: &str) -> Vec<MethodNumber> {
        self.code.superclasses(class).take(2).flat_map(|it| self.code.methods_of(it)).collect()
    }

    fn is_dialog_fragment(&self, class: &str) -> bool {
        self.code.superclasses(class).any(|it| it.contains("DialogFragment"))
    }

    /// Returns the resources of one kind that methods mention.
    pub fn resources(&self, methods: &BTreeSet<MethodNumber>, kind: &str) -> BTreeSet<String> {
        let names = self.code.program.resources;
        let mut found = BTreeSet::new();
        for &number in methods {
            let facts = &self.method(number).facts;
            let fields = facts
                .fields_used
                .iter()
                .filter_map(|(class, name)| self.code.constant(class, name));
            for literal in facts.integers.iter().copied().chain(fields) {
                found.extend(
                    names.of_literal(literal).filter(|it| it.starts_with(kind)).map(str::to_owned),
                );
            }
        }
        found
    }

    /// Returns the widgets that code makes itself.
    fn made_widgets(&self, methods: &BTreeSet<MethodNumber>) -> Vec<WindowWidget> {
        let made = methods.iter().flat_map(|&it| self.method(it).facts.made.iter());
        let is_widget = |class: &&&str| {
            let last = self.code.superclasses(class).last().unwrap_or_default();
            let is_view = last.starts_with("Landroid/widget/") || *last == *"Landroid/view/View;";
            is_view
                && !["Adapter;", "PopupMenu;", "Toast;", "Scroller;", "LayoutParams;"]
                    .iter()
                    .any(|it| last.ends_with(it))
        };
        let classes: BTreeSet<&str> = made.filter(is_widget).copied().collect();
        classes
            .into_iter()
            .map(|it| WindowWidget { class: java_name(it), ..WindowWidget::default() })
            .collect()
    }

    fn literals(&self, methods: &BTreeSet<MethodNumber>) -> Vec<String> {
        let all = methods.iter().flat_map(|&it| self.method(it).facts.literals.iter());
        let texts: BTreeSet<&str> = all.copied().filter(|text| !text.is_empty()).collect();
        texts.into_iter().take(MAX_LITERALS).map(str::to_owned).collect()
    }

    fn extras(&self, methods: &BTreeSet<MethodNumber>) -> Vec<String> {
        let mut extras = BTreeSet::new();
        for &number in methods {
            for call in &self.method(number).facts.calls {
                let reads = call.name.starts_with("get") && call.name.ends_with("Extra")
                    || call.name == "hasExtra";
                if !reads || call.class != "Landroid/content/Intent;" {
                    continue;
                }
                for &value in call.arguments.get(1).into_iter().flatten() {
                    for value in self.code.resolve(value, number, &Vec::new()) {
                        if let Value::Text(text) = value {
                            extras.insert(text.to_owned());
                        }
                    }
                }
            }
        }
        extras.into_iter().collect()
    }

    /// Adds the options and context menus of an activity and of its fragments.
    fn menus(&mut self, activity: &ActivityCode) {
        let menus = [
            ("onCreateOptionsMenu", AppWindowKind::OptionsMenu, "options-menu"),
            ("onCreateContextMenu", AppWindowKind::ContextMenu, "context-menu"),
        ];
        for (method, kind, suffix) in menus {
            let classes = std::iter::once(&activity.class).chain(&activity.fragments);
            let creators: BTreeSet<MethodNumber> =
                classes.filter_map(|class| self.code.named(class, method)).collect();
            if creators.is_empty() {
                continue;
            }
            let id = format!("{}#{suffix}", activity.id);
            let mut menu = window(id, kind, Some(activity.id.clone()));
            menu.widgets = self.menu_items(&creators);
            self.model.windows.push(menu);
        }
    }

    /// Returns the items that methods put into a menu, from XML and by code.
    fn menu_items(&self, creators: &BTreeSet<MethodNumber>) -> Vec<WindowWidget> {
        let menus = self.resources(creators, "@menu/");
        let mut items: Vec<WindowWidget> =
            menus.iter().flat_map(|menu| self.layouts.widgets(menu)).collect();
        for &number in creators {
            for call in
                self.method(number).facts.calls.iter().filter(|it| is_menu_add(it.class, it.name))
            {
                let value = |place: usize| {
                    let values = call.arguments.get(place).into_iter().flatten();
                    values.flat_map(|&it| self.code.resolve(it, number, &Vec::new())).next()
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

    /// Returns a value as the text that a user sees.
    pub fn text(&self, value: Value) -> Option<String> {
        match value {
            Value::Text(text) => Some(text.to_owned()),
            Value::Integer(id) => self.layouts.string(u32::try_from(id).ok()?),
            _ => None,
        }
    }

    /// Adds the dialogs and popup menus that an activity's code makes.
    fn dialogs(&mut self, activity: &ActivityCode) {
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
                    let here = BTreeSet::from([number]);
                    dialog.widgets = match kind {
                        AppWindowKind::PopupMenu => self.menu_items(&here),
                        _ => self.dialog_widgets(class),
                    };
                    self.model.windows.push(dialog);
                }
            }
        }
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
        if self.code.program.class(class).is_some()
            && super::code_model::is_own(class, self.code.program.package)
        {
            return java_name(class);
        }
        let method = self.method(number);
        let suffix = if kind == AppWindowKind::PopupMenu { "popup-menu" } else { "dialog" };
        let base = format!("{}.{}#{suffix}", java_name(method.class.descriptor()), method.name());
        let taken = |id: &String| self.object_windows.values().any(|it| it == id);
        let numbered = (2..).map(|it| format!("{base}-{it}"));
        std::iter::once(base.clone()).chain(numbered).find(|it| !taken(it)).unwrap_or(base)
    }

    /// Returns the widgets of a dialog class of the app's own.
    fn dialog_widgets(&self, class: &str) -> Vec<WindowWidget> {
        let methods: BTreeSet<MethodNumber> = self.code.methods_of(class).into_iter().collect();
        let layouts = self.resources(&methods, "@layout/");
        layouts.iter().flat_map(|layout| self.layouts.widgets(layout)).collect()
    }

    /// A method of a window class that overrides nothing, that nobody calls and that handles nothing we know.
    fn hidden_handlers(&mut self, activity: &ActivityCode, handlers: &BTreeSet<String>) {
        let mut found = Vec::new();
        for class in std::iter::once(&activity.class).chain(&activity.fragments) {
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

pub fn is_menu_add(class: &str, name: &str) -> bool {
    name == "add"
        && ["Landroid/view/Menu;", "Landroid/view/ContextMenu;", "Landroid/view/SubMenu;"]
            .contains(&class)
}

/// Counts the methods that use each field and literal.
pub fn terms(
    code: &CodeModel,
    methods: impl IntoIterator<Item = MethodNumber>,
) -> BTreeMap<String, usize> {
    let mut terms = BTreeMap::new();
    for number in methods {
        let facts = &code.methods[number as usize].facts;
        let fields = facts.fields_used.iter().filter(|it| code.program.class(it.0).is_some());
        let fields = fields.map(|(class, name)| format!("{}.{name}", java_name(class)));
        let literals = facts.literals.iter().map(|text| format!("{text:?}"));
        let used: BTreeSet<String> = fields.chain(literals).collect();
        for term in used {
            *terms.entry(term).or_default() += 1;
        }
    }
    terms
}
