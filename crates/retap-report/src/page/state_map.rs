//! The map of states, drawn.

use super::number::grouped;
use crate::album::Album;
use crate::chart::fixed;
use crate::map::{Cluster, MOST_STATES, Map, Move, Node};
use crate::run::Run;
use crate::sentence::activity_name;
use maud::{Markup, html};

pub fn section(run: &Run, album: &mut Album) -> Option<Markup> {
    let display = run.info.display;
    let proportion = f64::from(display.height) / f64::from(display.width.max(1));
    let map = Map::draw(&run.history, &run.states, proportion);
    if map.nodes.is_empty() {
        return None;
    }
    let nodes: Vec<Markup> = map.nodes.iter().map(|node| draw_node(run, node, album)).collect();
    let view = format!("-8 -8 {} {}", fixed(map.width + 16.0), fixed(map.height + 16.0));
    Some(html! {
        section #map {
            h2 { "Map of states" }
            p.quiet { (legend(run)) }
            div.map {
                svg viewBox=(view) style={ "max-width:" (fixed(map.width + 16.0)) "px" } role="img"
                    aria-label="States by activity, and the moves between them" {
                    @for cluster in &map.clusters { (draw_cluster(cluster)) }
                    @for m in &map.moves { (draw_move(m, &map.nodes)) }
                    @for node in &nodes { (node) }
                }
            }
        }
    })
}

fn legend(run: &Run) -> Markup {
    let all = run.history.visits.len();
    html! {
        @if all > MOST_STATES { "The " (MOST_STATES) " most visited of " (grouped(all as u64)) " states" }
        @else { "All states" }
        ", by activity; larger means more visits, a line means a move from one to the other"
        @if !run.history.fatal.is_empty() { ", " span.crashed { "red" } " means that the app crashed there" }
        "."
    }
}

fn draw_cluster(cluster: &Cluster) -> Markup {
    const LONGEST: usize = 40;
    let shown: String = activity_name(&cluster.activity).chars().take(LONGEST).collect();
    html! {
        g.cluster {
            title { (cluster.activity) }
            rect x=(fixed(cluster.x)) y=(fixed(cluster.y)) width=(fixed(cluster.width)) height=(fixed(cluster.height)) rx="10" {}
            text x=(fixed(cluster.x + 14.0)) y=(fixed(cluster.y + 19.0)) { (shown) }
        }
    }
}

/// Bent a little to one side, so that a way there and a way back are two lines.
fn draw_move(m: &Move, nodes: &[Node]) -> Markup {
    const BEND: f64 = 0.16;
    let (from, to) = (&nodes[m.from], &nodes[m.to]);
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let (cx, cy) = (from.x + dx / 2.0 - dy * BEND, from.y + dy / 2.0 + dx * BEND);
    let path = format!(
        "M{} {}Q{} {} {} {}",
        fixed(from.x),
        fixed(from.y),
        fixed(cx),
        fixed(cy),
        fixed(to.x),
        fixed(to.y)
    );
    html! {
        path.move d=(path) stroke-width=(fixed(0.5 + 1.5 * m.weight)) opacity=(format!("{:.2}", 0.1 + 0.4 * m.weight * m.weight)) {
            title { (grouped(m.count)) " times" }
        }
    }
}

fn draw_node(run: &Run, node: &Node, album: &mut Album) -> Markup {
    let Node { width, height, .. } = *node;
    let (x, y) = (node.x - width / 2.0, node.y - height / 2.0);
    let seen = run.states.get(&node.state);
    let picture =
        seen.and_then(|seen| album.place(&run.picture(seen.screen), (x, y, width, height)));
    html! {
        g.node.fatal[node.fatal] {
            title {
                (seen.map_or("", |seen| activity_name(&seen.activity))) " " (node.state) ", "
                (grouped(node.visits)) " visits"
                @if let Some(seen) = seen { ", first at event " (grouped(seen.step)) }
            }
            rect.ground x=(fixed(x)) y=(fixed(y)) width=(fixed(width)) height=(fixed(height)) rx="4" {}
            @if let Some(picture) = &picture { (picture) }
            rect.frame x=(fixed(x)) y=(fixed(y)) width=(fixed(width)) height=(fixed(height)) rx="4" {}
        }
    }
}
