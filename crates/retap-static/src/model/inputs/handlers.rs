//! The methods that handle an input: of listeners, of lambdas, and only the branches for the widget at hand.

use super::super::InputEvent;
use super::super::android::FrameworkKind;
use super::super::branches::{Discriminator, calls_for_id};
use super::super::code_model::CodeModel;
use super::super::facts::{MethodNumber, Value};
use super::super::windows::ModelBuilder;

/// A method that handles an input.
#[derive(Clone)]
pub struct Handler {
    pub number: MethodNumber,
    /// The calls that can run for this very input; all of them if none.
    pub calls: Option<Vec<u32>>,
}

/// Returns a handler with the calls that can run for the widget or item of this id.
pub fn discriminated(builder: &ModelBuilder, number: MethodNumber, id: Option<i64>) -> Handler {
    handler_for(builder, number, Discriminator::Calls(&["getItemId", "getId"]), id)
}

/// Returns a handler with the calls that can run for the item at this place of a dialog's list.
pub fn placed(builder: &ModelBuilder, number: MethodNumber, place: usize) -> Handler {
    handler_for(builder, number, Discriminator::LastParameter, i64::try_from(place).ok())
}

fn handler_for(
    builder: &ModelBuilder,
    number: MethodNumber,
    discriminator: Discriminator,
    id: Option<i64>,
) -> Handler {
    let method = builder.method(number);
    let calls = id.zip(method.definition.code.as_ref()).map(|(id, code)| {
        let constant = |class: &str, name: &str| builder.code.constant(class, name);
        calls_for_id(method.class, code, discriminator, id, &constant)
    });
    Handler { number, calls }
}

/// Returns the method of this name that a class has or inherits, and those of its superclasses that it passes the call on to.
pub fn overridden(builder: &ModelBuilder, class: &str, name: &str) -> Vec<MethodNumber> {
    let mut found = Vec::new();
    let mut next = builder.code.named(class, name);
    while let Some(number) = next.filter(|it| !found.contains(it)) {
        found.push(number);
        let method = builder.method(number);
        let calls_super = method.facts.calls.iter().any(|it| it.is_exact && it.name == name);
        let parent = method.class.definition.superclass.filter(|_| calls_super);
        next = parent.and_then(|parent| builder.code.named(parent, name));
    }
    found
}

/// Returns the methods of listeners that handle an event.
pub fn handlers(
    builder: &ModelBuilder,
    number: MethodNumber,
    listeners: &[Value],
    registration: &str,
    event: InputEvent,
) -> Vec<Handler> {
    let mut handlers = Vec::new();
    for listener in listeners {
        let class = match listener {
            Value::Object(class, ..) => *class,
            // `this`, if the value was found in the method at hand.
            Value::Parameter(0) => builder.method(number).class.descriptor(),
            _ => continue,
        };
        let callbacks = builder.code.callbacks(class);
        let names = handler_names(registration, event);
        let named: Vec<MethodNumber> = callbacks
            .iter()
            .copied()
            .filter(|&it| names.iter().any(|name| builder.method(it).name().starts_with(name)))
            .collect();
        let is_window = matches!(
            builder.code.kind(class),
            Some(FrameworkKind::Activity | FrameworkKind::Fragment | FrameworkKind::Dialog)
        );
        let chosen = if named.is_empty() && !is_window { callbacks } else { named };
        handlers.extend(
            chosen.into_iter().map(|it| Handler { number: body(builder.code, it), calls: None }),
        );
    }
    handlers
}

/// A compiler makes at most a class and an accessor around the body of a lambda.
const MAX_WRAPPERS: usize = 3;

/// Returns the method that a person wrote for one that a compiler made to call it.
pub fn body(code: &CodeModel, number: MethodNumber) -> MethodNumber {
    let mut number = number;
    for _ in 0..MAX_WRAPPERS {
        let method = &code.methods[number as usize];
        let class = method.class.descriptor();
        let is_made = ["$$", "$lambda$", "$sam$"].iter().any(|it| class.contains(it))
            || ["$r8$lambda$", "access$"].iter().any(|it| method.name().starts_with(it));
        let callees = &code.callees[number as usize];
        match callees.first() {
            Some(&callee) if is_made && callees.len() == 1 => number = callee,
            _ => return number,
        }
    }
    number
}

fn handler_names(registration: &str, event: InputEvent) -> Vec<String> {
    let names: &[&str] = match event {
        InputEvent::Click => &["onClick", "onMenuItemClick"],
        InputEvent::LongClick => &["onLongClick"],
        InputEvent::ItemClick => &["onItemClick", "onChildClick", "onGroupClick", "onClick"],
        InputEvent::ItemLongClick => &["onItemLongClick"],
        InputEvent::ItemSelected => {
            &["onItemSelected", "onNothingSelected", "onNavigationItem", "onTab"]
        }
        InputEvent::CheckedChange => &["onCheckedChanged"],
        InputEvent::TextChange => {
            &["beforeTextChanged", "onTextChanged", "afterTextChanged", "onQueryText"]
        }
        InputEvent::EditorAction => &["onEditorAction"],
        InputEvent::Touch => &["onTouch"],
        InputEvent::Dismiss => &["onDismiss", "onCancel"],
        InputEvent::Preference => &["onPreference"],
        InputEvent::Key => &["onKey"],
        _ => &[],
    };
    let mut names: Vec<String> = names.iter().map(|it| (*it).to_owned()).collect();
    if let Some(name) =
        registration.strip_prefix("setOn").and_then(|it| it.strip_suffix("Listener"))
    {
        names.push(format!("on{name}"));
    }
    names
}
