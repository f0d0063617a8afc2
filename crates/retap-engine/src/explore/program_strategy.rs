//! A strategy that asks a program: the observation as a line of JSON on its standard input, a move as a line on its
//! standard output. The run is recorded, verified and replayed like every other one.

use retap_explore::{ActionKind, DecisionContext, Move, Strategy, StrategyEnd, list_actions};
use retap_model::{Abstraction, Event, StateId};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::time::{Duration, Instant};

/// A program that does not answer for this long has hung.
const MAX_TIME: Duration = Duration::from_secs(120);
const LOOK: Duration = Duration::from_micros(300);
/// The longest answer. An event with a long text fits.
const MAX_ANSWER: usize = 1 << 20;

/// Asks a program for every move.
pub struct ProgramStrategy {
    program: String,
    abstraction: Abstraction,
    child: Child,
    input: Option<ChildStdin>,
    answers: Receiver<String>,
    reason: String,
    end: Option<StrategyEnd>,
}

impl std::fmt::Debug for ProgramStrategy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ProgramStrategy").field("program", &self.program).finish_non_exhaustive()
    }
}

impl ProgramStrategy {
    /// Starts the program with the shell.
    pub fn start(program: &str, abstraction: Abstraction) -> Result<Self, String> {
        let mut child = Command::new("sh")
            .args(["-c", program])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| {
                format!("the strategy program `{program}` cannot be started: {error}")
            })?;
        let (sender, answers) = channel();
        if let Some(output) = child.stdout.take() {
            std::thread::spawn(move || {
                for line in BufReader::new(output).lines().map_while(Result::ok) {
                    if sender.send(line).is_err() {
                        break;
                    }
                }
            });
        }
        let input = child.stdin.take();
        let program = program.to_string();
        Ok(Self { program, abstraction, child, input, answers, reason: String::new(), end: None })
    }

    /// Tells the program where the app is, and reads its answer.
    fn ask(&mut self, context: &DecisionContext<'_>) -> Result<String, String> {
        let question = describe(context, self.abstraction).to_string();
        let input = self.input.as_mut().ok_or("its standard input is closed")?;
        let told = writeln!(input, "{question}").and_then(|()| input.flush());
        told.map_err(|error| format!("it does not read what it is told: {error}"))?;
        let started = Instant::now();
        loop {
            match self.answers.try_recv() {
                Ok(line) if line.trim().is_empty() => {}
                Ok(line) if line.len() > MAX_ANSWER => return Err("its answer is too long".into()),
                Ok(line) => return Ok(line),
                Err(TryRecvError::Disconnected) => return Err("it has ended".into()),
                Err(TryRecvError::Empty) if started.elapsed() > MAX_TIME => {
                    return Err(format!("it did not answer for {} s", MAX_TIME.as_secs()));
                }
                Err(TryRecvError::Empty) => std::thread::sleep(LOOK),
            }
        }
    }
}

impl Strategy for ProgramStrategy {
    fn decide(&mut self, context: &DecisionContext<'_>) -> Move {
        let answer = self.ask(context).and_then(|line| ProgramAnswer::parse(&line));
        match answer {
            Ok(ProgramAnswer::Move(next, why)) => {
                self.reason = why;
                next
            }
            Ok(ProgramAnswer::Stop) => {
                self.end = Some(StrategyEnd::Stopped);
                Move::Restart
            }
            Err(why) => {
                let program = &self.program;
                self.end =
                    Some(StrategyEnd::Failed(format!("the strategy program `{program}`: {why}")));
                Move::Restart
            }
        }
    }

    fn reason(&self) -> String {
        self.reason.clone()
    }

    fn end(&self) -> Option<StrategyEnd> {
        self.end.clone()
    }
}

