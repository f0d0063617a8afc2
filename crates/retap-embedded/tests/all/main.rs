//! The embedded device on the fixtures: what an app sees, how it ends, what it cannot reach. One program, because each further one is linked anew.

mod compatibility;
mod drawn;
mod embedded;
mod endings;
mod fidelity;
mod fragile;
mod haste;
mod hostile;
mod instrumented_apps;
mod phone;
mod worlds;
