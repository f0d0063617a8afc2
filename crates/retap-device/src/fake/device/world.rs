//! The state of the running app, and what an event does to it. A world is plain data, so that a
//! copy of it is a snapshot.

use crate::fake::app::{FakeApp, LaunchSpec, Reaction, ScreenForm, ScreenSpec};
use crate::fake::drawing::render::{RenderedScreen, WidgetSource};
use crate::fake::language::expression::{EvaluationContext, Expr};
use crate::fake::language::gesture::{Gesture, classify};
use crate::fake::language::rule::{RuleEffect, RuleGoal};
use crate::fake::language::value::FakeValue;
use crate::fake::language::widget::WidgetSpecKind;
use retap_model::{Coverage, Event, Orientation, Outcome, Point, WorldSeed};
use std::sync::Arc;

/// The app in front after the app under test was left or has ended.
const LAUNCHER: &str = "com.android.launcher";

/// Milliseconds that an event takes without a rule.
const IDLE_MS: u64 = 100;

#[derive(Debug, Clone)]
pub(crate) struct World {
    chance_seed: u64,
    events: u64,
    pub values: Vec<FakeValue>,
    /// The back stack, the front last. It is never empty and has no screen twice.
    pub stack: Vec<usize>,
    pub orientation: Orientation,
    pub presence: Presence,
    /// The screen that the touch at hand goes to, if it is not the one in front.
    touched: Option<usize>,
}

/// The app's place from the user's point of view.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Presence {
    InFront,
    Behind(Arc<str>),
    Ended,
    /// Crashed or hung. Only a reset brings the app back.
    Dead,
}

/// The place on the screen where an event acts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EventPlace {
    pub point: Point,
    pub source: Option<WidgetSource>,
}

/// The result of an event.
#[derive(Debug)]
pub(crate) struct EventResult {
    pub coverage: Option<Arc<Coverage>>,
    pub elapsed_ms: u64,
    pub outcome: Outcome,
    pub log: Vec<String>,
    /// Something that the device lacks.
    pub limitation: Option<String>,
}

impl EventResult {
    /// Joins the results of two parts of one event.
    fn followed_by(mut self, next: EventResult) -> EventResult {
        let coverage = match (self.coverage, next.coverage) {
            (Some(mut first), Some(second)) => {
                Arc::make_mut(&mut first).union(&second);
                Some(first)
            }
            (first, second) => first.or(second),
        };
        self.log.extend(next.log);
        EventResult {
            coverage,
            elapsed_ms: self.elapsed_ms + next.elapsed_ms,
            log: self.log,
            limitation: self.limitation.or(next.limitation),
            outcome: next.outcome,
        }
    }
}

impl World {
    /// Returns a clean install that is yet to be launched.
    pub fn new(app: &FakeApp, world_seed: WorldSeed, reset_count: u64) -> Self {
        let chance_seed =
            if app.deterministic { world_seed } else { mix(world_seed ^ mix(reset_count)) };
        Self {
            chance_seed,
            events: 0,
            values: app.variables.iter().map(|variable| variable.initial.clone()).collect(),
            stack: vec![app.start.screen],
            orientation: Orientation::Portrait,
            presence: Presence::Ended,
            touched: None,
        }
    }

    pub fn outcome(&self, app: &FakeApp) -> Outcome {
        match &self.presence {
            Presence::Behind(package) => Outcome::Left { package: package.to_string() },
            Presence::Ended | Presence::Dead => Outcome::Exited,
            Presence::InFront => match &self.front(app).form {
                ScreenForm::Outside(package) => Outcome::Left { package: package.clone() },
                ScreenForm::Activity(_) | ScreenForm::Over(_) => Outcome::Running,
            },
        }
    }

    pub fn app_in_front(&self) -> Option<&str> {
        match &self.presence {
            Presence::InFront => None,
            Presence::Behind(package) => Some(package),
            Presence::Ended | Presence::Dead => Some(LAUNCHER),
        }
    }

    /// Performs an event. Each of its parts has its place on the screen as it was before.
    pub fn perform(
        &mut self,
        app: &FakeApp,
        rendered: &RenderedScreen,
        event: &Event,
        places: &[Option<EventPlace>],
    ) -> EventResult {
        self.events += 1;
        let before = self.stack[self.stack.len() - 1];
        let mut all: Option<EventResult> = None;
        for (part, place) in event.parts().iter().zip(places) {
            // A hasty touch goes to the screen that was there, as long as that is open.
            self.touched = all.as_ref().and(*place).map(|_| before);
            if self.touched.is_some_and(|screen| !self.stack.contains(&screen)) {
                continue;
            }
            let result = self.perform_part(app, rendered, part, *place);
            let is_over = result.outcome.is_final() || self.presence != Presence::InFront;
            all = Some(match all {
                None => result,
                Some(before) => before.followed_by(result),
            });
            if is_over {
                break;
            }
        }
        self.touched = None;
        all.unwrap_or_else(|| self.make_result(app, None, IDLE_MS))
    }

