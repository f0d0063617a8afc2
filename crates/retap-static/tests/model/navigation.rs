//! Navigation graphs of androidx, with the library as it is.

use crate::{check, input_text, model, other_inputs, short, transitions};

#[test]
fn actions_of_navigation_graphs_are_transitions() {
    let model = model("routes");
    check(
        &transitions(&model),
        &[
            // A listener that the library makes for an action.
            "MainActivity click @id/open_stops → MainActivity (StopsFragment)",
            // Actions and destinations by id, one of them through a helper.
            "MainActivity click @id/open_about → AboutActivity",
            "MainActivity click @id/open_help → HelpDialog",
            "MainActivity click @id/open_site → out-of-app",
            "MainActivity click @id/go_home → MainActivity (HomeFragment)",
            // What Safe Args makes; the graph inside the graph begins with its first destination.
            "MainActivity click @id/open_settings → MainActivity (UnitsFragment)",
            "MainActivity click @id/open_map → MainActivity (MapFragment)",
            "MainActivity item-click @id/stop_list → MainActivity (StopFragment)",
            // Items with the ids of destinations.
            "MainActivity menu → MainActivity#options-menu",
            "MainActivity#options-menu click @id/settings → MainActivity (UnitsFragment)",
            "MainActivity#options-menu click @id/help → HelpDialog",
            "HelpDialog click → BACK",
        ],
    );
    // The widget of a data binding's expression lies in an array: what handles it is known, where it is not.
    check(&other_inputs(&model), &["MainActivity click"]);
    let main = model.windows.iter().find(|it| short(&it.id) == "MainActivity").unwrap();
    assert!(main.fragments.iter().any(|it| short(it) == "UnitsFragment"), "{:?}", main.fragments);
}

#[test]
fn a_handler_behind_a_binding_is_found() {
    let model = model("routes");
    let click = model.inputs.iter().find(|it| input_text(it) == "MainActivity click").unwrap();
    assert!(click.reaches.iter().any(|it| it.contains("MapFragment;->zoom()")), "{click:#?}");
    let home = "MainActivity click @id/go_home";
    assert!(model.inputs.iter().any(|it| input_text(it) == home), "{:#?}", model.inputs);
}
