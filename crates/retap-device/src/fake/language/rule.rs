//! Rules: one `on` line names a screen, an event and a widget, a condition, the goal and the
//! effects.

use crate::fake::language::declaration::Declarations;
use crate::fake::language::expression::{Expr, Fact, NameScope};
use crate::fake::language::gesture::Gesture;
use crate::fake::language::value::ValueKind;
use retap_model::text::SyntaxError;
use retap_model::text::TokenCursor;
use retap_model::{Coverage, Crash, Loss, Unit, UnitId, UnitKind};
use std::collections::BTreeMap;
use std::sync::Arc;

#[derive(Debug)]
pub(crate) struct ScreenRule {
    /// `None` for every screen.
    pub screen: Option<usize>,
    pub gesture: Gesture,
    pub widget: Option<String>,
    pub detail: Option<String>,
    pub guard: Option<Expr>,
    pub chance: Option<f64>,
    pub goal: RuleGoal,
    pub effect: RuleEffect,
    pub line: usize,
}

#[derive(Debug)]
pub(crate) enum RuleGoal {
    Screen(usize),
    Stay,
    Back,
    Exit,
    Left(Arc<str>),
    Hang(Arc<Crash>),
    Crash(Arc<Crash>),
    /// The device lacks this and ends the app.
    Lacks(String),
    /// The device is lost, for this reason.
    Lose(Loss),
}

#[derive(Debug)]
pub(crate) struct RuleEffect {
    pub sets: Vec<(usize, Expr)>,
    pub coverage: Arc<Coverage>,
    pub takes: u64,
    /// The texts that the app logs.
    pub log: Vec<String>,
}

/// Milliseconds that an event takes by default.
const DEFAULT_TAKES: u64 = 100;

/// Words that end the name of a widget or a detail.
const STOPS: [&str; 2] = ["if", "chance"];
const CLAUSES: [&str; 4] = ["set", "covers", "takes", "logs"];

/// The code units in the order in which the file names them.
#[derive(Debug, Default)]
pub(crate) struct UnitTable {
    ids: BTreeMap<(UnitKind, String), UnitId>,
    pub units: Vec<Unit>,
}

impl UnitTable {
    /// Returns the id of a unit and adds it if it is new. `line:p.Main.f:17` has a kind; a bare
    /// name is a branch.
    pub fn id(&mut self, text: &str) -> UnitId {
        let of_kind = UnitKind::ALL.iter().find_map(|kind| {
            let name = text.strip_prefix(&format!("{kind}:"))?;
            Some((*kind, name.to_string()))
        });
        let (kind, name) = of_kind.unwrap_or((UnitKind::Branch, text.to_string()));
        let units = &mut self.units;
        *self.ids.entry((kind, name.clone())).or_insert_with(|| {
            units.push(Unit { kind, name, weight: 1 });
            (units.len() - 1) as UnitId
        })
    }
}

/// Parses everything after `on`.
pub(crate) fn parse(
    cursor: &mut TokenCursor<'_>,
    declared: &Declarations,
    units: &mut UnitTable,
) -> Result<ScreenRule, SyntaxError> {
    let screen = if cursor.take("*") { None } else { Some(declared.screen(cursor)?) };
    let gesture = cursor.peek().and_then(|token| Gesture::named(&token.text));
    let gesture =
        gesture.ok_or_else(|| cursor.expected(&format!("one of {}", Gesture::names())))?;
    cursor.take_any();
    let widget = parse_widget(cursor, declared, screen, gesture)?;
    let detail = cursor.take_word_except(&STOPS).map(str::to_string);
    if let Some(detail) = &detail {
        gesture.check_detail(detail).map_err(|message| cursor.error(message))?;
    }
    let facts = [Fact::Typed, Fact::Row, Fact::Events, Fact::Orientation];
    let scope = NameScope { variables: &declared.variables, facts: &facts };
    let guard =
        cursor.take("if").then(|| Expr::parse(cursor, scope, ValueKind::Bool)).transpose()?;
    let chance = if cursor.take("chance") { Some(parse_chance(cursor)?) } else { None };
    cursor.expect("->")?;
    let goal = parse_goal(cursor, declared)?;
    let effect = parse_effect(cursor, scope, units)?;
    let line = cursor.line();
    Ok(ScreenRule { screen, gesture, widget, detail, guard, chance, goal, effect, line })
}

