//! The window graph as a picture: windows as small wireframes of their layouts, in columns by their distance from the
//! launcher's window, with arrows for transitions; coloured by what a run covered, if there is one.

mod wireframe;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt::Write;

use super::{AppModel, AppWindow, AppWindowKind, CoveredModel, InputEvent, PREVIOUS_WINDOW};
use wireframe::{Wireframe, cut, escape};

const WIDTH: f64 = 200.0;
const GAP_X: f64 = 130.0;
const GAP_Y: f64 = 34.0;
const MARGIN: f64 = 30.0;
const LEGEND: f64 = 26.0;

const STYLE: &str = "<style>.w{fill:#f6f8fa;stroke:#57606a}.d{fill:#fff8e6;stroke:#9a6700}.o{fill:#eee;stroke:#999;\
stroke-dasharray:4 3}.t{fill:#24292f;font-weight:600}.k{fill:#8c959f;font-size:9px}.b{fill:#fff;stroke:#d0d7de}\
.c{fill:#ddf4ff;stroke:#54aeff}.x{fill:#57606a;font-size:10px}.a{fill:none;stroke:#0969da;stroke-width:1.2;opacity:.55}\
.y{stroke:#8c959f;stroke-dasharray:3 3}.l{fill:#0550ae;font-size:9px;paint-order:stroke;stroke:#fff;stroke-width:3px}\
.run .w,.run .d{fill:#f6f8fa;stroke:#afb8c1;stroke-dasharray:4 3}.run .seen>.w,.run .seen>.d{fill:#dafbe1;stroke:#1a7f37;\
stroke-dasharray:none}.run .c{fill:#fff1e5;stroke:#fb8f44}.run .ran{fill:#aceebb;stroke:#1a7f37}</style><defs>\
<marker id=\"m\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\">\
<path d=\"M0 0L8 4L0 8z\" fill=\"#0969da\"/></marker></defs>";

/// A window's place in the picture.
struct Placed<'a> {
    window: &'a AppWindow,
    wireframe: Wireframe<'a>,
    x: f64,
    y: f64,
}

impl Placed<'_> {
    fn height(&self) -> f64 {
        self.wireframe.height()
    }
}

pub fn render(model: &AppModel, covered: Option<&CoveredModel>) -> String {
    let placed = place(model);
    let right = placed.values().map(|it| it.x + WIDTH).fold(0.0, f64::max);
    let bottom = placed.values().map(|it| it.y + it.height()).fold(0.0, f64::max);
    let mut svg = String::new();
    let _ = write!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0}\" height=\"{1:.0}\" viewBox=\"0 0 {0:.0} {1:.0}\" \
         font-family=\"system-ui,sans-serif\" font-size=\"11\"{2}>{STYLE}<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>",
        right + MARGIN,
        bottom + MARGIN + LEGEND,
        if covered.is_some() { " class=\"run\"" } else { "" },
    );
    arrows(&mut svg, model, &placed);
    for place in placed.values() {
        let is_seen = covered.is_some_and(|it| it.windows.contains(&place.window.id));
        place.wireframe.draw(&mut svg, (place.x, place.y), is_seen, covered.map(|it| &it.inputs));
    }
    let _ = write!(
        svg,
        "<text class=\"x\" x=\"{MARGIN}\" y=\"{:.0}\">{}</text></svg>",
        bottom + MARGIN + 6.0,
        escape(&legend(model, covered)),
    );
    svg.push('\n');
    svg
}

fn legend(model: &AppModel, covered: Option<&CoveredModel>) -> String {
    let activities = |ids: &mut dyn Iterator<Item = &AppWindow>| {
        ids.filter(|it| it.kind == AppWindowKind::Activity).count()
    };
    let all = activities(&mut model.windows.iter());
    match covered {
        Some(covered) => {
            let seen = model.windows.iter().filter(|it| covered.windows.contains(&it.id));
            format!(
                "green: the run was there, or ran the handler; orange: a handler that did not run · {} of {all} activities, \
                 {} of {} inputs",
                activities(&mut { seen }),
                covered.inputs.len(),
                model.inputs.len(),
            )
        }
        None => format!(
            "{all} activities, {} inputs, {} transitions · yellow: menus and dialogs; blue: takes inputs; dashed: without a \
             user's input",
            model.inputs.len(),
            model.transitions.len()
        ),
    }
}

