//! The activity that starts when the app's icon is tapped.

use serde::Serialize;

use crate::manifest::{AppComponent, IntentFilter, Manifest};

const MAIN: &str = "android.intent.action.MAIN";
/// The categories of a phone's home screen and of a television's.
const HOME_CATEGORIES: [&str; 2] =
    ["android.intent.category.LAUNCHER", "android.intent.category.LEANBACK_LAUNCHER"];

/// The component behind the app's icon.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Launcher {
    /// The component that the intent names: an activity or an alias.
    pub component: String,
    /// The activity that starts.
    pub activity: String,
}

impl Manifest {
    /// Returns the launcher; `None` if no enabled component can be started from a home screen.
    pub fn launcher(&self) -> Option<Launcher> {
        let activities = self.activities.iter().map(|activity| {
            let component = &activity.component;
            (component, &component.name)
        });
        let aliases = self.aliases.iter().map(|alias| (&alias.component, &alias.target));
        let candidates: Vec<_> = activities.chain(aliases).collect();
        let (component, activity) = HOME_CATEGORIES.iter().find_map(|home| {
            candidates.iter().find(|(component, activity)| {
                component.is_launchable_from(home) && self.is_startable(activity)
            })
        })?;
        Some(Launcher { component: component.name.clone(), activity: (*activity).clone() })
    }

    fn is_startable(&self, activity: &str) -> bool {
        self.application.enabled
            && self.activities.iter().any(|known| known.component.name == activity)
    }
}

impl AppComponent {
    fn is_launchable_from(&self, home: &str) -> bool {
        self.enabled && self.filters.iter().any(|filter| filter.is_launchable_from(home))
    }
}

impl IntentFilter {
    fn is_launchable_from(&self, home: &str) -> bool {
        self.actions.iter().any(|action| action == MAIN)
            && self.categories.iter().any(|category| category == home)
    }
}
