//! Getting to a window or a state: by the graphs, by a restart, or back in time.

mod path;
mod visits;
mod walk;

pub use path::{Destination, WayOn};
pub use visits::Visits;
pub use walk::{ModelWalk, WalkStep};
