//! Aiming: from an event's target to a point on the current screen. Every device uses this module, so
//! that a selector means the same on all of them.

use retap_model::screen::WidgetRef;
use retap_model::{Event, Flags, Point, Screen, Target};

/// The point where an event acts, and the widget there.
#[derive(Debug, Clone, Copy)]
pub struct Aim<'a> {
    pub point: Point,
    /// The widget that the selector names, or the one under the point.
    pub widget: Option<WidgetRef<'a>>,
}

/// The error of an event whose widget is gone, or whose empty target finds no focused widget.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MissingTarget;

/// Finds where an event acts; `None` for events without a target.
pub fn aim<'a>(event: &Event, screen: &'a Screen) -> Result<Option<Aim<'a>>, MissingTarget> {
    event.target().map(|target| aim_at(target, screen)).transpose()
}

fn aim_at<'a>(target: &Target, screen: &'a Screen) -> Result<Aim<'a>, MissingTarget> {
    let Some(selector) = &target.on else {
        return match target.at {
            Some(point) => Ok(Aim { point, widget: screen.widget_at(point) }),
            None => aim_at_focus(screen),
        };
    };
    let found = selector.find(screen).ok_or(MissingTarget)?;
    let bounds = found.widget.widget().bounds;
    // The point inside a map or a slider matters, so it stays if it is still inside the widget.
    let point = match target.at {
        Some(at) if !found.moved && bounds.contains(at) => at,
        _ => bounds.center(),
    };
    Ok(Aim { point, widget: Some(found.widget) })
}

/// Aims at the focused widget. An empty target means it, as text typed on a keyboard does.
fn aim_at_focus(screen: &Screen) -> Result<Aim<'_>, MissingTarget> {
    let focused = |w: &WidgetRef<'_>| w.widget().has(Flags::FOCUSED);
    let widget = screen.actionable().find(focused).ok_or(MissingTarget)?;
    Ok(Aim { point: widget.widget().bounds.center(), widget: Some(widget) })
}
