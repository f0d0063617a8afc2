//! A chart of values over a count, such as events or oracle calls.

mod axis;

use super::format_coordinate;
use axis::{AxisTicks, format_tick};
use maud::{Markup, html};
use std::fmt::Write;

const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 250.0;
const LEFT: f64 = 48.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 18.0;
const BOTTOM: f64 = 40.0;

/// A chart with step curves and markers.
#[derive(Debug, Clone, PartialEq)]
pub struct LineChart<'a> {
    pub title: &'a str,
    /// The name of the count on the horizontal axis.
    pub x_label: &'a str,
    pub x_max: u64,
    /// The unit that follows the numbers of the vertical axis.
    pub y_unit: &'a str,
    pub series: Vec<ChartSeries<'a>>,
    pub markers: Vec<ChartMarker>,
}

/// A step curve: each value holds until the next point.
#[derive(Debug, Clone, PartialEq)]
pub struct ChartSeries<'a> {
    pub name: String,
    /// Counts and values.
    pub points: &'a [(u64, f64)],
}

/// A vertical line at the count at which a crash first occurred.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChartMarker {
    pub x: u64,
    pub title: String,
}

impl LineChart<'_> {
    /// Draws the chart.
    pub fn render(&self) -> Markup {
        let values = self.series.iter().flat_map(|series| series.points).map(|point| point.1);
        let y_ticks = AxisTicks::up_to(values.fold(1.0, f64::max));
        let x_ticks = AxisTicks::up_to(self.x_max.max(1) as f64);
        let x = |value: f64| LEFT + (WIDTH - LEFT - RIGHT) * value / self.x_max.max(1) as f64;
        let y = |value: f64| HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * value / y_ticks.end();
        html! {
            figure.chart {
                figcaption { (self.title) }
                svg viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } role="img" aria-label=(self.title) {
                    @for value in y_ticks.values() {
                        line.grid x1=(LEFT) x2=(WIDTH - RIGHT) y1=(format_coordinate(y(value))) y2=(format_coordinate(y(value))) {}
                        text.tick x=(LEFT - 7.0) y=(format_coordinate(y(value) + 4.0)) text-anchor="end" {
                            (format_tick(value)) (self.y_unit)
                        }
                    }
                    @for value in x_ticks.values().filter(|value| *value <= self.x_max as f64) {
                        text.tick x=(format_coordinate(x(value))) y=(HEIGHT - BOTTOM + 17.0) text-anchor="middle" {
                            (format_tick(value))
                        }
                    }
                    text.tick x=(WIDTH - RIGHT) y=(HEIGHT - 5.0) text-anchor="end" { (self.x_label) }
                    @for marker in &self.markers {
                        g.marker {
                            title { (marker.title) }
                            line x1=(format_coordinate(x(marker.x as f64))) x2=(format_coordinate(x(marker.x as f64))) y1=(TOP) y2=(HEIGHT - BOTTOM) {}
                            circle cx=(format_coordinate(x(marker.x as f64))) cy=(TOP) r="4" {}
                        }
                    }
                    @for (index, series) in self.series.iter().enumerate() {
                        @if let Some(path) = step_path(series.points, self.x_max, x, y) {
                            @if self.series.len() == 1 {
                                path class={ "area s" (index % 4) }
                                    d={ (path) "V" (format_coordinate(y(0.0))) "H" (format_coordinate(x(series.points[0].0 as f64))) "Z" } {}
                            }
                            path class={ "curve s" (index % 4) } d=(path) { title { (series.name) } }
                        }
                    }
                }
                @if self.series.len() > 1 || !self.markers.is_empty() {
                    ul.legend {
                        @for (index, series) in self.series.iter().enumerate() {
                            li class={ "s" (index % 4) } { (series.name) }
                        }
                        @if !self.markers.is_empty() { li.crashed { "first occurrence of a crash" } }
                    }
                }
            }
        }
    }
}

/// Returns the SVG path of a step curve that reaches to the right end, or none if there are no points.
fn step_path(
    points: &[(u64, f64)],
    end: u64,
    x: impl Fn(f64) -> f64,
    y: impl Fn(f64) -> f64,
) -> Option<String> {
    let (first, rest) = points.split_first()?;
    let mut path =
        format!("M{} {}", format_coordinate(x(first.0 as f64)), format_coordinate(y(first.1)));
    for (at, value) in rest {
        // Writing to a string cannot fail.
        let _ =
            write!(path, "H{}V{}", format_coordinate(x(*at as f64)), format_coordinate(y(*value)));
    }
    let _ = write!(path, "H{}", format_coordinate(x(end.max(1) as f64)));
    Some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chart_is_drawn_with_its_axes_and_markers() {
        let chart = LineChart {
            title: "States",
            x_label: "events",
            x_max: 10,
            y_unit: "",
            series: vec![ChartSeries { name: "<states>".into(), points: &[(0, 1.0), (4, 3.0)] }],
            markers: vec![ChartMarker { x: 4, title: "a & b".into() }],
        };
        insta::assert_snapshot!(chart.render().into_string().replace("><", ">\n<"));
    }

    #[test]
    fn an_empty_chart_has_no_undefined_coordinates() {
        let chart = LineChart {
            title: "",
            x_label: "",
            x_max: 0,
            y_unit: "",
            series: Vec::new(),
            markers: Vec::new(),
        };
        assert!(!chart.render().into_string().contains("NaN"));
    }
}
