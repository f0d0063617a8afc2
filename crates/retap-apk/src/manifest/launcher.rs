//! The activity that a tap on the app's icon starts.

use serde::Serialize;

use crate::manifest::{Component, IntentFilter, Manifest};

const MAIN: &str = "android.intent.action.MAIN";
/// A phone's home screen, then a television's.
const HOMES: [&str; 2] =
    ["android.intent.category.LAUNCHER", "android.intent.category.LEANBACK_LAUNCHER"];

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Launcher {
    /// The name the intent carries: an activity or an alias.
    pub component: String,
    /// The activity that starts.
    pub activity: String,
}

impl Manifest {
    /// `None` if nothing that is enabled can be started from a home screen.
    pub fn launcher(&self) -> Option<Launcher> {
        let activities = self.activities.iter().map(|activity| {
            let component = &activity.component;
            (component, &component.name)
        });
        let aliases = self.aliases.iter().map(|alias| (&alias.component, &alias.target));
        let entrances: Vec<_> = activities.chain(aliases).collect();
        let (component, activity) = HOMES.iter().find_map(|home| {
            entrances.iter().find(|(component, activity)| {
                component.is_entrance(home) && self.is_startable(activity)
            })
        })?;
        Some(Launcher { component: component.name.clone(), activity: (*activity).clone() })
    }

    fn is_startable(&self, activity: &str) -> bool {
        self.application.enabled
            && self.activities.iter().any(|known| known.component.name == activity)
    }
}

impl Component {
    fn is_entrance(&self, home: &str) -> bool {
        self.enabled && self.filters.iter().any(|filter| filter.is_entrance(home))
    }
}

impl IntentFilter {
    fn is_entrance(&self, home: &str) -> bool {
        self.actions.iter().any(|action| action == MAIN)
            && self.categories.iter().any(|category| category == home)
    }
}