fn parse_widget(
    cursor: &mut TokenCursor<'_>,
    declared: &Declarations,
    screen: Option<usize>,
    gesture: Gesture,
) -> Result<Option<String>, SyntaxError> {
    let Some(token) = cursor.peek().filter(|_| gesture.is_placed()) else { return Ok(None) };
    let name = token.text.as_str();
    if STOPS.contains(&name) || name == "->" || gesture.check_detail(name).is_ok() {
        return Ok(None);
    }
    if !declared.has_widget(screen, name) {
        let place = if screen.is_some() { "that screen" } else { "some screen" };
        return Err(cursor.expected(&format!("a widget of {place}")));
    }
    cursor.take_any();
    Ok(Some(name.to_string()))
}

fn parse_chance(cursor: &mut TokenCursor<'_>) -> Result<f64, SyntaxError> {
    let expected = cursor.expected("a probability from 0 to 1");
    let chance: f64 = cursor.expect_number("a probability from 0 to 1")?;
    if (0.0..=1.0).contains(&chance) { Ok(chance) } else { Err(expected) }
}

fn parse_goal(
    cursor: &mut TokenCursor<'_>,
    declared: &Declarations,
) -> Result<RuleGoal, SyntaxError> {
    if cursor.take("stay") {
        Ok(RuleGoal::Stay)
    } else if cursor.take("back") {
        Ok(RuleGoal::Back)
    } else if cursor.take("exit") {
        Ok(RuleGoal::Exit)
    } else if cursor.take("left") {
        Ok(RuleGoal::Left(cursor.expect_word("the package that comes to the front")?.into()))
    } else if cursor.take("crash") {
        Ok(RuleGoal::Crash(declared.crash(cursor)?))
    } else if cursor.take("hang") {
        Ok(RuleGoal::Hang(declared.crash(cursor)?))
    } else if cursor.take("lacks") {
        Ok(RuleGoal::Lacks(cursor.expect_text("what is missing, as a \"text\"")?.to_string()))
    } else if cursor.take("lose") {
        Ok(RuleGoal::Lose(Loss::new(cursor.expect_text("why it is lost, as a \"text\"")?)))
    } else {
        Ok(RuleGoal::Screen(declared.screen(cursor)?))
    }
}

/// Parses `set a = 1, b = 2`, `covers u1 u2`, `takes 300` and `logs "text"`, in any order, up to
/// the end of the line.
pub(crate) fn parse_effect(
    cursor: &mut TokenCursor<'_>,
    scope: NameScope<'_>,
    units: &mut UnitTable,
) -> Result<RuleEffect, SyntaxError> {
    let mut sets = Vec::new();
    let mut coverage = Coverage::new();
    let mut takes = DEFAULT_TAKES;
    let mut log = Vec::new();
    while cursor.peek().is_some() {
        if cursor.take("set") {
            sets.push(parse_set(cursor, scope)?);
            while cursor.take(",") {
                sets.push(parse_set(cursor, scope)?);
            }
        } else if cursor.take("covers") {
            let first = take_unit(cursor).ok_or_else(|| cursor.expected("a unit"))?;
            coverage.insert(units.id(first));
            while let Some(unit) = take_unit(cursor) {
                coverage.insert(units.id(unit));
            }
        } else if cursor.take("takes") {
            takes = u64::from(cursor.expect_number::<u32>("milliseconds")?);
        } else if cursor.take("logs") {
            log.push(cursor.expect_text("a \"text\"")?.to_string());
        } else {
            return Err(cursor.expected("set, covers, takes, logs or the end of the line"));
        }
    }
    Ok(RuleEffect { sets, coverage: Arc::new(coverage), takes, log })
}

fn parse_set(
    cursor: &mut TokenCursor<'_>,
    scope: NameScope<'_>,
) -> Result<(usize, Expr), SyntaxError> {
    let expected = cursor.expected("a declared variable");
    let name = cursor.expect_word("a declared variable")?;
    let &(slot, kind) = scope.variables.get(name).ok_or(expected)?;
    cursor.expect("=")?;
    Ok((slot, Expr::parse(cursor, scope, kind)?))
}

/// Takes the name of a unit: a word, or a quoted text for names with spaces or brackets.
pub(crate) fn take_unit<'a>(cursor: &mut TokenCursor<'a>) -> Option<&'a str> {
    cursor.take_text().or_else(|| cursor.take_word_except(&CLAUSES))
}
