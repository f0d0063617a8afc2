//! Prints a summary of an APK's contents: `cargo run -p retap-apk --example summary -- app.apk`.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "it is a command")]
#![expect(clippy::disallowed_methods, reason = "it is a command that measures its own time")]

use std::process::ExitCode;
use std::time::Instant;

use retap_apk::{Apk, ApkError, Code};

fn main() -> ExitCode {
    let mut failed = false;
    for path in std::env::args_os().skip(1) {
        if let Err(error) = summarize(&path) {
            failed = true;
            eprintln!("{error}");
        }
    }
    if failed { ExitCode::from(2) } else { ExitCode::SUCCESS }
}

fn summarize(path: &std::ffi::OsStr) -> Result<(), ApkError> {
    let start = Instant::now();
    let apk = Apk::open(path)?;
    let opened = start.elapsed();
    let app = apk.code()?;
    let read = start.elapsed() - opened;
    let manifest = &apk.manifest;

    println!("{} ({})", apk.path.display(), apk.sha256);
    let version = manifest.version_name.as_deref().unwrap_or("-");
    println!("  {} {version} ({})", manifest.package, manifest.version_code);
    println!("  label {:?}, theme {:?}", manifest.application.label, manifest.application.theme);
    println!("  API levels: at least {}, made for {}", manifest.min_sdk, manifest.target_sdk);
    println!(
        "  {} activities, {} aliases, {} services, {} receivers, {} providers, {} permissions",
        manifest.activities.len(),
        manifest.aliases.len(),
        manifest.services.len(),
        manifest.receivers.len(),
        manifest.providers.len(),
        manifest.permissions.len(),
    );
    println!("  launcher: {:?}", apk.launcher().map(|launcher| launcher.component));
    for part in apk.parts.iter().skip(1) {
        println!("  split {:?}", part.split);
    }
    for (entry, headers) in &app.dex {
        println!("  {entry}: {headers:?}");
    }
    summarize_code(&app.code, &manifest.package);
    println!("  opened in {opened:.1?}, code read in {read:.1?}");
    Ok(())
}

fn summarize_code(code: &Code, package: &str) {
    let ownership = code.ownership(package);
    println!("  own: {:?}", ownership.own);
    println!("  libraries: {:?}", ownership.libraries);
    let methods = code.methods().count();
    let calls: usize = code.methods().map(|it| it.method.calls.len()).sum();
    let framework: std::collections::BTreeSet<_> =
        code.methods().flat_map(|it| code.framework_calls(it.method)).collect();
    println!("  {methods} methods, {calls} calls, {} framework methods", framework.len());
}
