//! From the state of the app to the screen it shows. Rendered screens are cached, because apps
//! return to the same ones again and again.

use crate::fake::app::{FakeApp, ScreenForm, ScreenSpec};
use crate::fake::drawing::layout;
use crate::fake::language::expression::EvaluationContext;
use crate::fake::language::value::FakeValue;
use crate::fake::language::widget::{WidgetSpec, WidgetSpecKind};
use retap_model::{Flags, Orientation, Rect, Screen, Widget, Window, WindowKind};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The cached screens have no more widgets than this in all, which takes some tens of megabytes.
const KEPT_WIDGETS: usize = 100_000;

#[derive(Debug)]
pub(crate) struct RenderedScreen {
    pub screen: Arc<Screen>,
    /// For each widget of the front window, the widget of the file that it comes from.
    sources: Vec<Option<WidgetSource>>,
    lists: Vec<ListGeometry>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct WidgetSource {
    pub widget: usize,
    /// The row of a list, counted from one; zero for other widgets.
    pub row: i64,
}

/// The height of a list's rows and the farthest scroll position.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ListGeometry {
    pub widget: usize,
    pub row_height: i32,
    pub last_position: i64,
}

impl RenderedScreen {
    pub fn source(&self, index: usize) -> Option<WidgetSource> {
        self.sources.get(index).copied().flatten()
    }

    pub fn list(&self, widget: usize) -> Option<&ListGeometry> {
        self.lists.iter().find(|list| list.widget == widget)
    }
}

/// Everything that decides how a screen looks: the visible screens, back to front, and their
/// variables.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct RenderKey {
    pages: Vec<usize>,
    values: Vec<FakeValue>,
    orientation: Orientation,
}

#[derive(Debug, Default)]
pub(crate) struct RenderCache {
    screens: BTreeMap<RenderKey, Arc<RenderedScreen>>,
    kept_widgets: usize,
}

impl RenderCache {
    /// Returns the rendered screen, from the cache if possible. `stack` is the back stack, the
    /// front last.
    pub fn render(
        &mut self,
        app: &FakeApp,
        stack: &[usize],
        values: &[FakeValue],
        orientation: Orientation,
    ) -> Arc<RenderedScreen> {
        let is_whole = |page: &usize| !matches!(app.screens[*page].form, ScreenForm::Over(_));
        let pages = &stack[stack.iter().rposition(is_whole).unwrap_or(0)..];
        let shown = pages.iter().flat_map(|page| &app.screens[*page].shows);
        let look = RenderKey {
            pages: pages.to_vec(),
            values: shown.map(|slot| values[*slot].clone()).collect(),
            orientation,
        };
        if let Some(rendered) = self.screens.get(&look) {
            return Arc::clone(rendered);
        }
        let rendered = Arc::new(draw(app, pages, values, orientation));
        let widgets: usize = rendered.screen.windows.iter().map(|w| w.widgets.len()).sum();
        if self.kept_widgets + widgets > KEPT_WIDGETS {
            self.screens.clear();
            self.kept_widgets = 0;
        }
        self.kept_widgets += widgets;
        self.screens.insert(look, Arc::clone(&rendered));
        rendered
    }
}

/// Returns the screen of another app that the file does not describe.
pub(crate) fn render_other_app(
    app: &FakeApp,
    package: &str,
    orientation: Orientation,
) -> Arc<RenderedScreen> {
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
    Arc::new(RenderedScreen { screen, sources: Vec::new(), lists: Vec::new() })
}

fn draw(
    app: &FakeApp,
    pages: &[usize],
    values: &[FakeValue],
    orientation: Orientation,
) -> RenderedScreen {
    let mut windows = Vec::new();
    let mut activity = String::new();
    let mut front = (Vec::new(), Vec::new());
    for &index in pages {
        let page = &app.screens[index];
        if let ScreenForm::Activity(class) = &page.form {
            activity.clone_from(class);
        }
        let facts = EvaluationContext { values, typed: "", row: 0, events: 0, orientation };
        let (window, sources, lists) = Drawing::new(app, page, facts).finish();
        windows.push(window);
        front = (sources, lists);
    }
    if let Some(window) = windows.last_mut() {
        window.focused = true;
    }
    let screen = Arc::new(Screen { activity, orientation, windows });
    RenderedScreen { screen, sources: front.0, lists: front.1 }
}

/// One screen of the file on its way to a window.
struct Drawing<'a> {
    app: &'a FakeApp,
    page: &'a ScreenSpec,
    facts: EvaluationContext<'a>,
    kind: WindowKind,
    bounds: Rect,
    widgets: Vec<Widget>,
    sources: Vec<Option<WidgetSource>>,
    lists: Vec<ListGeometry>,
}

