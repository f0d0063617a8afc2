//! Listens on the loopback interface and answers each connection on a thread.

use crate::api;
use crate::guard::Guard;
use crate::http::{Request, RequestError, Response, begin_event_stream, send_event};
use crate::shared_session::{ServeSettings, SharedSession};
use retap_engine::Failure;
use std::io;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

const LOOK: Duration = Duration::from_millis(50);
/// A request comes at once, because its sender is on this machine.
const READ_TIME: Duration = Duration::from_secs(10);
const MAX_CONNECTIONS: usize = 64;
/// A stream says something at least this often, so that a page that has gone is noticed.
const HEARTBEAT: Duration = Duration::from_secs(5);

/// A server that listens.
#[derive(Debug)]
pub struct PageServer {
    listener: TcpListener,
    guard: Guard,
    session: Arc<SharedSession>,
    connections: Arc<AtomicUsize>,
    ended: Arc<AtomicBool>,
}

/// Serves until the interrupt. `announce` is told the address of the page.
pub fn serve(
    settings: ServeSettings,
    interrupt: &AtomicBool,
    announce: &dyn Fn(&str),
) -> Result<(), Failure> {
    let server = PageServer::listen(settings)?;
    announce(&server.address());
    server.run(interrupt)
}

impl PageServer {
    /// Opens the port, and what was named to be driven.
    pub fn listen(settings: ServeSettings) -> Result<Self, Failure> {
        let port = settings.port;
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(|error| {
            Failure::input(format!(
                "port {port} of this machine cannot be used: {error}; choose another with --port"
            ))
        })?;
        let failed = |error: io::Error| Failure::input(error.to_string());
        listener.set_nonblocking(true).map_err(failed)?;
        let port = listener.local_addr().map_err(failed)?.port();
        let guard = Guard::new(settings.token.clone(), port);
        Ok(Self {
            listener,
            guard,
            session: Arc::new(SharedSession::new(settings)?),
            connections: Arc::default(),
            ended: Arc::default(),
        })
    }

    /// Returns the address of the page, with its token.
    pub fn address(&self) -> String {
        self.guard.address()
    }

    /// Answers until the interrupt, then concludes the run.
    pub fn run(self, interrupt: &AtomicBool) -> Result<(), Failure> {
        while !interrupt.load(Ordering::Relaxed) {
            match self.listener.accept() {
                Ok((connection, _)) => self.answer(connection),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => std::thread::sleep(LOOK),
                Err(_) => std::thread::sleep(LOOK),
            }
        }
        self.ended.store(true, Ordering::SeqCst);
        self.session.stop();
        self.session.end()
    }

    fn answer(&self, mut connection: TcpStream) {
        let connections = Arc::clone(&self.connections);
        if connections.fetch_add(1, Ordering::SeqCst) >= MAX_CONNECTIONS {
            connections.fetch_sub(1, Ordering::SeqCst);
            return;
        }
        let (guard, session, ended) =
            (self.guard.clone(), Arc::clone(&self.session), Arc::clone(&self.ended));
        std::thread::spawn(move || {
            // A page that closes its connection early is no failure.
            let _ = answer_one(&mut connection, &guard, &session, &ended);
            connections.fetch_sub(1, Ordering::SeqCst);
        });
    }
}

fn answer_one(
    connection: &mut TcpStream,
    guard: &Guard,
    session: &SharedSession,
    ended: &AtomicBool,
) -> io::Result<()> {
    connection.set_nonblocking(false)?;
    connection.set_read_timeout(Some(READ_TIME))?;
    connection.set_write_timeout(Some(READ_TIME))?;
    connection.set_nodelay(true)?;
    let request = match Request::read(connection) {
        Ok(request) => request,
        Err(RequestError::Io(error)) => return Err(error),
        Err(RequestError::Malformed(why)) => return Response::error(400, why).write(connection),
        Err(RequestError::TooLong) => {
            return Response::error(413, "the request is too long").write(connection);
        }
    };
    if let Some(why) = guard.refuse(&request) {
        return Response::error(403, why).write(connection);
    }
    if request.method == "GET" && request.path == "/api/events" {
        return stream(connection, session, ended);
    }
    api::answer(&request, session).write(connection)
}

/// Tells the page of every change until it goes.
fn stream(
    connection: &mut TcpStream,
    session: &SharedSession,
    ended: &AtomicBool,
) -> io::Result<()> {
    begin_event_stream(connection)?;
    let mut version = u64::MAX;
    while !ended.load(Ordering::Relaxed) {
        let report = session.progress.wait(version, HEARTBEAT);
        version = report.version;
        send_event(connection, &report)?;
        // Many changes in a moment are told as one.
        std::thread::sleep(LOOK);
    }
    Ok(())
}
