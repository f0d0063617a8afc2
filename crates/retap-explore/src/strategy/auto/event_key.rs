//! The keys by which events are alike: their signature and their family.

use super::text_class::TextClass;
use retap_model::hash::StableHasher;
use retap_model::{Event, Selector, Target};

/// A hash of everything an event shows: equal on all screens of an activity on which the event looks the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct EventSignature(u64);

/// A hash of an event's kind and its widget's class and id, without any text: all rows of a list are one family.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct EventFamily(pub(super) u64);

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EventKey {
    pub signature: EventSignature,
    pub family: EventFamily,
}

/// Returns the key of an event that is performed in an activity. `form` is a hash of the texts that were typed: a button
/// counts as another button when the form around it says something else.
pub fn key_of_event(event: &Event, activity: &str, form: u64) -> EventKey {
    let target = event.target();
    match event {
        Event::Tap(_) => hash_key(target, "tap", activity, form),
        Event::LongPress(_) => hash_key(target, "long", activity, 0),
        Event::Drag { from, to, .. } => {
            let (dx, dy) = from.at.map_or((0, 0), |at| (to.x - at.x, to.y - at.y));
            let direction = match (dx.abs() > dy.abs(), dx > 0, dy > 0) {
                (true, true, _) => "drag right",
                (true, false, _) => "drag left",
                (false, _, true) => "drag down",
                (false, _, false) => "drag up",
            };
            hash_key(target, direction, activity, 0)
        }
        Event::Pinch { direction, .. } => {
            hash_key(target, &format!("pinch {direction:?}"), activity, 0)
        }
        Event::Text { on, .. } => key_of_text(on, activity),
        other => hash_key(None, &other.to_string(), activity, 0),
    }
}

/// Returns the key of typing into a field, whatever the text.
pub fn key_of_text(target: &Target, activity: &str) -> EventKey {
    hash_key(Some(target), "type", activity, 0)
}

/// Returns the family that stands for a field, whatever is typed into it.
pub fn field_family(target: &Target, activity: &str) -> EventFamily {
    key_of_text(target, activity).family
}

/// Returns the family that stands for texts of one class in a field.
pub fn class_family(target: &Target, class: TextClass, activity: &str) -> EventFamily {
    hash_key(Some(target), &format!("type {class:?}"), activity, 0).family
}

fn hash_key(target: Option<&Target>, kind: &str, activity: &str, form: u64) -> EventKey {
    let no_selector = Selector::default();
    let on = target.and_then(|target| target.on.as_ref()).unwrap_or(&no_selector);
    let is_anonymous = on.id.is_empty() && on.text.is_empty() && on.description.is_empty();
    let path = on.path.as_deref().filter(|_| is_anonymous).unwrap_or_default();
    let mut hasher = StableHasher::new("kin");
    hasher.str(activity).str(kind).str(&on.class).str(&on.id);
    let family = EventFamily(hasher.finish());
    hasher.str(&on.text).str(&on.description).str(path).u64(form);
    EventKey { signature: EventSignature(hasher.finish()), family }
}
