//! Turns the app's probes into the model's units, and units into the files that JaCoCo's tools read.
//! The agent makes the table of units once per APK.

mod execution_data;
mod jacoco_files;
mod probe_decoder;
mod probe_table;
mod selection;

pub use execution_data::{decode as decode_execution_data, write_string as write_java_string};
pub use jacoco_files::{CoverageSources, write_jacoco_files};
pub use probe_decoder::ProbeDecoder;
pub use probe_table::ProbeTable;
pub use selection::{CountedClasses, CoverageSelection};
