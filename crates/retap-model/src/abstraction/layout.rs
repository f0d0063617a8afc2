//! TimeMachine's state: a hash over the widget hierarchy, the values of text boxes left out.
//! Bounds are left out too: they belong to the display, and a state must survive another phone.
//! Toasts come and go by themselves and the keyboard follows the focus: neither is a state.

use crate::hash::StableHasher;
use crate::screen::Screen;
use crate::widget::Flags;

pub fn hash(screen: &Screen) -> u64 {
    let mut hasher = StableHasher::new("layout");
    hasher.str(&screen.activity);
    for window in screen.windows.iter().filter(|w| w.takes_touches()) {
        hasher.u64(window.kind as u64).str(&window.package).u64(window.widgets.len() as u64);
        for widget in &window.widgets {
            let flags = widget.flags - Flags::PASSING;
            hasher.u64(u64::from(widget.depth) << 32 | u64::from(flags.bits()));
            hasher.str(&widget.class).str(&widget.id).str(&widget.description);
            if !widget.has(Flags::EDITABLE) {
                hasher.str(&widget.text);
            }
        }
    }
    hasher.finish()
}
