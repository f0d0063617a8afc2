//! What the page can ask for and command.

use crate::http::{Request, Response};
use crate::page;
use crate::shared_session::SharedSession;
use retap_drive::{KnownState, MoveAnswer, SessionCrash, export_trace};
use retap_engine::Failure;
use retap_export::ScriptFormat;
use retap_model::format::run::{read_states, screen_path};
use retap_model::{Event, Point, StateId};
use retap_picture::shrink;
use retap_report::ReportOptions;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// The shorter side of a picture in the list of states.
const THUMBNAIL: u32 = 120;
const MAX_EVENTS: u64 = 1_000_000;
const MAX_RUNS: u32 = 1_000;

/// Answers a request that may be answered.
pub fn answer(request: &Request, session: &SharedSession) -> Response {
    let answered = match (request.method.as_str(), request.path.as_str()) {
        ("GET", "/") => return page::render(request.query.get("token").map_or("", String::as_str)),
        ("GET", "/api/session") => Ok(Response::json(&session_view(session))),
        ("GET", "/api/details") => details(session),
        ("GET", "/api/picture") => picture(session),
        ("GET", "/api/state-picture") => state_picture(request, session),
        ("GET", "/report") => report(session),
        ("POST", path) => command(path, &request.body, session),
        _ => return Response::error(404, "there is nothing here"),
    };
    answered.unwrap_or_else(|failure| Response::error(409, &failure.to_string()))
}

/// What is known without waiting for the session.
#[derive(Debug, Serialize)]
struct SessionView {
    open: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    run: Option<PathBuf>,
    /// What is going on; empty if the session waits.
    doing: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    here: Option<MoveAnswer>,
    choices: Vec<crate::Choice>,
    formats: Vec<&'static str>,
}

fn session_view(session: &SharedSession) -> SessionView {
    let run = session.run();
    SessionView {
        open: run.is_some(),
        here: session.last(),
        doing: session.report().doing,
        choices: if run.is_some() { Vec::new() } else { session.choices.clone() },
        formats: ScriptFormat::ALL.map(ScriptFormat::name).to_vec(),
        run,
    }
}

/// Everything that the page shows beside the screen.
#[derive(Debug, Serialize)]
struct Details {
    package: String,
    version: String,
    device: String,
    here: MoveAnswer,
    steps: Vec<String>,
    states: Vec<KnownState>,
    crashes: Vec<SessionCrash>,
    traces: Vec<PathBuf>,
}

fn details(session: &SharedSession) -> Result<Response, Failure> {
    let details = session.ask(|session| {
        let (info, identity) = (session.info(), &session.app().identity);
        let api = info.api.map_or_else(String::new, |api| format!(" API {api}"));
        Ok(Details {
            package: identity.package.clone(),
            version: identity.version.clone(),
            device: format!("{}{api}, {}", info.device, info.display),
            here: session.here(),
            steps: session.steps(),
            states: session.states()?,
            crashes: session.crashes(),
            traces: session.saved_traces(),
        })
    })?;
    session.make_move(|session| Ok(session.here()))?;
    Ok(Response::json(&details))
}

fn picture(session: &SharedSession) -> Result<Response, Failure> {
    match session.ask(|session| session.picture())? {
        Some(png) => Ok(Response::new(200, "image/png", png)),
        None => Ok(Response::error(404, "there is no picture")),
    }
}

fn state_picture(request: &Request, session: &SharedSession) -> Result<Response, Failure> {
    let none = || Ok(Response::error(404, "there is no picture"));
    let state = request.query.get("state").and_then(|state| state.parse::<StateId>().ok());
    let (Some(state), Some(run)) = (state, session.run()) else { return none() };
    let rows = read_states(&run)?;
    let Some(row) = rows.iter().find(|row| row.state == state) else { return none() };
    let file = screen_path(&run, row.screen).with_extension("png");
    let small = std::fs::read(file).ok().and_then(|png| shrink(&png, THUMBNAIL).ok());
    small.map_or_else(none, |small| Ok(Response::new(200, "image/png", small.png)))
}

/// Writes the report of the run as it is now, and shows it.
fn report(session: &SharedSession) -> Result<Response, Failure> {
    let run = session.run().ok_or_else(|| Failure::input("no app is open"))?;
    let written = retap_report::write(&run, &ReportOptions::default())
        .map_err(|error| Failure::input(error.to_string()))?;
    let html = std::fs::read_to_string(&written.html)
        .map_err(|error| Failure::input(format!("{}: {error}", written.html.display())))?;
    // The report brings its own policy; nothing of it may reach this server.
    Ok(Response::page(
        html,
        "connect-src 'none'; frame-ancestors 'none'; form-action 'none'".into(),
    ))
}

