//! One window as a small drawing: its title, and a row for each widget, or for each input if no layout is known.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::super::{AppModel, AppWindow, AppWindowKind, InputEvent, WindowWidget};
use super::WIDTH;

const TITLE: f64 = 26.0;
const ROW: f64 = 20.0;
const MAX_ROWS: usize = 14;

/// A box of a row.
struct Item<'a> {
    text: &'a str,
    takes_input: bool,
    /// The inputs of this widget, by their position in the model.
    inputs: Vec<usize>,
}

/// The drawing of a window.
pub struct Wireframe<'a> {
    window: &'a AppWindow,
    is_launcher: bool,
    rows: Vec<Vec<Item<'a>>>,
}

impl<'a> Wireframe<'a> {
    pub fn new(model: &'a AppModel, window: &'a AppWindow) -> Self {
        let mut inputs = BTreeMap::<&str, Vec<usize>>::new();
        for (number, input) in model.inputs.iter().enumerate() {
            let is_users = !matches!(input.event, InputEvent::Lifecycle | InputEvent::Result);
            if input.window == window.id && is_users {
                let widget = input.widget.as_deref().unwrap_or_default();
                inputs.entry(widget).or_default().push(number);
            }
        }
        let mut rows: Vec<Vec<Item>> = rows(&window.widgets)
            .into_iter()
            .map(|row| row.into_iter().map(|it| item(it, &inputs)).collect())
            .collect();
        if rows.is_empty() {
            let named = inputs.iter().filter(|it| !it.0.is_empty());
            let item = |(widget, numbers): (&&'a str, &Vec<usize>)| {
                vec![Item { text: widget_name(widget), takes_input: true, inputs: numbers.clone() }]
            };
            rows.extend(named.map(item));
        }
        let is_launcher = model.launcher.as_ref() == Some(&window.id);
        Wireframe { window, is_launcher, rows }
    }

    pub fn height(&self) -> f64 {
        TITLE + ROW * self.rows.len().min(MAX_ROWS) as f64 + 8.0
    }

    /// Draws the window. Inputs that a run performed look different, if there was a run.
    pub fn draw(
        &self,
        svg: &mut String,
        (x, y): (f64, f64),
        is_seen: bool,
        performed: Option<&BTreeSet<usize>>,
    ) {
        let (class, kind) = match self.window.kind {
            AppWindowKind::Activity if self.is_launcher => ("w", "launcher"),
            AppWindowKind::Activity => ("w", ""),
            AppWindowKind::OutOfApp => ("o", ""),
            AppWindowKind::Dialog => ("d", "dialog"),
            AppWindowKind::OptionsMenu => ("d", "menu"),
            AppWindowKind::ContextMenu => ("d", "context menu"),
            AppWindowKind::PopupMenu => ("d", "popup menu"),
        };
        let _ = write!(
            svg,
            "<g{}><title>{}</title><rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{WIDTH}\" height=\"{}\" rx=\"6\"/>\
             <text class=\"t\" x=\"{}\" y=\"{}\">{}</text><text class=\"k\" x=\"{}\" y=\"{}\" text-anchor=\"end\">{kind}</text>",
            if is_seen { " class=\"seen\"" } else { "" },
            escape(&self.window.id),
            self.height(),
            x + 8.0,
            y + 17.0,
            escape(&cut(title(&self.window.id), 32 - kind.len())),
            x + WIDTH - 6.0,
            y + 10.0,
        );
        let shown = if self.rows.len() > MAX_ROWS { MAX_ROWS - 1 } else { self.rows.len() };
        for (number, row) in self.rows.iter().take(shown).enumerate() {
            draw_row(svg, row, (x, y + TITLE + number as f64 * ROW), performed);
        }
        if self.rows.len() > shown {
            let top = y + TITLE + shown as f64 * ROW + 12.0;
            let more = self.rows.len() - shown;
            let _ =
                write!(svg, "<text class=\"x\" x=\"{}\" y=\"{top}\">… {more} more</text>", x + 8.0);
        }
        svg.push_str("</g>");
    }
}

