//! State that a round trip loses: what the screen shows before it and not after it. Focus, bounds, scroll
//! position, passing messages, menus and the keyboard do not count. The rows of a list count only if the
//! list is empty afterwards.

use retap_model::screen::WidgetRef;
use retap_model::{Finding, FindingKind, Flags, Observation, Outcome, Screen, WindowKind};
use std::collections::{BTreeMap, BTreeSet};

/// One lost thing.
struct Loss {
    /// Part of the finding's identity.
    subject: String,
    /// The end of a sentence for people.
    message: String,
}

/// Returns a finding for everything that `before` shows and `after` does not.
pub fn compare(
    kind: FindingKind,
    before: &Observation,
    after: &Observation,
    package: &str,
) -> Vec<Finding> {
    // A crash is reported as a crash.
    if after.outcome.is_final() || after.outcome == Outcome::Missed {
        return Vec::new();
    }
    let activity = &before.screen.activity;
    let finding = |loss: Loss| Finding {
        kind,
        activity: activity.clone(),
        subject: loss.subject,
        message: format!("{} {}", describe_trip(kind), loss.message),
    };
    let one =
        |subject: &str, message: String| vec![finding(Loss { subject: subject.into(), message })];
    if after.outcome != Outcome::Running {
        return one("app", "the app is no longer in front".into());
    }
    if after.screen.activity != *activity {
        let other = &after.screen.activity;
        return one("screen", format!("another screen is shown, {other}"));
    }
    let (Some(was), Some(is)) =
        (Front::of(&before.screen, package), Front::of(&after.screen, package))
    else {
        return Vec::new();
    };
    match (was.kind(), is.kind()) {
        (WindowKind::Dialog, WindowKind::Activity) => one("dialog", "the dialog is gone".into()),
        // A dialog that appears by itself may be intended, and it takes nothing away.
        (a, b) if a != b => Vec::new(),
        _ => was.find_losses(&is).into_iter().map(finding).collect(),
    }
}

/// Something on a screen that a round trip might lose.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct LosableThing {
    /// What would be lost, as a finding names it.
    pub subject: String,
    /// Its content: another content may be lost where this one is not.
    pub content: String,
}

/// Returns everything that a round trip from this screen might lose, if the screen is one of the app's own.
pub fn find_losable(screen: &Screen, package: &str) -> BTreeSet<LosableThing> {
    let Some(front) = Front::of(screen, package) else { return BTreeSet::new() };
    let thing = |subject: String, content: &str| LosableThing { subject, content: content.into() };
    let mut things = BTreeSet::from([thing("screen".into(), "")]);
    if front.kind() == WindowKind::Dialog {
        things.insert(thing("dialog".into(), ""));
    }
    for widget in front.recognisable_widgets().into_values() {
        let (own, key) = (widget.widget(), widget_key(widget));
        if own.has(Flags::EDITABLE) {
            // A probe types into it, whatever it holds.
            things.insert(thing(format!("typed into {key}"), ""));
        } else if own.has(Flags::CHECKABLE) {
            let content = if own.has(Flags::CHECKED) { "ticked" } else { "" };
            things.insert(thing(format!("ticked {key}"), content));
        } else if !is_in_scrollable(widget) && !is_of_system(widget) {
            if !own.text.is_empty() {
                things.insert(thing(format!("text of {key}"), &own.text));
            } else if !own.id.is_empty() {
                things.insert(thing(format!("gone {key}"), ""));
            }
        }
    }
    for list in front.lists().into_values() {
        let rows = count_rows(list);
        if rows > 0 {
            things.insert(thing(format!("rows of {}", widget_key(list)), &rows.to_string()));
        }
    }
    things
}

fn describe_trip(kind: FindingKind) -> &'static str {
    match kind {
        FindingKind::Background => "After the app was left and come back to,",
        _ => "After the display was turned and turned back,",
    }
}

/// Returns what identifies a widget from build to build: its id, or else its class.
pub fn widget_key(widget: WidgetRef<'_>) -> String {
    let own = widget.widget();
    match own.short_id() {
        "" => own.short_class().to_string(),
        id => format!("#{id}"),
    }
}

/// Returns what a person calls the widget.
pub fn widget_name(widget: WidgetRef<'_>) -> String {
    let own = widget.widget();
    let label = widget.label();
    match (own.short_id(), label) {
        ("", "") if own.description.is_empty() => format!("a {}", own.short_class()),
        ("", "") => format!("{:?}", own.description),
        ("", label) => format!("{label:?}"),
        (id, _) => format!("#{id}"),
    }
}

/// The window that a user looks at: the app's frontmost activity or dialog.
struct Front<'a> {
    screen: &'a Screen,
    window: usize,
    has_keyboard: bool,
}

impl<'a> Front<'a> {
    fn of(screen: &'a Screen, package: &str) -> Option<Self> {
        let counts = |kind| matches!(kind, WindowKind::Activity | WindowKind::Dialog);
        let window = screen.windows.iter().rposition(|w| counts(w.kind) && w.package == package)?;
        let has_keyboard = screen.windows.iter().any(|w| w.kind == WindowKind::Keyboard);
        Some(Self { screen, window, has_keyboard })
    }

    fn kind(&self) -> WindowKind {
        self.screen.windows[self.window].kind
    }

