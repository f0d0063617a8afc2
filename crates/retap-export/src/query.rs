//! How scripts name a widget. A selector keeps all that is known of it; a query keeps what other tools can ask for.

use retap_model::{Selector, Target};

/// The properties by which a script finds a widget. At least one is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Query<'a> {
    /// The resource id without its package: a widget's id may belong to the app, a library or Android.
    pub id: Option<&'a str>,
    pub text: Option<Text<'a>>,
    pub description: Option<&'a str>,
}

/// A text that a widget shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Text<'a> {
    pub value: &'a str,
    /// True if the widget shows more than this.
    pub is_cut: bool,
}

/// The ends of class names of widgets whose text is their own. The text of others is that of a widget inside.
const SHOW_TEXT: [&str; 7] =
    ["TextView", "Button", "EditText", "CheckBox", "Switch", "Chip", "SwitchCompat"];

impl<'a> Query<'a> {
    /// Returns the query for a target; `None` if only its place is known.
    pub fn of(target: &'a Target) -> Option<Self> {
        let Selector { id, class, text, description, .. } = target.on.as_ref()?;
        let given = |text: &'a str| (!text.is_empty()).then_some(text);
        let text = given(text).map(Text::of);
        if text.is_some() && !shows_own_text(class) {
            // A touch of the widget inside is a touch of the widget.
            return Some(Self { id: None, text, description: None });
        }
        let query = Self { id: given(id), text, description: given(description) };
        (query != Self { id: None, text: None, description: None }).then_some(query)
    }

    /// Returns a regular expression for the whole resource id.
    pub fn id_pattern(&self) -> Option<String> {
        self.id.map(|id| format!(".*:id/{}", regex::escape(id)))
    }
}

impl<'a> Text<'a> {
    fn of(value: &'a str) -> Self {
        Self { value, is_cut: value.chars().count() >= Selector::TEXT_LIMIT }
    }

    /// Returns a regular expression for the whole text.
    pub fn pattern(&self) -> String {
        let rest = if self.is_cut { "(?s:.*)" } else { "" };
        regex::escape(self.value) + rest
    }
}

fn shows_own_text(class: &str) -> bool {
    !class.ends_with("ImageButton") && SHOW_TEXT.iter().any(|end| class.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn query(class: &str, text: &str) -> Selector {
        Selector { id: "row".into(), class: class.into(), text: text.into(), ..Selector::default() }
    }

    #[test]
    fn a_button_is_found_by_id_and_text_and_a_row_by_the_text_inside() {
        let target = |selector| Target { on: Some(selector), at: None };
        let button = target(query("android.widget.Button", "Add"));
        let row = target(query("android.widget.LinearLayout", "Ideas"));
        assert_eq!(Query::of(&button).map(|q| q.id), Some(Some("row")));
        assert_eq!(Query::of(&row).map(|q| q.id), Some(None));
        assert_eq!(Query::of(&row).and_then(|q| q.text).map(|t| t.value), Some("Ideas"));
    }

    #[test]
    fn a_widget_without_name_has_no_query() {
        let path = Selector { path: Some("0.1".into()), ..Selector::default() };
        assert_eq!(Query::of(&Target { on: Some(path), at: None }), None);
        assert_eq!(Query::of(&Target::default()), None);
    }

    #[test]
    fn a_text_that_the_selector_cut_matches_more() {
        let long = "a".repeat(Selector::TEXT_LIMIT);
        assert!(Text::of(&long).pattern().ends_with("(?s:.*)"));
        assert_eq!(Text::of("1+1?").pattern(), r"1\+1\?");
    }
}
