//! The first difference between two processes that ran the same events: the class and line whose code only one of them
//! ran, or the part of the screen, the log or the outcome that differs.

use retap_model::{Observation, Screen, Units, Widget};
use std::fmt::Debug;

/// Compares the observations of a process with those of the first one.
#[derive(Debug, Default)]
pub struct RunComparison {
    first: Vec<Observation>,
    /// The number of observations of the current process.
    seen: usize,
    is_first: bool,
    found: Option<String>,
}

impl RunComparison {
    /// Begins another process. The first one is the standard.
    pub fn begin(&mut self) {
        self.is_first = self.first.is_empty();
        self.seen = 0;
    }

    /// Adds an observation of the current process.
    pub fn add(&mut self, observation: &Observation, units: &Units) {
        if self.is_first {
            self.first.push(observation.clone());
        } else if self.found.is_none()
            && let Some(expected) = self.first.get(self.seen)
        {
            let place = self.seen;
            self.found = describe(expected, observation, units)
                .map(|difference| format!("at event {place}: {difference}"));
        }
        self.seen += 1;
    }

    /// Returns the first difference between any process and the first one.
    pub fn found(self) -> Option<String> {
        self.found
    }
}

/// Returns the first difference in words, code first; none if the observations are equal.
pub fn describe(one: &Observation, other: &Observation, units: &Units) -> Option<String> {
    if one == other {
        return None;
    }
    let code = || {
        let only_one = one.coverage.difference(&other.coverage);
        let only_other = other.coverage.difference(&one.coverage);
        let unit = only_one.iter().chain(only_other.iter()).min()?;
        let name = units.get(unit).map_or_else(|| format!("unit {unit}"), |unit| unit.name.clone());
        Some(format!("only one of them ran {name}"))
    };
    Some(
        code()
            .or_else(|| differ("the outcome", &one.outcome, &other.outcome))
            .or_else(|| describe_screens(&one.screen, &other.screen))
            .or_else(|| {
                let lines = one.log.iter().zip(&other.log);
                let line = lines.into_iter().find(|(one, other)| one != other);
                line.and_then(|(one, other)| differ("the log", one, other))
            })
            .or_else(|| differ("the number of lines in the log", &one.log.len(), &other.log.len()))
            .or_else(|| differ("the time that passed", &one.elapsed_ms, &other.elapsed_ms))
            .or_else(|| {
                differ("the host limitations", &one.host_limitations, &other.host_limitations)
            })
            .unwrap_or_else(|| "the observations differ".into()),
    )
}

fn describe_screens(one: &Screen, other: &Screen) -> Option<String> {
    let windows = || {
        let pairs = one.windows.iter().zip(&other.windows);
        pairs.enumerate().find_map(|(number, (one, other))| {
            let in_window = |what: &str| format!("the {what} of window {number}");
            differ(&in_window("title"), &one.title, &other.title)
                .or_else(|| differ(&in_window("focus"), &one.focused, &other.focused))
                .or_else(|| differ(&in_window("place"), &one.bounds, &other.bounds))
                .or_else(|| {
                    let mut widgets = one.widgets.iter().zip(&other.widgets);
                    widgets.find_map(|(one, other)| describe_widgets(one, other))
                })
                .or_else(|| {
                    let what = in_window("number of widgets");
                    differ(&what, &one.widgets.len(), &other.widgets.len())
                })
        })
    };
    differ("the activity", &one.activity, &other.activity)
        .or_else(|| differ("the number of windows", &one.windows.len(), &other.windows.len()))
        .or_else(windows)
}

fn describe_widgets(one: &Widget, other: &Widget) -> Option<String> {
    let name = if one.id.is_empty() { &one.class } else { &one.id };
    let of_widget = |what: &str| format!("the {what} of {name}");
    differ(&of_widget("class"), &one.class, &other.class)
        .or_else(|| differ(&of_widget("text"), &one.text, &other.text))
        .or_else(|| differ(&of_widget("description"), &one.description, &other.description))
        .or_else(|| differ(&of_widget("flags"), &one.flags, &other.flags))
        .or_else(|| differ(&of_widget("place"), &one.bounds, &other.bounds))
}

fn differ<T: PartialEq + Debug + ?Sized>(what: &str, one: &T, other: &T) -> Option<String> {
    (one != other).then(|| format!("{what} is {one:?} in one and {other:?} in the other"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use retap_model::{Outcome, Rect, Unit, UnitKind, Window, WindowKind};
    use std::sync::Arc;

    fn observation(text: &str, units: &[u32]) -> Observation {
        let widget = Widget { id: "a:id/row".into(), text: text.into(), ..Widget::default() };
        let window = Window {
            kind: WindowKind::Activity,
            package: "a".into(),
            title: String::new(),
            bounds: Rect::new(0, 0, 9, 9),
            focused: true,
            widgets: vec![widget],
        };
        Observation {
            screen: Arc::new(Screen { windows: vec![window], ..Screen::default() }),
            coverage: Arc::new(units.iter().copied().collect()),
            elapsed_ms: 0,
            outcome: Outcome::Running,
            log: Vec::new(),
            host_limitations: Vec::new(),
        }
    }

    #[test]
    fn the_first_class_and_line_that_differ_are_named_or_else_the_part_of_the_screen() {
        let unit = |name: &str| Unit { kind: UnitKind::Line, name: name.into(), weight: 1 };
        let units = Units::new(vec![unit("a/Main.java:7"), unit("a/Main.java:8")]);
        let mut comparison = RunComparison::default();
        comparison.begin();
        comparison.add(&observation("x", &[0]), &units);
        comparison.add(&observation("x", &[0, 1]), &units);
        comparison.begin();
        comparison.add(&observation("x", &[0]), &units);
        comparison.add(&observation("y", &[0]), &units);
        let found = comparison.found().unwrap();
        assert_eq!(found, "at event 1: only one of them ran a/Main.java:8");
        let text = describe(&observation("x", &[]), &observation("y", &[]), &units).unwrap();
        assert_eq!(text, "the text of a:id/row is \"x\" in one and \"y\" in the other");
        assert_eq!(describe(&observation("x", &[]), &observation("x", &[]), &units), None);
    }
}
