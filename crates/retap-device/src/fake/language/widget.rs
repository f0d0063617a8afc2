//! One widget of a screen, as its line describes it.

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
    /// For a list, the text of its items; for an edit, its hint.
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
    /// `slot` holds the text.
    Edit {
        slot: usize,
    },
    /// `slot` holds whether it is checked.
    Check {
        slot: usize,
    },
    /// `slot` holds how many items are scrolled out at the top.
    List {
        slot: usize,
        count: Expr,
    },
}

impl WidgetSpec {
    /// Slots of the variables that can change how it looks.
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

/// A whole line, from the kind of widget on.
pub(crate) fn parse(
    cursor: &mut TokenCursor<'_>,
    declared: &Declarations,
    package: &str,
) -> Result<WidgetSpec, SyntaxError> {
    let word = cursor.expect_word("a widget")?;
    let name = cursor.expect_word("the widget's name")?;
    let scope = NameScope { variables: &declared.variables, facts: &[Fact::Orientation] };
    let item_scope = NameScope { facts: &[Fact::Orientation, Fact::Row], ..scope };
    // Edits, checks and lists have a variable of their name since the first pass.
    let slot = declared.variables.get(name).map_or(0, |(slot, _)| *slot);
    let touched = Flags::CLICKABLE | Flags::FOCUSABLE;
    let (kind, flags) = match word {
        "button" => (WidgetSpecKind::Button, touched),
        "edit" => (WidgetSpecKind::Edit { slot }, touched | Flags::EDITABLE),
        "check" => (WidgetSpecKind::Check { slot }, touched | Flags::CHECKABLE),
        "list" => {
            cursor.expect("of")?;
            let count = Expr::parse(cursor, scope, ValueKind::Int)?;
            (WidgetSpecKind::List { slot, count }, Flags::SCROLLABLE)
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