impl Drop for ProgramStrategy {
    fn drop(&mut self) {
        // A program that reads to its end stops by itself; others are ended.
        self.input = None;
        let started = Instant::now();
        while started.elapsed() < Duration::from_millis(500) {
            if !matches!(self.child.try_wait(), Ok(None)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What a program may answer.
#[derive(Debug, Clone, PartialEq)]
enum ProgramAnswer {
    Move(Move, String),
    Stop,
}

impl ProgramAnswer {
    /// Reads an event, `"restart"`, `"stop"`, `{"return":STATE}`, or one of them as `{"move":…,"why":…}`.
    fn parse(line: &str) -> Result<Self, String> {
        let value: Value = serde_json::from_str(line).map_err(|error| {
            format!("expected a line of JSON, found {}: {error}", shorten(line))
        })?;
        match value.get("move") {
            Some(inner) => {
                let why = value.get("why").and_then(Value::as_str).unwrap_or_default().to_string();
                Self::of_value(inner, why)
            }
            None => Self::of_value(&value, String::new()),
        }
    }

    fn of_value(value: &Value, why: String) -> Result<Self, String> {
        if let Some(state) = value.get("return").and_then(Value::as_str) {
            let state: StateId = state
                .parse()
                .map_err(|_| format!("expected the id of a state to return to, found {state:?}"))?;
            return Ok(Self::Move(Move::Return(state), why));
        }
        match value.as_str() {
            Some("restart") => return Ok(Self::Move(Move::Restart, why)),
            Some("stop") => return Ok(Self::Stop),
            _ => {}
        }
        let event: Event = serde_json::from_value(value.clone()).map_err(|error| {
            format!("expected an event, \"restart\", {{\"return\":STATE}} or \"stop\", found {}: {error}", shorten(&value.to_string()))
        })?;
        Ok(Self::Move(Move::Do(event), why))
    }
}

fn shorten(text: &str) -> String {
    text.chars().take(80).collect()
}

/// Returns what the program is told.
fn describe(context: &DecisionContext<'_>, abstraction: Abstraction) -> Value {
    let observation = context.observation;
    let package = &context.app.identity.package;
    let actions = if context.is_trace_over {
        Vec::new()
    } else {
        list_actions(&observation.screen, context.app)
    };
    let actions: Vec<Value> = actions
        .iter()
        .map(|action| match &action.kind {
            ActionKind::Do(event) => json!(event),
            // The text is the program's choice.
            ActionKind::Type(on) => json!(Event::Text { on: on.clone(), text: String::new() }),
        })
        .collect();
    json!({
        "decision": context.decision_number,
        "state": abstraction.state(&observation.screen),
        "over": context.is_trace_over,
        "outcome": observation.outcome.recorded(package),
        "stack": observation.outcome.crash().map(|crash| crash.stack.as_str()),
        "elapsed_ms": observation.elapsed_ms,
        "covered": observation.coverage.len(),
        "screen": *observation.screen,
        "log": observation.log,
        "actions": actions,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_an_event_a_restart_a_return_or_a_stop() {
        let parse = |line: &str| ProgramAnswer::parse(line);
        let back = Move::Do(serde_json::from_str(r#"{"key":"back"}"#).unwrap());
        assert_eq!(
            parse(r#"{"key":"back"}"#),
            Ok(ProgramAnswer::Move(back.clone(), String::new()))
        );
        let told = r#"{"move":{"key":"back"},"why":"out of here"}"#;
        assert_eq!(parse(told), Ok(ProgramAnswer::Move(back, "out of here".into())));
        assert_eq!(parse("\"restart\""), Ok(ProgramAnswer::Move(Move::Restart, String::new())));
        assert_eq!(parse("\"stop\""), Ok(ProgramAnswer::Stop));
        let state = Move::Return(StateId(0xff));
        let told = r#"{"return":"00000000000000ff"}"#;
        assert_eq!(parse(told), Ok(ProgramAnswer::Move(state, String::new())));
        for wrong in ["", "tap", "{}", "[]", r#"{"return":"x"}"#, "7"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
