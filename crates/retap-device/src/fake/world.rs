//! Where the app stands and what an event does to it. A world is plain data, so that a snapshot of it
//! is a copy.

use super::app::{App, Form, Page, Reaction};
use super::expr::{Expr, Facts};
use super::part::PartKind;
use super::render::{Origin, Picture};
use super::rule::{Effect, Goal};
use super::trigger::{Gesture, classify};
use super::value::Value;
use retap_model::{Coverage, Event, Orientation, Outcome, Point, WorldSeed};
use std::sync::Arc;

/// What is in front when the app is not.
const LAUNCHER: &str = "com.android.launcher";

/// Milliseconds that an event takes when no rule is about it.
const IDLE_MS: u64 = 100;

#[derive(Debug, Clone)]
pub(super) struct World {
    luck: u64,
    events: u64,
    pub values: Vec<Value>,
    /// The back stack, the front last. Never empty, no screen twice.
    pub stack: Vec<usize>,
    pub orientation: Orientation,
    pub presence: Presence,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Presence {
    InFront,
    Behind(Arc<str>),
    Ended,
    /// Crashed or hung: only a reset helps.
    Gone,
}

/// Where on the picture an event acts.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub point: Point,
    pub origin: Option<Origin>,
}

/// What came of an event.
#[derive(Debug)]
pub(super) struct Turn {
    pub coverage: Option<Arc<Coverage>>,
    pub elapsed_ms: u64,
    pub outcome: Outcome,
    pub log: Vec<String>,
}

impl World {
    /// A clean install, launched.
    pub fn new(app: &App, world_seed: WorldSeed, resets: u64) -> Self {
        let luck = if app.deterministic { world_seed } else { mix(world_seed ^ mix(resets)) };
        let mut world = Self {
            luck,
            events: 0,
            values: app.variables.iter().map(|variable| variable.initial.clone()).collect(),
            stack: vec![app.start.screen],
            orientation: Orientation::Portrait,
            presence: Presence::InFront,
        };
        world.assign(&app.start.effect.sets, "", 0);
        world
    }

    pub fn outcome(&self, app: &App) -> Outcome {
        match &self.presence {
            Presence::Behind(package) => Outcome::Left { package: package.to_string() },
            Presence::Ended | Presence::Gone => Outcome::Exited,
            Presence::InFront => match &self.front(app).form {
                Form::Outside(package) => Outcome::Left { package: package.clone() },
                Form::Activity(_) | Form::Over(_) => Outcome::Running,
            },
        }
    }

    pub fn stand_in(&self) -> Option<&str> {
        match &self.presence {
            Presence::InFront => None,
            Presence::Behind(package) => Some(package),
            Presence::Ended | Presence::Gone => Some(LAUNCHER),
        }
    }

    pub fn take(
        &mut self,
        app: &App,
        picture: &Picture,
        event: &Event,
        place: Option<Place>,
    ) -> Turn {
        self.events += 1;
        if let Event::Rotate(orientation) = event
            && app.rotation
        {
            self.orientation = *orientation;
        }
        let mut turn = match (&self.presence, event) {
            (Presence::InFront, _) => self.act(app, picture, event, place),
            (Presence::Ended, Event::Launch) => {
                self.relaunch(app);
                let Effect { coverage, takes, .. } = &app.start.effect;
                self.turn(app, Some(Arc::clone(coverage)), *takes)
            }
            (Presence::Behind(_), Event::Launch) => self.come_back(app),
            (Presence::Behind(_), Event::Key(key)) if key.name() == "back" => self.come_back(app),
            (Presence::Behind(_), Event::Close) => self.end(app),
            _ => self.turn(app, None, IDLE_MS),
        };
        if let Event::Wait(ms) = event {
            turn.elapsed_ms += u64::from(*ms);
        }
        turn
    }

    /// The widget does its own thing first, then the first rule that applies, else the usual.
    fn act(&mut self, app: &App, picture: &Picture, event: &Event, place: Option<Place>) -> Turn {
        let (gesture, detail) = classify(event, place.map(|place| place.point));
        let origin = place.and_then(|place| place.origin);
        if let (Some(place), Some(origin)) = (place, origin) {
            self.touch(app, picture, event, place, origin);
        }
        let typed = if let Event::Text { text, .. } = event { text.as_str() } else { "" };
        let row = origin.map_or(0, |origin| origin.row);
        let page = self.front(app);
        let reactions = &page.rules[gesture as usize];
        let fits = |reaction: &&Reaction| self.fits(reaction, detail, origin, typed, row);
        match reactions.iter().find(fits) {
            Some(reaction) => {
                let rule = &reaction.rule;
                self.assign(&rule.effect.sets, typed, row);
                let Effect { coverage, takes, log, .. } = &rule.effect;
                let turn = self.go(app, &rule.goal, Some(Arc::clone(coverage)), *takes);
                Turn { log: log.clone(), ..turn }
            }
            None => self.usual(app, gesture, detail),
        }
    }

