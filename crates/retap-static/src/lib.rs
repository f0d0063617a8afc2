//! What an app's code says without running it: the difference between two versions, the call graph, and the windows
//! with their inputs and transitions.
//!
//! ```no_run
//! let old = retap_apk::Apk::open("shop-1.apk")?;
//! let new = retap_apk::Apk::open("shop-2.apk")?;
//! let diff = retap_static::AppDiff::compare(&old, &new)?;
//! println!("{} methods changed", diff.sets().modified.len());
//! # Ok::<(), retap_apk::ApkError>(())
//! ```
//!
//! Law: this crate is a pure function of open APKs. It does **not** know bytes or offsets (`retap-apk` reads), files,
//! devices, runs or terminals.

mod canonical;
mod diff;
mod flow;
mod listing;
mod model;
mod program;

pub use diff::{
    AppDiff, AppVersion, Change, ChangedMethods, ClassDiff, DiffOptions, FieldDiff, MethodDiff,
    MethodListing, PackageDiff, ResourceDiff, changed_widget_ids,
};
pub use model::{
    AppModel, AppWindow, AppWindowKind, CallGraph, CallGraphSize, CheckedPart, CoveredModel,
    ExtraKind, HiddenHandler, InputEvent, ModelCheck, PREVIOUS_WINDOW, SeenRun, SourceMethods,
    WindowExtra, WindowInput, WindowTransition, WindowWidget, impact_of, java_method,
    methods_of_sources,
};

/// Returns the types of a method's parameters without their packages: `["int", "String"]`.
pub fn parameter_names(descriptor: &str) -> Vec<String> {
    let mut types = program::descriptor_types(descriptor);
    types.pop();
    types.into_iter().map(listing::short).collect()
}