impl<'a> Drawing<'a> {
    fn new(app: &'a FakeApp, page: &'a ScreenSpec, facts: EvaluationContext<'a>) -> Self {
        let kind = match page.form {
            ScreenForm::Activity(_) => WindowKind::Activity,
            ScreenForm::Over(kind) => kind,
            ScreenForm::Outside(_) => WindowKind::Outside,
        };
        let bounds = layout::window(kind, layout::whole(app.display, facts.orientation));
        let widgets = vec![root(bounds)];
        Self { app, page, facts, kind, bounds, widgets, sources: vec![None], lists: Vec::new() }
    }

    fn finish(mut self) -> (Window, Vec<Option<WidgetSource>>, Vec<ListGeometry>) {
        let facts = self.facts;
        let holds =
            |spec: &WidgetSpec| spec.visible.as_ref().is_none_or(|e| e.eval(&facts).is_true());
        let visible: Vec<(usize, &WidgetSpec)> =
            self.page.widgets.iter().enumerate().filter(|(_, spec)| holds(spec)).collect();
        let is_list: Vec<bool> = visible
            .iter()
            .map(|(_, spec)| matches!(spec.kind, WidgetSpecKind::List { .. }))
            .collect();
        let row_height = layout::row_height(self.app.display);
        let places = layout::stack(self.bounds, row_height, &is_list);
        for ((index, spec), bounds) in visible.into_iter().zip(places) {
            self.add(index, spec, bounds);
        }
        let package = match &self.page.form {
            ScreenForm::Outside(package) => package.clone(),
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
        (window, self.sources, self.lists)
    }

    fn add(&mut self, index: usize, spec: &WidgetSpec, bounds: Rect) {
        let mut flags = spec.flags | Flags::VISIBLE;
        if spec.enabled.as_ref().is_none_or(|e| e.eval(&self.facts).is_true()) {
            flags |= Flags::ENABLED;
        }
        let text = match &spec.kind {
            WidgetSpecKind::List { .. } => String::new(),
            WidgetSpecKind::Edit { slot } => {
                let typed = self.facts.values[*slot].to_string();
                if typed.is_empty() { spec.text.fill(&self.facts) } else { typed }
            }
            WidgetSpecKind::Check { slot } => {
                flags.set(Flags::CHECKED, self.facts.values[*slot].is_true());
                spec.text.fill(&self.facts)
            }
            _ => spec.text.fill(&self.facts),
        };
        self.widgets.push(Widget {
            depth: 1,
            class: class(&spec.kind).to_string(),
            id: spec.id.clone(),
            text,
            description: spec.description.fill(&self.facts),
            bounds,
            flags,
        });
        self.sources.push(Some(WidgetSource { widget: index, row: 0 }));
        if let WidgetSpecKind::List { slot, count } = &spec.kind {
            let position = self.facts.values[*slot].int();
            let count = count.eval(&self.facts).int().max(0);
            self.add_items(index, spec, bounds, position, count);
        }
    }

    fn add_items(
        &mut self,
        index: usize,
        spec: &WidgetSpec,
        bounds: Rect,
        position: i64,
        count: i64,
    ) {
        let row_height = layout::row_height(self.app.display).min(bounds.height()).max(1);
        let visible = i64::from(bounds.height() / row_height);
        let last_position = (count - visible).max(0);
        let first = position.clamp(0, last_position);
        let touched = spec.flags & (Flags::CLICKABLE | Flags::LONG_CLICKABLE);
        for item in first..(first + visible).min(count) {
            let top = bounds.top + (item - first) as i32 * row_height;
            let row = item + 1;
            self.widgets.push(Widget {
                depth: 2,
                class: "android.widget.TextView".into(),
                id: "android:id/text1".into(),
                text: spec.text.fill(&EvaluationContext { row, ..self.facts }),
                description: String::new(),
                bounds: Rect::new(bounds.left, top, bounds.right, top + row_height),
                flags: touched | Flags::VISIBLE | Flags::ENABLED,
            });
            self.sources.push(Some(WidgetSource { widget: index, row }));
        }
        self.lists.push(ListGeometry { widget: index, row_height, last_position });
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

fn class(kind: &WidgetSpecKind) -> &'static str {
    match kind {
        WidgetSpecKind::Label => "android.widget.TextView",
        WidgetSpecKind::Button => "android.widget.Button",
        WidgetSpecKind::Image => "android.widget.ImageView",
        WidgetSpecKind::Edit { .. } => "android.widget.EditText",
        WidgetSpecKind::Check { .. } => "android.widget.CheckBox",
        WidgetSpecKind::List { .. } => "android.widget.ListView",
    }
}
