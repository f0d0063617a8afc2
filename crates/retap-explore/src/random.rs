//! The random generator: a Monkey that looks at the screen before it acts, or (blind) does not.
//! TimeMachine's baseline MS, and the source of events for every strategy built on it.

use crate::dice::Dice;
use crate::strategy::{Move, Place, Strategy};
use crate::words;
use retap_model::event::{Connectivity, Intent, PinchDirection};
use retap_model::screen::WidgetRef;
use retap_model::{
    Event, Flags, Key, Orientation, Outcome, Point, Rect, Selector, SystemEvent, Target,
};

/// How often each kind of event is drawn, relative to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mix {
    pub tap: u32,
    pub long_press: u32,
    pub drag: u32,
    pub pinch: u32,
    pub text: u32,
    pub back: u32,
    pub menu: u32,
    pub key: u32,
    pub rotate: u32,
    pub system: u32,
    pub home: u32,
    pub wait: u32,
}

impl Default for Mix {
    fn default() -> Self {
        Self {
            tap: 600,
            long_press: 60,
            drag: 100,
            pinch: 5,
            text: 120,
            back: 60,
            menu: 20,
            key: 10,
            rotate: 15,
            system: 20,
            home: 5,
            wait: 15,
        }
    }
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    Tap,
    LongPress,
    Drag,
    Pinch,
    Text,
    Back,
    Menu,
    Key,
    Rotate,
    System,
    Home,
    Wait,
}

/// Longer than splash screens and toasts last: whatever is due by then is seen.
pub const PATIENCE_MS: u32 = 5_000;

#[derive(Debug, Clone)]
pub struct Random {
    pub seed: u64,
    pub mix: Mix,
    /// Pure coordinates, as Monkey does it.
    pub blind: bool,
}

impl Random {
    pub fn new(seed: u64) -> Self {
        Self { seed, mix: Mix::default(), blind: false }
    }

    /// A pure function of the seed, the decision's number and what is seen.
    pub fn event(&self, place: &Place<'_>) -> Event {
        let mut dice = Dice::new(self.seed, place.decision);
        match place.seen.outcome {
            Outcome::Exited => return Event::Launch,
            // Something else is in front: go back to the app rather than test the phone.
            Outcome::Left { .. } if dice.chance(0.5) => return Event::Launch,
            Outcome::Left { .. } if dice.chance(0.6) => return Event::Key(Key::back()),
            _ => {}
        }
        // A kind that this screen has no widget for is drawn again.
        (0..8)
            .find_map(|_| {
                let kind = self.draw_kind(&mut dice)?;
                self.make(kind, place, &mut dice)
            })
            .unwrap_or_else(|| Event::Key(Key::back()))
    }

    fn draw_kind(&self, dice: &mut Dice) -> Option<Kind> {
        let Mix { tap, long_press, drag, pinch, text, back, menu, key, rotate, system, home, wait } =
            self.mix;
        dice.weighted(&[
            (Kind::Tap, tap),
            (Kind::LongPress, long_press),
            (Kind::Drag, drag),
            (Kind::Pinch, pinch),
            (Kind::Text, text),
            (Kind::Back, back),
            (Kind::Menu, menu),
            (Kind::Key, key),
            (Kind::Rotate, rotate),
            (Kind::System, system),
            (Kind::Home, home),
            (Kind::Wait, wait),
        ])
        .copied()
    }

    fn make(&self, kind: Kind, place: &Place<'_>, dice: &mut Dice) -> Option<Event> {
        let target = |dice: &mut Dice, wanted: Flags| {
            if self.blind { Some(anywhere(place, dice)) } else { one_with(place, wanted, dice) }
        };
        Some(match kind {
            Kind::Tap => Event::Tap(target(dice, Flags::CLICKABLE | Flags::CHECKABLE)?),
            Kind::LongPress => Event::LongPress(target(dice, Flags::LONG_CLICKABLE)?),
            Kind::Drag => {
                let from = target(dice, Flags::SCROLLABLE)?;
                let to = self.drag_end(&from, place, dice);
                Event::Drag { from, to, ms: 200 }
            }
            Kind::Pinch => {
                let way =
                    if dice.chance(0.5) { PinchDirection::Open } else { PinchDirection::Close };
                Event::Pinch { on: target(dice, Flags::CLICKABLE | Flags::SCROLLABLE)?, way }
            }
            Kind::Text => self.text(place, dice)?,
            Kind::Back => Event::Key(Key::back()),
            Kind::Menu => Event::Key(Key::menu()),
            Kind::Home => Event::Key(Key::home()),
            Kind::Wait => Event::Wait(PATIENCE_MS),
            Kind::Key => Event::Key(any_key(dice)?),
            Kind::Rotate => Event::Rotate(match place.seen.screen.orientation {
                Orientation::Portrait => Orientation::Landscape,
                _ => Orientation::Portrait,
            }),
            Kind::System => Event::System(system_event(place, dice)),
        })
    }

