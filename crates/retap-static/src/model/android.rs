//! What the analysis knows of Android by heart, so that it needs no set-up: the kinds of framework classes that windows
//! extend, the calls that register handlers, and the calls that lead from one window to another.

use super::{InputEvent, framework};

/// The kind of thing that a framework or library class is, as far as windows go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FrameworkKind {
    Activity,
    Fragment,
    Dialog,
    DialogBuilder,
    PopupMenu,
}

/// Returns the kind of a class that the app does not define, or that a library defines: by what Android's class extends, or by a
/// library's name. The packages of one class changed over the years (`android.support`, `androidx`); its name did not.
pub fn framework_kind(descriptor: &str) -> Option<FrameworkKind> {
    const ROOTS: [(&str, FrameworkKind); 5] = [
        ("android/app/Activity", FrameworkKind::Activity),
        ("android/app/Fragment", FrameworkKind::Fragment),
        ("android/app/Dialog", FrameworkKind::Dialog),
        ("android/app/AlertDialog$Builder", FrameworkKind::DialogBuilder),
        ("android/widget/PopupMenu", FrameworkKind::PopupMenu),
    ];
    let lineage = framework::lineage(descriptor);
    if !lineage.is_empty() {
        return ROOTS.iter().find(|it| lineage.contains(&it.0)).map(|it| it.1);
    }
    let path = descriptor.trim_start_matches('L').trim_end_matches(';');
    let is_android = [
        "android/",
        "androidx/",
        "com/google/android/material/",
        "com/actionbarsherlock/",
        "roboguice/",
    ]
    .iter()
    .any(|prefix| path.starts_with(prefix));
    is_android.then_some(())?;
    let name = path.rsplit('/').next()?;
    if name.ends_with("Dialog$Builder") || name == "MaterialAlertDialogBuilder" {
        return Some(FrameworkKind::DialogBuilder);
    }
    if name.contains('$') {
        return None;
    }
    if name.ends_with("Activity") {
        return Some(FrameworkKind::Activity);
    }
    if name.ends_with("Fragment") || name.ends_with("FragmentCompat") {
        return Some(FrameworkKind::Fragment);
    }
    if name.ends_with("Dialog") {
        return Some(FrameworkKind::Dialog);
    }
    (name == "PopupMenu").then_some(FrameworkKind::PopupMenu)
}

/// Returns the beginnings of the names of layouts that libraries find by theme, so that no code mentions them, for a window
/// that uses these classes.
pub fn library_frames(classes: &[String]) -> Vec<&'static str> {
    const FRAMES: [(&str, &[&str]); 2] = [
        ("/app/AlertDialog", &["@layout/abc_alert_dialog", "@layout/select_dialog"]),
        ("/preference/Preference", &["@layout/preference"]),
    ];
    let used = FRAMES.iter().filter(|(part, _)| classes.iter().any(|it| it.contains(part)));
    used.flat_map(|(_, layouts)| layouts.iter().copied()).collect()
}

/// Returns the event that a call registers a handler for, by the name of the called method.
pub fn registered_event(method: &str) -> Option<InputEvent> {
    Some(match method {
        "setOnClickListener" | "setNavigationOnClickListener" => InputEvent::Click,
        "setOnLongClickListener" => InputEvent::LongClick,
        "setOnItemClickListener" | "setOnChildClickListener" | "setOnGroupClickListener" => {
            InputEvent::ItemClick
        }
        "setOnItemLongClickListener" => InputEvent::ItemLongClick,
        "setOnItemSelectedListener"
        | "setOnNavigationItemSelectedListener"
        | "setNavigationItemSelectedListener"
        | "addOnTabSelectedListener" => InputEvent::ItemSelected,
        "setOnCheckedChangeListener" => InputEvent::CheckedChange,
        "addTextChangedListener" | "setOnQueryTextListener" => InputEvent::TextChange,
        "setOnEditorActionListener" => InputEvent::EditorAction,
        "setOnTouchListener" => InputEvent::Touch,
        "setOnMenuItemClickListener" => InputEvent::Click,
        "setOnDismissListener" | "setOnCancelListener" => InputEvent::Dismiss,
        "setOnSeekBarChangeListener" | "setOnRatingBarChangeListener" => InputEvent::Swipe,
        "setOnRefreshListener" | "addOnPageChangeListener" | "setOnPageChangeListener" => {
            InputEvent::Swipe
        }
        "setOnPreferenceClickListener" | "setOnPreferenceChangeListener" => InputEvent::Preference,
        "setOnKeyListener" => InputEvent::Key,
        name if names_listener(name) => InputEvent::Other,
        _ => return None,
    })
}

/// Returns true for calls such as `setOnChronometerTickListener`, `addDrawerListener` and `setNavigationOnClickListener`.
fn names_listener(method: &str) -> bool {
    let begins = ["set", "add"].iter().any(|it| method.starts_with(it));
    begins && method.ends_with("Listener")
}

/// Returns the id of the button that a dialog's builder is told about.
pub fn dialog_button(method: &str) -> Option<&'static str> {
    match method {
        "setPositiveButton" => Some("@android:id/button1"),
        "setNegativeButton" => Some("@android:id/button2"),
        "setNeutralButton" => Some("@android:id/button3"),
        _ => None,
    }
}

/// Returns the id of the button that `Dialog.setButton` is told about, by its number.
pub fn numbered_button(method: &str, number: Option<i64>) -> Option<&'static str> {
    match (method, number) {
        ("setButton2", _) | ("setButton", Some(-2)) => Some("@android:id/button2"),
        ("setButton3", _) | ("setButton", Some(-3)) => Some("@android:id/button3"),
        ("setButton", _) => Some("@android:id/button1"),
        _ => None,
    }
}

