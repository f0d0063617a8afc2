//! Finds the windows of an app: activities with the fragments they host, menus, dialogs; and what each holds.

mod activity;
mod dialogs;
mod hidden;
mod libraries;
mod menus;

use std::collections::{BTreeMap, BTreeSet};

use retap_apk::Apk;

use super::code_model::{CodeModel, OwnMethod};
use super::facts::{MethodNumber, Value};
use super::layout::LayoutReader;
use super::{AppModel, AppWindow, AppWindowKind, ExtraKind, WindowExtra, inputs, listeners};
use crate::program::java_name;

pub use activity::ActivityCode;
use libraries::LibraryLayouts;
pub use menus::is_menu_add;

/// Windows are found once for every activity; a window's texts beyond this many are of no use.
const MAX_LITERALS: usize = 400;

/// A model in the making.
pub struct ModelBuilder<'a, 'b> {
    pub code: &'b CodeModel<'a>,
    pub apk: &'b Apk,
    pub layouts: LayoutReader<'b>,
    libraries: LibraryLayouts,
    pub model: AppModel,
    /// The dialog or popup menu that the object made at a place is part of.
    pub object_windows: BTreeMap<(MethodNumber, u32), String>,
}

pub fn read(apk: &Apk, code: &CodeModel) -> AppModel {
    let mut builder = ModelBuilder {
        code,
        apk,
        layouts: LayoutReader::new(apk, code.program.resources),
        libraries: LibraryLayouts::default(),
        model: AppModel { package: apk.manifest.package.clone(), ..AppModel::default() },
        object_windows: BTreeMap::new(),
    };
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
    builder.model.listeners = listeners::find(&builder, &activities);
    let handlers = builder.model.inputs.iter().flat_map(|it| it.handlers.iter().cloned()).collect();
    for activity in &activities {
        builder.hidden_handlers(activity, &handlers);
    }
    builder.model
}

/// Returns the classes of which Android makes objects because the manifest names them.
pub fn components(apk: &Apk) -> Vec<String> {
    let manifest = &apk.manifest;
    let others = manifest.services.iter().chain(&manifest.receivers);
    let providers = manifest.providers.iter().map(|it| &it.component);
    let activities = manifest.activities.iter().map(|it| &it.component);
    let names = others.chain(providers).chain(activities).map(|it| &it.name);
    names.chain(&manifest.application.class).map(|it| descriptor_of(it)).collect()
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
        library_widgets: Vec::new(),
        literals: Vec::new(),
        extras: Vec::new(),
        terms: BTreeMap::new(),
    }
}

impl<'a> ModelBuilder<'a, '_> {
    pub fn method(&self, number: MethodNumber) -> &OwnMethod<'a> {
        &self.code.methods[number as usize]
    }

    /// Returns true if a widget of this id, or a preference of this key, may be part of an activity or of what lies over it.
    /// What code makes by itself has an id that no XML states.
    pub fn holds(&self, activity: &ActivityCode, id: &str) -> bool {
        let windows = self.model.windows.iter().filter(|it| {
            it.id == activity.id || it.owner.as_ref().is_some_and(|owner| *owner == activity.id)
        });
        let mut widgets = windows.flat_map(|it| it.widgets.iter().chain(&it.library_widgets));
        id.starts_with("@android:") || widgets.any(|it| it.has_id(id))
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

    fn literals(&self, methods: &BTreeSet<MethodNumber>) -> Vec<String> {
        let all = methods.iter().flat_map(|&it| self.method(it).facts.literals.iter());
        let texts: BTreeSet<&str> = all.copied().filter(|text| !text.is_empty()).collect();
        texts.into_iter().take(MAX_LITERALS).map(str::to_owned).collect()
    }

    fn extras(&self, methods: &BTreeSet<MethodNumber>) -> Vec<WindowExtra> {
        let mut extras = BTreeMap::new();
        for &number in methods {
            for call in &self.method(number).facts.calls {
                let reads = call.name.starts_with("get") && call.name.ends_with("Extra")
                    || call.name == "hasExtra";
                if !reads || call.class != "Landroid/content/Intent;" {
                    continue;
                }
                for &value in call.arguments.get(1).into_iter().flatten() {
                    for value in self.code.resolve(value, number) {
                        if let Value::Text(text) = value {
                            let kind = kind_of_extra(call.name);
                            let known = extras.entry(text.to_owned()).or_insert(kind);
                            *known = kind.min(*known);
                        }
                    }
                }
            }
        }
        extras.into_iter().map(|(name, kind)| WindowExtra { name, kind }).collect()
    }

    /// Returns a value as the text that a user sees.
    pub fn text(&self, value: Value) -> Option<String> {
        match value {
            Value::Text(text) => Some(text.to_owned()),
            Value::Integer(id) => self.layouts.string(u32::try_from(id).ok()?),
            _ => None,
        }
    }
}

/// Returns the type of the extra that a method of `Intent` reads.
fn kind_of_extra(reader: &str) -> ExtraKind {
    match reader {
        "getStringExtra" | "getCharSequenceExtra" => ExtraKind::Text,
        "getIntExtra" | "getLongExtra" | "getShortExtra" | "getByteExtra" | "getFloatExtra"
        | "getDoubleExtra" => ExtraKind::Number,
        "getBooleanExtra" => ExtraKind::Truth,
        _ => ExtraKind::Other,
    }
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
