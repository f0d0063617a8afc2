//! `retap explore --interactive`: the user chooses every move. The run is recorded like any other, so that it can be
//! replayed, minimised and resumed.

use crate::console::Console;
use crate::interrupt;
use retap_device::Rig;
use retap_engine::explore::{screenshots, strategy};
use retap_engine::{Failure, Reporter};
use retap_explore::{
    ActionKind, Exploration, ExplorationLimits, Move, PossibleAction, StateNode, list_actions,
};
use retap_model::format::run::RunError;
use retap_model::{App, Event, Key, StateId};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::io::BufRead;
use std::path::Path;

const HELP: &str = "\
\x20 N                perform event N of the list; N TEXT types that text
  look             list the events that are possible here, all of them
  back             press the key Back
  picture          take a picture of the screen
  event JSON       any event, as a trace writes it
  list             the states met so far
  go STATE         go back to a state, by the beginning of its id or by its name
  save NAME        name this state, and keep a snapshot where the device can
  graph            list the events that connect the states
  auto N           let the strategy make N moves
  restart          start over from a clean install
  help             show this
  quit";

/// The events that are listed after each move. `look` lists all.
const MAX_LISTED: usize = 20;

/// Reads commands until the input ends or the user quits.
pub struct Shell<'e, 's> {
    /// The run directory, for pictures.
    pub run: &'e Path,
    pub exploration: &'e mut Exploration<'s>,
    pub app: App,
    pub limits: ExplorationLimits,
    pub names: BTreeMap<String, StateId>,
}

/// The answer to a command.
enum Answer {
    Say(String),
    Quit,
}

impl Shell<'_, '_> {
    pub fn run(
        &mut self,
        rig: &mut Rig<'_>,
        input: &mut dyn BufRead,
        console: &Console,
    ) -> Result<(), Failure> {
        if !self.exploration.has_trace() {
            self.exploration.make_move(&Move::Restart, rig, self.limits, "")?;
        }
        console.remark(&format!("{HELP}\n{}", self.situation(rig)));
        let mut line = String::new();
        while !interrupt::is_set() {
            line.clear();
            console.prompt("retap> ");
            let read = input.read_line(&mut line);
            if read.map_err(|error| Failure::input(format!("standard input: {error}")))? == 0 {
                break;
            }
            match self.execute(line.trim(), rig)? {
                Answer::Say(text) => console.remark(text.trim_end()),
                Answer::Quit => break,
            }
        }
        Ok(self.exploration.flush()?)
    }

