//! The second pass over an app file: from lines to a [`FakeApp`]. Anything unknown is an error that
//! says what was expected.

use crate::fake::app::{FakeApp, LaunchSpec, Reaction, ScreenForm, ScreenSpec, Variable};
use crate::fake::fault::{Fault, FaultKind};
use crate::fake::language::declaration::{Declarations, declare, is_widget};
use crate::fake::language::expression::{Fact, NameScope};
use crate::fake::language::gesture::Gesture;
use crate::fake::language::rule::{self, ScreenRule, UnitTable, parse_effect, take_unit};
use crate::fake::language::template::Template;
use crate::fake::language::widget;
use retap_model::app::AppIdentity;
use retap_model::hash::to_hex;
use retap_model::text::SyntaxError;
use retap_model::text::TokenCursor;
use retap_model::{Display, Flags, Units, WindowKind};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The size limit of an app file. Real ones are far smaller.
const SIZE_LIMIT: usize = 4 << 20;

/// The app as far as the file has been parsed.
struct Draft<'a> {
    declared: &'a Declarations,
    package: Option<(String, String)>,
    display: Display,
    snapshots: bool,
    screenshots: bool,
    deterministic: bool,
    rotation: bool,
    screens: Vec<ScreenSpec>,
    rules: Vec<Arc<ScreenRule>>,
    units: UnitTable,
    extra_activities: Vec<String>,
    start: Option<LaunchSpec>,
    faults: Vec<Fault>,
}

pub(crate) fn parse(source: &str) -> Result<FakeApp, SyntaxError> {
    if source.len() > SIZE_LIMIT {
        return Err(SyntaxError::in_line(1, format!("expected at most {SIZE_LIMIT} bytes")));
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
        screens: Vec::new(),
        rules: Vec::new(),
        units: UnitTable::default(),
        extra_activities: Vec::new(),
        start: None,
        faults: Vec::new(),
    };
    for line in &lines {
        let mut cursor = line.cursor();
        draft.read(&mut cursor)?;
        cursor.expect_end()?;
    }
    let last = source.lines().count().max(1);
    draft.finish(last, to_hex(&Sha256::digest(source)))
}

