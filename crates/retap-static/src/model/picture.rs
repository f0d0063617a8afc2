//! The window graph as a picture: windows as small wireframes of their layouts, in columns by their distance from the
//! launcher's window, with arrows for transitions.

use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write;

use super::{AppModel, AppWindow, AppWindowKind, PREVIOUS_WINDOW, WindowWidget};

const WIDTH: f64 = 200.0;
const GAP_X: f64 = 130.0;
const GAP_Y: f64 = 34.0;
const TITLE: f64 = 26.0;
const ROW: f64 = 20.0;
const MAX_ROWS: usize = 14;
const MARGIN: f64 = 30.0;

/// A window's place in the picture.
struct Placed<'a> {
    window: &'a AppWindow,
    x: f64,
    y: f64,
    height: f64,
}

pub fn render(model: &AppModel) -> String {
    let placed = place(model);
    let right = placed.values().map(|it| it.x + WIDTH).fold(0.0, f64::max);
    let bottom = placed.values().map(|it| it.y + it.height).fold(0.0, f64::max);
    let mut svg = String::new();
    let _ = write!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0}\" height=\"{1:.0}\" viewBox=\"0 0 {0:.0} {1:.0}\" \
         font-family=\"system-ui,sans-serif\" font-size=\"11\">{STYLE}<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>",
        right + MARGIN,
        bottom + MARGIN
    );
    let mut arrows = BTreeMap::<(&str, &str), Vec<String>>::new();
    for transition in model.transitions.iter().filter(|it| it.to != PREVIOUS_WINDOW) {
        let input = &model.inputs[transition.input];
        let widget =
            input.widget.as_deref().map(|it| it.rsplit('/').next().unwrap_or(it).to_owned());
        let label = widget.unwrap_or_else(|| format!("{:?}", input.event).to_lowercase());
        let labels = arrows.entry((&transition.from, &transition.to)).or_default();
        if !labels.contains(&label) {
            labels.push(label);
        }
    }
    for ((from, to), labels) in &arrows {
        if let (Some(from), Some(to)) = (placed.get(*from), placed.get(*to)) {
            arrow(&mut svg, from, to, labels);
        }
    }
    for place in placed.values() {
        draw(&mut svg, place);
    }
    svg.push_str("</svg>\n");
    svg
}

const STYLE: &str = "<style>.w{fill:#f6f8fa;stroke:#57606a}.d{fill:#fff8e6;stroke:#9a6700}.o{fill:#eee;stroke:#999;\
stroke-dasharray:4 3}.t{fill:#24292f;font-weight:600}.b{fill:#fff;stroke:#afb8c1}.c{fill:#ddf4ff;stroke:#54aeff}\
.x{fill:#57606a;font-size:10px}.a{fill:none;stroke:#0969da;stroke-width:1.2;opacity:.55}.l{fill:#0550ae;font-size:9px;\
paint-order:stroke;stroke:#fff;stroke-width:3px}</style><defs><marker id=\"m\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" \
markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" fill=\"#0969da\"/></marker></defs>";

/// Places windows in columns: the launcher's first, then what it leads to, and so on; the rest at the end.
fn place(model: &AppModel) -> BTreeMap<&str, Placed<'_>> {
    let mut column = BTreeMap::<&str, usize>::new();
    let mut queue = VecDeque::new();
    if let Some(first) = model.launcher.as_deref().filter(|it| model.window(it).is_some()) {
        column.insert(first, 0);
        queue.push_back(first);
    }
    while let Some(from) = queue.pop_front() {
        let next = column[from] + 1;
        for transition in model.transitions.iter().filter(|it| it.from == from) {
            if model.window(&transition.to).is_some() && !column.contains_key(&*transition.to) {
                column.insert(&transition.to, next);
                queue.push_back(&transition.to);
            }
        }
    }
    let last = column.values().max().map_or(0, |it| it + 1);
    let mut heights = BTreeMap::<usize, f64>::new();
    let mut placed = BTreeMap::new();
    for window in &model.windows {
        let is_met = model.transitions.iter().any(|it| it.to == window.id || it.from == window.id);
        if window.kind == AppWindowKind::OutOfApp && !is_met {
            continue;
        }
        let column = column.get(&*window.id).copied().unwrap_or(last);
        let y = *heights.entry(column).or_insert(MARGIN);
        let height = TITLE + ROW * rows(&window.widgets).len().clamp(1, MAX_ROWS) as f64 + 8.0;
        heights.insert(column, y + height + GAP_Y);
        let x = MARGIN + column as f64 * (WIDTH + GAP_X);
        placed.insert(&*window.id, Placed { window, x, y, height });
    }
    placed
}

