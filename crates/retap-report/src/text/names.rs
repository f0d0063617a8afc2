//! Short names of classes and activities.

/// Returns the class name without its package and enclosing classes.
pub fn simple_class_name(class: &str) -> &str {
    class.rsplit(['.', '$']).next().filter(|name| !name.is_empty()).unwrap_or(class)
}

/// Returns the simple name of an activity, or a phrase that says there is none.
pub fn activity_label(activity: &str) -> &str {
    if activity.is_empty() { "no activity" } else { simple_class_name(activity) }
}

/// Returns the text with its first letter in upper case.
pub fn capitalize(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
