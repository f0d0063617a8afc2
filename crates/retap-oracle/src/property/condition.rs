//! What can be asked of one screen.

use regex::Regex;
use retap_model::{Abstraction, Flags, Screen, StateId, Widget};

#[derive(Debug, Clone)]
pub enum Condition {
    Always,
    /// By full or short name.
    Activity(String),
    State(StateId),
    /// A dialog is in front.
    Dialog,
    /// Some text that can be seen.
    Text(Words),
    /// Some widget that answers the pattern, and of which the claim is true.
    Widget(Pattern, Claim),
    /// How many widgets answer the pattern.
    Count(Pattern, std::cmp::Ordering, usize),
    Not(Box<Condition>),
    And(Box<Condition>, Box<Condition>),
    Or(Box<Condition>, Box<Condition>),
}

/// Which widgets are meant: class, id and label, those that were given.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pattern {
    pub class: String,
    pub id: String,
    pub label: String,
}

#[derive(Debug, Clone)]
pub enum Claim {
    Exists,
    Is(Flags),
    Text(Words),
}

#[derive(Debug, Clone)]
pub enum Words {
    Are(String),
    Contain(String),
    Match(Regex),
}

impl Condition {
    pub fn holds(&self, screen: &Screen, abstraction: Abstraction) -> bool {
        match self {
            Condition::Always => true,
            Condition::Activity(name) => {
                screen.activity == *name || screen.activity.rsplit('.').next() == Some(name)
            }
            Condition::State(id) => abstraction.state(screen) == *id,
            Condition::Dialog => {
                screen.front().is_some_and(|w| w.kind == retap_model::WindowKind::Dialog)
            }
            Condition::Text(words) => screen.texts().any(|text| words.fit(text)),
            Condition::Widget(pattern, claim) => {
                pattern.widgets(screen).any(|widget| claim.is_true_of(widget))
            }
            Condition::Count(pattern, order, number) => {
                pattern.widgets(screen).count().cmp(number) == *order
            }
            Condition::Not(inner) => !inner.holds(screen, abstraction),
            Condition::And(a, b) => a.holds(screen, abstraction) && b.holds(screen, abstraction),
            Condition::Or(a, b) => a.holds(screen, abstraction) || b.holds(screen, abstraction),
        }
    }
}

impl Pattern {
    /// Visible widgets of the windows that can be touched.
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

impl Claim {
    fn is_true_of(&self, widget: &Widget) -> bool {
        match self {
            Claim::Exists => true,
            Claim::Is(flag) => widget.has(*flag),
            Claim::Text(words) => words.fit(&widget.text),
        }
    }
}

impl Words {
    fn fit(&self, text: &str) -> bool {
        match self {
            Words::Are(wanted) => text == wanted,
            Words::Contain(part) => text.contains(part.as_str()),
            Words::Match(regex) => regex.is_match(text),
        }
    }
}
