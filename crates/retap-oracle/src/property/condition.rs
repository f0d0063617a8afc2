//! The conditions of a property file, each a question about one screen.

use regex::Regex;
use retap_model::{Abstraction, Flags, Screen, StateId, Widget, WindowKind};

#[derive(Debug, Clone)]
pub enum Condition {
    Always,
    /// This activity is in front, by full or short name.
    Activity(String),
    State(StateId),
    /// A dialog is in front.
    Dialog,
    /// Some visible text passes the test.
    Text(TextTest),
    /// The claim is true of some widget that fits the pattern.
    Widget(WidgetPattern, WidgetClaim),
    /// The number of widgets that fit the pattern compares with `number` in this order.
    Count {
        pattern: WidgetPattern,
        order: std::cmp::Ordering,
        number: usize,
    },
    Not(Box<Condition>),
    And(Box<Condition>, Box<Condition>),
    Or(Box<Condition>, Box<Condition>),
}

/// A class, an id and a label. An empty one fits every widget.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WidgetPattern {
    pub class: String,
    pub id: String,
    pub label: String,
}

/// A statement about one widget.
#[derive(Debug, Clone)]
pub enum WidgetClaim {
    Exists,
    Is(Flags),
    Text(TextTest),
}

/// A test of one text.
#[derive(Debug, Clone)]
pub enum TextTest {
    Is(String),
    Contains(String),
    Matches(Regex),
}

impl Condition {
    /// Returns true if the condition holds on this screen.
    pub fn holds(&self, screen: &Screen, abstraction: Abstraction) -> bool {
        match self {
            Condition::Always => true,
            Condition::Activity(name) => {
                screen.activity == *name || screen.activity.rsplit('.').next() == Some(name)
            }
            Condition::State(id) => abstraction.state(screen) == *id,
            Condition::Dialog => screen.front().is_some_and(|w| w.kind == WindowKind::Dialog),
            Condition::Text(test) => screen.texts().any(|text| test.passes(text)),
            Condition::Widget(pattern, claim) => {
                pattern.widgets(screen).any(|widget| claim.is_true_of(widget))
            }
            Condition::Count { pattern, order, number } => {
                pattern.widgets(screen).count().cmp(number) == *order
            }
            Condition::Not(inner) => !inner.holds(screen, abstraction),
            Condition::And(a, b) => a.holds(screen, abstraction) && b.holds(screen, abstraction),
            Condition::Or(a, b) => a.holds(screen, abstraction) || b.holds(screen, abstraction),
        }
    }
}

impl WidgetPattern {
    /// Returns the visible widgets that fit, of the windows that touches can reach.
    fn widgets<'a>(&'a self, screen: &'a Screen) -> impl Iterator<Item = &'a Widget> {
        let widgets = screen.reachable().flat_map(|(_, window)| &window.widgets);
        widgets.filter(|widget| widget.has(Flags::VISIBLE) && self.fits(widget))
    }

    fn fits(&self, widget: &Widget) -> bool {
        let class = self.class.is_empty()
            || widget.class == self.class
            || widget.short_class() == self.class;
        let id = self.id.is_empty() || widget.short_id() == self.id;
        let label =
            self.label.is_empty() || widget.text == self.label || widget.description == self.label;
        class && id && label
    }
}

impl WidgetClaim {
    fn is_true_of(&self, widget: &Widget) -> bool {
        match self {
            WidgetClaim::Exists => true,
            WidgetClaim::Is(flag) => widget.has(*flag),
            WidgetClaim::Text(test) => test.passes(&widget.text),
        }
    }
}

impl TextTest {
    fn passes(&self, text: &str) -> bool {
        match self {
            TextTest::Is(wanted) => text == wanted,
            TextTest::Contains(part) => text.contains(part.as_str()),
            TextTest::Matches(regex) => regex.is_match(text),
        }
    }
}
