//! One `on` line: what happens to which widget, under which condition, where it leads and what it
//! does on the way.

use super::cursor::Cursor;
use super::declaration::Declarations;
use super::error::Problem;
use super::expr::{Expr, Fact, Scope};
use super::trigger::Gesture;
use super::value::Kind;
use retap_model::{Coverage, Crash, Unit, UnitId, UnitKind};
use std::collections::BTreeMap;
use std::sync::Arc;

#[derive(Debug)]
pub(super) struct Rule {
    /// `None` means every screen.
    pub screen: Option<usize>,
    pub gesture: Gesture,
    pub widget: Option<String>,
    pub detail: Option<String>,
    pub guard: Option<Expr>,
    pub chance: Option<f64>,
    pub goal: Goal,
    pub effect: Effect,
    pub line: usize,
}

#[derive(Debug)]
pub(super) enum Goal {
    Screen(usize),
    Stay,
    Back,
    Exit,
    Left(Arc<str>),
    Hang(Arc<Crash>),
    Crash(Arc<Crash>),
}

#[derive(Debug)]
pub(super) struct Effect {
    pub sets: Vec<(usize, Expr)>,
    pub coverage: Arc<Coverage>,
    pub takes: u64,
    /// What the app logs.
    pub log: Vec<String>,
}

/// Milliseconds that an event takes unless the file says otherwise.
const DEFAULT_TAKES: u64 = 100;

/// Where the name of a widget or a detail may end.
const STOPS: [&str; 2] = ["if", "chance"];
const CLAUSES: [&str; 4] = ["set", "covers", "takes", "logs"];

/// Collects the units in the order in which the file names them.
#[derive(Debug, Default)]
pub(super) struct UnitTable {
    ids: BTreeMap<(UnitKind, String), UnitId>,
    pub units: Vec<Unit>,
}

impl UnitTable {
    /// `line:p.Main.f:17`, or a bare name for a branch.
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

/// Everything after `on`.
pub(super) fn parse(
    cursor: &mut Cursor<'_>,
    declared: &Declarations,
    units: &mut UnitTable,
) -> Result<Rule, Problem> {
    let screen = if cursor.take("*") { None } else { Some(declared.screen(cursor)?) };
    let gesture = cursor.peek().and_then(|token| Gesture::named(&token.text));
    let gesture =
        gesture.ok_or_else(|| cursor.expected(&format!("one of {}", Gesture::names())))?;
    cursor.next();
    let widget = parse_widget(cursor, declared, screen, gesture)?;
    let detail = cursor.take_word_but(&STOPS).map(str::to_string);
    if let Some(detail) = &detail {
        gesture.check_detail(detail).map_err(|message| cursor.problem(message))?;
    }
    let facts = [Fact::Typed, Fact::Row, Fact::Events, Fact::Orientation];
    let scope = Scope { variables: &declared.variables, facts: &facts };
    let guard = cursor.take("if").then(|| Expr::parse(cursor, scope, Kind::Bool)).transpose()?;
    let chance = if cursor.take("chance") { Some(parse_chance(cursor)?) } else { None };
    cursor.symbol("->")?;
    let goal = parse_goal(cursor, declared)?;
    let effect = parse_effect(cursor, scope, units)?;
    let line = cursor.line;
    Ok(Rule { screen, gesture, widget, detail, guard, chance, goal, effect, line })
}

fn parse_widget(
    cursor: &mut Cursor<'_>,
    declared: &Declarations,
    screen: Option<usize>,
    gesture: Gesture,
) -> Result<Option<String>, Problem> {
    let Some(token) = cursor.peek().filter(|_| gesture.is_placed()) else { return Ok(None) };
    let name = token.text.as_str();
    if STOPS.contains(&name) || name == "->" || gesture.check_detail(name).is_ok() {
        return Ok(None);
    }
    if !declared.has_widget(screen, name) {
        let place = if screen.is_some() { "that screen" } else { "some screen" };
        return Err(cursor.expected(&format!("a widget of {place}")));
    }
    cursor.next();
    Ok(Some(name.to_string()))
}

fn parse_chance(cursor: &mut Cursor<'_>) -> Result<f64, Problem> {
    let expected = cursor.expected("a probability from 0 to 1");
    let chance: f64 = cursor.number("a probability from 0 to 1")?;
    if (0.0..=1.0).contains(&chance) { Ok(chance) } else { Err(expected) }
}

fn parse_goal(cursor: &mut Cursor<'_>, declared: &Declarations) -> Result<Goal, Problem> {
    if cursor.take("stay") {
        Ok(Goal::Stay)
    } else if cursor.take("back") {
        Ok(Goal::Back)
    } else if cursor.take("exit") {
        Ok(Goal::Exit)
    } else if cursor.take("left") {
        Ok(Goal::Left(cursor.word("the package that comes to the front")?.into()))
    } else if cursor.take("crash") {
        Ok(Goal::Crash(declared.crash(cursor)?))
    } else if cursor.take("hang") {
        Ok(Goal::Hang(declared.crash(cursor)?))
    } else {
        Ok(Goal::Screen(declared.screen(cursor)?))
    }
}

/// `set a = 1, b = 2`, `covers u1 u2`, `takes 300`, `logs "text"`, in any order, to the end of the line.
pub(super) fn parse_effect(
    cursor: &mut Cursor<'_>,
    scope: Scope<'_>,
    units: &mut UnitTable,
) -> Result<Effect, Problem> {
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
            takes = u64::from(cursor.number::<u32>("milliseconds")?);
        } else if cursor.take("logs") {
            log.push(cursor.text("a \"text\"")?.to_string());
        } else {
            return Err(cursor.expected("set, covers, takes, logs or the end of the line"));
        }
    }
    Ok(Effect { sets, coverage: Arc::new(coverage), takes, log })
}

fn parse_set(cursor: &mut Cursor<'_>, scope: Scope<'_>) -> Result<(usize, Expr), Problem> {
    let expected = cursor.expected("a declared variable");
    let name = cursor.word("a declared variable")?;
    let &(slot, kind) = scope.variables.get(name).ok_or(expected)?;
    cursor.symbol("=")?;
    Ok((slot, Expr::parse(cursor, scope, kind)?))
}

/// A word, or a quoted text for names with spaces or brackets.
pub(super) fn take_unit<'a>(cursor: &mut Cursor<'a>) -> Option<&'a str> {
    cursor.take_text().or_else(|| cursor.take_word_but(&CLAUSES))
}
