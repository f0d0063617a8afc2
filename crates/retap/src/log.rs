//! `debug.log`: every log line of a run, made printable. Until the run directory is known, lines wait in memory.

use retap_model::printable::printable;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Mutex;
use tracing::Level;
use tracing_subscriber::fmt::MakeWriter;

static SINK: Mutex<Sink> = Mutex::new(Sink::Waiting(Vec::new()));

/// The most bytes that wait in memory. A run logs little before it has a directory.
const WAITING_LIMIT: usize = 1 << 20;

#[derive(Debug)]
enum Sink {
    Waiting(Vec<u8>),
    File(File),
}

pub fn start(verbose: u8) {
    let echo = match verbose {
        0 => None,
        1 => Some(Level::INFO),
        _ => Some(Level::DEBUG),
    };
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(Level::DEBUG)
        .with_ansi(false)
        .with_target(false)
        .with_writer(SinkWriter { echo })
        .finish();
    // Fails only if a subscriber was set before; only main sets one, once.
    let _ = tracing::subscriber::set_global_default(subscriber);
}

/// Writes the log into the run directory from now on.
pub fn open(run: &Path) -> io::Result<()> {
    let mut file = File::options().create(true).append(true).open(run.join("debug.log"))?;
    let mut sink = SINK.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if let Sink::Waiting(lines) = &*sink {
        file.write_all(lines)?;
    }
    *sink = Sink::File(file);
    Ok(())
}

struct SinkWriter {
    echo: Option<Level>,
}

struct Line {
    echo: bool,
}

impl<'a> MakeWriter<'a> for SinkWriter {
    type Writer = Line;

    fn make_writer(&'a self) -> Line {
        Line { echo: false }
    }

    fn make_writer_for(&'a self, metadata: &tracing::Metadata<'_>) -> Line {
        Line { echo: self.echo.is_some_and(|level| *metadata.level() <= level) }
    }
}

impl Write for Line {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(line);
        let shown = printable(&text);
        let bytes = shown.as_bytes();
        if self.echo {
            io::stderr().write_all(bytes)?;
        }
        let mut sink = SINK.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        match &mut *sink {
            Sink::File(file) => file.write_all(bytes)?,
            Sink::Waiting(lines) if lines.len() < WAITING_LIMIT => lines.extend_from_slice(bytes),
            Sink::Waiting(_) => {}
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
