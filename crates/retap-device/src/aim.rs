//! From an event's target to a point on the screen as it is now. Every device aims with this, so that
//! a selector means the same on all of them.

use retap_model::screen::WidgetRef;
use retap_model::{Event, Flags, Point, Screen, Target};

#[derive(Debug, Clone, Copy)]
pub struct Aim<'a> {
    pub point: Point,
    /// The widget that was named, or the one under the point.
    pub widget: Option<WidgetRef<'a>>,
}

/// The widget is gone, or the target names neither a widget nor a point and nothing has the focus.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gone;

/// `None` for events that act on no place.
pub fn aim<'a>(event: &Event, screen: &'a Screen) -> Result<Option<Aim<'a>>, Gone> {
    event.target().map(|target| aim_at(target, screen)).transpose()
}

fn aim_at<'a>(target: &Target, screen: &'a Screen) -> Result<Aim<'a>, Gone> {
    let Some(selector) = &target.on else {
        return match target.at {
            Some(point) => Ok(Aim { point, widget: screen.widget_at(point) }),
            None => aim_at_focus(screen),
        };
    };
    let found = selector.find(screen).ok_or(Gone)?;
    let bounds = found.widget.widget().bounds;
    // Where in the widget it was touched may matter (a map, a slider): keep it if it still fits.
    let point = match target.at {
        Some(at) if !found.moved && bounds.contains(at) => at,
        _ => bounds.center(),
    };
    Ok(Aim { point, widget: Some(found.widget) })
}

/// A target that names nothing means the widget that has the focus, as text typed on keys does.
fn aim_at_focus(screen: &Screen) -> Result<Aim<'_>, Gone> {
    let focused = |w: &WidgetRef<'_>| w.widget().has(Flags::FOCUSED);
    let widget = screen.actionable().find(focused).ok_or(Gone)?;
    Ok(Aim { point: widget.widget().bounds.center(), widget: Some(widget) })
}