    fn perform_part(
        &mut self,
        app: &FakeApp,
        rendered: &RenderedScreen,
        event: &Event,
        place: Option<EventPlace>,
    ) -> EventResult {
        if let Event::Rotate(orientation) = event
            && app.rotation
        {
            self.orientation = *orientation;
        }
        let mut result = match (&self.presence, event) {
            (Presence::InFront, _) => self.act(app, rendered, event, place),
            (Presence::Ended, Event::Launch) => {
                self.lose_process_data(app);
                self.launch(app)
            }
            (Presence::Behind(_), Event::Launch) => self.come_back(app),
            (Presence::Behind(_), Event::Key(key)) if key.name() == "back" => self.come_back(app),
            (Presence::Behind(_), Event::Close) => self.end(app),
            _ => self.make_result(app, None, IDLE_MS),
        };
        if let Event::Wait(ms) = event {
            result.elapsed_ms += u64::from(*ms);
        }
        result
    }

    /// Lets the widget react, then applies the first rule that fits, or else Android's default.
    fn act(
        &mut self,
        app: &FakeApp,
        rendered: &RenderedScreen,
        event: &Event,
        place: Option<EventPlace>,
    ) -> EventResult {
        let (gesture, detail) = classify(event, place.map(|place| place.point));
        let source = place.and_then(|place| place.source);
        if let (Some(place), Some(source)) = (place, source) {
            self.operate_widget(app, rendered, event, place, source);
        }
        let typed = if let Event::Text { text, .. } = event { text.as_str() } else { "" };
        self.apply_rule(app, gesture, detail, source, typed)
            .unwrap_or_else(|| self.act_by_default(app, gesture, detail))
    }

    /// Applies the first rule of the screen in front that fits, if one does.
    fn apply_rule(
        &mut self,
        app: &FakeApp,
        gesture: Gesture,
        detail: &str,
        source: Option<WidgetSource>,
        typed: &str,
    ) -> Option<EventResult> {
        let row = source.map_or(0, |source| source.row);
        let reactions = &self.front(app).rules[gesture as usize];
        let applies = |reaction: &&Reaction| self.applies(reaction, detail, source, typed, row);
        let rule = &reactions.iter().find(applies)?.rule;
        self.assign(&rule.effect.sets, typed, row);
        let RuleEffect { coverage, takes, log, .. } = &rule.effect;
        let result = self.reach_goal(app, &rule.goal, Some(Arc::clone(coverage)), *takes);
        Some(EventResult { log: log.clone(), ..result })
    }

    fn applies(
        &self,
        reaction: &Reaction,
        detail: &str,
        source: Option<WidgetSource>,
        typed: &str,
        row: i64,
    ) -> bool {
        let Reaction { widget, rule } = reaction;
        (widget.is_none() || *widget == source.map(|source| source.widget))
            && rule.detail.as_ref().is_none_or(|wanted| wanted == detail)
            && rule.guard.as_ref().is_none_or(|e| e.eval(&self.facts(typed, row)).is_true())
            && rule
                .chance
                .is_none_or(|chance| draw(self.chance_seed, self.events, rule.line) < chance)
    }

    fn operate_widget(
        &mut self,
        app: &FakeApp,
        rendered: &RenderedScreen,
        event: &Event,
        place: EventPlace,
        source: WidgetSource,
    ) {
        let spec = &self.front(app).widgets[source.widget];
        match (&spec.kind, event) {
            (WidgetSpecKind::Edit { slot }, Event::Text { text, .. }) => {
                self.values[*slot] = FakeValue::text(text);
            }
            (WidgetSpecKind::Check { slot }, Event::Tap(_)) => {
                self.values[*slot] = FakeValue::Bool(!self.values[*slot].is_true());
            }
            (WidgetSpecKind::List { slot, .. }, Event::Drag { to, .. }) => {
                if let Some(list) = rendered.list(source.widget) {
                    let rows =
                        (i64::from(place.point.y) - i64::from(to.y)) / i64::from(list.row_height);
                    let position = self.values[*slot].int().saturating_add(rows);
                    self.values[*slot] = FakeValue::Int(position.clamp(0, list.last_position));
                }
            }
            _ => {}
        }
    }