    fn widgets(&self) -> impl Iterator<Item = WidgetRef<'a>> {
        let Self { screen, window, .. } = *self;
        (0..screen.windows[window].widgets.len()).map(move |index| WidgetRef {
            screen,
            window,
            index,
        })
    }

    /// Returns what this window shows and the other does not.
    fn find_losses(&self, after: &Self) -> Vec<Loss> {
        let widgets_after = after.recognisable_widgets();
        let mut losses = Vec::new();
        for (place, before) in &self.recognisable_widgets() {
            match widgets_after.get(place) {
                Some(now) => losses.extend(find_change(*before, *now)),
                // The keyboard covers widgets without losing them, and the system's own bars come and go.
                None if after.has_keyboard && !self.has_keyboard => {}
                None if before.widget().id.is_empty() || is_of_system(*before) => {}
                None if is_in_scrollable(*before) => {}
                None => losses.push(Loss {
                    subject: format!("gone {}", widget_key(*before)),
                    message: format!("{} is gone", widget_name(*before)),
                }),
            }
        }
        losses.extend(self.find_emptied_lists(after));
        losses
    }

    /// Returns the widgets that can be recognised afterwards, by a key: a unique id, or else their place
    /// in the tree unless that scrolls.
    fn recognisable_widgets(&self) -> BTreeMap<String, WidgetRef<'a>> {
        let mut id_counts: BTreeMap<&str, usize> = BTreeMap::new();
        for widget in self.widgets() {
            *id_counts.entry(widget.widget().id.as_str()).or_default() += 1;
        }
        let place = |widget: WidgetRef<'a>| {
            let id = widget.widget().id.as_str();
            match id_counts.get(id) {
                Some(1) if !id.is_empty() => Some(format!("#{id}")),
                _ if is_in_scrollable(widget) => None,
                _ => Some(format!("{} {}", widget.path(), widget.widget().class)),
            }
        };
        self.widgets().filter_map(|widget| Some((place(widget)?, widget))).collect()
    }

    /// Returns the lists that had rows and have none, or are hidden because they have none.
    fn find_emptied_lists(&self, after: &Self) -> Vec<Loss> {
        let lists_after = after.lists();
        let mut emptied = Vec::new();
        for (place, list) in self.lists() {
            let had = count_rows(list);
            let has = lists_after.get(&place).map(|list| count_rows(*list));
            let hidden = has.is_none() && !list.widget().id.is_empty() && !after.has_keyboard;
            if had > 0 && (has == Some(0) || hidden) {
                emptied.push(Loss {
                    subject: format!("rows of {}", widget_key(list)),
                    message: format!("{} is empty; it had {had} rows", widget_name(list)),
                });
            }
        }
        emptied
    }

    fn lists(&self) -> BTreeMap<String, WidgetRef<'a>> {
        let lists = self.widgets().filter(|widget| is_list(&widget.widget().class));
        lists.map(|list| (format!("{} {}", widget_key(list), list.path()), list)).collect()
    }
}

/// Returns the text or tick that a widget lost, if it did.
fn find_change(before: WidgetRef<'_>, after: WidgetRef<'_>) -> Option<Loss> {
    let (was, is) = (before.widget(), after.widget());
    let (key, name) = (widget_key(before), widget_name(before));
    let texts = (was.text != is.text && !was.text.is_empty() && !was.has(Flags::PASSWORD))
        .then_some((&was.text, &is.text));
    if let Some((was_text, is_text)) = texts.filter(|_| was.has(Flags::EDITABLE)) {
        let message = format!("{name} holds {is_text:?} instead of {was_text:?}");
        return Some(Loss { subject: format!("typed into {key}"), message });
    }
    if was.has(Flags::CHECKABLE) && was.has(Flags::CHECKED) != is.has(Flags::CHECKED) {
        let state = if was.has(Flags::CHECKED) { "no longer ticked" } else { "ticked by itself" };
        let message = format!("{name} is {state}");
        return Some(Loss { subject: format!("ticked {key}"), message });
    }
    // The text of a row depends on how far its list is scrolled.
    let (was_text, is_text) =
        texts.filter(|_| !is_in_scrollable(before) && !is_of_system(before))?;
    let message = format!("{name} says {is_text:?} instead of {was_text:?}");
    Some(Loss { subject: format!("text of {key}"), message })
}

/// Returns true if the widget lies in something that scrolls, so that its place and presence mean little.
fn is_in_scrollable(widget: WidgetRef<'_>) -> bool {
    let widgets = &widget.window().widgets;
    let mut depth = widgets[widget.index].depth;
    for above in widgets[..widget.index].iter().rev() {
        if above.depth < depth {
            depth = above.depth;
            if above.has(Flags::SCROLLABLE)
                || is_list(&above.class)
                || above.class.contains("Scroll")
            {
                return true;
            }
        }
    }
    false
}

fn is_of_system(widget: WidgetRef<'_>) -> bool {
    widget.widget().id.starts_with("android:")
}

fn is_list(class: &str) -> bool {
    const LISTS: [&str; 5] = ["ListView", "GridView", "RecyclerView", "ViewPager", "ViewPager2"];
    LISTS.iter().any(|list| class.ends_with(list))
}

/// Returns the number of the list's direct children.
fn count_rows(list: WidgetRef<'_>) -> usize {
    retap_model::widget::children(&list.window().widgets, list.index).count()
}