/// Places windows in columns: the launcher's first, then what it leads to, and so on; the rest at the end.
fn place(model: &AppModel) -> BTreeMap<&str, Placed<'_>> {
    let mut column = BTreeMap::<&str, usize>::new();
    let mut queue = VecDeque::new();
    if let Some(first) = model.launcher.as_deref().filter(|it| model.window(it).is_some()) {
        column.insert(first, 0);
        queue.push_back(first);
    }
    let mut ways = BTreeMap::<&str, Vec<&str>>::new();
    let mut met = BTreeSet::new();
    for transition in &model.transitions {
        ways.entry(&transition.from).or_default().push(&transition.to);
        met.extend([&*transition.from, &*transition.to]);
    }
    let known: BTreeSet<&str> = model.windows.iter().map(|it| &*it.id).collect();
    while let Some(from) = queue.pop_front() {
        let next = column[from] + 1;
        for to in ways.get(from).into_iter().flatten().filter(|it| known.contains(**it)) {
            if !column.contains_key(to) {
                column.insert(to, next);
                queue.push_back(to);
            }
        }
    }
    let last = column.values().max().map_or(0, |it| it + 1);
    let mut heights = BTreeMap::<usize, f64>::new();
    let mut placed = BTreeMap::new();
    for window in &model.windows {
        if window.kind == AppWindowKind::OutOfApp && !met.contains(&*window.id) {
            continue;
        }
        let column = column.get(&*window.id).copied().unwrap_or(last);
        let y = *heights.entry(column).or_insert(MARGIN);
        let wireframe = Wireframe::new(model, window);
        heights.insert(column, y + wireframe.height() + GAP_Y);
        let x = MARGIN + column as f64 * (WIDTH + GAP_X);
        placed.insert(&*window.id, Placed { window, wireframe, x, y });
    }
    placed
}

/// What an arrow says: the widgets or events that lead along it, and whether a user's input is among them.
#[derive(Default)]
struct Way {
    labels: Vec<String>,
    by_user: bool,
}

fn arrows(svg: &mut String, model: &AppModel, placed: &BTreeMap<&str, Placed>) {
    let mut ways = BTreeMap::<(&str, &str), Way>::new();
    for transition in model.transitions.iter().filter(|it| it.to != PREVIOUS_WINDOW) {
        let input = &model.inputs[transition.input];
        let way = ways.entry((&transition.from, &transition.to)).or_default();
        if matches!(input.event, InputEvent::Lifecycle | InputEvent::Result) {
            continue;
        }
        way.by_user = true;
        let label = match input.widget.as_deref() {
            Some(widget) => wireframe::widget_name(widget).to_owned(),
            None => format!("{:?}", input.event).to_lowercase(),
        };
        let label = match transition.fragment.as_deref().and_then(|it| it.rsplit('.').next()) {
            Some(fragment) => format!("{label} → {fragment}"),
            None => label,
        };
        if !way.labels.contains(&label) {
            way.labels.push(label);
        }
    }
    for ((from, to), way) in &ways {
        if let (Some(from), Some(to)) = (placed.get(*from), placed.get(*to)) {
            arrow(svg, from, to, way);
        }
    }
}

fn arrow(svg: &mut String, from: &Placed, to: &Placed, way: &Way) {
    let forward = to.x > from.x;
    let (start_x, end_x) = if forward { (from.x + WIDTH, to.x) } else { (from.x, to.x + WIDTH) };
    let start_y = from.y + (from.height() / 2.0).min(40.0);
    let end_y = to.y + 13.0;
    let bend = if forward { 60.0 } else { -60.0 };
    // Windows of one column are joined on their right.
    let (end_x, bends) =
        if to.x == from.x { (to.x + WIDTH, (90.0, 90.0)) } else { (end_x, (bend, -bend)) };
    let start_x = if to.x == from.x { from.x + WIDTH } else { start_x };
    let _ = write!(
        svg,
        "<path class=\"{}\" marker-end=\"url(#m)\" d=\"M{start_x:.1} {start_y:.1}C{:.1} {start_y:.1} {:.1} {end_y:.1} {end_x:.1} {end_y:.1}\"/>",
        if way.by_user { "a" } else { "a y" },
        start_x + bends.0,
        end_x + bends.1,
    );
    let mut text = way.labels.iter().take(2).cloned().collect::<Vec<_>>().join(", ");
    if way.labels.len() > 2 {
        let _ = write!(text, " +{}", way.labels.len() - 2);
    }
    let _ = write!(
        svg,
        "<text class=\"l\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
        if forward || to.x == from.x { end_x - 10.0 } else { end_x + 90.0 },
        end_y - 4.0,
        escape(&cut(&text, 24)),
    );
}
