//! Charts as SVG, without scripts: lines over a count, bars, a success rate, and the map of states.

mod bar_chart;
mod line_chart;
mod rate_bar;
pub mod state_map;

pub use bar_chart::{Bar, render_bar_chart};
pub use line_chart::{ChartMarker, ChartSeries, LineChart};
pub use rate_bar::render_rate_bar;

/// Formats a coordinate. A tenth of a pixel is exact enough and keeps the page small.
pub fn format_coordinate(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_string)
}
