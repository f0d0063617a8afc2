//! Several explorers of one run, each with a device and a strategy of its own. What one has done is written down by
//! one scribe, trace by trace and whole, so that the run on disk is like any other; and where they share, it is told to the others
//! between their traces, so that all choose where to go from all that is known.

use crate::exploration::{Exploration, ExploreError, Limits, Progress, can_go_on};
use crate::interesting::Interesting;
use crate::memory;
use crate::strategy::{Move, Strategy};
use retap_device::Rig;
use retap_model::format::run::TravelRow;
use retap_model::trace::Return;
use retap_model::{App, Event, Observation, Trace};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// How long the scribe waits for news before it asks whether to go on.
const PATIENCE: Duration = Duration::from_millis(100);

/// What the explorers have in common.
#[derive(Debug, Clone, Copy)]
pub struct Team {
    pub limits: Limits,
    pub interesting: Interesting,
    /// Whether each hears what the others did.
    pub shares: bool,
}

/// A trace that an explorer has ended, with all that was seen.
#[derive(Debug)]
struct Finished {
    trace: Trace,
    returns: Option<Return>,
    /// One more than there are steps.
    seen: Vec<Observation>,
    travel: Vec<TravelRow>,
}

/// What an explorer tells the scribe.
enum News {
    Finished(usize, Arc<Finished>),
    Ended(Result<(), ExploreError>),
}

/// What the explorers agree on while they work.
#[derive(Debug, Default)]
struct Board {
    /// Events of all of them.
    events: AtomicU64,
    stop: AtomicBool,
}

