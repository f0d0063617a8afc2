//! What can be done on a screen, and what makes two such things alike.

use crate::auto::text::TextClass;
use crate::random::PATIENCE_MS;
use retap_model::event::{Connectivity, Intent};
use retap_model::hash::StableHasher;
use retap_model::screen::WidgetRef;
use retap_model::{
    App, Event, Flags, Key, Orientation, Point, Rect, Screen, Selector, SystemEvent, Target,
};

/// An event by its looks: the same for every screen of an activity on which it looks the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Twin(u64);

/// An event by what it is made of, whatever it says: all rows of a list are kin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Kin(u64);

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Name {
    pub twin: Twin,
    pub kin: Kin,
}

/// Something that can be done. A text is drawn only when it is typed.
#[derive(Debug, Clone, PartialEq)]
pub enum Deed {
    Do(Event),
    Type(Target, TextClass),
}

#[derive(Debug, Clone, PartialEq)]
pub struct Action {
    pub deed: Deed,
    pub name: Name,
    /// What it is worth before anything is known of it or its kin.
    pub prior: f64,
}

/// Everything worth trying on this screen. `filled` is how many of its fields were typed into since it was
/// come to: with another form behind it a button is another button.
pub fn actions(screen: &Screen, app: &App, filled: usize) -> Vec<Action> {
    let mut deeds: Vec<(Deed, f64)> = Vec::new();
    for widget in screen.actionable() {
        on_widget(widget, &mut deeds);
    }
    elsewhere(screen, app, &mut deeds);
    deeds
        .into_iter()
        .map(|(deed, prior)| {
            let name = name_of(&deed, &screen.activity, filled);
            Action { deed, name, prior }
        })
        .collect()
}

fn on_widget(widget: WidgetRef<'_>, deeds: &mut Vec<(Deed, f64)>) {
    let Rect { left, top, right, bottom } = widget.widget().bounds;
    let flags = widget.widget().flags;
    let center = widget.widget().bounds.center();
    let target = || Target { on: Some(Selector::of(widget)), at: Some(center) };
    let mut offer = |event: Event, prior: f64| deeds.push((Deed::Do(event), prior));
    if flags.intersects(Flags::CLICKABLE | Flags::CHECKABLE) && !flags.contains(Flags::EDITABLE) {
        offer(Event::Tap(target()), 1.0);
    }
    if flags.contains(Flags::LONG_CLICKABLE) {
        let prior = if flags.contains(Flags::EDITABLE) { 0.1 } else { 0.5 };
        offer(Event::LongPress(target()), prior);
    }
    if flags.contains(Flags::SCROLLABLE) {
        let (third_x, third_y) = ((right - left) / 3, (bottom - top) / 3);
        let Point { x, y } = center;
        let ways = [
            (Point::new(x, y - third_y), 0.4),
            (Point::new(x, y + third_y), 0.25),
            (Point::new(x - third_x, y), 0.25),
            (Point::new(x + third_x, y), 0.15),
        ];
        for (to, prior) in ways {
            offer(Event::Drag { from: target(), to, ms: 200 }, prior);
        }
    }
    if flags.contains(Flags::EDITABLE) {
        for class in TextClass::ALL {
            deeds.push((Deed::Type(target(), class), class.prior()));
        }
    }
}

/// Keys, the display and the world.
fn elsewhere(screen: &Screen, app: &App, deeds: &mut Vec<(Deed, f64)>) {
    let turned = match screen.orientation {
        Orientation::Portrait => Orientation::Landscape,
        _ => Orientation::Portrait,
    };
    // What offers nothing is about to change, or a dead end.
    let patience = if deeds.is_empty() { 1.0 } else { 0.1 };
    let mut offer = |event: Event, prior: f64| deeds.push((Deed::Do(event), prior));
    offer(Event::Wait(PATIENCE_MS), patience);
    offer(Event::Key(Key::back()), 0.4);
    offer(Event::Key(Key::menu()), 0.5);
    offer(Event::Rotate(turned), 0.25);
    offer(Event::Key(Key::home()), 0.05);
    for system in [
        SystemEvent::ProcessDeath,
        SystemEvent::Connectivity(Connectivity::Off),
        SystemEvent::Connectivity(Connectivity::Wifi),
        SystemEvent::LowMemory,
    ] {
        offer(Event::System(system), 0.05);
    }
    for action in &app.broadcasts {
        let intent = Intent { action: action.clone(), ..Intent::default() };
        offer(Event::System(SystemEvent::Broadcast(intent)), 0.15);
    }
}

fn name_of(deed: &Deed, activity: &str, filled: usize) -> Name {
    match deed {
        Deed::Do(event) => name(event, activity, filled),
        Deed::Type(target, class) => named(Some(target), &format!("type {class:?}"), activity, 0),
    }
}

/// The name of an event that was done in an activity.
pub fn name(event: &Event, activity: &str, filled: usize) -> Name {
    let target = event.target();
    match event {
        Event::Tap(_) => named(target, "tap", activity, filled.min(3)),
        Event::LongPress(_) => named(target, "long", activity, 0),
        Event::Drag { from, to, .. } => {
            let (dx, dy) = from.at.map_or((0, 0), |at| (to.x - at.x, to.y - at.y));
            let way = match (dx.abs() > dy.abs(), dx > 0, dy > 0) {
                (true, true, _) => "drag right",
                (true, false, _) => "drag left",
                (false, _, true) => "drag down",
                (false, _, false) => "drag up",
            };
            named(target, way, activity, 0)
        }
        Event::Pinch { way, .. } => named(target, &format!("pinch {way:?}"), activity, 0),
        Event::Text { text, .. } => {
            named(target, &format!("type {:?}", TextClass::of(text)), activity, 0)
        }
        other => named(None, &other.to_string(), activity, 0),
    }
}

/// The field that a text goes into, whatever is typed.
pub fn field(target: &Target, activity: &str) -> Kin {
    named(Some(target), "type", activity, 0).kin
}

fn named(target: Option<&Target>, deed: &str, activity: &str, filled: usize) -> Name {
    let nothing = Selector::default();
    let on = target.and_then(|target| target.on.as_ref()).unwrap_or(&nothing);
    let anonymous = on.id.is_empty() && on.text.is_empty() && on.description.is_empty();
    let path = on.path.as_deref().filter(|_| anonymous).unwrap_or_default();
    let mut hasher = StableHasher::new("kin");
    hasher.str(activity).str(deed).str(&on.class).str(&on.id);
    let kin = Kin(hasher.finish());
    hasher.str(&on.text).str(&on.description).str(path).u64(filled as u64);
    Name { twin: Twin(hasher.finish()), kin }
}
