//! The widgets of a screen, one line of the file each.

use crate::fake::language::declaration::Declarations;
use crate::fake::language::expression::{Expr, Fact, NameScope};
use crate::fake::language::template::Template;
use crate::fake::language::value::ValueKind;
use retap_model::Flags;
use retap_model::text::SyntaxError;
use retap_model::text::TokenCursor;

#[derive(Debug)]
pub(crate) struct WidgetSpec {
    pub kind: WidgetSpecKind,
    /// `package:id/name`.
    pub id: String,
    /// The text of a list's items, the hint of an edit, or else the widget's own text.
    pub text: Template,
    pub description: Template,
    pub visible: Option<Expr>,
    pub enabled: Option<Expr>,
    pub flags: Flags,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum WidgetSpecKind {
    Label,
    Button,
    Image,
    /// `slot` is the variable of the text.
    Edit {
        slot: usize,
    },
    /// `slot` is the variable that is true if the box is checked.
    Check {
        slot: usize,
    },
    /// `slot` is the variable of the scroll position: the number of items scrolled out at the top.
    List {
        slot: usize,
        count: Expr,
    },
}

impl WidgetSpec {
    /// Returns the slots of the variables that the widget's look depends on.
    pub fn variables(&self) -> Vec<usize> {
        let mut slots = Vec::new();
        let mut visit = |slot| slots.push(slot);
        self.text.variables(&mut visit);
        self.description.variables(&mut visit);
        for condition in self.visible.iter().chain(&self.enabled) {
            condition.variables(&mut visit);
        }
        match &self.kind {
            WidgetSpecKind::Edit { slot } | WidgetSpecKind::Check { slot } => visit(*slot),
            WidgetSpecKind::List { slot, count } => {
                visit(*slot);
                count.variables(&mut visit);
            }
            WidgetSpecKind::Label | WidgetSpecKind::Button | WidgetSpecKind::Image => {}
        }
        slots
    }
}

/// Parses a whole line, starting at the kind of widget.
pub(crate) fn parse(
    cursor: &mut TokenCursor<'_>,
    declared: &Declarations,
    package: &str,
) -> Result<WidgetSpec, SyntaxError> {
    let word = cursor.expect_word("a widget")?;
    let name = cursor.expect_word("the widget's name")?;
    let scope = NameScope { variables: &declared.variables, facts: &[Fact::Orientation] };
    let item_scope = NameScope { facts: &[Fact::Orientation, Fact::Row], ..scope };
    let slot = || match declared.variables.get(name) {
        Some((slot, _)) => *slot,
        None => panic!("the first pass declared no variable for the widget {name}"),
    };
    let touched = Flags::CLICKABLE | Flags::FOCUSABLE;
    let (kind, flags) = match word {
        "button" => (WidgetSpecKind::Button, touched),
        "edit" => (WidgetSpecKind::Edit { slot: slot() }, touched | Flags::EDITABLE),
        "check" => (WidgetSpecKind::Check { slot: slot() }, touched | Flags::CHECKABLE),
        "list" => {
            cursor.expect("of")?;
            let count = Expr::parse(cursor, scope, ValueKind::Int)?;
            (WidgetSpecKind::List { slot: slot(), count }, Flags::SCROLLABLE)
        }
        "image" => (WidgetSpecKind::Image, Flags::empty()),
        _ => (WidgetSpecKind::Label, Flags::empty()),
    };
    let text_scope = if word == "list" { item_scope } else { scope };
    let spec = WidgetSpec {
        kind,
        id: format!("{package}:id/{name}"),
        text: Template::parse(cursor.expect_text("its \"text\"")?, cursor.line(), text_scope)?,
        description: Template::default(),
        visible: None,
        enabled: None,
        flags,
    };
    parse_options(cursor, scope, spec)
}

fn parse_options(
    cursor: &mut TokenCursor<'_>,
    scope: NameScope<'_>,
    mut spec: WidgetSpec,
) -> Result<WidgetSpec, SyntaxError> {
    while cursor.peek().is_some() {
        if cursor.take("when") {
            spec.visible = Some(Expr::parse(cursor, scope, ValueKind::Bool)?);
        } else if cursor.take("enabled") {
            spec.enabled = Some(Expr::parse(cursor, scope, ValueKind::Bool)?);
        } else if cursor.take("described") {
            spec.description =
                Template::parse(cursor.expect_text("a \"text\"")?, cursor.line(), scope)?;
        } else if cursor.take("password") {
            spec.flags |= Flags::PASSWORD;
        } else if cursor.take("cut") {
            spec.flags |= Flags::TEXT_CUT;
        } else if cursor.take("offscreen") {
            spec.flags |= Flags::OFF_SCREEN;
        } else {
            let expected = "when, enabled, described, password, cut, offscreen or the end";
            return Err(cursor.expected(expected));
        }
    }
    Ok(spec)
}
