//! SimplyDroid's state: the activity's name or, outside the app, the package in front.

use crate::hash::StableHasher;
use crate::screen::{Screen, WindowKind};

pub fn hash(screen: &Screen) -> u64 {
    let mut hasher = StableHasher::new("activity");
    hasher.str(&screen.activity);
    if let Some(front) = screen.front().filter(|w| w.kind == WindowKind::Outside) {
        hasher.str(&front.package);
    }
    hasher.finish()
}