    fn reach_goal(
        &mut self,
        app: &FakeApp,
        goal: &RuleGoal,
        coverage: Option<Arc<Coverage>>,
        takes: u64,
    ) -> EventResult {
        match goal {
            RuleGoal::Stay => {}
            RuleGoal::Back => self.back(),
            RuleGoal::Screen(screen) => match self.stack.iter().position(|open| open == screen) {
                Some(at) => self.stack.truncate(at + 1),
                None => self.stack.push(*screen),
            },
            RuleGoal::Exit => self.presence = Presence::Ended,
            RuleGoal::Lacks(what) => {
                self.presence = Presence::Ended;
                let result = self.make_result(app, coverage, takes);
                return EventResult { limitation: Some(what.clone()), ..result };
            }
            RuleGoal::Left(package) => self.presence = Presence::Behind(Arc::clone(package)),
            RuleGoal::Hang(crash) => {
                let outcome = Outcome::NotResponding { stack: crash.stack.clone() };
                return self.end_process(outcome, coverage, takes);
            }
            RuleGoal::Lose(loss) => {
                return self.end_process(Outcome::DeviceLost(Arc::new(loss.clone())), None, 0);
            }
            RuleGoal::Crash(crash) => {
                return self.end_process(Outcome::Crashed(Arc::clone(crash)), coverage, takes);
            }
        }
        self.make_result(app, coverage, takes)
    }

    /// Does what Android does without a rule.
    fn act_by_default(&mut self, app: &FakeApp, gesture: Gesture, detail: &str) -> EventResult {
        match (gesture, detail) {
            (Gesture::Key, "back") => self.back(),
            (Gesture::Key, "home") => self.presence = Presence::Behind(LAUNCHER.into()),
            (Gesture::Close, _) => return self.end(app),
            (Gesture::System, "process_death") => self.lose_process_data(app),
            _ => {}
        }
        self.make_result(app, None, IDLE_MS)
    }

    fn back(&mut self) {
        if self.stack.len() > 1 {
            self.stack.pop();
        } else {
            self.presence = Presence::Ended;
        }
    }

    pub fn end_process(
        &mut self,
        outcome: Outcome,
        coverage: Option<Arc<Coverage>>,
        elapsed_ms: u64,
    ) -> EventResult {
        self.presence = Presence::Dead;
        EventResult { coverage, elapsed_ms, outcome, log: Vec::new(), limitation: None }
    }

    fn end(&mut self, app: &FakeApp) -> EventResult {
        self.presence = Presence::Ended;
        self.make_result(app, None, IDLE_MS)
    }

    fn come_back(&mut self, app: &FakeApp) -> EventResult {
        self.presence = Presence::InFront;
        self.make_result(app, None, IDLE_MS)
    }

    /// Starts the process: the first screen comes to the front, and its rule for a launch, if any, applies.
    pub fn launch(&mut self, app: &FakeApp) -> EventResult {
        let LaunchSpec { screen, effect } = &app.start;
        self.stack = vec![*screen];
        self.presence = Presence::InFront;
        self.assign(&effect.sets, "", 0);
        let mut started = self.make_result(app, Some(Arc::clone(&effect.coverage)), effect.takes);
        started.log.clone_from(&effect.log);
        match self.apply_rule(app, Gesture::Launch, "", None, "") {
            None => started,
            Some(result) => started.followed_by(EventResult { elapsed_ms: 0, ..result }),
        }
    }

    /// Ends the process: variables that are not stored get their first value again.
    fn lose_process_data(&mut self, app: &FakeApp) {
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

    fn make_result(
        &self,
        app: &FakeApp,
        coverage: Option<Arc<Coverage>>,
        elapsed_ms: u64,
    ) -> EventResult {
        EventResult {
            coverage,
            elapsed_ms,
            outcome: self.outcome(app),
            log: Vec::new(),
            limitation: None,
        }
    }

    fn front<'a>(&self, app: &'a FakeApp) -> &'a ScreenSpec {
        &app.screens[self.touched.unwrap_or(self.stack[self.stack.len() - 1])]
    }

    fn facts<'a>(&'a self, typed: &'a str, row: i64) -> EvaluationContext<'a> {
        EvaluationContext {
            values: &self.values,
            typed,
            row,
            events: self.events,
            orientation: self.orientation,
        }
    }
}

/// Returns a number from zero to below one. It depends on the world seed, the number of the event
/// and the rule's line alone, so that chances can be replayed.
fn draw(chance_seed: u64, events: u64, line: usize) -> f64 {
    let bits = mix(chance_seed ^ mix(events ^ mix(line as u64)));
    (bits >> 11) as f64 / (1u64 << 53) as f64
}

/// Maps 64 bits one to one, so that every bit of the input changes half of the output: the
/// finalizer of SplitMix64.
fn mix(value: u64) -> u64 {
    let mut z = value.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
