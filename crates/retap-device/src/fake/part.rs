//! One widget of a screen, as its line describes it.

use super::cursor::Cursor;
use super::declaration::Declarations;
use super::error::Problem;
use super::expr::{Expr, Fact, Scope};
use super::template::Template;
use super::value::Kind;
use retap_model::Flags;

#[derive(Debug)]
pub(super) struct Part {
    pub kind: PartKind,
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
pub(super) enum PartKind {
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

impl Part {
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
            PartKind::Edit { slot } | PartKind::Check { slot } => visit(*slot),
            PartKind::List { slot, count } => {
                visit(*slot);
                count.variables(&mut visit);
            }
            PartKind::Label | PartKind::Button | PartKind::Image => {}
        }
        slots
    }
}

/// A whole line, from the kind of widget on.
pub(super) fn parse(
    cursor: &mut Cursor<'_>,
    declared: &Declarations,
    package: &str,
) -> Result<Part, Problem> {
    let word = cursor.word("a widget")?;
    let name = cursor.word("the widget's name")?;
    let scope = Scope { variables: &declared.variables, facts: &[Fact::Orientation] };
    let item_scope = Scope { facts: &[Fact::Orientation, Fact::Row], ..scope };
    // Edits, checks and lists have a variable of their name since the first pass.
    let slot = declared.variables.get(name).map_or(0, |(slot, _)| *slot);
    let touched = Flags::CLICKABLE | Flags::FOCUSABLE;
    let (kind, flags) = match word {
        "button" => (PartKind::Button, touched),
        "edit" => (PartKind::Edit { slot }, touched | Flags::EDITABLE),
        "check" => (PartKind::Check { slot }, touched | Flags::CHECKABLE),
        "list" => {
            cursor.symbol("of")?;
            let count = Expr::parse(cursor, scope, Kind::Int)?;
            (PartKind::List { slot, count }, Flags::SCROLLABLE)
        }
        "image" => (PartKind::Image, Flags::empty()),
        _ => (PartKind::Label, Flags::empty()),
    };
    let text_scope = if word == "list" { item_scope } else { scope };
    let part = Part {
        kind,
        id: format!("{package}:id/{name}"),
        text: Template::parse(cursor.text("its \"text\"")?, cursor.line, text_scope)?,
        description: Template::default(),
        visible: None,
        enabled: None,
        flags,
    };
    parse_options(cursor, scope, part)
}

fn parse_options(
    cursor: &mut Cursor<'_>,
    scope: Scope<'_>,
    mut part: Part,
) -> Result<Part, Problem> {
    while cursor.peek().is_some() {
        if cursor.take("when") {
            part.visible = Some(Expr::parse(cursor, scope, Kind::Bool)?);
        } else if cursor.take("enabled") {
            part.enabled = Some(Expr::parse(cursor, scope, Kind::Bool)?);
        } else if cursor.take("described") {
            part.description = Template::parse(cursor.text("a \"text\"")?, cursor.line, scope)?;
        } else if cursor.take("password") {
            part.flags |= Flags::PASSWORD;
        } else if cursor.take("cut") {
            part.flags |= Flags::TEXT_CUT;
        } else if cursor.take("offscreen") {
            part.flags |= Flags::OFF_SCREEN;
        } else {
            let expected = "when, enabled, described, password, cut, offscreen or the end";
            return Err(cursor.expected(expected));
        }
    }
    Ok(part)
}