impl Exploration<'_> {
    /// Explores with as many explorers as there are strategies, each on a rig of its own, until a limit is reached or
    /// `watch` answers `false`. Whatever ends it, all that happened is on disk.
    pub fn run_team(
        &mut self,
        rigs: &mut [Rig<'_>],
        strategies: &mut [Box<dyn Strategy>],
        team: Team,
        watch: &mut dyn FnMut(Progress<'_>) -> bool,
    ) -> Result<(), ExploreError> {
        let Some(app) = rigs.first_mut().map(|rig| rig.app().cloned()).transpose()? else {
            return Ok(());
        };
        self.flush()?;
        let board = Board::default();
        board.events.store(self.findings.events, Ordering::Relaxed);
        let mut explorers = Vec::new();
        for strategy in strategies.iter_mut() {
            explorers.push(memory::remember(self, strategy.as_mut(), team.interesting, &app)?);
        }
        let result = std::thread::scope(|scope| {
            let (to_scribe, news) = channel();
            let mut others = Vec::new();
            for (number, (explorer, rig)) in explorers.into_iter().zip(rigs).enumerate() {
                let (to_explorer, heard) = channel();
                others.push(to_explorer);
                let worker =
                    Worker { number, explorer, heard, board: &board, to_scribe: to_scribe.clone() };
                scope.spawn(move || worker.work(rig, team));
            }
            drop(to_scribe);
            self.write_down(&news, &others, &board, (&app, team), watch)
        });
        let flushed = self.flush();
        result?;
        Ok(flushed?)
    }

    /// Writes what comes in until nobody is left to tell anything.
    fn write_down(
        &mut self,
        news: &Receiver<News>,
        others: &[Sender<Arc<Finished>>],
        board: &Board,
        (app, team): (&App, Team),
        watch: &mut dyn FnMut(Progress<'_>) -> bool,
    ) -> Result<(), ExploreError> {
        let mut result = Ok(());
        loop {
            match news.recv_timeout(PATIENCE) {
                Ok(News::Finished(from, finished)) if result.is_ok() => {
                    result = self.write_finished(&finished);
                    let listeners = others.iter().enumerate().filter(|(to, _)| *to != from);
                    for (_, listener) in listeners.filter(|_| team.shares) {
                        // Who has ended does not listen any more.
                        let _ = listener.send(Arc::clone(&finished));
                    }
                }
                Ok(News::Ended(Err(error))) if result.is_ok() => result = Err(error),
                Ok(_) | Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return result,
            }
            let goes_on =
                result.is_ok() && watch(Progress { findings: &self.findings, app, last: None });
            if !goes_on {
                board.stop.store(true, Ordering::Relaxed);
            }
        }
    }

    fn write_finished(&mut self, finished: &Finished) -> Result<(), ExploreError> {
        for row in &finished.travel {
            self.journal.note_travel(row.clone())?;
        }
        self.relive(finished)
    }

    /// Learns from a trace as if it had been done here.
    fn relive(&mut self, finished: &Finished) -> Result<(), ExploreError> {
        let Finished { trace, returns, seen, .. } = finished;
        let events: Vec<Event> = trace.events().cloned().collect();
        let way = returns.map_or(0, |returns| returns.steps);
        match returns {
            Some(returns) => {
                self.record_return(trace.world_seed, *returns, &events[..way], &seen[..=way])?;
            }
            None => self.record_start(trace.world_seed, &seen[0])?,
        }
        for (event, seen) in events[way..].iter().zip(&seen[way + 1..]) {
            self.record_step(event.clone(), seen)?;
        }
        Ok(())
    }

    /// The trace that was made, if the rig still knows all that was seen on it.
    fn finish(&mut self, rig: &Rig<'_>) -> Option<Finished> {
        let trace = self.current.take()?;
        let travel = self.journal.take_travel();
        let seen = rig.seen().to_vec();
        let whole = seen.len() == trace.steps.len() + 1;
        whole.then_some(Finished { trace, returns: self.began, seen, travel })
    }
}

/// One explorer at work.
struct Worker<'w, 's> {
    number: usize,
    explorer: Exploration<'s>,
    heard: Receiver<Arc<Finished>>,
    to_scribe: Sender<News>,
    board: &'w Board,
}

impl Worker<'_, '_> {
    fn work(mut self, rig: &mut Rig<'_>, team: Team) {
        let result = self.explore(rig, team);
        self.hand_over(rig);
        self.tell(News::Ended(result));
    }

    fn explore(&mut self, rig: &mut Rig<'_>, team: Team) -> Result<(), ExploreError> {
        let app = rig.app()?.clone();
        // Each has its own idea of how many events there were: the board knows.
        let unlimited = Limits { max_events: u64::MAX, ..team.limits };
        while !self.board.stop.load(Ordering::Relaxed)
            && self.board.events.load(Ordering::Relaxed) < team.limits.max_events
            && can_go_on(&self.explorer.findings, unlimited)
        {
            let mut next = self.explorer.decide(rig, &app, unlimited, false)?;
            if !matches!(next, Move::Do(_)) {
                self.hand_over(rig);
                if self.listen()? {
                    next = self.explorer.decide(rig, &app, unlimited, true)?;
                }
            }
            let why = self.explorer.strategy.why();
            let before = self.explorer.findings.events;
            self.explorer.take(&next, rig, unlimited, &why)?;
            let events = self.explorer.findings.events - before;
            self.board.events.fetch_add(events, Ordering::Relaxed);
        }
        Ok(())
    }

    fn hand_over(&mut self, rig: &Rig<'_>) {
        if let Some(finished) = self.explorer.finish(rig) {
            self.tell(News::Finished(self.number, Arc::new(finished)));
        }
    }

    /// Takes in what the others have ended meanwhile; whether there was anything.
    fn listen(&mut self) -> Result<bool, ExploreError> {
        let mut any = false;
        while let Ok(finished) = self.heard.try_recv() {
            self.explorer.relive(&finished)?;
            any = true;
        }
        self.explorer.current = None;
        Ok(any)
    }

    fn tell(&self, news: News) {
        // The scribe listens until every explorer is gone.
        let _ = self.to_scribe.send(news);
    }
}
