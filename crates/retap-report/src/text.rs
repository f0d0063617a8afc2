//! Words and numbers as people read them, shared by all outputs.

mod event_description;
mod names;
mod number;

pub use event_description::EventDescription;
pub use names::{activity_label, capitalize, simple_class_name};
pub use number::{format_count, format_duration, format_percent, group_digits};
