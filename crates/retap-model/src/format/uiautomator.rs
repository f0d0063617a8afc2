//! The XML that `uiautomator dump` writes, and the dialect of it that Appium calls page source.
//!
//! ```text
//! <hierarchy rotation="0"><node class="android.widget.Button" text="Ok"
//! bounds="[0,0][90,40]"/></hierarchy>
//! <hierarchy rotation="0"><android.widget.Button text="Ok" bounds="[0,0][90,40]"/></hierarchy>
//! ```
//! A dump contains widgets and no windows, so the reader makes a window of every root below
//! `hierarchy`, back to front. A dump does not name the activity either. Ours adds an attribute for
//! it, which other readers ignore.

mod read;
mod write;

pub use read::{MAX_BYTES, MAX_DEPTH, MAX_WIDGETS, MAX_WINDOWS, read};
pub use write::{Dialect, write};

use crate::widget::Flags;

/// The attributes that are flags, in the order in which uiautomator writes them.
const FLAGS: [(&str, Flags); 10] = [
    ("checkable", Flags::CHECKABLE),
    ("checked", Flags::CHECKED),
    ("clickable", Flags::CLICKABLE),
    ("enabled", Flags::ENABLED),
    ("focusable", Flags::FOCUSABLE),
    ("focused", Flags::FOCUSED),
    ("scrollable", Flags::SCROLLABLE),
    ("long-clickable", Flags::LONG_CLICKABLE),
    ("password", Flags::PASSWORD),
    ("selected", Flags::SELECTED),
];

#[cfg(test)]
mod tests;
