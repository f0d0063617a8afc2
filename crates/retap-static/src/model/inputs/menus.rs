//! Options and context menus: opening them, and choosing each item.

use super::super::facts::Value;
use super::super::transitions::WindowEffect;
use super::super::windows::{ActivityCode, ModelBuilder, is_menu_add};
use super::super::{AppWindowKind, InputEvent, WindowWidget, navigation};
use super::FoundInput;
use super::handlers::{Handler, discriminated, overridden};

/// The options and context menus: opening them, and choosing each item.
pub fn menus(builder: &ModelBuilder, activity: &ActivityCode, found: &mut Vec<FoundInput>) {
    let owned = builder.model.windows.iter().filter(|it| it.owner.as_ref() == Some(&activity.id));
    for menu in owned {
        let (chosen, event): (&[&str], InputEvent) = match menu.kind {
            AppWindowKind::OptionsMenu => {
                (&["onOptionsItemSelected", "onMenuItemSelected"], InputEvent::Menu)
            }
            AppWindowKind::ContextMenu => (&["onContextItemSelected"], InputEvent::LongClick),
            _ => continue,
        };
        let mut items = Vec::new();
        menu.widgets.iter().for_each(|it| flatten(it, &mut items));
        let classes: Vec<&String> = activity.window_classes().collect();
        let answers = || {
            let named = |class: &String| {
                chosen.iter().flat_map(|name| overridden(builder, class, name)).collect::<Vec<_>>()
            };
            let of_mode = menu.kind == AppWindowKind::ContextMenu;
            let modes = builder.named_in(activity, "onActionItemClicked").filter(move |_| of_mode);
            classes.iter().copied().flat_map(named).chain(modes)
        };
        // Code chooses the items: which ones there are is not known.
        if items.is_empty() && answers().next().is_some() {
            found.push(FoundInput {
                window: menu.id.clone(),
                event: InputEvent::Click,
                widget: None,
                handlers: answers().map(|number| Handler { number, calls: None }).collect(),
                leads_to: Vec::new(),
            });
        }
        for item in items {
            let id = item.id.as_deref().and_then(|it| {
                let named = builder.code.program.resources.id(it).map(i64::from);
                named.or_else(|| it.parse().ok())
            });
            let handlers: Vec<Handler> = answers()
                .map(|number| discriminated(builder, number, Some(id.unwrap_or(-1))))
                .collect();
            found.push(FoundInput {
                window: menu.id.clone(),
                event: InputEvent::Click,
                widget: item.id.clone().or_else(|| item.text.clone()),
                handlers,
                leads_to: navigation::of_item(builder, activity, item.id.as_deref()),
            });
        }
        // What opens a context menu is known where a view is registered for it.
        if event == InputEvent::Menu {
            let creators =
                classes.iter().filter_map(|class| builder.code.named(class, "onCreateOptionsMenu"));
            found.push(FoundInput {
                window: activity.id.clone(),
                event,
                widget: None,
                handlers: creators.map(|number| Handler { number, calls: None }).collect(),
                leads_to: vec![WindowEffect::to(&menu.id)],
            });
        }
    }
}

/// Items of menus that lie in the window itself, such as the bar at its bottom, and have the ids of destinations.
pub fn navigation_items(
    builder: &ModelBuilder,
    activity: &ActivityCode,
    found: &mut Vec<FoundInput>,
) {
    let Some(window) = builder.model.window(&activity.id) else { return };
    let mut items = Vec::new();
    window.widgets.iter().for_each(|it| flatten(it, &mut items));
    for item in items.into_iter().filter(|it| it.class == "item") {
        let leads_to = navigation::of_item(builder, activity, item.id.as_deref());
        if !leads_to.is_empty() {
            found.push(FoundInput {
                window: activity.id.clone(),
                event: InputEvent::ItemSelected,
                widget: item.id.clone(),
                handlers: Vec::new(),
                leads_to,
            });
        }
    }
}

pub fn flatten<'a>(widget: &'a WindowWidget, items: &mut Vec<&'a WindowWidget>) {
    if widget.id.is_some() || widget.text.is_some() {
        items.push(widget);
    }
    widget.children.iter().for_each(|child| flatten(child, items));
}

/// Returns the menu items that values stand for: what `menu.add(…)` and `menu.findItem(…)` return.
pub fn menu_items(
    builder: &ModelBuilder,
    activity: &ActivityCode,
    values: &[Value],
) -> Vec<(String, String)> {
    let mut items = Vec::new();
    for value in values {
        let Value::Returned(method, position) = value else { continue };
        let Some(call) = builder.method(*method).facts.call_at(*position) else { continue };
        let is_add = is_menu_add(call.class, call.name);
        if !is_add && call.name != "findItem" {
            continue;
        }
        let place = call.arguments.len() - 1;
        let values = call.arguments.get(place).into_iter().flatten();
        let value = values.flat_map(|&it| builder.code.resolve(it, *method)).next();
        let name = match value {
            Some(Value::Integer(id)) if !is_add => {
                u32::try_from(id).ok().map(|it| builder.layouts.id_name(it))
            }
            Some(value) => builder.text(value),
            None => None,
        };
        let context = builder.method(*method).name() == "onCreateContextMenu";
        let suffix = if context { "context-menu" } else { "options-menu" };
        items.extend(name.map(|name| (format!("{}#{suffix}", activity.id), name)));
    }
    items
}