impl Draft<'_> {
    fn read(&mut self, cursor: &mut TokenCursor<'_>) -> Result<(), SyntaxError> {
        if is_widget(cursor) {
            return self.read_widget(cursor);
        }
        let unknown = cursor.expected(
            "app, display, snapshots, screenshots, deterministic, rotation, var, store, screen, \
             a widget, start, on, crash, units, activities or fault",
        );
        match cursor.expect_word("a statement")? {
            "app" => self.read_app(cursor),
            "display" => {
                let size = cursor.expect_word("a display such as 1080x1920@480")?;
                self.display = size.parse().map_err(|message: String| cursor.error(message))?;
                Ok(())
            }
            "snapshots" => read_switch(cursor, &mut self.snapshots),
            "screenshots" => read_switch(cursor, &mut self.screenshots),
            "deterministic" => read_switch(cursor, &mut self.deterministic),
            "rotation" => read_switch(cursor, &mut self.rotation),
            // The first pass has parsed these.
            "var" | "store" => {
                while cursor.take_any().is_some() {}
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
                while let Some(name) = cursor.take_word() {
                    let name = self.qualify(name, cursor)?;
                    self.extra_activities.push(name);
                }
                Ok(())
            }
            "fault" => self.read_fault(cursor),
            _ => Err(unknown),
        }
    }

    fn read_app(&mut self, cursor: &mut TokenCursor<'_>) -> Result<(), SyntaxError> {
        let package = cursor.expect_word("the app's package")?.to_string();
        let version = cursor.take_word().unwrap_or("1.0").to_string();
        match self.package.replace((package, version)) {
            None => Ok(()),
            Some(_) => Err(cursor.error("expected app only once")),
        }
    }

    /// Returns the full name of a class: `.Main` and `Main` lie in the app's package.
    fn qualify(&self, name: &str, cursor: &TokenCursor<'_>) -> Result<String, SyntaxError> {
        let (package, _) = self
            .package
            .as_ref()
            .ok_or_else(|| cursor.error("expected app PACKAGE before this line"))?;
        let name = name.strip_prefix('.').unwrap_or(name);
        Ok(if name.contains('.') { name.to_string() } else { format!("{package}.{name}") })
    }

    fn read_screen(&mut self, cursor: &mut TokenCursor<'_>) -> Result<(), SyntaxError> {
        cursor.expect_word("the screen's name")?;
        let form = match cursor.expect_word("activity, dialog, menu, popup or outside")? {
            "activity" => {
                let class = cursor.expect_word("the activity's class")?;
                ScreenForm::Activity(self.qualify(class, cursor)?)
            }
            "dialog" => ScreenForm::Over(WindowKind::Dialog),
            "menu" => ScreenForm::Over(WindowKind::Menu),
            "popup" => ScreenForm::Over(WindowKind::Popup),
            "outside" => {
                ScreenForm::Outside(cursor.expect_word("the other app's package")?.to_string())
            }
            other => {
                let message =
                    format!("expected activity, dialog, menu, popup or outside, found {other:?}");
                return Err(cursor.error(message));
            }
        };
        let scope = NameScope { variables: &self.declared.variables, facts: &[Fact::Orientation] };
        let title = Template::parse(cursor.take_text().unwrap_or(""), cursor.line(), scope)?;
        let mut shows = BTreeSet::new();
        title.variables(&mut |slot| {
            shows.insert(slot);
        });
        let shows = shows.into_iter().collect();
        self.screens.push(ScreenSpec {
            form,
            title,
            widgets: Vec::new(),
            shows,
            rules: Default::default(),
        });
        Ok(())
    }

    fn read_widget(&mut self, cursor: &mut TokenCursor<'_>) -> Result<(), SyntaxError> {
        let (package, _) = self
            .package
            .as_ref()
            .ok_or_else(|| cursor.error("expected app PACKAGE before this line"))?;
        let spec = widget::parse(cursor, self.declared, package)?;
        let Some(screen) = self.screens.last_mut() else {
            return Err(cursor.error("expected a screen before its widgets"));
        };
        screen.shows.extend(spec.variables());
        screen.shows.sort_unstable();
        screen.shows.dedup();
        screen.widgets.push(spec);
        Ok(())
    }

    fn read_start(&mut self, cursor: &mut TokenCursor<'_>) -> Result<(), SyntaxError> {
        let screen = self.declared.screen(cursor)?;
        let scope = NameScope { variables: &self.declared.variables, facts: &[Fact::Orientation] };
        let effect = parse_effect(cursor, scope, &mut self.units)?;
        match self.start.replace(LaunchSpec { screen, effect }) {
            None => Ok(()),
            Some(_) => Err(cursor.error("expected start only once")),
        }
    }

    fn read_fault(&mut self, cursor: &mut TokenCursor<'_>) -> Result<(), SyntaxError> {
        let expected = cursor.expected("hang, die, lie or lose");
        let kind = FaultKind::named(cursor.expect_word("a fault")?).ok_or(expected)?;
        cursor.expect("at")?;
        cursor.expect("event")?;
        let at = cursor.expect_number("the number of an event")?;
        let once = cursor.take("once");
        self.faults.push(Fault { kind, at, once, is_spent: AtomicBool::new(false) });
        Ok(())
    }

    fn finish(mut self, last: usize, sha256: String) -> Result<FakeApp, SyntaxError> {
        let missing =
            |what: &str| SyntaxError::in_line(last, format!("expected {what} in the file"));
        let (package, version) = self.package.take().ok_or_else(|| missing("app PACKAGE"))?;
        let start = self.start.take().ok_or_else(|| missing("start SCREEN"))?;
        self.check_room(last)?;
        let mut broadcasts = BTreeSet::new();
        for rule in std::mem::take(&mut self.rules) {
            if let (Gesture::System, Some(action)) = (rule.gesture, &rule.detail) {
                broadcasts.extend(Some(action.clone()).filter(|action| action.contains('.')));
            }
            attach(&mut self.screens, &rule, &package);
        }
        let mut activities = Vec::new();
        let shown = self.screens.iter().filter_map(|screen| match &screen.form {
            ScreenForm::Activity(class) => Some(class),
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
        Ok(FakeApp {
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
            screens: self.screens,
            start,
            faults: self.faults,
        })
    }

    /// Checks that every widget gets at least a pixel in both orientations.
    fn check_room(&self, last: usize) -> Result<(), SyntaxError> {
        let room = self.display.width.min(self.display.height) as usize / 5;
        if self.screens.iter().all(|screen| screen.widgets.len() <= room) {
            return Ok(());
        }
        let message = format!("expected at most {room} widgets on a screen of {}", self.display);
        Err(SyntaxError::in_line(last, message))
    }
}

fn read_switch(cursor: &mut TokenCursor<'_>, switch: &mut bool) -> Result<(), SyntaxError> {
    *switch = if cursor.take("on") {
        true
    } else if cursor.take("off") {
        false
    } else {
        return Err(cursor.expected("on or off"));
    };
    Ok(())
}

/// Adds a rule to the screens it is about, and marks its widget with what a user can do to it.
fn attach(screens: &mut [ScreenSpec], rule: &Arc<ScreenRule>, package: &str) {
    for (index, screen) in screens.iter_mut().enumerate() {
        if rule.screen.is_some_and(|screen| screen != index) {
            continue;
        }
        let widget = match &rule.widget {
            None => None,
            Some(name) => {
                let id = format!("{package}:id/{name}");
                match screen.widgets.iter().position(|spec| spec.id == id) {
                    Some(widget) => Some(widget),
                    None => continue,
                }
            }
        };
        if let Some(widget) = widget {
            screen.widgets[widget].flags |= match rule.gesture {
                Gesture::Tap => Flags::CLICKABLE,
                Gesture::Long => Flags::LONG_CLICKABLE,
                Gesture::Drag => Flags::SCROLLABLE,
                _ => Flags::empty(),
            };
        }
        screen.rules[rule.gesture as usize].push(Reaction { widget, rule: Arc::clone(rule) });
    }
}