    fn execute(&mut self, line: &str, rig: &mut Rig<'_>) -> Result<Answer, Failure> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        Ok(Answer::Say(match word {
            "" => String::new(),
            "look" | "l" => self.look(rig, usize::MAX),
            "do" | "d" => self.do_numbered(rest, rig)?,
            number if number.parse::<usize>().is_ok() => self.do_numbered(line, rig)?,
            "back" | "b" => self.take(&Move::Do(Event::Key(Key::back())), rig)?,
            "picture" | "p" => self.picture(rig)?,
            "event" => match serde_json::from_str::<Event>(rest) {
                Ok(event) => self.take(&Move::Do(event), rig)?,
                Err(error) => format!("no event: {error}"),
            },
            "list" => self.list(rig.describe()?.snapshots),
            "go" => match self.find(rest) {
                Ok(state) => self.take(&Move::Return(state), rig)?,
                Err(why) => why,
            },
            "save" => self.save(rest, rig)?,
            "graph" => self.graph(),
            "auto" => self.run_strategy(rest, rig)?,
            "restart" => self.take(&Move::Restart, rig)?,
            "quit" | "q" => return Ok(Answer::Quit),
            "help" | "h" | "?" => HELP.to_string(),
            other => format!("no command is called {other:?}; `help` lists them"),
        }))
    }

    fn do_numbered(&mut self, words: &str, rig: &mut Rig<'_>) -> Result<String, Failure> {
        match self.numbered_event(words, rig) {
            Some(event) => self.take(&Move::Do(event), rig),
            None => Ok("no event has this number; `look` lists them".into()),
        }
    }

    /// Takes a picture, and brings the app back where it is: drawing may touch it.
    fn picture(&mut self, rig: &mut Rig<'_>) -> Result<String, Failure> {
        if !rig.describe()?.screenshots {
            return Ok("this device takes no pictures".into());
        }
        let folder = self.run.join("pictures");
        std::fs::create_dir_all(&folder).map_err(RunError::io(&folder))?;
        let file = |number: u32| folder.join(format!("{number}.png"));
        let file = (1..).map(file).find(|file| !file.exists()).unwrap_or_else(|| file(1));
        screenshots::take(rig, &file)?;
        rig.forget_position();
        self.exploration.restore_position(rig)?;
        Ok(file.display().to_string())
    }

    fn take(&mut self, next: &Move, rig: &mut Rig<'_>) -> Result<String, Failure> {
        if self.exploration.is_trace_over() && matches!(next, Move::Do(_)) {
            return Ok("the app is gone: go to a state or restart".into());
        }
        self.exploration.make_move(next, rig, self.limits, "asked for")?;
        let elsewhere = match next {
            Move::Return(to) if self.exploration.graph().current_state() != Some(*to) => {
                "the return ended in another state\n"
            }
            _ => "",
        };
        Ok(format!("{elsewhere}{}", self.situation(rig)))
    }

    fn run_strategy(&mut self, moves: &str, rig: &mut Rig<'_>) -> Result<String, Failure> {
        let mut text = String::new();
        for _ in 0..moves.parse::<u32>().unwrap_or(1).min(10_000) {
            let decision = self.exploration.advance(rig, &self.app, self.limits)?;
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{}", strategy::explain(&decision));
            if interrupt::is_set() {
                break;
            }
        }
        Ok(text + &self.situation(rig))
    }

    fn save(&mut self, name: &str, rig: &mut Rig<'_>) -> Result<String, Failure> {
        let Some(here) = self.exploration.graph().current_state() else {
            return Ok("nowhere".into());
        };
        self.exploration.save_snapshot(rig)?;
        let name = if name.is_empty() { here.to_string() } else { name.to_string() };
        let answer = format!("{here} is {name}");
        self.names.insert(name, here);
        Ok(answer)
    }

    fn find(&self, name: &str) -> Result<StateId, String> {
        if let Some(state) = self.names.get(name) {
            return Ok(*state);
        }
        let alike = |state: &StateId| !name.is_empty() && state.to_string().starts_with(name);
        let known: Vec<StateId> =
            self.exploration.graph().nodes().map(|(state, _)| state).filter(alike).collect();
        match known[..] {
            [state] => Ok(state),
            [] => Err(format!("no state {name:?}; `list` shows all")),
            _ => Err(format!("{} states begin with {name:?}", known.len())),
        }
    }

    fn possible_actions(&self, rig: &Rig<'_>) -> Vec<PossibleAction> {
        rig.last_observation()
            .map_or_else(Vec::new, |observation| list_actions(&observation.screen, &self.app))
    }

    /// Returns the event that `3` or `3 some text` stands for.
    fn numbered_event(&self, words: &str, rig: &Rig<'_>) -> Option<Event> {
        let (number, text) = words.split_once(' ').unwrap_or((words, ""));
        let action = self
            .possible_actions(rig)
            .into_iter()
            .nth(number.parse::<usize>().ok()?.checked_sub(1)?)?;
        Some(match action.kind {
            ActionKind::Do(event) => event,
            ActionKind::Type(on) => Event::Text { on, text: text.into() },
        })
    }

    /// Says where the app is, and what can be done there.
    fn situation(&self, rig: &Rig<'_>) -> String {
        let here = self.here(rig);
        if self.exploration.is_trace_over() {
            return format!("{here}\nThe app is gone: `restart`, or `go` to a state.");
        }
        format!("{here}\n{}", self.look(rig, MAX_LISTED))
    }

    fn look(&self, rig: &Rig<'_>, most: usize) -> String {
        let mut text = String::new();
        let actions = self.possible_actions(rig);
        for (at, action) in actions.iter().enumerate().take(most) {
            let what = match &action.kind {
                ActionKind::Do(event) => event.to_string(),
                ActionKind::Type(on) => format!("type … into {on}"),
            };
            let _ = writeln!(text, "{:>4}  {what}", at + 1);
        }
        if actions.len() > most {
            let _ = writeln!(text, "      … and {} more: `look`", actions.len() - most);
        }
        text
    }

    fn here(&self, rig: &Rig<'_>) -> String {
        let state = self.exploration.graph().current_state();
        let Some((state, observation)) = state.zip(rig.last_observation()) else {
            return "nowhere".into();
        };
        let outcome = observation.outcome.recorded(&self.app.identity.package);
        format!("{} {} ({outcome})", self.named(state), observation.screen.activity)
    }

    fn list(&self, has_snapshots: bool) -> String {
        let graph = self.exploration.graph();
        let mut text = String::new();
        for (state, node) in graph.nodes() {
            let StateNode { visits, returns, discoveries, has_snapshot, .. } = node;
            let away = graph
                .path_length(state)
                .map_or("unreachable".into(), |n| format!("{n} events away"));
            let kept = if *has_snapshot && has_snapshots { ", saved" } else { "" };
            let _ = writeln!(
                text,
                "{}  {away}, {visits} visits, {returns} returns, {discoveries} discoveries{kept}",
                self.named(state)
            );
        }
        text
    }

    fn graph(&self) -> String {
        let graph = self.exploration.graph();
        let mut text = String::new();
        for (state, node) in graph.nodes() {
            let _ = writeln!(text, "{}", self.named(state));
            for edge in node.edges.iter().filter(|edge| edge.to != state) {
                let event = graph.event_of(edge).map_or_else(String::new, ToString::to_string);
                let _ = writeln!(text, "  {event} → {} ({}×)", self.named(edge.to), edge.times);
            }
        }
        text
    }

    fn named(&self, state: StateId) -> String {
        let name = self.names.iter().find(|(_, named)| **named == state);
        name.map_or_else(|| state.to_string(), |(name, _)| format!("{state} {name}"))
    }
}
