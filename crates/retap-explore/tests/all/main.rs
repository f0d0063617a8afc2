//! The strategies on fakes, as users run them. One program, because each further one is linked anew.

mod auto;
mod common;
mod disturbed;
mod endings;
mod experience;
mod launch;
mod livelock;
mod published;
mod team;
mod timemachine;