    fn text(&self, place: &Place<'_>, dice: &mut Dice) -> Option<Event> {
        let fields: Vec<WidgetRef<'_>> =
            place.seen.screen.actionable().filter(|w| w.widget().has(Flags::EDITABLE)).collect();
        let field = *dice.pick(&fields)?;
        let text = words::text_for(field.widget(), dice);
        let on = if self.blind {
            Target::point(field.widget().bounds.center())
        } else {
            name(field, field.widget().bounds.center())
        };
        Some(Event::Text { on, text })
    }

    /// A stroke of up to two thirds of what is dragged, in one of four directions.
    fn drag_end(&self, from: &Target, place: &Place<'_>, dice: &mut Dice) -> Point {
        let screen = screen_bounds(place);
        let start = from.at.unwrap_or(screen.center());
        let reach = |length: i32, dice: &mut Dice| dice.between(length / 6, length * 2 / 3);
        let (dx, dy) = match dice.below(6) {
            0 | 1 => (0, -reach(screen.height(), dice)),
            2 | 3 => (0, reach(screen.height(), dice)),
            4 => (-reach(screen.width(), dice), 0),
            _ => (reach(screen.width(), dice), 0),
        };
        let end = Point::new(start.x + dx, start.y + dy);
        Point::new(
            end.x.clamp(screen.left, screen.right - 1),
            end.y.clamp(screen.top, screen.bottom - 1),
        )
    }
}

impl Strategy for Random {
    fn decide(&mut self, place: &Place<'_>) -> Move {
        if place.is_over { Move::Restart } else { Move::Do(self.event(place)) }
    }
}

/// A point anywhere on the screen.
fn anywhere(place: &Place<'_>, dice: &mut Dice) -> Target {
    let screen = screen_bounds(place);
    let x = dice.between(screen.left, screen.right);
    let y = dice.between(screen.top, screen.bottom);
    Target::point(Point::new(x, y))
}

/// A widget that has any of the wanted flags, touched at its centre.
fn one_with(place: &Place<'_>, wanted: Flags, dice: &mut Dice) -> Option<Target> {
    let widgets: Vec<WidgetRef<'_>> =
        place.seen.screen.actionable().filter(|w| w.widget().flags.intersects(wanted)).collect();
    let widget = *dice.pick(&widgets)?;
    Some(name(widget, widget.widget().bounds.center()))
}

fn name(widget: WidgetRef<'_>, at: Point) -> Target {
    Target { on: Some(Selector::of(widget)), at: Some(at) }
}

fn screen_bounds(place: &Place<'_>) -> Rect {
    let (width, height) = (place.display.width as i32, place.display.height as i32);
    match place.seen.screen.orientation {
        Orientation::Portrait | Orientation::ReversePortrait => Rect::new(0, 0, width, height),
        Orientation::Landscape | Orientation::ReverseLandscape => Rect::new(0, 0, height, width),
    }
}

fn any_key(dice: &mut Dice) -> Option<Key> {
    const KEYS: [&str; 8] = [
        "dpad_up",
        "dpad_down",
        "dpad_left",
        "dpad_right",
        "dpad_center",
        "enter",
        "search",
        "volume_down",
    ];
    dice.pick(&KEYS).and_then(|name| Key::new(name).ok())
}

/// Half of the time what the app's receivers listen to, where they do.
fn system_event(place: &Place<'_>, dice: &mut Dice) -> SystemEvent {
    if dice.chance(0.5)
        && let Some(action) = dice.pick(&place.app.broadcasts)
    {
        return SystemEvent::Broadcast(Intent { action: action.clone(), ..Intent::default() });
    }
    match dice.below(8) {
        0 => SystemEvent::Connectivity(Connectivity::Off),
        1 => SystemEvent::Connectivity(Connectivity::Wifi),
        2 => SystemEvent::Battery { level: 4, charging: false },
        3 => SystemEvent::Call { number: "5550100".into() },
        4 => SystemEvent::Sms { from: "5550100".into(), text: "hello".into() },
        5 => SystemEvent::Night(dice.chance(0.5)),
        6 => SystemEvent::LowMemory,
        _ => SystemEvent::ProcessDeath,
    }
}
