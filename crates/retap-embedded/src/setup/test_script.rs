//! Shell scripts that tests use as programs.

#![expect(clippy::disallowed_methods, reason = "another process writes the script")]

use std::path::Path;
use std::process::Command;

/// Writes an executable shell script. Another process writes it, because a file that this process had
/// open for writing cannot be executed while a child of another test still holds it open.
pub fn write_script(path: &Path, script: &str) {
    let write = r##"printf '#!/bin/sh\n%s\n' "$2" > "$1" && chmod +x "$1""##;
    let status = Command::new("sh").args(["-c", write, "sh"]).arg(path).arg(script).status();
    assert!(status.unwrap().success());
}
