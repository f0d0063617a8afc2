//! The phone's shell: the part of its language that tools use. What it does not know it refuses in words.

mod background;
mod expand;
mod parse;
mod word;

pub use parse::{Connector, Pipeline, Redirect, parse};

use crate::commands;
use crate::files::{NOTHING, resolve};
use crate::phone::Phone;
pub use background::BackgroundEvents;
use expand::{expand_name, expand_words};
use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Read, Write};

/// What a command may put into a pipe or a file.
const MAX_PIPED: usize = 64 << 20;
/// A shell that calls itself again and again ends here.
const MAX_DEPTH: usize = 16;
const NOT_FOUND: u8 = 127;
const SYNTAX: u8 = 2;

/// Where a command reads and writes.
pub struct ShellStreams<'a> {
    pub input: &'a mut dyn Read,
    pub output: &'a mut dyn Write,
    pub errors: &'a mut dyn Write,
    /// Tells whether the client has gone.
    pub ended: &'a dyn Fn() -> bool,
}

/// What commands of one shell share.
#[derive(Debug, Default)]
pub struct ShellState {
    pub folder: String,
    pub variables: BTreeMap<String, String>,
    /// Events of commands that nobody waits for.
    pub background: BackgroundEvents,
    last: u8,
    exited: bool,
    depth: usize,
}

/// One command that runs.
pub struct Invocation<'a, 'b> {
    pub arguments: &'a [String],
    pub streams: &'a mut ShellStreams<'b>,
    pub phone: &'a Phone,
    pub shell: &'a mut ShellState,
}

impl Invocation<'_, '_> {
    /// Returns the arguments as plain texts.
    pub fn words(&self) -> Vec<&str> {
        self.arguments.iter().map(String::as_str).collect()
    }

    pub fn print(&mut self, text: &str) -> io::Result<()> {
        self.streams.output.write_all(text.as_bytes())
    }

    pub fn complain(&mut self, text: &str) -> io::Result<u8> {
        self.streams.errors.write_all(format!("{text}\n").as_bytes())?;
        Ok(1)
    }

    /// Returns the absolute path of a name.
    pub fn path(&self, name: &str) -> String {
        resolve(&self.shell.folder, name)
    }