fn command(path: &str, body: &[u8], session: &SharedSession) -> Result<Response, Failure> {
    let moved = |answer: MoveAnswer| Response::json(&answer);
    match path {
        "/api/open" => {
            let Choose { choice } = parse(body)?;
            let chosen =
                session.choices.get(choice).ok_or_else(|| Failure::input("no such choice"))?;
            session.open(&chosen.path)?;
            Ok(Response::json(&session_view(session)))
        }
        "/api/touch" => {
            let touch: Touch = parse(body)?;
            session
                .make_move(move |session| {
                    let event = touch.event(|point| session.target_at(point))?;
                    session.perform(event)
                })
                .map(moved)
        }
        "/api/event" => {
            let event: Event = parse(body)?;
            session.make_move(move |session| session.perform(event)).map(moved)
        }
        "/api/restart" => session.make_move(|session| session.restart()).map(moved),
        "/api/go" => {
            let Named { name } = parse(body)?;
            session.make_move(move |session| session.go(&name)).map(moved)
        }
        "/api/save" => {
            let Named { name } = parse(body)?;
            Ok(Response::json(&session.ask(move |session| session.save(&name))?))
        }
        "/api/trace" => {
            let Named { name } = parse(body)?;
            Ok(Response::json(&session.ask(move |session| session.save_trace(&name))?))
        }
        "/api/explore" => {
            let Explore { events } = parse(body)?;
            let events = events.clamp(1, MAX_EVENTS);
            Ok(Response::json(&session.ask(move |session| session.explore(events))?))
        }
        "/api/minimize" => {
            let Named { name } = parse(body)?;
            let crash = session.ask(move |session| {
                let id = session.find_crash(&name)?;
                session.minimize(id)
            })?;
            Ok(Response::json(&crash))
        }
        "/api/replay" => {
            let Replay { trace, runs } = parse(body)?;
            let runs = runs.clamp(1, MAX_RUNS);
            let file = trace_file(session, trace)?;
            Ok(Response::json(&session.ask(move |session| session.replay(&file, runs))?))
        }
        "/api/export" => {
            let Export { trace, format } = parse(body)?;
            let format: ScriptFormat = format.parse().map_err(Failure::input)?;
            let script = export_trace(&trace_file(session, trace)?, format, None)?;
            let left_out = script.left_out.iter();
            let left_out: Vec<String> =
                left_out.map(|step| format!("step {}: {}", step.number, step.reason)).collect();
            Ok(Response::json(&Exported { text: script.text, left_out }))
        }
        "/api/stop" => {
            session.stop();
            Ok(Response::json(&serde_json::json!({})))
        }
        _ => Ok(Response::error(404, "there is no such command")),
    }
}

/// Returns the file of a crash, or of a trace that was saved in the run, by its name. No other file is reached.
fn trace_file(session: &SharedSession, name: String) -> Result<String, Failure> {
    session.ask(move |session| {
        if let Ok(id) = session.find_crash(&name)
            && let Some(crash) = session.crash(id)
        {
            return Ok(crash.folder);
        }
        let traces = session.saved_traces();
        let known = traces.iter().find(|file| file.file_name().is_some_and(|it| *it == *name));
        known.map(|file| file.display().to_string()).ok_or_else(|| {
            Failure::input(format!("no crash and no saved trace is called {name:?}"))
        })
    })
}

fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, Failure> {
    serde_json::from_slice(body)
        .map_err(|error| Failure::input(format!("the page asks for something unknown: {error}")))
}

#[derive(Debug, Deserialize)]
struct Choose {
    choice: usize,
}

#[derive(Debug, Deserialize)]
struct Named {
    name: String,
}

#[derive(Debug, Deserialize)]
struct Explore {
    events: u64,
}

#[derive(Debug, Deserialize)]
struct Replay {
    trace: String,
    runs: u32,
}

#[derive(Debug, Deserialize)]
struct Export {
    trace: String,
    format: String,
}

#[derive(Debug, Serialize)]
struct Exported {
    text: String,
    left_out: Vec<String>,
}

/// A finger on the live screen, in pixels of the device.
#[derive(Debug, Deserialize)]
struct Touch {
    kind: String,
    at: Point,
    /// Where a drag ends.
    #[serde(default)]
    to: Option<Point>,
    /// What is typed into the field there.
    #[serde(default)]
    text: Option<String>,
}

impl Touch {
    fn event(self, target: impl Fn(Point) -> retap_model::Target) -> Result<Event, Failure> {
        let on = target(self.at);
        match (self.kind.as_str(), self.to, self.text) {
            ("tap", ..) => Ok(Event::Tap(on)),
            ("long_press", ..) => Ok(Event::LongPress(on)),
            ("drag", Some(to), _) => Ok(Event::Drag { from: on, to, ms: 200 }),
            ("text", _, Some(text)) => Ok(Event::Text { on, text }),
            (kind, ..) => Err(Failure::input(format!("no touch is called {kind:?}"))),
        }
    }
}
