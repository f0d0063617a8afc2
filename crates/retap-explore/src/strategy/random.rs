//! Random events: a Monkey that looks at the screen before it acts or, if `blind`, does not.
//!
//! It is TimeMachine's baseline MS and the source of random events for every strategy that needs them.

mod event_mix;
mod haste;
mod keys;
mod targets;
mod text_values;

pub use event_mix::EventMix;

use super::{DecisionContext, Move, Strategy};
use crate::decision_rng::DecisionRng;
use event_mix::EventKind;
use haste::draw_hasty_event;
use keys::draw_key;
pub(super) use keys::draw_system_event;
use retap_model::event::PinchDirection;
use retap_model::screen::WidgetRef;
use retap_model::{Event, Flags, Key, Orientation, Outcome, Target};
use targets::{any_point, any_widget_with, drag_end, target_at};

/// The duration of a wait: longer than splash screens and toasts last, so that whatever is due by then is seen.
pub const WAIT_MS: u32 = 5_000;

/// The number of draws for a kind of event that the screen has a widget for.
const MAX_DRAWS: usize = 8;

#[derive(Debug, Clone)]
pub struct Random {
    pub seed: u64,
    pub mix: EventMix,
    /// True for pure coordinates, as Monkey draws them.
    pub blind: bool,
}

impl Random {
    pub fn new(seed: u64) -> Self {
        Self { seed, mix: EventMix::default(), blind: false }
    }

    /// Draws an event. The result depends only on the seed, the number of the decision and the observation.
    pub fn draw_event(&self, context: &DecisionContext<'_>) -> Event {
        let mut rng = DecisionRng::new(self.seed, context.decision_number);
        match context.observation.outcome {
            Outcome::Exited => return Event::Launch,
            // Another app is in front: go back to the app rather than test the phone.
            Outcome::Left { .. } if rng.chance(0.5) => return Event::Launch,
            Outcome::Left { .. } if rng.chance(0.6) => return Event::Key(Key::back()),
            _ => {}
        }
        (0..MAX_DRAWS)
            .find_map(|_| {
                let kind = self.mix.draw(&mut rng)?;
                let event = self.draw_event_of(kind, context, &mut rng)?;
                Some(event).filter(|event| !context.is_avoided(event))
            })
            .unwrap_or_else(|| Event::Key(Key::back()))
    }

    /// Draws an event of a kind. Returns `None` if the screen has no widget for it.
    fn draw_event_of(
        &self,
        kind: EventKind,
        context: &DecisionContext<'_>,
        rng: &mut DecisionRng,
    ) -> Option<Event> {
        let target = |rng: &mut DecisionRng, flags: Flags| {
            if self.blind {
                Some(any_point(context, rng))
            } else {
                any_widget_with(flags, context, rng)
            }
        };
        Some(match kind {
            EventKind::Tap => Event::Tap(target(rng, Flags::CLICKABLE | Flags::CHECKABLE)?),
            EventKind::LongPress => Event::LongPress(target(rng, Flags::LONG_CLICKABLE)?),
            EventKind::Drag => {
                let from = target(rng, Flags::SCROLLABLE)?;
                let to = drag_end(&from, context, rng);
                Event::Drag { from, to, ms: 200 }
            }
            EventKind::Pinch => {
                let direction =
                    if rng.chance(0.5) { PinchDirection::Open } else { PinchDirection::Close };
                Event::Pinch { on: target(rng, Flags::CLICKABLE | Flags::SCROLLABLE)?, direction }
            }
            EventKind::Text => self.draw_text_event(context, rng)?,
            EventKind::Back => Event::Key(Key::back()),
            EventKind::Menu => Event::Key(Key::menu()),
            EventKind::Home => Event::Key(Key::home()),
            EventKind::Wait => Event::Wait(WAIT_MS),
            EventKind::Key => Event::Key(draw_key(rng)?),
            EventKind::Rotate => Event::Rotate(match context.observation.screen.orientation {
                Orientation::Portrait => Orientation::Landscape,
                _ => Orientation::Portrait,
            }),
            EventKind::System => Event::System(draw_system_event(context.app, rng)),
            EventKind::Haste => draw_hasty_event(context, rng)?,
        })
    }

    fn draw_text_event(
        &self,
        context: &DecisionContext<'_>,
        rng: &mut DecisionRng,
    ) -> Option<Event> {
        let is_field = |widget: &WidgetRef<'_>| widget.widget().has(Flags::EDITABLE);
        let fields: Vec<WidgetRef<'_>> =
            context.observation.screen.actionable().filter(is_field).collect();
        let field = *rng.pick(&fields)?;
        let text = text_values::draw_text(field.widget(), rng);
        let center = field.widget().bounds.center();
        let on = if self.blind { Target::point(center) } else { target_at(field, center) };
        Some(Event::Text { on, text })
    }
}

impl Strategy for Random {
    fn decide(&mut self, context: &DecisionContext<'_>) -> Move {
        if context.is_trace_over { Move::Restart } else { Move::Do(self.draw_event(context)) }
    }
}
