//! `dumpsys window`: the windows from front to back, the focus and the display.

use super::{record, size, turns};
use crate::phone::PhoneState;
use retap_model::{Window, WindowKind};
use std::fmt::Write;

pub fn dump(state: &PhoneState) -> String {
    let front = state.front_activity();
    let screen = state.screen();
    let focused = screen.reachable().next().map(|(index, _)| index).unwrap_or_default();
    let title = |index: usize, window: &Window| match window.kind {
        WindowKind::Popup => format!("PopupWindow:{index:x}"),
        WindowKind::Toast => "Toast".to_string(),
        WindowKind::Keyboard => "InputMethod".to_string(),
        // A dialog has its activity's name.
        _ => format!("{}/{}", front.package, front.class),
    };
    let name = |index: usize, window: &Window| {
        format!("Window{{4c{:05x}{index} u0 {}}}", front.pid, title(index, window))
    };
    let mut text = String::from("WINDOW MANAGER WINDOWS (dumpsys window windows)\n");
    for (number, (index, window)) in screen.windows.iter().enumerate().rev().enumerate() {
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "  Window #{number} {}:\n    mDisplayId=0 mAttrs={{(0,0)(fillxfill) ty={}}}\n    isOnScreen=true",
            name(index, window),
            type_name(window.kind)
        );
    }
    let focus = screen.windows.get(focused).map_or("null".into(), |window| name(focused, window));
    let (display, awake) = (state.display(), state.is_awake);
    let ((width, height), turns) = (size(state), turns(state));
    let (least, most) = (width.min(height), width.max(height));
    text + &format!(
        "WINDOW MANAGER DISPLAY CONTENTS (dumpsys window displays)\n\
         \x20 Display: mDisplayId=0\n\
         \x20   init={}x{} {}dpi cur={width}x{height} app={width}x{height} rng={least}x{least}-{most}x{most}\n\
         \x20   mRotation={turns} mCurrentRotation=ROTATION_{}\n\
         \x20 mCurrentFocus={focus}\n\
         \x20 mFocusedApp={}\n\
         \x20 mAwake={awake} mScreenOnEarly={awake} mScreenOnFully={awake}\n\
         \x20 mDreamingLockscreen=false mShowingLockscreen=false isStatusBarKeyguard=false\n\
         \x20   interactiveState=INTERACTIVE_STATE_{}\n",
        display.width,
        display.height,
        display.dpi,
        turns * 90,
        record(&front),
        if awake { "AWAKE" } else { "SLEEP" },
    )
}

fn type_name(kind: WindowKind) -> &'static str {
    match kind {
        WindowKind::Activity | WindowKind::Outside => "BASE_APPLICATION",
        WindowKind::Dialog => "APPLICATION",
        WindowKind::Menu => "APPLICATION_ATTACHED_DIALOG",
        WindowKind::Popup => "APPLICATION_PANEL",
        WindowKind::Keyboard => "INPUT_METHOD",
        WindowKind::Toast => "TOAST",
    }
}
