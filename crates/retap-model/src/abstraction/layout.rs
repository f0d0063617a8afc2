//! TimeMachine's state: a hash of the widget hierarchy without the values of text boxes. Bounds do
//! not count either, because they belong to the display, and a state must be the same on another
//! phone. Toasts come and go by themselves and the keyboard follows the focus, so neither counts.

use crate::hash::StableHasher;
use crate::screen::Screen;
use crate::widget::Flags;

/// The texts that are part of a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HashedTexts {
    /// The texts of labels, but not of text boxes.
    Labels,
    /// No texts: a visible clock or log would make every moment a state of its own.
    None,
}

pub fn hash(screen: &Screen, texts: HashedTexts) -> u64 {
    let mut hasher = StableHasher::new(match texts {
        HashedTexts::Labels => "layout",
        HashedTexts::None => "structure",
    });
    hasher.str(&screen.activity);
    for window in screen.windows.iter().filter(|w| w.takes_touches()) {
        hasher.u64(window.kind as u64).str(&window.package).u64(window.widgets.len() as u64);
        for widget in &window.widgets {
            let flags = widget.flags - Flags::TRANSIENT;
            hasher.u64(u64::from(widget.depth) << 32 | u64::from(flags.bits()));
            hasher.str(&widget.class).str(&widget.id).str(&widget.description);
            if texts == HashedTexts::Labels && !widget.has(Flags::EDITABLE) {
                hasher.str(&widget.text);
            }
        }
    }
    hasher.finish()
}
