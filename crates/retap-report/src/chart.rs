//! Values over a count (events, oracle calls) as an SVG picture.

use maud::{Markup, html};
use std::fmt::Write;

const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 250.0;
const LEFT: f64 = 48.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 18.0;
const BOTTOM: f64 = 40.0;
/// Ticks on an axis, about.
const TICKS: f64 = 4.0;

#[derive(Debug, Clone, PartialEq)]
pub struct Chart<'a> {
    pub title: &'a str,
    /// What is counted below.
    pub x: &'a str,
    pub x_max: u64,
    /// Written behind the numbers on the left.
    pub unit: &'a str,
    pub series: Vec<Series<'a>>,
    pub marks: Vec<Mark>,
}

/// A value that stays until it changes.
#[derive(Debug, Clone, PartialEq)]
pub struct Series<'a> {
    pub name: String,
    pub points: &'a [(u64, f64)],
}

/// Something that happened at one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    pub x: u64,
    pub title: String,
}

impl Chart<'_> {
    pub fn render(&self) -> Markup {
        let values = self.series.iter().flat_map(|series| series.points).map(|point| point.1);
        let y_ticks = Ticks::up_to(values.fold(1.0, f64::max));
        let x_ticks = Ticks::up_to(self.x_max.max(1) as f64);
        let x = |value: f64| LEFT + (WIDTH - LEFT - RIGHT) * value / self.x_max.max(1) as f64;
        let y = |value: f64| HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * value / y_ticks.end();
        html! {
            figure.chart {
                figcaption { (self.title) }
                svg viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } role="img" aria-label=(self.title) {
                    @for value in y_ticks.values() {
                        line.grid x1=(LEFT) x2=(WIDTH - RIGHT) y1=(fixed(y(value))) y2=(fixed(y(value))) {}
                        text.tick x=(LEFT - 7.0) y=(fixed(y(value) + 4.0)) text-anchor="end" {
                            (compact(value)) (self.unit)
                        }
                    }
                    @for value in x_ticks.values().filter(|value| *value <= self.x_max as f64) {
                        text.tick x=(fixed(x(value))) y=(HEIGHT - BOTTOM + 17.0) text-anchor="middle" {
                            (compact(value))
                        }
                    }
                    text.tick x=(WIDTH - RIGHT) y=(HEIGHT - 5.0) text-anchor="end" { (self.x) }
                    @for mark in &self.marks {
                        g.mark {
                            title { (mark.title) }
                            line x1=(fixed(x(mark.x as f64))) x2=(fixed(x(mark.x as f64))) y1=(TOP) y2=(HEIGHT - BOTTOM) {}
                            circle cx=(fixed(x(mark.x as f64))) cy=(TOP) r="4" {}
                        }
                    }
                    @for (index, series) in self.series.iter().enumerate() {
                        @if let Some(path) = stairs(series.points, self.x_max, x, y) {
                            @if self.series.len() == 1 {
                                path class={ "area s" (index % 4) }
                                    d={ (path) "V" (fixed(y(0.0))) "H" (fixed(x(series.points[0].0 as f64))) "Z" } {}
                            }
                            path class={ "curve s" (index % 4) } d=(path) { title { (series.name) } }
                        }
                    }
                }
                @if self.series.len() > 1 || !self.marks.is_empty() {
                    ul.legend {
                        @for (index, series) in self.series.iter().enumerate() {
                            li class={ "s" (index % 4) } { (series.name) }
                        }
                        @if !self.marks.is_empty() { li.crashed { "crash first met" } }
                    }
                }
            }
        }
    }
}

/// A value holds until the next point; the last one to the right end.
fn stairs(
    points: &[(u64, f64)],
    end: u64,
    x: impl Fn(f64) -> f64,
    y: impl Fn(f64) -> f64,
) -> Option<String> {
    let (first, rest) = points.split_first()?;
    let mut path = format!("M{} {}", fixed(x(first.0 as f64)), fixed(y(first.1)));
    for (at, value) in rest {
        // Writing to a string cannot fail.
        let _ = write!(path, "H{}V{}", fixed(x(*at as f64)), fixed(y(*value)));
    }
    let _ = write!(path, "H{}", fixed(x(end.max(1) as f64)));
    Some(path)
}

/// Round numbers from nought to just beyond the greatest value.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Ticks {
    step: f64,
    count: u32,
}

impl Ticks {
    fn up_to(greatest: f64) -> Self {
        let rough = greatest / TICKS;
        let power = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 2.5, 5.0, 10.0]
            .into_iter()
            .map(|digit| digit * power)
            .find(|step| *step >= rough && (*step >= 1.0 && step.fract() == 0.0))
            .unwrap_or(1.0);
        Self { step, count: (greatest / step).ceil() as u32 }
    }

    fn end(self) -> f64 {
        self.step * f64::from(self.count)
    }

    fn values(self) -> impl Iterator<Item = f64> {
        (0..=self.count).map(move |n| self.step * f64::from(n))
    }
}

/// A coordinate: a tenth of a pixel is enough, and keeps the page small.
pub fn fixed(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_string)
}

/// `1500` as `1.5k`: an axis has little room.
fn compact(value: f64) -> String {
    let (scaled, suffix) = match value {
        v if v >= 1e6 => (v / 1e6, "M"),
        v if v >= 1e4 => (v / 1e3, "k"),
        v => (v, ""),
    };
    let text = format!("{scaled:.1}");
    format!("{}{suffix}", text.strip_suffix(".0").unwrap_or(&text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_reach_the_greatest_value() {
        let check = |greatest, step, end| {
            let ticks = Ticks::up_to(greatest);
            assert_eq!((ticks.step, ticks.end()), (step, end), "{greatest}");
        };
        check(1.0, 1.0, 1.0);
        check(4.0, 1.0, 4.0);
        check(7.0, 2.0, 8.0);
        check(83.0, 25.0, 100.0);
        check(5000.0, 2000.0, 6000.0);
        check(1_000_000.0, 250_000.0, 1_000_000.0);
    }

    #[test]
    fn a_chart_looks_like_this() {
        let chart = Chart {
            title: "States",
            x: "events",
            x_max: 10,
            unit: "",
            series: vec![Series { name: "<states>".into(), points: &[(0, 1.0), (4, 3.0)] }],
            marks: vec![Mark { x: 4, title: "a & b".into() }],
        };
        insta::assert_snapshot!(chart.render().into_string().replace("><", ">\n<"));
    }

    #[test]
    fn an_empty_chart_is_drawn_too() {
        let chart =
            Chart { title: "", x: "", x_max: 0, unit: "", series: Vec::new(), marks: Vec::new() };
        assert!(!chart.render().into_string().contains("NaN"));
    }
}
