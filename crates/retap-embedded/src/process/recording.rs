//! The JVM's flight recorder, which samples the stacks of running threads and times the loading of classes.

use std::fs;
use std::io;
use std::path::Path;

/// The file in the agent's working folder that the recording is written to when the agent ends.
pub const RECORDING: &str = "recording.jfr";

/// The file that says what is recorded.
pub const SETTINGS: &str = "recording.jfc";

/// Stacks of the framework are deep. A stack that is cut off would join the wrong branch.
const MAX_FRAMES: u32 = 1024;

/// What is recorded. Everything else costs time and memory, or reads files that the sandbox closes.
const RECORDED: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<configuration version="2.0">
  <event name="jdk.ExecutionSample">
    <setting name="enabled">true</setting>
    <setting name="period">10 ms</setting>
  </event>
  <event name="jdk.NativeMethodSample">
    <setting name="enabled">true</setting>
    <setting name="period">10 ms</setting>
  </event>
  <event name="jdk.ClassLoad">
    <setting name="enabled">true</setting>
    <setting name="threshold">0 ms</setting>
    <setting name="stackTrace">false</setting>
  </event>
</configuration>
"#;

/// Returns the JVM's flags for a recording to the folder `work`, with settings in another.
pub fn flags(settings: &Path, work: &Path) -> io::Result<[String; 3]> {
    let settings = settings.join(SETTINGS);
    fs::write(&settings, RECORDED)?;
    let (folder, settings) = (work.display(), settings.display());
    Ok([
        format!("-XX:StartFlightRecording=settings={settings},filename={folder}/{RECORDING}"),
        format!("-XX:FlightRecorderOptions=repository={folder},stackdepth={MAX_FRAMES}"),
        "-Dretap.profile=true".into(),
    ])
}
