//! A flame graph: each method of a stack is a box as wide as the processor time spent in it and in what it called, below
//! its caller. Colours say whose code it is, the paler the more of it was interpreted.

mod call_tree;
mod code_owner;

use super::folded_stacks::FoldedStacks;
use call_tree::CallTree;
use code_owner::CodeOwner;
use maud::{PreEscaped, html};

const WIDTH: f64 = 1600.0;
const MARGIN: f64 = 12.0;
const ROW_HEIGHT: f64 = 18.0;
/// The space for the title and the legend.
const HEAD_HEIGHT: f64 = 74.0;
/// The width of a letter of the font.
const LETTER_WIDTH: f64 = 6.7;
/// Boxes below this share of the time are left out, so that the file stays small.
const MIN_SHARE: f64 = 0.001;
/// Code that was only interpreted has this much of its colour.
const PALEST: f64 = 0.35;

const STYLE: &str = include_str!("flame_graph/style.css");
const SCRIPT: &str = include_str!("flame_graph/zoom.js");

/// Draws the stacks of an app as an SVG file. A click on a box widens it.
pub fn draw(app: &str, stacks: &FoldedStacks) -> String {
    let tree = CallTree::new(app, stacks);
    let mut boxes = Vec::new();
    place(&tree, 0, 0.0, tree.micros.max(1.0), &mut boxes);
    let depth = boxes.iter().map(|one| one.depth).max().unwrap_or(0) + 1;
    let height = HEAD_HEIGHT + ROW_HEIGHT * depth as f64 + MARGIN;
    let svg = html! {
        svg xmlns="http://www.w3.org/2000/svg" width=(WIDTH) height=(height) viewBox={ "0 0 " (WIDTH) " " (height) } {
            title { "Where the time of " (app) " goes" }
            style { (PreEscaped(STYLE)) }
            rect.page width="100%" height="100%" {}
            text.title x=(MARGIN) y="26" { (app) ": " (seconds(tree.micros)) " of processor time" }
            (legend())
            @for one in &boxes {
                (draw_box(one, tree.micros))
            }
            script { (SCRIPT) }
        }
    };
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{}\n", svg.into_string())
}

/// A method on the page. Positions are shares of the whole width.
struct PlacedBox<'t> {
    tree: &'t CallTree,
    depth: usize,
    left: f64,
    share: f64,
}

fn place<'t>(
    tree: &'t CallTree,
    depth: usize,
    left: f64,
    all_micros: f64,
    boxes: &mut Vec<PlacedBox<'t>>,
) {
    let share = tree.micros / all_micros;
    if share < MIN_SHARE {
        return;
    }
    boxes.push(PlacedBox { tree, depth, left, share });
    let mut left = left;
    for called in tree.called() {
        place(called, depth + 1, left, all_micros, boxes);
        left += called.micros / all_micros;
    }
}

fn draw_box(one: &PlacedBox<'_>, all_micros: f64) -> PreEscaped<String> {
    let PlacedBox { tree, depth, left, share } = one;
    let inner = WIDTH - 2.0 * MARGIN;
    let (x, y) = (MARGIN + left * inner, HEAD_HEIGHT + ROW_HEIGHT * *depth as f64);
    let width = share * inner;
    let opacity = 1.0 - (1.0 - PALEST) * tree.interpreted_share();
    // The topmost box is the whole run and has the app's name, whatever dots that has.
    let (label, owner) = match depth {
        0 => (tree.name.as_str(), CodeOwner::Machine),
        _ => (short_name(&tree.name), CodeOwner::of(&tree.name)),
    };
    html! {
        g class={ "box " (owner.class()) } data-left=(format!("{left:.6}")) data-share=(format!("{share:.6}"))
            data-depth=(depth) data-label=(label) {
            title { (tooltip(tree, all_micros)) }
            rect x=(format!("{x:.2}")) y=(format!("{y:.1}")) width=(format!("{:.2}", width.max(0.3))) height=(ROW_HEIGHT - 1.0)
                fill-opacity=(format!("{opacity:.2}")) {}
            text x=(format!("{:.2}", x + 3.0)) y=(format!("{:.1}", y + 12.5)) { (fit(label, width)) }
        }
    }
}

fn tooltip(tree: &CallTree, all_micros: f64) -> String {
    let percent = 100.0 * tree.micros / all_micros.max(1.0);
    let own = seconds(tree.own_micros);
    let mut text =
        format!("{}\n{}, {percent:.1}%; {own} in itself", tree.name, seconds(tree.micros));
    if tree.interpreted_micros > 0.0 {
        text += &format!("; interpreted {:.0}%", 100.0 * tree.interpreted_share());
    }
    text
}

fn legend() -> PreEscaped<String> {
    html! {
        @for (at, owner) in CodeOwner::ALL.into_iter().enumerate() {
            @let x = MARGIN + 170.0 * at as f64;
            g class={ "key " (owner.class()) } {
                rect x=(x) y="40" width="14" height="14" {}
                text x=(x + 20.0) y="51" { (owner.name()) }
            }
        }
        text.hint x=(WIDTH - MARGIN) y="26" text-anchor="end" { "pale: interpreted · click a box to widen it, the topmost to return" }
    }
}

/// Returns the class without its package, and the method.
fn short_name(name: &str) -> &str {
    let is_method = !name.starts_with('(');
    let class_end = name.rfind('.').filter(|_| is_method);
    let package_end = class_end.and_then(|end| name[..end].rfind('.'));
    package_end.map_or(name, |end| &name[end + 1..])
}

/// Shortens a label to a width. A box too narrow for three letters has none.
fn fit(label: &str, width: f64) -> String {
    let letters = ((width - 4.0) / LETTER_WIDTH).max(0.0) as usize;
    match label.chars().count() {
        count if count <= letters => label.into(),
        _ if letters < 3 => String::new(),
        _ => label.chars().take(letters - 1).chain(['…']).collect(),
    }
}

fn seconds(micros: f64) -> String {
    if micros < 1e6 { format!("{:.1} ms", micros / 1e3) } else { format!("{:.2} s", micros / 1e6) }
}

#[cfg(test)]
mod tests;
