//! What was there before a round trip and is not there after it. Focus, bounds, scroll position, passing messages,
//! menus and the keyboard do not count; what a list happens to show counts only when it was emptied.

use retap_model::screen::WidgetRef;
use retap_model::{Finding, FindingKind, Flags, Observation, Outcome, Screen, WindowKind};
use std::collections::BTreeMap;

pub fn compare(
    kind: FindingKind,
    before: &Observation,
    after: &Observation,
    package: &str,
) -> Vec<Finding> {
    // A crash is a crash, and reported as one.
    if after.outcome.is_final() || after.outcome == Outcome::Missed {
        return Vec::new();
    }
    let activity = &before.screen.activity;
    let found = |subject: String, message: String| Finding {
        kind,
        activity: activity.clone(),
        subject,
        message: format!("{} {message}", when(kind)),
    };
    if after.outcome != Outcome::Running {
        return vec![found("app".into(), "the app is no longer in front".into())];
    }
    if after.screen.activity != *activity {
        let other = &after.screen.activity;
        return vec![found("screen".into(), format!("another screen is shown, {other}"))];
    }
    let (Some(was), Some(is)) =
        (Front::of(&before.screen, package), Front::of(&after.screen, package))
    else {
        return Vec::new();
    };
    match (was.kind(), is.kind()) {
        (WindowKind::Dialog, WindowKind::Activity) => {
            vec![found("dialog".into(), "the dialog is gone".into())]
        }
        // A dialog that comes up by itself may be meant: it takes nothing away.
        (a, b) if a != b => Vec::new(),
        _ => was.lost(&is).into_iter().map(|(subject, message)| found(subject, message)).collect(),
    }
}

fn when(kind: FindingKind) -> &'static str {
    match kind {
        FindingKind::Background => "After the app was left and come back to,",
        _ => "After the display was turned and turned back,",
    }
}

/// What identifies a widget from build to build: its id, else its class.
pub fn key(widget: WidgetRef<'_>) -> String {
    let own = widget.widget();
    match own.short_id() {
        "" => own.short_class().to_string(),
        id => format!("#{id}"),
    }
}

/// What a person calls it.
pub fn name(widget: WidgetRef<'_>) -> String {
    let own = widget.widget();
    let label = widget.label();
    match (own.short_id(), label) {
        ("", "") if own.description.is_empty() => format!("a {}", own.short_class()),
        ("", "") => format!("{:?}", own.description),
        ("", label) => format!("{label:?}"),
        (id, _) => format!("#{id}"),
    }
}

/// The window that a person looks at: the app's frontmost screen or dialog.
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

    /// What this shows and the other does not: a subject for the identity, and a sentence.
    fn lost(&self, after: &Self) -> Vec<(String, String)> {
        let (was, is) = (self.named(), after.named());
        let mut lost = Vec::new();
        for (place, before) in &was {
            let subject = key(*before);
            let name = name(*before);
            match is.get(place) {
                Some(now) => lost.extend(changed(*before, *now, &subject, &name)),
                // What the keyboard covers is not lost, and a bar of the system's own comes and goes.
                None if after.has_keyboard && !self.has_keyboard => {}
                None if before.widget().id.is_empty() || is_of_system(*before) => {}
                None if scrolls(*before) => {}
                None => lost.push((format!("gone {subject}"), format!("{name} is gone"))),
            }
        }
        lost.extend(self.emptied(after));
        lost
    }

    /// Widgets that can be found again: by an id that no other has, else by their place, unless that scrolls.
    fn named(&self) -> BTreeMap<String, WidgetRef<'a>> {
        let mut by_id: BTreeMap<&str, usize> = BTreeMap::new();
        for widget in self.widgets() {
            *by_id.entry(widget.widget().id.as_str()).or_default() += 1;
        }
        let place = |widget: WidgetRef<'a>| {
            let id = widget.widget().id.as_str();
            match by_id.get(id) {
                Some(1) if !id.is_empty() => Some(format!("#{id}")),
                _ if scrolls(widget) => None,
                _ => Some(format!("{} {}", widget.path(), widget.widget().class)),
            }
        };
        self.widgets().filter_map(|widget| Some((place(widget)?, widget))).collect()
    }

    /// Lists that had rows and have none, or are hidden because they have none.
    fn emptied(&self, after: &Self) -> Vec<(String, String)> {
        let now = after.lists();
        let mut emptied = Vec::new();
        for (place, list) in self.lists() {
            let (had, has) = (rows(list), now.get(&place).map(|list| rows(*list)));
            let hidden = has.is_none() && !list.widget().id.is_empty() && !after.has_keyboard;
            if had > 0 && (has == Some(0) || hidden) {
                let message = format!("{} is empty; it had {had} rows", name(list));
                emptied.push((format!("rows of {}", key(list)), message));
            }
        }
        emptied
    }

    fn lists(&self) -> BTreeMap<String, WidgetRef<'a>> {
        let lists = self.widgets().filter(|widget| is_list(&widget.widget().class));
        lists.map(|list| (format!("{} {}", key(list), list.path()), list)).collect()
    }
}

/// What of a widget that is still there is another than before.
fn changed(
    before: WidgetRef<'_>,
    now: WidgetRef<'_>,
    subject: &str,
    name: &str,
) -> Option<(String, String)> {
    let (was, is) = (before.widget(), now.widget());
    let texts = (was.text != is.text && !was.text.is_empty() && !was.has(Flags::PASSWORD))
        .then_some((&was.text, &is.text));
    if let Some((was_text, is_text)) = texts.filter(|_| was.has(Flags::EDITABLE)) {
        let message = format!("{name} holds {is_text:?} instead of {was_text:?}");
        return Some((format!("typed into {subject}"), message));
    }
    if was.has(Flags::CHECKABLE) && was.has(Flags::CHECKED) != is.has(Flags::CHECKED) {
        let state = if was.has(Flags::CHECKED) { "no longer ticked" } else { "ticked by itself" };
        return Some((format!("ticked {subject}"), format!("{name} is {state}")));
    }
    // What a row shows depends on how far its list is scrolled.
    let (was_text, is_text) = texts.filter(|_| !scrolls(before) && !is_of_system(before))?;
    let message = format!("{name} says {is_text:?} instead of {was_text:?}");
    Some((format!("text of {subject}"), message))
}

/// Whether it lies in something that scrolls, so that where it is, or whether it is there, means little.
fn scrolls(widget: WidgetRef<'_>) -> bool {
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

/// What lies directly in a list.
fn rows(list: WidgetRef<'_>) -> usize {
    retap_model::widget::children(&list.window().widgets, list.index).count()
}