/// A line of a wireframe: widgets side by side.
fn rows(widgets: &[WindowWidget]) -> Vec<Vec<&WindowWidget>> {
    let mut rows = Vec::new();
    for widget in widgets {
        if widget.children.is_empty() {
            rows.push(vec![widget]);
        } else if widget.horizontal {
            let mut leaves = Vec::new();
            collect_leaves(widget, &mut leaves);
            rows.extend(leaves.chunks(4).map(<[_]>::to_vec));
        } else {
            rows.extend(self::rows(&widget.children));
        }
    }
    rows
}

fn collect_leaves<'a>(widget: &'a WindowWidget, leaves: &mut Vec<&'a WindowWidget>) {
    if widget.children.is_empty() {
        leaves.push(widget);
    }
    widget.children.iter().for_each(|child| collect_leaves(child, leaves));
}

fn draw(svg: &mut String, place: &Placed) {
    let Placed { window, x, y, height } = place;
    let class = match window.kind {
        AppWindowKind::Activity => "w",
        AppWindowKind::OutOfApp => "o",
        _ => "d",
    };
    let name = window.id.rsplit('.').next().unwrap_or(&window.id);
    let name = if window.id.contains('#') {
        window.id.rsplit_once('.').map_or(&*window.id, |it| it.1)
    } else {
        name
    };
    let _ = write!(
        svg,
        "<g><title>{}</title><rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{WIDTH}\" height=\"{height}\" rx=\"6\"/>\
         <text class=\"t\" x=\"{}\" y=\"{}\">{}</text>",
        escape(&window.id),
        x + 8.0,
        y + 17.0,
        escape(&cut(name, 32)),
    );
    let rows = rows(&window.widgets);
    let shown = if rows.len() > MAX_ROWS { MAX_ROWS - 1 } else { rows.len() };
    for (number, row) in rows.iter().take(shown).enumerate() {
        let top = y + TITLE + number as f64 * ROW;
        let width = (WIDTH - 12.0) / row.len() as f64;
        for (place, widget) in row.iter().enumerate() {
            let left = x + 6.0 + place as f64 * width;
            let kind = widget.class.rsplit('.').next().unwrap_or(&widget.class);
            let takes_input =
                ["Button", "item", "Spinner", "Switch", "CheckBox", "EditText", "Preference"]
                    .iter()
                    .any(|it| kind.contains(it));
            let id = widget.id.as_deref().map(|it| it.rsplit('/').next().unwrap_or(it));
            let text =
                widget.text.as_deref().or(widget.description.as_deref()).or(id).unwrap_or(kind);
            let _ = write!(
                svg,
                "<rect class=\"{}\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{}\" rx=\"2\"/>\
                 <text class=\"x\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                if takes_input { "c" } else { "b" },
                width - 3.0,
                ROW - 4.0,
                left + 4.0,
                top + 12.0,
                escape(&cut(text, (width / 5.6) as usize)),
            );
        }
    }
    if rows.len() > shown {
        let top = y + TITLE + shown as f64 * ROW + 12.0;
        let _ = write!(
            svg,
            "<text class=\"x\" x=\"{}\" y=\"{top}\">… {} more</text>",
            x + 8.0,
            rows.len() - shown
        );
    }
    svg.push_str("</g>");
}

fn arrow(svg: &mut String, from: &Placed, to: &Placed, labels: &[String]) {
    let forward = to.x > from.x;
    let (start_x, end_x) = if forward { (from.x + WIDTH, to.x) } else { (from.x, to.x + WIDTH) };
    let start_y = from.y + (from.height / 2.0).min(40.0);
    let end_y = to.y + 13.0;
    let bend = if forward { 60.0 } else { -60.0 };
    // Windows of one column are joined on their right.
    let (end_x, bends) =
        if to.x == from.x { (to.x + WIDTH, (90.0, 90.0)) } else { (end_x, (bend, -bend)) };
    let start_x = if to.x == from.x { from.x + WIDTH } else { start_x };
    let _ = write!(
        svg,
        "<path class=\"a\" marker-end=\"url(#m)\" d=\"M{start_x:.1} {start_y:.1}C{:.1} {start_y:.1} {:.1} {end_y:.1} {end_x:.1} {end_y:.1}\"/>",
        start_x + bends.0,
        end_x + bends.1,
    );
    let mut text = labels.iter().take(2).cloned().collect::<Vec<_>>().join(", ");
    if labels.len() > 2 {
        let _ = write!(text, " +{}", labels.len() - 2);
    }
    let _ = write!(
        svg,
        "<text class=\"l\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
        if forward || to.x == from.x { end_x - 10.0 } else { end_x + 90.0 },
        end_y - 4.0,
        escape(&cut(&text, 24)),
    );
}

fn cut(text: &str, limit: usize) -> String {
    let limit = limit.max(2);
    match text.char_indices().nth(limit) {
        Some(_) => text.chars().take(limit - 1).chain(['…']).collect(),
        None => text.to_owned(),
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
