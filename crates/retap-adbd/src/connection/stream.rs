//! One stream of a connection. Each side sends one message and waits until the other has taken it, so that nobody's
//! memory grows.

use super::send;
use crate::protocol::{AdbCommand, Message};
use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// What the thread that reads the connection and the thread of the service share.
#[derive(Debug, Default)]
pub struct StreamState {
    inner: Mutex<Inner>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Inner {
    received: VecDeque<Vec<u8>>,
    /// True while a message of ours was not taken yet.
    waits: bool,
    closed: bool,
    over: bool,
}

impl StreamState {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut Inner)) {
        change(&mut self.lock());
        self.changed.notify_all();
    }

    pub fn receive(&self, payload: Vec<u8>) {
        self.change(|inner| inner.received.push_back(payload));
    }

    pub fn acknowledge(&self) {
        self.change(|inner| inner.waits = false);
    }

    pub fn close(&self) {
        self.change(|inner| inner.closed = true);
    }

    /// Returns true once the service has ended.
    pub fn is_over(&self) -> bool {
        self.lock().over
    }
}

/// The service's side of a stream.
#[derive(Debug)]
pub struct AdbStream {
    ours: u32,
    theirs: u32,
    payload: usize,
    state: Arc<StreamState>,
    writer: Arc<Mutex<TcpStream>>,
    rest: Mutex<Vec<u8>>,
}

impl AdbStream {
    pub fn new(
        ours: u32,
        theirs: u32,
        payload: usize,
        state: Arc<StreamState>,
        writer: Arc<Mutex<TcpStream>>,
    ) -> Self {
        Self { ours, theirs, payload, state, writer, rest: Mutex::default() }
    }

    /// Returns true if the client has closed the stream.
    pub fn is_closed(&self) -> bool {
        self.state.lock().closed
    }

    /// Ends the stream from this side.
    pub fn end(&self) {
        // The peer may be gone.
        let _ = send(&self.writer, &Message::new(AdbCommand::Close, self.ours, self.theirs, []));
        self.state.change(|inner| inner.over = true);
    }

    fn next_received(&self) -> io::Result<Option<Vec<u8>>> {
        let mut inner = self.state.lock();
        loop {
            if let Some(payload) = inner.received.pop_front() {
                drop(inner);
                send(&self.writer, &Message::new(AdbCommand::Okay, self.ours, self.theirs, []))?;
                return Ok(Some(payload));
            }
            if inner.closed {
                return Ok(None);
            }
            inner = self.state.changed.wait(inner).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn send_part(&self, part: &[u8]) -> io::Result<()> {
        let mut inner = self.state.lock();
        while inner.waits && !inner.closed {
            inner = self.state.changed.wait(inner).unwrap_or_else(PoisonError::into_inner);
        }
        if inner.closed {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        inner.waits = true;
        drop(inner);
        send(&self.writer, &Message::new(AdbCommand::Write, self.ours, self.theirs, part))
    }
}

impl Read for &AdbStream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut rest = self.rest.lock().unwrap_or_else(PoisonError::into_inner);
        while rest.is_empty() {
            match self.next_received()? {
                Some(payload) => *rest = payload,
                None => return Ok(0),
            }
        }
        let length = buffer.len().min(rest.len());
        buffer[..length].copy_from_slice(&rest[..length]);
        rest.drain(..length);
        Ok(length)
    }
}

impl Write for &AdbStream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for part in bytes.chunks(self.payload) {
            self.send_part(part)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