    fn fits(
        &self,
        reaction: &Reaction,
        detail: &str,
        origin: Option<Origin>,
        typed: &str,
        row: i64,
    ) -> bool {
        let Reaction { widget, rule } = reaction;
        (widget.is_none() || *widget == origin.map(|origin| origin.widget))
            && rule.detail.as_ref().is_none_or(|wanted| wanted == detail)
            && rule.guard.as_ref().is_none_or(|e| e.eval(&self.facts(typed, row)).is_true())
            && rule.chance.is_none_or(|chance| draw(self.luck, self.events, rule.line) < chance)
    }

    fn touch(&mut self, app: &App, picture: &Picture, event: &Event, place: Place, origin: Origin) {
        let part = &self.front(app).widgets[origin.widget];
        match (&part.kind, event) {
            (PartKind::Edit { slot }, Event::Text { text, .. }) => {
                self.values[*slot] = Value::text(text);
            }
            (PartKind::Check { slot }, Event::Tap(_)) => {
                self.values[*slot] = Value::Bool(!self.values[*slot].is_true());
            }
            (PartKind::List { slot, .. }, Event::Drag { to, .. }) => {
                if let Some(list) = picture.list(origin.widget) {
                    let rows =
                        (i64::from(place.point.y) - i64::from(to.y)) / i64::from(list.row_height);
                    let position = self.values[*slot].int().saturating_add(rows);
                    self.values[*slot] = Value::Int(position.clamp(0, list.last_position));
                }
            }
            _ => {}
        }
    }

    fn go(&mut self, app: &App, goal: &Goal, coverage: Option<Arc<Coverage>>, takes: u64) -> Turn {
        match goal {
            Goal::Stay => {}
            Goal::Back => self.back(),
            Goal::Screen(screen) => match self.stack.iter().position(|open| open == screen) {
                Some(at) => self.stack.truncate(at + 1),
                None => self.stack.push(*screen),
            },
            Goal::Exit => self.presence = Presence::Ended,
            Goal::Left(package) => self.presence = Presence::Behind(Arc::clone(package)),
            Goal::Hang(crash) => {
                let outcome = Outcome::NotResponding { stack: crash.stack.clone() };
                return self.die(outcome, coverage, takes);
            }
            Goal::Crash(crash) => {
                return self.die(Outcome::Crashed(Arc::clone(crash)), coverage, takes);
            }
        }
        self.turn(app, coverage, takes)
    }

    /// What Android does by itself.
    fn usual(&mut self, app: &App, gesture: Gesture, detail: &str) -> Turn {
        match (gesture, detail) {
            (Gesture::Key, "back") => self.back(),
            (Gesture::Key, "home") => self.presence = Presence::Behind(LAUNCHER.into()),
            (Gesture::Close, _) => return self.end(app),
            (Gesture::System, "process_death") => self.forget(app),
            _ => {}
        }
        self.turn(app, None, IDLE_MS)
    }

    fn back(&mut self) {
        if self.stack.len() > 1 {
            self.stack.pop();
        } else {
            self.presence = Presence::Ended;
        }
    }

    pub fn die(
        &mut self,
        outcome: Outcome,
        coverage: Option<Arc<Coverage>>,
        elapsed_ms: u64,
    ) -> Turn {
        self.presence = Presence::Gone;
        Turn { coverage, elapsed_ms, outcome, log: Vec::new() }
    }

    fn end(&mut self, app: &App) -> Turn {
        self.presence = Presence::Ended;
        self.turn(app, None, IDLE_MS)
    }

    fn come_back(&mut self, app: &App) -> Turn {
        self.presence = Presence::InFront;
        self.turn(app, None, IDLE_MS)
    }

    fn relaunch(&mut self, app: &App) {
        self.forget(app);
        self.stack = vec![app.start.screen];
        self.presence = Presence::InFront;
        self.assign(&app.start.effect.sets, "", 0);
    }

    /// A new process: what was not stored is as at first.
    fn forget(&mut self, app: &App) {
        for (value, variable) in self.values.iter_mut().zip(&app.variables) {
            if !variable.stored {
                value.clone_from(&variable.initial);
            }
        }
    }

    fn assign(&mut self, sets: &[(usize, Expr)], typed: &str, row: i64) {
        for (slot, expr) in sets {
            self.values[*slot] = expr.eval(&self.facts(typed, row));
        }
    }

    fn turn(&self, app: &App, coverage: Option<Arc<Coverage>>, elapsed_ms: u64) -> Turn {
        Turn { coverage, elapsed_ms, outcome: self.outcome(app), log: Vec::new() }
    }

    fn front<'a>(&self, app: &'a App) -> &'a Page {
        &app.screens[self.stack[self.stack.len() - 1]]
    }

    fn facts<'a>(&'a self, typed: &'a str, row: i64) -> Facts<'a> {
        Facts {
            values: &self.values,
            typed,
            row,
            events: self.events,
            orientation: self.orientation,
        }
    }
}

/// From zero to below one: a function of the world seed, the number of the event and the rule's line,
/// so that luck can be replayed.
fn draw(luck: u64, events: u64, line: usize) -> f64 {
    let bits = mix(luck ^ mix(events ^ mix(line as u64)));
    (bits >> 11) as f64 / (1u64 << 53) as f64
}

/// A bijection of 64 bits in which every bit of the input moves half of the output (the finalizer of
/// SplitMix64).
fn mix(value: u64) -> u64 {
    let mut z = value.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