    /// Reads all input, up to a bound.
    pub fn read_input(&mut self, most: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.streams.input.take(most).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// Runs another line in the same shell.
    pub fn run_line(&mut self, line: &str) -> io::Result<u8> {
        run_line(line, self.streams, self.phone, self.shell)
    }
}

/// Runs a command line, or every line of the input if there is none. Returns the exit code.
pub fn run(line: &str, streams: &mut ShellStreams<'_>, phone: &Phone) -> io::Result<u8> {
    let mut state = ShellState { folder: "/".into(), ..ShellState::default() };
    if !line.trim().is_empty() {
        return run_line(line, streams, phone, &mut state);
    }
    let mut input = BufReader::new(&mut *streams.input);
    let mut line = String::new();
    while !state.exited {
        line.clear();
        if input.read_line(&mut line)? == 0 {
            break;
        }
        let mut streams = ShellStreams {
            input: &mut io::empty(),
            output: &mut *streams.output,
            errors: &mut *streams.errors,
            ended: streams.ended,
        };
        state.last = run_line(&line, &mut streams, phone, &mut state)?;
    }
    Ok(state.last)
}

fn run_line(
    line: &str,
    streams: &mut ShellStreams<'_>,
    phone: &Phone,
    state: &mut ShellState,
) -> io::Result<u8> {
    let pipelines = match parse(line) {
        Ok(pipelines) => pipelines,
        Err(error) => {
            streams.errors.write_all(format!("/system/bin/sh: {error}\n").as_bytes())?;
            return Ok(SYNTAX);
        }
    };
    if state.depth >= MAX_DEPTH {
        streams.errors.write_all(b"/system/bin/sh: too many shells\n")?;
        return Ok(1);
    }
    state.depth += 1;
    for pipeline in &pipelines {
        let runs = match pipeline.connector {
            Connector::Always => true,
            Connector::IfGood => state.last == 0,
            Connector::IfBad => state.last != 0,
        };
        // As on a phone, the shell ends with its client.
        if runs && !state.exited && !(streams.ended)() {
            state.background.is_open = pipeline.in_background;
            state.last = run_pipeline(pipeline, streams, phone, state)?;
        }
    }
    state.depth -= 1;
    state.background.finish(phone);
    Ok(state.last)
}

fn run_pipeline(
    pipeline: &Pipeline,
    streams: &mut ShellStreams<'_>,
    phone: &Phone,
    state: &mut ShellState,
) -> io::Result<u8> {
    let mut piped: Option<Vec<u8>> = None;
    let mut code = 0;
    for (index, command) in pipeline.commands.iter().enumerate() {
        let is_last = index + 1 == pipeline.commands.len();
        let words = expand_words(&command.words, streams, phone, state)?;
        let redirected = |wanted: fn(&Redirect) -> bool| command.redirects.iter().any(wanted);
        let captures = !is_last || redirected(|it| matches!(it, Redirect::Output { .. }));
        let merges = redirected(|it| matches!(it, Redirect::ErrorsToOutput));
        let drops = redirected(|it| matches!(it, Redirect::DropErrors));
        let mut input_bytes = piped.take();
        for redirect in &command.redirects {
            if let Redirect::Input(word) = redirect {
                let name = expand_name(word, streams, phone, state)?;
                let path = resolve(&state.folder, &name);
                let content = phone.files().read(&path).map(|content| content.to_vec());
                match content {
                    Ok(content) => input_bytes = Some(content),
                    Err(error) => {
                        let message = format!("/system/bin/sh: can't open {path}: {error}\n");
                        streams.errors.write_all(message.as_bytes())?;
                        return Ok(1);
                    }
                }
            }
        }
        let mut captured = Captured::default();
        let mut errors = Captured::default();
        let mut piped_input = input_bytes.as_deref();
        let mut inner = ShellStreams {
            input: match &mut piped_input {
                Some(bytes) => bytes,
                None => &mut *streams.input,
            },
            output: if captures { &mut captured } else { &mut *streams.output },
            errors: if merges || drops { &mut errors } else { &mut *streams.errors },
            ended: streams.ended,
        };
        code = run_command(&words, &mut inner, phone, state)?;
        if merges {
            let target: &mut dyn Write =
                if captures { &mut captured } else { &mut *streams.output };
            target.write_all(&errors.0)?;
        }
        for redirect in &command.redirects {
            if let Redirect::Output { to, appends } = redirect {
                let name = expand_name(to, streams, phone, state)?;
                let path = resolve(&state.folder, &name);
                if let Err(error) = store(phone, &path, std::mem::take(&mut captured.0), *appends) {
                    let message = format!("/system/bin/sh: can't create {path}: {error}\n");
                    streams.errors.write_all(message.as_bytes())?;
                    code = 1;
                }
            }
        }
        piped = Some(captured.0);
    }
    Ok(code)
}

fn store(
    phone: &Phone,
    path: &str,
    content: Vec<u8>,
    appends: bool,
) -> Result<(), crate::files::FileError> {
    if path == NOTHING {
        return Ok(());
    }
    let now = (phone.log.now_ms() / 1_000) as u32;
    let mut files = phone.files();
    let mut whole = match files.read(path) {
        Ok(before) if appends => before.to_vec(),
        _ => Vec::new(),
    };
    whole.extend(content);
    files.write(path, whole, 0o644, now)
}

fn run_command(
    words: &[String],
    streams: &mut ShellStreams<'_>,
    phone: &Phone,
    state: &mut ShellState,
) -> io::Result<u8> {
    let assigns = |word: &&String| word::assignment(word).is_some();
    let assignments = words.iter().take_while(assigns).count();
    let (assignments, words) = words.split_at(assignments);
    for (name, value) in assignments.iter().filter_map(|word| word::assignment(word)) {
        state.variables.insert(name.to_string(), value.to_string());
    }
    let Some((name, arguments)) = words.split_first() else { return Ok(0) };
    if name == "exit" {
        state.exited = true;
        return Ok(arguments.first().and_then(|code| code.parse().ok()).unwrap_or(state.last));
    }
    let short = name.rsplit('/').next().unwrap_or(name);
    if !matches!(short, "input" | "sleep") {
        state.background.finish(phone);
    }
    match commands::find(short) {
        Some(command) => command(&mut Invocation { arguments, streams, phone, shell: state }),
        None => {
            let message = format!("/system/bin/sh: {name}: inaccessible or not found\n");
            streams.errors.write_all(message.as_bytes())?;
            Ok(NOT_FOUND)
        }
    }
}

/// Output that goes on into a pipe or a file.
#[derive(Default)]
struct Captured(Vec<u8>);

impl Write for Captured {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.len() + bytes.len() > MAX_PIPED {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
