//! From the app's probes to the model's code units, and from there to the files that JaCoCo's tools
//! read. The agent makes the table of units once per APK; everything here follows from it.

mod exec;
mod jacoco;
mod probes;
mod selection;
mod table;

pub use jacoco::{Sources, write};
pub use probes::Probes;
pub use selection::{Counted, Selection};
pub use table::Table;
