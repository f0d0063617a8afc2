//! Written soon.
