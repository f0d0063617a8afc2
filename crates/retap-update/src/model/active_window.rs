//! Says which window a screen shows: the activity, or the dialog or menu of it that shares most widgets with the screen.

use super::windows::{RunWindow, RunWindowId, WindowGraph};
use retap_model::hash::StableHasher;
use retap_model::{Screen, ScreenId, Window, WindowKind};
use retap_static::AppWindowKind;
use std::collections::BTreeSet;

/// The name of the window that stands for all other apps.
const OUT_OF_APP: &str = "out-of-app";

impl WindowGraph {
    /// Returns the window of a screen. `expected` is where the model says that the last event leads: it decides between
    /// windows that fit equally well. A pop-up that no window fits is added to the graph.
    pub fn identify(
        &mut self,
        id: ScreenId,
        screen: &Screen,
        expected: Option<RunWindowId>,
    ) -> RunWindowId {
        if let Some(known) = self.screens.get(&id) {
            return *known;
        }
        let window = self.find(screen, expected);
        self.screens.insert(id, window);
        window
    }

    fn find(&mut self, screen: &Screen, expected: Option<RunWindowId>) -> RunWindowId {
        if screen.activity.is_empty() {
            return self.named(OUT_OF_APP);
        }
        let activity = self.named(&screen.activity);
        let Some(front) = screen.front() else { return activity };
        let kinds: &[AppWindowKind] = match front.kind {
            WindowKind::Activity | WindowKind::Keyboard | WindowKind::Toast => return activity,
            WindowKind::Outside => return self.named(OUT_OF_APP),
            WindowKind::Dialog => &[AppWindowKind::Dialog, AppWindowKind::ContextMenu],
            WindowKind::Menu | WindowKind::Popup => {
                &[AppWindowKind::OptionsMenu, AppWindowKind::PopupMenu, AppWindowKind::ContextMenu]
            }
        };
        let shown = shown_labels(front);
        let rate = |(id, window): (RunWindowId, &RunWindow)| {
            let share = share_shown(window, &shown);
            (share > 0.0).then_some((share, expected == Some(id), id))
        };
        let candidates = self.windows.iter().enumerate().filter(|(_, window)| {
            window.owner == Some(activity) && (window.is_added || kinds.contains(&window.kind))
        });
        let best = candidates
            .filter_map(rate)
            .max_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)).then(b.2.cmp(&a.2)));
        best.map_or_else(|| self.add_pop_up(activity, front, shown), |(_, _, id)| id)
    }

    fn add_pop_up(
        &mut self,
        activity: RunWindowId,
        front: &Window,
        shown: BTreeSet<String>,
    ) -> RunWindowId {
        let mut hasher = StableHasher::new("pop-up");
        // Texts change with the app's data; ids and classes say which pop-up it is.
        let mut parts: Vec<(&str, &str)> =
            front.widgets.iter().map(|it| (it.class.as_str(), it.short_id())).collect();
        parts.sort_unstable();
        parts.dedup();
        for (class, id) in parts {
            hasher.str(class).str(id);
        }
        let name = format!("{}#pop-up-{:08x}", self.get(activity).name, hasher.finish() as u32);
        if let Some(known) = self.by_name.get(&name) {
            return *known;
        }
        let kind = match front.kind {
            WindowKind::Dialog => AppWindowKind::Dialog,
            _ => AppWindowKind::PopupMenu,
        };
        let id = self.add(name, kind, Some(activity));
        self.windows[id].labels = shown;
        id
    }
}

/// Returns the ids and texts on a window.
fn shown_labels(window: &Window) -> BTreeSet<String> {
    let live = window.widgets.iter().filter(|widget| widget.is_live());
    let labels = live.flat_map(|widget| [widget.short_id(), &widget.text, &widget.description]);
    labels.filter(|label| !label.is_empty()).map(str::to_string).collect()
}

/// Returns the share of a window's widgets that a screen shows: the paper's R_w.
fn share_shown(window: &RunWindow, shown: &BTreeSet<String>) -> f64 {
    if window.labels.is_empty() {
        return 0.0;
    }
    let seen = window.labels.intersection(shown).count();
    seen as f64 / window.labels.len() as f64
}
