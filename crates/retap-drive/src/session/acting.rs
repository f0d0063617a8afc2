//! Acting on the app, and what the driver is told of it.

use super::DriveSession;
use crate::screen_list::ScreenList;
use retap_engine::Failure;
use retap_explore::Move;
use retap_model::screen::WidgetRef;
use retap_model::{CrashId, Event, Point, Screen, Selector, Target, Trace};
use serde::Serialize;

/// What a move led to.
#[derive(Debug, Clone, Serialize)]
pub struct MoveAnswer {
    /// How it ended: running, crashed, missed and so on.
    pub outcome: String,
    /// True if the app is gone, so that only a restart or a return can follow.
    pub gone: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub crash: Option<CrashId>,
    /// The state afterwards.
    pub state: String,
    /// True if the run had not met the state before.
    pub new_state: bool,
    /// The number of events since the clean install.
    pub events: usize,
    /// What the device lacked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub host_limitations: Vec<String>,
    pub screen: ScreenList,
}

impl DriveSession<'_, '_> {
    /// Performs an event.
    pub fn perform(&mut self, event: Event) -> Result<MoveAnswer, Failure> {
        if self.exploration.is_trace_over() {
            return Err(Failure::input(
                "the app is gone: restart it, or go back to a state that was met before",
            ));
        }
        self.make_move(&Move::Do(event))
    }

    /// Returns the target of a touch at a point: the innermost widget there that reacts to touches, and the point.
    pub fn target_at(&self, point: Point) -> Target {
        let screen = self.observation().map(|observation| &observation.screen);
        let on = screen.and_then(|screen| touched(screen, point)).map(Selector::of);
        Target { on, at: Some(point) }
    }

    /// Tells where the app is now.
    pub fn here(&self) -> MoveAnswer {
        self.answer(false)
    }

    pub(super) fn answer(&self, new_state: bool) -> MoveAnswer {
        let trace = self.exploration.trace();
        // The trace and not the device, which may have been elsewhere meanwhile.
        let last = trace.map(Trace::last);
        MoveAnswer {
            outcome: last.map_or_else(String::new, |last| last.outcome.to_string()),
            gone: self.exploration.is_trace_over(),
            crash: last.and_then(|last| last.outcome.crash()),
            state: self
                .exploration
                .graph()
                .current_state()
                .map_or_else(String::new, |state| state.to_string()),
            new_state,
            events: trace.map_or(0, |trace| trace.steps.len()),
            host_limitations: last.map_or_else(Vec::new, |last| last.host_limitations.clone()),
            screen: self.screen(),
        }
    }
}

/// Returns the innermost widget of the front window at a point that reacts to touches, or else the innermost one.
fn touched(screen: &Screen, point: Point) -> Option<WidgetRef<'_>> {
    let (window, front) = screen.reachable().next()?;
    let at = |wanted: fn(&retap_model::Widget) -> bool| {
        front.widgets.iter().rposition(|widget| wanted(widget) && widget.bounds.contains(point))
    };
    let index =
        at(retap_model::Widget::is_actionable).or_else(|| at(retap_model::Widget::is_live))?;
    Some(WidgetRef { screen, window, index })
}
