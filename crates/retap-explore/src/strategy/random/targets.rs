//! Random targets: a point of the screen or one of its widgets.

use crate::decision_rng::DecisionRng;
use crate::strategy::DecisionContext;
use retap_model::screen::WidgetRef;
use retap_model::{Flags, Orientation, Point, Rect, Selector, Target};

/// Draws a point anywhere on the screen.
pub fn any_point(context: &DecisionContext<'_>, rng: &mut DecisionRng) -> Target {
    let screen = screen_bounds(context);
    let x = rng.between(screen.left, screen.right);
    let y = rng.between(screen.top, screen.bottom);
    Target::point(Point::new(x, y))
}

/// Draws a widget that has any of the flags, touched at its centre.
pub fn any_widget_with(
    flags: Flags,
    context: &DecisionContext<'_>,
    rng: &mut DecisionRng,
) -> Option<Target> {
    let has_flag = |widget: &WidgetRef<'_>| widget.widget().flags.intersects(flags);
    let widgets: Vec<WidgetRef<'_>> =
        context.observation.screen.actionable().filter(has_flag).collect();
    let widget = *rng.pick(&widgets)?;
    Some(target_at(widget, widget.widget().bounds.center()))
}

/// Returns the target that names a widget and touches it at a point.
pub fn target_at(widget: WidgetRef<'_>, at: Point) -> Target {
    Target { on: Some(Selector::of(widget)), at: Some(at) }
}

/// Draws the end of a drag: up to two thirds of the screen away, in one of four directions.
pub fn drag_end(from: &Target, context: &DecisionContext<'_>, rng: &mut DecisionRng) -> Point {
    let screen = screen_bounds(context);
    let start = from.at.unwrap_or(screen.center());
    let distance = |length: i32, rng: &mut DecisionRng| rng.between(length / 6, length * 2 / 3);
    let (dx, dy) = match rng.below(6) {
        0 | 1 => (0, -distance(screen.height(), rng)),
        2 | 3 => (0, distance(screen.height(), rng)),
        4 => (-distance(screen.width(), rng), 0),
        _ => (distance(screen.width(), rng), 0),
    };
    let end = Point::new(start.x + dx, start.y + dy);
    Point::new(
        end.x.clamp(screen.left, screen.right - 1),
        end.y.clamp(screen.top, screen.bottom - 1),
    )
}

fn screen_bounds(context: &DecisionContext<'_>) -> Rect {
    let (width, height) = (context.display.width as i32, context.display.height as i32);
    match context.observation.screen.orientation {
        Orientation::Portrait | Orientation::ReversePortrait => Rect::new(0, 0, width, height),
        Orientation::Landscape | Orientation::ReverseLandscape => Rect::new(0, 0, height, width),
    }
}