fn draw_row(
    svg: &mut String,
    row: &[Item],
    (x, top): (f64, f64),
    performed: Option<&BTreeSet<usize>>,
) {
    let width = (WIDTH - 12.0) / row.len() as f64;
    for (place, item) in row.iter().enumerate() {
        let left = x + 6.0 + place as f64 * width;
        let has_run = performed.is_some_and(|it| item.inputs.iter().any(|one| it.contains(one)));
        // Of a run only handlers matter: a button without one can do nothing.
        let takes_input =
            if performed.is_some() { !item.inputs.is_empty() } else { item.takes_input };
        let class = match (takes_input, has_run) {
            (_, true) => "ran",
            (true, false) => "c",
            (false, false) => "b",
        };
        let _ = write!(
            svg,
            "<rect class=\"{class}\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{}\" rx=\"2\"/>\
             <text class=\"x\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            width - 3.0,
            ROW - 4.0,
            left + 4.0,
            top + 12.0,
            escape(&cut(item.text, (width / 5.8) as usize)),
        );
    }
}

fn item<'a>(widget: &'a WindowWidget, inputs: &BTreeMap<&str, Vec<usize>>) -> Item<'a> {
    let kind = widget.class.rsplit('.').next().unwrap_or(&widget.class);
    let id = widget.id.as_deref().map(widget_name);
    let text = widget.text.as_deref().or(widget.description.as_deref()).or(id).unwrap_or(kind);
    let name = widget.id.as_deref().or(widget.text.as_deref());
    let inputs = name.and_then(|it| inputs.get(it)).cloned().unwrap_or_default();
    let looks_so = ["Button", "item", "Spinner", "Switch", "CheckBox", "EditText", "Preference"]
        .iter()
        .any(|it| kind.contains(it));
    Item { text, takes_input: looks_so || !inputs.is_empty(), inputs }
}

/// Returns how people call a widget: `title` for `@id/title`, and a dialog's buttons by what they mean.
pub fn widget_name(id: &str) -> &str {
    match id {
        "@android:id/button1" => "positive button",
        "@android:id/button2" => "negative button",
        "@android:id/button3" => "neutral button",
        "@android:id/home" => "up",
        _ => id.rsplit('/').next().unwrap_or(id),
    }
}

/// Returns `Main.confirm` for `com.example.Main.confirm#dialog` and `Main` for `com.example.Main#options-menu`.
fn title(id: &str) -> &str {
    let name = id.split('#').next().unwrap_or(id);
    let mut parts = name.rmatch_indices('.').map(|(at, _)| at + 1);
    let last = parts.next().unwrap_or(0);
    // A constructor is `<init>`.
    let is_method = name[last..].starts_with(|it: char| it.is_lowercase() || it == '<');
    let start = if is_method { parts.next().unwrap_or(last) } else { last };
    &name[start..]
}

/// A line of a wireframe: widgets side by side.
fn rows(widgets: &[WindowWidget]) -> Vec<Vec<&WindowWidget>> {
    let mut found = Vec::new();
    for widget in widgets {
        if widget.children.is_empty() {
            found.push(vec![widget]);
        } else if widget.horizontal {
            let mut leaves = Vec::new();
            collect_leaves(widget, &mut leaves);
            found.extend(leaves.chunks(4).map(<[_]>::to_vec));
        } else {
            found.extend(rows(&widget.children));
        }
    }
    found
}

fn collect_leaves<'a>(widget: &'a WindowWidget, leaves: &mut Vec<&'a WindowWidget>) {
    if widget.children.is_empty() {
        leaves.push(widget);
    }
    widget.children.iter().for_each(|child| collect_leaves(child, leaves));
}

pub fn cut(text: &str, limit: usize) -> String {
    let limit = limit.max(2);
    match text.char_indices().nth(limit) {
        Some(_) => text.chars().take(limit - 1).chain(['…']).collect(),
        None => text.to_owned(),
    }
}

pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
