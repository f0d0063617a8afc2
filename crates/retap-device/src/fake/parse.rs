//! The second pass over an app file: from lines to an [`App`], strictly. Anything unknown is an error
//! that says what was expected.

use super::app::{App, Form, Page, Reaction, Start, Variable};
use super::cursor::Cursor;
use super::declaration::{Declarations, declare, is_widget};
use super::error::Problem;
use super::expr::{Fact, Scope};
use super::fault::{Fault, FaultKind};
use super::part;
use super::rule::{self, Rule, UnitTable, parse_effect, take_unit};
use super::template::Template;
use super::trigger::Gesture;
use retap_model::app::AppIdentity;
use retap_model::{Display, Flags, Units, WindowKind};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// No honest app file comes near this.
const SIZE_LIMIT: usize = 4 << 20;

/// What stands in the file, as far as it has been read.
struct Draft<'a> {
    declared: &'a Declarations,
    package: Option<(String, String)>,
    display: Display,
    snapshots: bool,
    screenshots: bool,
    deterministic: bool,
    rotation: bool,
    pages: Vec<Page>,
    rules: Vec<Arc<Rule>>,
    units: UnitTable,
    extra_activities: Vec<String>,
    start: Option<Start>,
    faults: Vec<Fault>,
}

pub(super) fn parse(source: &str) -> Result<App, Problem> {
    if source.len() > SIZE_LIMIT {
        return Err(Problem::new(1, format!("expected at most {SIZE_LIMIT} bytes")));
    }
    let (lines, declared) = declare(source)?;
    let mut draft = Draft {
        declared: &declared,
        package: None,
        display: Display::default(),
        snapshots: true,
        screenshots: true,
        deterministic: true,
        rotation: true,
        pages: Vec::new(),
        rules: Vec::new(),
        units: UnitTable::default(),
        extra_activities: Vec::new(),
        start: None,
        faults: Vec::new(),
    };
    for line in &lines {
        let mut cursor = Cursor::new(line.number, &line.tokens);
        draft.read(&mut cursor)?;
        cursor.end()?;
    }
    let last = source.lines().count().max(1);
    draft.finish(last, sha256(source))
}

fn sha256(source: &str) -> String {
    let mut hex = String::new();
    for byte in Sha256::digest(source) {
        // Writing into a String cannot fail.
        let _ = write!(hex, "{byte:02x}");
    }
    hex
}

