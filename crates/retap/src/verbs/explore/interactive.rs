//! `retap explore --interactive`: a person at the wheel. Everything that is done is recorded as in any other run,
//! so that a session can be replayed, minimised and taken up again.

use crate::console::Console;
use crate::failure::Failure;
use crate::interrupt;
use retap_device::Rig;
use retap_explore::auto::action::{Action, Deed, actions};
use retap_explore::graph::Node;
use retap_explore::{Exploration, Limits, Move};
use retap_model::{App, Event, StateId};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::io::BufRead;

const HELP: &str = "\
  look             what can be done here
  do N             do it; do N TEXT types that text
  event JSON       any event, as a trace writes it
  list             the states met so far
  go STATE         go back to a state, by the beginning of its id or by its name
  save NAME        name this state, and keep a snapshot where the device can
  graph            which events result from where to where
  auto N           let the strategy do N moves
  restart          begin anew from a clean install
  quit";

/// A session, until its input ends or somebody quits.
pub struct Session<'e, 's> {
    pub exploration: &'e mut Exploration<'s>,
    pub app: App,
    pub limits: Limits,
    pub names: BTreeMap<String, StateId>,
}

/// What a line asked for.
enum Answer {
    Say(String),
    Quit,
}

impl Session<'_, '_> {
    pub fn run(
        &mut self,
        rig: &mut Rig<'_>,
        input: &mut dyn BufRead,
        console: &Console,
    ) -> Result<(), Failure> {
        if !self.exploration.is_begun() {
            self.exploration.take(&Move::Restart, rig, self.limits, "")?;
        }
        console.remark(&format!("{HELP}\n{}", self.here(rig)));
        let mut line = String::new();
        while !interrupt::is_set() {
            line.clear();
            let read = input.read_line(&mut line);
            if read.map_err(|error| Failure::input(format!("standard input: {error}")))? == 0 {
                break;
            }
            match self.obey(line.trim(), rig)? {
                Answer::Say(text) => console.remark(text.trim_end()),
                Answer::Quit => break,
            }
        }
        Ok(self.exploration.flush()?)
    }

    fn obey(&mut self, line: &str, rig: &mut Rig<'_>) -> Result<Answer, Failure> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        Ok(Answer::Say(match word {
            "" => String::new(),
            "look" | "l" => self.look(rig),
            "do" | "d" => match self.offered(rest, rig) {
                Some(event) => self.make(&Move::Do(event), rig)?,
                None => "do N, with N as `look` counts".into(),
            },
            "event" => match serde_json::from_str::<Event>(rest) {
                Ok(event) => self.make(&Move::Do(event), rig)?,
                Err(error) => format!("no event: {error}"),
            },
            "list" => self.list(),
            "go" => match self.find(rest) {
                Ok(state) => self.make(&Move::Return(state), rig)?,
                Err(why) => why,
            },
            "save" => self.save(rest, rig)?,
            "graph" => self.graph(),
            "auto" => self.hand_over(rest, rig)?,
            "restart" => self.make(&Move::Restart, rig)?,
            "quit" | "q" => return Ok(Answer::Quit),
            _ => HELP.to_string(),
        }))
    }

    fn make(&mut self, next: &Move, rig: &mut Rig<'_>) -> Result<String, Failure> {
        if self.exploration.is_over() && matches!(next, Move::Do(_)) {
            return Ok("nothing can follow here: go or restart".into());
        }
        self.exploration.take(next, rig, self.limits, "asked for")?;
        let elsewhere = match next {
            Move::Return(to) if self.exploration.graph().here() != Some(*to) => {
                "that result elsewhere\n"
            }
            _ => "",
        };
        Ok(format!("{elsewhere}{}", self.here(rig)))
    }

    fn hand_over(&mut self, moves: &str, rig: &mut Rig<'_>) -> Result<String, Failure> {
        let mut told = String::new();
        for _ in 0..moves.parse::<u32>().unwrap_or(1).min(10_000) {
            let (next, why) = self.exploration.advance(rig, &self.app, self.limits)?;
            // Writing to a string cannot fail.
            let _ = writeln!(told, "{}", super::strategy::explain(&next, &why));
            if interrupt::is_set() {
                break;
            }
        }
        Ok(told + &self.here(rig))
    }

    fn save(&mut self, name: &str, rig: &mut Rig<'_>) -> Result<String, Failure> {
        let Some(here) = self.exploration.graph().here() else { return Ok("nowhere".into()) };
        self.exploration.keep(rig)?;
        let name = if name.is_empty() { here.to_string() } else { name.to_string() };
        let said = format!("{here} is {name}");
        self.names.insert(name, here);
        Ok(said)
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

    fn offers(&self, rig: &Rig<'_>) -> Vec<Action> {
        rig.here().map_or_else(Vec::new, |seen| actions(&seen.screen, &self.app, 0))
    }

    /// `3`, or `3 some text` for what types.
    fn offered(&self, words: &str, rig: &Rig<'_>) -> Option<Event> {
        let (number, text) = words.split_once(' ').unwrap_or((words, ""));
        let offer =
            self.offers(rig).into_iter().nth(number.parse::<usize>().ok()?.checked_sub(1)?)?;
        Some(match offer.deed {
            Deed::Do(event) => event,
            Deed::Type(on, _) => Event::Text { on, text: text.into() },
        })
    }

    fn look(&self, rig: &Rig<'_>) -> String {
        let mut text = String::new();
        for (at, offer) in self.offers(rig).iter().enumerate() {
            let what = match &offer.deed {
                Deed::Do(event) => event.to_string(),
                Deed::Type(on, class) => format!("type … into {on} ({class:?})"),
            };
            let _ = writeln!(text, "{:>4}  {what}", at + 1);
        }
        text
    }

    fn here(&self, rig: &Rig<'_>) -> String {
        let state = self.exploration.graph().here();
        let Some((state, seen)) = state.zip(rig.here()) else { return "nowhere".into() };
        let outcome = seen.outcome.recorded(&self.app.identity.package);
        format!("{} {} ({outcome})", self.named(state), seen.screen.activity)
    }

    fn list(&self) -> String {
        let graph = self.exploration.graph();
        let mut text = String::new();
        for (state, node) in graph.nodes() {
            let Node { visits, restored, found, saved, .. } = node;
            let away = graph.depth(state).map_or("no way".into(), |n| format!("{n} events away"));
            let kept = if *saved { ", saved" } else { "" };
            let _ = writeln!(
                text,
                "{}  {away}, {visits} visits, {restored} returns, {found} found from it{kept}",
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
                let event = graph.event(edge).map_or_else(String::new, ToString::to_string);
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
