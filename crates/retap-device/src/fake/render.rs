//! From where the app stands to the screen it shows. Screens are kept, because apps come back to the
//! same ones again and again.

use super::app::{App, Form, Page};
use super::expr::Facts;
use super::layout;
use super::part::{Part, PartKind};
use super::value::Value;
use retap_model::{Flags, Orientation, Rect, Screen, Widget, Window, WindowKind};
use std::collections::HashMap;
use std::sync::Arc;

/// Together the kept screens have no more widgets than this: some tens of megabytes.
const KEPT_WIDGETS: usize = 100_000;

#[derive(Debug)]
pub(super) struct Picture {
    pub screen: Arc<Screen>,
    /// For each widget of the front window, what it stands for.
    origins: Vec<Option<Origin>>,
    lists: Vec<ListPlace>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Origin {
    pub widget: usize,
    /// From one; zero for what is no item of a list.
    pub row: i64,
}

/// How far a list can be scrolled and how far a drag scrolls it.
#[derive(Debug, Clone, Copy)]
pub(super) struct ListPlace {
    pub widget: usize,
    pub row_height: i32,
    pub last_position: i64,
}

impl Picture {
    pub fn origin(&self, index: usize) -> Option<Origin> {
        self.origins.get(index).copied().flatten()
    }

    pub fn list(&self, widget: usize) -> Option<&ListPlace> {
        self.lists.iter().find(|list| list.widget == widget)
    }
}

/// What decides how a screen looks: the pages that can be seen, back to front, and their variables.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Look {
    pages: Vec<usize>,
    values: Vec<Value>,
    orientation: Orientation,
}

#[derive(Debug, Default)]
pub(super) struct Gallery {
    pictures: HashMap<Look, Arc<Picture>>,
    kept_widgets: usize,
}

impl Gallery {
    /// `stack` is the back stack, the front last.
    pub fn picture(
        &mut self,
        app: &App,
        stack: &[usize],
        values: &[Value],
        orientation: Orientation,
    ) -> Arc<Picture> {
        let is_whole = |page: &usize| !matches!(app.screens[*page].form, Form::Over(_));
        let pages = &stack[stack.iter().rposition(is_whole).unwrap_or(0)..];
        let shown = pages.iter().flat_map(|page| &app.screens[*page].shows);
        let look = Look {
            pages: pages.to_vec(),
            values: shown.map(|slot| values[*slot].clone()).collect(),
            orientation,
        };
        if let Some(picture) = self.pictures.get(&look) {
            return Arc::clone(picture);
        }
        let picture = Arc::new(draw(app, pages, values, orientation));
        let widgets: usize = picture.screen.windows.iter().map(|w| w.widgets.len()).sum();
        if self.kept_widgets + widgets > KEPT_WIDGETS {
            self.pictures.clear();
            self.kept_widgets = 0;
        }
        self.kept_widgets += widgets;
        self.pictures.insert(look, Arc::clone(&picture));
        picture
    }
}

/// What is seen when another app is in front that the file does not describe.
pub(super) fn foreign(app: &App, package: &str, orientation: Orientation) -> Arc<Picture> {
    let bounds = layout::whole(app.display, orientation);
    let window = Window {
        kind: WindowKind::Outside,
        package: package.to_string(),
        title: String::new(),
        bounds,
        focused: true,
        widgets: vec![root(bounds)],
    };
    let screen = Arc::new(Screen { activity: String::new(), orientation, windows: vec![window] });
    Arc::new(Picture { screen, origins: Vec::new(), lists: Vec::new() })
}

fn draw(app: &App, pages: &[usize], values: &[Value], orientation: Orientation) -> Picture {
    let mut windows = Vec::new();
    let mut activity = String::new();
    let mut front = (Vec::new(), Vec::new());
    for &index in pages {
        let page = &app.screens[index];
        if let Form::Activity(class) = &page.form {
            activity.clone_from(class);
        }
        let facts = Facts { values, typed: "", row: 0, events: 0, orientation };
        let (window, origins, lists) = Drawing::new(app, page, facts).finish();
        windows.push(window);
        front = (origins, lists);
    }
    if let Some(window) = windows.last_mut() {
        window.focused = true;
    }
    let screen = Arc::new(Screen { activity, orientation, windows });
    Picture { screen, origins: front.0, lists: front.1 }
}

/// One page on its way to a window.
struct Drawing<'a> {
    app: &'a App,
    page: &'a Page,
    facts: Facts<'a>,
    kind: WindowKind,
    bounds: Rect,
    widgets: Vec<Widget>,
    origins: Vec<Option<Origin>>,
    lists: Vec<ListPlace>,
}