impl Draft<'_> {
    fn read(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Problem> {
        if is_widget(cursor) {
            return self.read_widget(cursor);
        }
        let unknown = cursor.expected(
            "app, display, snapshots, screenshots, deterministic, rotation, var, store, screen, \
             a widget, start, on, crash, units, activities or fault",
        );
        match cursor.word("a statement")? {
            "app" => self.read_app(cursor),
            "display" => {
                let size = cursor.word("a display such as 1080x1920@480")?;
                self.display = size.parse().map_err(|message: String| cursor.problem(message))?;
                Ok(())
            }
            "snapshots" => read_switch(cursor, &mut self.snapshots),
            "screenshots" => read_switch(cursor, &mut self.screenshots),
            "deterministic" => read_switch(cursor, &mut self.deterministic),
            "rotation" => read_switch(cursor, &mut self.rotation),
            // Read by the first pass.
            "var" | "store" => {
                while cursor.next().is_some() {}
                Ok(())
            }
            "screen" => self.read_screen(cursor),
            "start" => self.read_start(cursor),
            "on" => {
                let rule = rule::parse(cursor, self.declared, &mut self.units)?;
                self.rules.push(Arc::new(rule));
                Ok(())
            }
            "units" => {
                while let Some(unit) = take_unit(cursor) {
                    self.units.id(unit);
                }
                Ok(())
            }
            "activities" => {
                while let Some(name) = cursor.take_word_but(&[]) {
                    let name = self.qualify(name, cursor)?;
                    self.extra_activities.push(name);
                }
                Ok(())
            }
            "fault" => self.read_fault(cursor),
            _ => Err(unknown),
        }
    }

    fn read_app(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Problem> {
        let package = cursor.word("the app's package")?.to_string();
        let version = cursor.take_word_but(&[]).unwrap_or("1.0").to_string();
        match self.package.replace((package, version)) {
            None => Ok(()),
            Some(_) => Err(cursor.problem("expected app only once")),
        }
    }

    /// `.Main` and `Main` lie in the app's package.
    fn qualify(&self, name: &str, cursor: &Cursor<'_>) -> Result<String, Problem> {
        let (package, _) = self
            .package
            .as_ref()
            .ok_or_else(|| cursor.problem("expected app PACKAGE before this line"))?;
        let name = name.strip_prefix('.').unwrap_or(name);
        Ok(if name.contains('.') { name.to_string() } else { format!("{package}.{name}") })
    }

    fn read_screen(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Problem> {
        cursor.word("the screen's name")?;
        let form = match cursor.word("activity, dialog, menu, popup or outside")? {
            "activity" => {
                let class = cursor.word("the activity's class")?;
                Form::Activity(self.qualify(class, cursor)?)
            }
            "dialog" => Form::Over(WindowKind::Dialog),
            "menu" => Form::Over(WindowKind::Menu),
            "popup" => Form::Over(WindowKind::Popup),
            "outside" => Form::Outside(cursor.word("the other app's package")?.to_string()),
            other => {
                let message =
                    format!("expected activity, dialog, menu, popup or outside, found {other:?}");
                return Err(cursor.problem(message));
            }
        };
        let scope = Scope { variables: &self.declared.variables, facts: &[Fact::Orientation] };
        let title = Template::parse(cursor.take_text().unwrap_or(""), cursor.line, scope)?;
        let mut shows = BTreeSet::new();
        title.variables(&mut |slot| {
            shows.insert(slot);
        });
        let shows = shows.into_iter().collect();
        self.pages.push(Page {
            form,
            title,
            widgets: Vec::new(),
            shows,
            rules: Default::default(),
        });
        Ok(())
    }

    fn read_widget(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Problem> {
        let (package, _) = self
            .package
            .as_ref()
            .ok_or_else(|| cursor.problem("expected app PACKAGE before this line"))?;
        let part = part::parse(cursor, self.declared, package)?;
        // The first pass has seen to it that a widget follows a screen.
        if let Some(page) = self.pages.last_mut() {
            page.shows.extend(part.variables());
            page.shows.sort_unstable();
            page.shows.dedup();
            page.widgets.push(part);
        }
        Ok(())
    }

    fn read_start(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Problem> {
        let screen = self.declared.screen(cursor)?;
        let scope = Scope { variables: &self.declared.variables, facts: &[Fact::Orientation] };
        let effect = parse_effect(cursor, scope, &mut self.units)?;
        match self.start.replace(Start { screen, effect }) {
            None => Ok(()),
            Some(_) => Err(cursor.problem("expected start only once")),
        }
    }

    fn read_fault(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Problem> {
        let expected = cursor.expected("hang, die, lie or lose");
        let kind = FaultKind::named(cursor.word("a fault")?).ok_or(expected)?;
        cursor.symbol("at")?;
        cursor.symbol("event")?;
        let at = cursor.number("the number of an event")?;
        let once = cursor.take("once");
        self.faults.push(Fault { kind, at, once, spent: AtomicBool::new(false) });
        Ok(())
    }

    fn finish(mut self, last: usize, sha256: String) -> Result<App, Problem> {
        let missing = |what: &str| Problem::new(last, format!("expected {what} in the file"));
        let (package, version) = self.package.take().ok_or_else(|| missing("app PACKAGE"))?;
        let start = self.start.take().ok_or_else(|| missing("start SCREEN"))?;
        self.check_room(last)?;
        let mut broadcasts = BTreeSet::new();
        for rule in std::mem::take(&mut self.rules) {
            if let (Gesture::System, Some(action)) = (rule.gesture, &rule.detail) {
                broadcasts.extend(Some(action.clone()).filter(|action| action.contains('.')));
            }
            attach(&mut self.pages, &rule, &package);
        }
        let mut activities = Vec::new();
        let shown = self.pages.iter().filter_map(|page| match &page.form {
            Form::Activity(class) => Some(class),
            _ => None,
        });
        for activity in shown.chain(&self.extra_activities) {
            if !activities.contains(activity) {
                activities.push(activity.clone());
            }
        }
        let variable = |(initial, stored): &(_, bool)| Variable {
            initial: Clone::clone(initial),
            stored: *stored,
        };
        Ok(App {
            identity: AppIdentity { package, version, sha256 },
            display: self.display,
            snapshots: self.snapshots,
            screenshots: self.screenshots,
            deterministic: self.deterministic,
            rotation: self.rotation,
            activities,
            broadcasts: broadcasts.into_iter().collect(),
            units: Arc::new(Units::new(self.units.units)),
            variables: self.declared.initial.iter().map(variable).collect(),
            screens: self.pages,
            start,
            faults: self.faults,
        })
    }

    /// Every widget needs at least a pixel, whichever way the display is turned.
    fn check_room(&self, last: usize) -> Result<(), Problem> {
        let room = self.display.width.min(self.display.height) as usize / 5;
        if self.pages.iter().all(|page| page.widgets.len() <= room) {
            return Ok(());
        }
        let message = format!("expected at most {room} widgets on a screen of {}", self.display);
        Err(Problem::new(last, message))
    }
}

fn read_switch(cursor: &mut Cursor<'_>, switch: &mut bool) -> Result<(), Problem> {
    *switch = if cursor.take("on") {
        true
    } else if cursor.take("off") {
        false
    } else {
        return Err(cursor.expected("on or off"));
    };
    Ok(())
}

/// Puts a rule on the screens that it is about. A widget shows what can be done to it.
fn attach(pages: &mut [Page], rule: &Arc<Rule>, package: &str) {
    for (index, page) in pages.iter_mut().enumerate() {
        if rule.screen.is_some_and(|screen| screen != index) {
            continue;
        }
        let widget = match &rule.widget {
            None => None,
            Some(name) => {
                let id = format!("{package}:id/{name}");
                match page.widgets.iter().position(|part| part.id == id) {
                    Some(widget) => Some(widget),
                    None => continue,
                }
            }
        };
        if let Some(widget) = widget {
            page.widgets[widget].flags |= match rule.gesture {
                Gesture::Tap => Flags::CLICKABLE,
                Gesture::Long => Flags::LONG_CLICKABLE,
                Gesture::Drag => Flags::SCROLLABLE,
                _ => Flags::empty(),
            };
        }
        page.rules[rule.gesture as usize].push(Reaction { widget, rule: Arc::clone(rule) });
    }
}
