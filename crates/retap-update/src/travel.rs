//! Getting to a window or a state: by the graphs, by a restart, or back in time.

mod path;
mod visits;
mod walk;

pub use path::{Destination, PathSearch, WayOn};
pub use visits::{RecordedVisit, Visits};
pub use walk::{Walk, WalkStep};