impl<'a> Drawing<'a> {
    fn new(app: &'a App, page: &'a Page, facts: Facts<'a>) -> Self {
        let kind = match page.form {
            Form::Activity(_) => WindowKind::Activity,
            Form::Over(kind) => kind,
            Form::Outside(_) => WindowKind::Outside,
        };
        let bounds = layout::window(kind, layout::whole(app.display, facts.orientation));
        let widgets = vec![root(bounds)];
        Self { app, page, facts, kind, bounds, widgets, origins: vec![None], lists: Vec::new() }
    }

    fn finish(mut self) -> (Window, Vec<Option<Origin>>, Vec<ListPlace>) {
        let facts = self.facts;
        let holds = |part: &Part| part.visible.as_ref().is_none_or(|e| e.eval(&facts).is_true());
        let visible: Vec<(usize, &Part)> =
            self.page.widgets.iter().enumerate().filter(|(_, part)| holds(part)).collect();
        let is_list: Vec<bool> =
            visible.iter().map(|(_, part)| matches!(part.kind, PartKind::List { .. })).collect();
        let row_height = layout::row_height(self.app.display);
        let places = layout::stack(self.bounds, row_height, &is_list);
        for ((index, part), bounds) in visible.into_iter().zip(places) {
            self.add(index, part, bounds);
        }
        let package = match &self.page.form {
            Form::Outside(package) => package.clone(),
            _ => self.app.identity.package.clone(),
        };
        let window = Window {
            kind: self.kind,
            package,
            title: self.page.title.fill(&facts),
            bounds: self.bounds,
            focused: false,
            widgets: self.widgets,
        };
        (window, self.origins, self.lists)
    }

    fn add(&mut self, index: usize, part: &Part, bounds: Rect) {
        let mut flags = part.flags | Flags::VISIBLE;
        if part.enabled.as_ref().is_none_or(|e| e.eval(&self.facts).is_true()) {
            flags |= Flags::ENABLED;
        }
        let text = match &part.kind {
            PartKind::List { .. } => String::new(),
            PartKind::Edit { slot } => {
                let typed = self.facts.values[*slot].to_string();
                if typed.is_empty() { part.text.fill(&self.facts) } else { typed }
            }
            PartKind::Check { slot } => {
                flags.set(Flags::CHECKED, self.facts.values[*slot].is_true());
                part.text.fill(&self.facts)
            }
            _ => part.text.fill(&self.facts),
        };
        self.widgets.push(Widget {
            depth: 1,
            class: class(&part.kind).to_string(),
            id: part.id.clone(),
            text,
            description: part.description.fill(&self.facts),
            bounds,
            flags,
        });
        self.origins.push(Some(Origin { widget: index, row: 0 }));
        if let PartKind::List { slot, count } = &part.kind {
            let position = self.facts.values[*slot].int();
            let count = count.eval(&self.facts).int().max(0);
            self.add_items(index, part, bounds, position, count);
        }
    }

    fn add_items(&mut self, index: usize, part: &Part, bounds: Rect, position: i64, count: i64) {
        let row_height = layout::row_height(self.app.display).min(bounds.height()).max(1);
        let visible = i64::from(bounds.height() / row_height);
        let last_position = (count - visible).max(0);
        let first = position.clamp(0, last_position);
        let touched = part.flags & (Flags::CLICKABLE | Flags::LONG_CLICKABLE);
        for item in first..(first + visible).min(count) {
            let top = bounds.top + (item - first) as i32 * row_height;
            let row = item + 1;
            self.widgets.push(Widget {
                depth: 2,
                class: "android.widget.TextView".into(),
                id: "android:id/text1".into(),
                text: part.text.fill(&Facts { row, ..self.facts }),
                description: String::new(),
                bounds: Rect::new(bounds.left, top, bounds.right, top + row_height),
                flags: touched | Flags::VISIBLE | Flags::ENABLED,
            });
            self.origins.push(Some(Origin { widget: index, row }));
        }
        self.lists.push(ListPlace { widget: index, row_height, last_position });
    }
}

fn root(bounds: Rect) -> Widget {
    Widget {
        class: "android.widget.FrameLayout".into(),
        bounds,
        flags: Flags::VISIBLE | Flags::ENABLED,
        ..Widget::default()
    }
}

fn class(kind: &PartKind) -> &'static str {
    match kind {
        PartKind::Label => "android.widget.TextView",
        PartKind::Button => "android.widget.Button",
        PartKind::Image => "android.widget.ImageView",
        PartKind::Edit { .. } => "android.widget.EditText",
        PartKind::Check { .. } => "android.widget.CheckBox",
        PartKind::List { .. } => "android.widget.ListView",
    }
}
