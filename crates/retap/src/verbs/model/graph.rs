//! The window graph, and its comparison with a run, for the terminal.

use crate::console::Paint;
use retap_static::{
    AppModel, AppWindow, AppWindowKind, CheckedPart, ModelCheck, PREVIOUS_WINDOW, WindowInput,
};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Misses of one cause that are shown; `--json` has all.
const SHOWN_MISSES: usize = 10;

pub fn render(model: &AppModel, paint: Paint) -> String {
    let mut out = String::new();
    let count = |kind| model.windows.iter().filter(|it| it.kind == kind).count();
    let menus = count(AppWindowKind::OptionsMenu)
        + count(AppWindowKind::ContextMenu)
        + count(AppWindowKind::PopupMenu);
    let _ = writeln!(
        out,
        "{}  {} activities, {menus} menus, {} dialogs; {} inputs, {} transitions",
        paint.bold(&model.package),
        count(AppWindowKind::Activity),
        count(AppWindowKind::Dialog),
        model.inputs.len(),
        model.transitions.len()
    );
    let graph = &model.call_graph;
    let size = format!(
        "{} classes; {} own methods with {} calls among them",
        graph.classes, graph.own_methods, graph.calls
    );
    let _ = writeln!(out, "{}\n", paint.dim(&size));
    for window in model.windows.iter().filter(|it| it.kind != AppWindowKind::OutOfApp) {
        write_window(&mut out, model, window, paint);
    }
    if !model.hidden_handlers.is_empty() {
        let _ = writeln!(
            out,
            "{} {}",
            paint.bold("Hidden handlers"),
            paint.dim("(nobody is seen to call them)")
        );
        for handler in &model.hidden_handlers {
            let _ = writeln!(
                out,
                "  {}{}",
                short_method(&handler.method),
                targets(&handler.target_methods, paint)
            );
        }
    }
    out
}

fn write_window(out: &mut String, model: &AppModel, window: &AppWindow, paint: Paint) {
    let mut remarks = Vec::new();
    if model.launcher.as_ref() == Some(&window.id) {
        remarks.push("launcher".to_owned());
    }
    if !window.layouts.is_empty() {
        remarks.push(window.layouts.join(" "));
    }
    let fragments: Vec<&str> = window.fragments.iter().map(|it| short(it)).collect();
    if !fragments.is_empty() {
        remarks.push(format!("hosts {}", fragments.join(", ")));
    }
    let _ = writeln!(out, "{}  {}", paint.bold(short(&window.id)), paint.dim(&remarks.join("; ")));
    let names: Vec<&str> = window.extras.iter().map(|it| it.name.as_str()).collect();
    if !names.is_empty() {
        let _ = writeln!(out, "  {}", paint.dim(&format!("reads the extras {}", names.join(", "))));
    }
    for (number, input) in model.inputs.iter().enumerate().filter(|it| it.1.window == window.id) {
        write_input(out, model, number, input, paint);
    }
    out.push('\n');
}

fn write_input(
    out: &mut String,
    model: &AppModel,
    number: usize,
    input: &WindowInput,
    paint: Paint,
) {
    let event = format!("{:?}", input.event).to_lowercase();
    let widget = input.widget.as_deref().unwrap_or_default();
    let mut ways = BTreeMap::new();
    for transition in model.transitions.iter().filter(|it| it.input == number) {
        let to = match &*transition.to {
            PREVIOUS_WINDOW => "back",
            to => short(to),
        };
        let action = transition.action.as_ref().map(|it| format!(" ({it})")).unwrap_or_default();
        ways.insert(format!("{to}{action}"), ());
    }
    let ways: Vec<String> = ways.into_keys().collect();
    let arrow = if ways.is_empty() { String::new() } else { format!(" → {}", ways.join(", ")) };
    let handlers: Vec<String> = input.handlers.iter().map(|it| short_method(it)).collect();
    let by = match handlers.len() {
        0 => String::new(),
        1..=2 => format!("  {}", handlers.join(", ")),
        more => format!("  {} and {} more", handlers[0], more - 1),
    };
    let _ = writeln!(
        out,
        "  {event} {widget}{arrow}{}{}",
        paint.dim(&by),
        targets(&input.target_methods, paint)
    );
}

fn targets(targets: &[String], paint: Paint) -> String {
    if targets.is_empty() {
        return String::new();
    }
    format!("  {} {} updated", paint.sign("~"), targets.len())
}

/// Returns an id without the package.
fn short(id: &str) -> &str {
    match id.split_once('#') {
        Some((class, _)) => {
            let parts = class.rsplitn(3, '.').collect::<Vec<_>>();
            // `pkg.Class.method#dialog` keeps its class, `pkg.Class#options-menu` has no method.
            let kept = if parts.first().is_some_and(|it| it.starts_with(char::is_lowercase)) {
                2
            } else {
                1
            };
            let length: usize = parts.iter().take(kept).map(|it| it.len() + 1).sum();
            &id[(class.len() + 1).saturating_sub(length)..]
        }
        None => id.rsplit('.').next().unwrap_or(id),
    }
}

/// Returns `Main.onClick` for `Lcom/example/Main;->onClick(Landroid/view/View;)V`.
fn short_method(signature: &str) -> String {
    let (class, method) = signature.split_once("->").unwrap_or(("", signature));
    let class = class.trim_end_matches(';').rsplit('/').next().unwrap_or_default();
    format!("{class}.{}", method.split('(').next().unwrap_or(method))
}

pub fn render_check(check: &ModelCheck, paint: Paint) -> String {
    let mut out = String::new();
    let parts = [
        ("activities", &check.activities),
        ("transitions", &check.transitions),
        ("inputs", &check.inputs),
        ("widgets", &check.widgets),
        ("handlers", &check.handlers),
    ];
    let percent =
        |share: Option<f64>| share.map_or("–".to_owned(), |it| format!("{:.0}%", it * 100.0));
    let _ = writeln!(out, "{}", paint.bold("             recall  confirmed  missed  not seen yet"));
    for (name, part) in parts {
        let missed: usize = part.missed.values().map(Vec::len).sum();
        let _ = writeln!(
            out,
            "{name:<12} {:>6} {:>10} {missed:>7} {:>13}",
            percent(part.recall()),
            part.confirmed,
            part.unconfirmed
        );
    }
    for (name, part) in parts {
        write_misses(&mut out, name, part, paint);
    }
    out
}

fn write_misses(out: &mut String, name: &str, part: &CheckedPart, paint: Paint) {
    for (cause, misses) in &part.missed {
        let _ = writeln!(out, "\n{} {}", paint.bold(&format!("Missed {name}:")), cause);
        for miss in misses.iter().take(SHOWN_MISSES) {
            let _ = writeln!(out, "  {miss}");
        }
        if let Some(left) = misses.len().checked_sub(SHOWN_MISSES).filter(|it| *it > 0) {
            let _ = writeln!(out, "  {}", paint.dim(&format!("… and {left} more")));
        }
    }
}