/// Returns true for calls that show the menu of an action mode.
pub fn starts_action_mode(method: &str) -> bool {
    ["startActionMode", "startSupportActionMode", "setMultiChoiceModeListener"].contains(&method)
}

/// Returns true for the calls that give a dialog a list to choose from.
pub fn is_dialog_list(method: &str) -> bool {
    ["setItems", "setSingleChoiceItems", "setMultiChoiceItems", "setAdapter", "setCursor"]
        .contains(&method)
}

/// Returns the event that a callback of a window handles.
pub fn callback_event(method: &str) -> Option<InputEvent> {
    Some(match method {
        "onBackPressed" => InputEvent::Back,
        "onListItemClick" => InputEvent::ItemClick,
        "onPreferenceTreeClick" | "onPreferenceClick" | "onPreferenceChange" => {
            InputEvent::Preference
        }
        "onKeyDown" | "onKeyUp" | "onKeyLongPress" => InputEvent::Key,
        "onTouchEvent" => InputEvent::Touch,
        "onActivityResult" | "onRequestPermissionsResult" => InputEvent::Result,
        name if LIFECYCLE.contains(&name) => InputEvent::Lifecycle,
        _ => return None,
    })
}

/// Returns true for callbacks of windows that an input of a user triggers.
pub fn is_window_input(method: &str) -> bool {
    let of_menus = ["onOptionsItemSelected", "onContextItemSelected", "onMenuItemSelected"];
    let event = callback_event(method);
    of_menus.contains(&method)
        || event.is_some_and(|it| !matches!(it, InputEvent::Lifecycle | InputEvent::Result))
}

/// Returns the event that a callback of a view or a preference handles.
pub fn view_callback_event(method: &str) -> Option<InputEvent> {
    Some(match method {
        "onClick" | "onDialogClosed" | "callChangeListener" => InputEvent::Preference,
        "performClick" => InputEvent::Click,
        "performLongClick" => InputEvent::LongClick,
        "onTouchEvent" | "onInterceptTouchEvent" | "dispatchTouchEvent" => InputEvent::Touch,
        "onKeyDown" | "onKeyUp" | "onKeyPreIme" => InputEvent::Key,
        _ => return None,
    })
}

/// Returns true for callbacks that an input of their own triggers, by name: those of listeners for widgets, menus, dialogs,
/// drawers, tabs, pages and gestures. Callbacks of background work are none.
pub fn is_input_callback(method: &str) -> bool {
    const EXACT: [&str; 12] = [
        "onClick",
        "onLongClick",
        "onMenuItemClick",
        "beforeTextChanged",
        "afterTextChanged",
        "onDown",
        "onFling",
        "onMove",
        "onRefresh",
        "onDateSet",
        "onTimeSet",
        "onActionItemClicked",
    ];
    const BEGINNINGS: [&str; 26] = [
        "onCancel",
        "onCheckedChange",
        "onChildClick",
        "onDismiss",
        "onDoubleTap",
        "onDrag",
        "onDrawer",
        "onEditorAction",
        "onFocusChange",
        "onGroup",
        "onItem",
        "onKey",
        "onLongPress",
        "onNavigationItem",
        "onPage",
        "onPreference",
        "onProgressChanged",
        "onQueryText",
        "onRatingChanged",
        "onScroll",
        "onSingleTap",
        "onSuggestion",
        "onSwipe",
        "onTab",
        "onTextChanged",
        "onTouch",
    ];
    EXACT.contains(&method) || BEGINNINGS.iter().any(|it| method.starts_with(it))
}

/// Returns true for calls that show the button that leads up.
pub fn shows_up_button(method: &str) -> bool {
    ["setDisplayHomeAsUpEnabled", "setHomeButtonEnabled", "setDisplayOptions"].contains(&method)
}

const LIFECYCLE: [&str; 30] = [
    "attachBaseContext",
    "onAttach",
    "onAttachFragment",
    "onCreate",
    "onCreateView",
    "onViewCreated",
    "onActivityCreated",
    "onViewStateRestored",
    "onStart",
    "onPostCreate",
    "onRestart",
    "onResume",
    "onPostResume",
    "onPause",
    "onStop",
    "onDestroyView",
    "onDestroy",
    "onDetach",
    "onSaveInstanceState",
    "onRestoreInstanceState",
    "onNewIntent",
    "onConfigurationChanged",
    "onWindowFocusChanged",
    "onLowMemory",
    "onTrimMemory",
    "onCreateDialog",
    "onCreatePreferences",
    "onPrepareDialog",
    "onUserLeaveHint",
    "onHiddenChanged",
];

/// Returns true for calls that start an activity by an intent.
pub fn starts_activity(method: &str) -> bool {
    method.starts_with("startActivity")
        || method == "startActivities"
        || method == "startNextMatchingActivity"
        || method == "startIntentSender"
}

/// Returns true for calls that close a dialog.
pub fn dismisses(method: &str) -> bool {
    ["dismiss", "dismissAllowingStateLoss", "dismissNow", "cancel"].contains(&method)
}

/// Returns true for calls that close the window.
pub fn finishes(method: &str) -> bool {
    [
        "finish",
        "onBackPressed",
        "finishAfterTransition",
        "finishAffinity",
        "finishAndRemoveTask",
        "navigateUpFromSameTask",
        "navigateUpTo",
    ]
    .contains(&method)
}
