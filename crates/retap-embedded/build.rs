//! Puts the agent's Maven project into the binary, so that an installed retap can build it. This writes a
//! table of the project's files, which `setup/agent.rs` includes. It also compiles the library that the
//! agent's JVM loads first, which `process/preload.rs` includes.

#![expect(
    clippy::disallowed_methods,
    reason = "Cargo passes settings to a build script in variables"
)]

use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The files that Maven needs. The project's tests are left out.
const INCLUDED: [&str; 2] = ["pom.xml", "src/main"];

fn main() -> Result<(), Box<dyn Error>> {
    let agent = Path::new(&std::env::var("CARGO_MANIFEST_DIR")?).join("../../agent");
    let agent = agent.canonicalize()?;
    let mut files = Vec::new();
    for name in INCLUDED {
        println!("cargo::rerun-if-changed={}", agent.join(name).display());
        collect(&agent.join(name), &mut files)?;
    }
    files.sort();
    let mut table = String::from("[\n");
    for file in files {
        let name = file.strip_prefix(&agent)?.to_string_lossy().replace('\\', "/");
        writeln!(table, "    ({name:?}, include_bytes!({file:?})),")?;
    }
    table.push(']');
    let output = PathBuf::from(std::env::var("OUT_DIR")?);
    fs::write(output.join("sources.rs"), table)?;
    if std::env::var("CARGO_CFG_TARGET_OS")? == "linux" {
        compile_preload(&output.join("preload.so"))?;
    }
    Ok(())
}

/// Compiles the library with the compiler and linker that compile retap.
fn compile_preload(library: &Path) -> Result<(), Box<dyn Error>> {
    const SOURCE: &str = "preload/tmpfile.rs";
    println!("cargo::rerun-if-changed={SOURCE}");
    let mut command = Command::new(std::env::var("RUSTC")?);
    command
        .args(["--edition=2024", "--crate-type=cdylib", "-Copt-level=s", "-Cpanic=abort"])
        .args(["-Cstrip=symbols", SOURCE, "--target", &std::env::var("TARGET")?, "-o"])
        .arg(library);
    if let Ok(linker) = std::env::var("RUSTC_LINKER") {
        command.arg(format!("-Clinker={linker}"));
    }
    if command.status()?.success() {
        Ok(())
    } else {
        Err(format!("cannot compile {SOURCE}").into())
    }
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    if path.is_file() {
        files.push(path.to_owned());
        return Ok(());
    }
    for entry in fs::read_dir(path)? {
        collect(&entry?.path(), files)?;
    }
    Ok(())
}
