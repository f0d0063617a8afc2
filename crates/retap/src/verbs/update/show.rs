//! The model of a run for a terminal: windows with their states, and the transitions between them.

use retap_model::printable::printable_line as line;
use retap_update::SavedModel;
use std::fmt::Write;

pub fn render(model: &SavedModel) -> String {
    let mut text = String::new();
    // Writing into a String cannot fail.
    let _ = write_all(&mut text, model);
    text
}

fn write_all(text: &mut String, model: &SavedModel) -> std::fmt::Result {
    let added = |is_added: bool| if is_added { ", found by running" } else { "" };
    let visited = model.windows.iter().filter(|window| window.states > 0).count();
    writeln!(
        text,
        "{} windows, {visited} of them visited; {} transitions; {} states",
        model.windows.len(),
        model.transitions.len(),
        model.states.len()
    )?;
    for window in &model.windows {
        writeln!(
            text,
            "{}  {} states at {}{}",
            line(&window.name),
            window.states,
            window.level,
            added(window.is_added)
        )?;
        for transition in model.transitions.iter().filter(|it| it.from == window.name) {
            let widget = transition.widget.as_deref().unwrap_or("the window");
            writeln!(
                text,
                "  {:?} on {} → {}, done {}×{}",
                transition.event,
                line(widget),
                line(&transition.to),
                transition.times,
                added(transition.is_added)
            )?;
        }
    }
    Ok(())
}
