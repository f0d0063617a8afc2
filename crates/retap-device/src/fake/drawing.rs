//! From an app's state to the screen it shows: widgets, their bounds, and the picture of a screen.

mod layout;
pub(crate) mod render;
pub(crate) mod screenshot;
