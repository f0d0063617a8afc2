//! Navigation graphs of androidx, with the library as it is.

use crate::{check, model, other_inputs, short, transitions};

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
    check(&other_inputs(&model), &[]);
    let main = model.windows.iter().find(|it| short(&it.id) == "MainActivity").unwrap();
    assert!(main.fragments.iter().any(|it| short(it) == "UnitsFragment"), "{:?}", main.fragments);
}
