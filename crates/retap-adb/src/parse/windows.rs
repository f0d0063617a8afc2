//! `dumpsys window`: which window has the focus and what kind it is, in the words of Android 5 to 16.

use super::activities::PhoneActivity;
use retap_model::WindowKind;
use std::collections::BTreeMap;

/// What the window manager says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OpenWindows {
    pub focus: Option<FocusedWindow>,
    pub focused_app: Option<PhoneActivity>,
    /// The type of each window by its number, as the window manager prints it.
    types: BTreeMap<String, String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FocusedWindow {
    pub number: String,
    pub title: String,
}

/// A window of the system that means something for the app behind it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SystemDialog {
    /// "… has stopped".
    Crashed { process: String },
    /// "… isn't responding".
    NotResponding { process: String },
}

impl OpenWindows {
    /// What a phone needs to send of `dumpsys window`.
    pub const FILTER: &str = "Window #|mCurrentFocus=|mFocusedApp=| ty=";

    pub fn parse(text: &str) -> Self {
        let mut found = Self::default();
        let mut number = None;
        for line in text.lines().map(str::trim) {
            if line.starts_with("Window #") {
                number = window(line).map(|window| window.number);
            } else if let Some(rest) = line.strip_prefix("mCurrentFocus=") {
                // Each display has its line, and all but one are null.
                found.focus = found.focus.or_else(|| window(rest));
            } else if let Some(rest) = line.strip_prefix("mFocusedApp=") {
                found.focused_app = found.focused_app.or_else(|| PhoneActivity::in_record(rest));
            } else if let (Some(number), Some(kind)) = (&number, window_type(line)) {
                found.types.entry(number.clone()).or_insert_with(|| kind.to_string());
            }
        }
        found
    }

    /// Returns the kind of the window with the focus, if it is known.
    pub fn kind(&self) -> Option<WindowKind> {
        let focus = self.focus.as_ref()?;
        self.types.get(&focus.number).and_then(|name| kind(name))
    }

    /// Returns the package of the focused window, as far as its title names it.
    pub fn focused_package(&self) -> Option<&str> {
        let named = self.focus.as_ref().and_then(|focus| PhoneActivity::parse(&focus.title));
        match named {
            Some(_) => self.focus.as_ref()?.title.split('/').next(),
            None => self.focused_app.as_ref().map(|app| app.package.as_str()),
        }
    }

    pub fn system_dialog(&self) -> Option<SystemDialog> {
        let title = &self.focus.as_ref()?.title;
        let after =
            |words: &str| title.strip_prefix(words).map(|process| process.trim().to_string());
        if let Some(process) = after("Application Error:") {
            return Some(SystemDialog::Crashed { process });
        }
        after("Application Not Responding:").map(|process| SystemDialog::NotResponding { process })
    }
}

/// Parses `Window{4c2 u0 title}`; a window that is about to go says `EXITING`.
fn window(text: &str) -> Option<FocusedWindow> {
    let inside = text.split_once("Window{")?.1;
    let inside = inside.split_once('}').map_or(inside, |(inside, _)| inside);
    let mut words = inside.splitn(3, ' ');
    let number = words.next()?.to_string();
    let user = words.next()?;
    // Before Android 5 the user stood elsewhere; a word that is no user belongs to the title.
    let rest = words.next().unwrap_or_default();
    let is_user = user.starts_with('u') && user[1..].bytes().all(|b| b.is_ascii_digit());
    let title = if is_user { rest.to_string() } else { format!("{user} {rest}") };
    let title = title.trim_end_matches(" EXITING").trim().to_string();
    Some(FocusedWindow { number, title })
}

fn window_type(line: &str) -> Option<&str> {
    let rest = line.split_once(" ty=")?.1;
    Some(rest.split([' ', '}']).next().unwrap_or(rest))
}

/// Android 5 to 8 print numbers, later versions names.
fn kind(name: &str) -> Option<WindowKind> {
    Some(match name {
        "1" | "BASE_APPLICATION" | "3" | "APPLICATION_STARTING" => WindowKind::Activity,
        "2" | "APPLICATION" => WindowKind::Dialog,
        // Android itself has no other use for it than menus.
        "1003" | "APPLICATION_ATTACHED_DIALOG" => WindowKind::Menu,
        "1000"
        | "APPLICATION_PANEL"
        | "1002"
        | "APPLICATION_SUB_PANEL"
        | "1005"
        | "APPLICATION_ABOVE_SUB_PANEL" => WindowKind::Popup,
        "2005" | "TOAST" => WindowKind::Toast,
        "2011" | "INPUT_METHOD" | "2012" | "INPUT_METHOD_DIALOG" => WindowKind::Keyboard,
        number if number.starts_with('2') => WindowKind::Outside,
        name if name.chars().all(|c| c.is_ascii_uppercase() || c == '_') && !name.is_empty() => {
            WindowKind::Outside
        }
        _ => return None,
    })
}
