//! Programs made up by tests.

use std::path::Path;
use std::process::Command;

/// Writes an executable shell script. Through another process: one that this process had open for
/// writing could not be executed while a child started by another test still holds the file.
pub fn write_script(path: &Path, script: &str) {
    let write = r##"printf '#!/bin/sh\n%s\n' "$2" > "$1" && chmod +x "$1""##;
    let status = Command::new("sh").args(["-c", write, "sh"]).arg(path).arg(script).status();
    assert!(status.unwrap().success());
}
