//! `retap instrument`: makes an APK that counts its own coverage, and reads what it counted.

use crate::cli::InstrumentArgs;
use crate::console::Console;
use crate::exit::Exit;
use retap_device::DeviceError;
use retap_embedded::{
    CoverageSelection, InstrumentReport, InstrumentRequest, InstrumentedApp, SigningKey,
};
use retap_engine::{Failure, Reporter};
use retap_model::Coverage;
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::Path;

/// The password of the keys that Android's tools make.
const USUAL_PASSWORD: &str = "android";
/// The classes that a person wants to see; `--json` has all of them.
const MAX_LEFT: usize = 10;

pub fn run(args: &InstrumentArgs, console: &Console) -> Result<Exit, Failure> {
    if !args.read.is_empty() {
        return read(args, console);
    }
    let Some(output) = &args.output else {
        return Err(Failure::input("-o says where the new APK goes"));
    };
    let request = InstrumentRequest {
        apk: args.apk.clone(),
        output: output.clone(),
        force: args.force,
        selection: CoverageSelection {
            include: args.include.clone(),
            exclude: args.exclude.clone(),
        },
        key: key(args)?,
    };
    let report = retap_embedded::instrument(&request, &console.device_listener())?;
    let uri = report.app.execution_data_uri(false);
    console.json(&json!({
        "verb": "instrument",
        "package": report.package,
        "output": output,
        "classes": report.classes,
        "left": left(&report),
        "coverage": report.app.units().count(&Coverage::default()),
        "keystore": report.keystore,
        "uri": uri,
    }));
    console.result(&describe(&report, output, &uri));
    Ok(Exit::Clean)
}

fn left(report: &InstrumentReport) -> Vec<Value> {
    let class = |it: &retap_embedded::LeftClass| json!({ "class": it.name, "reason": it.reason });
    report.left.iter().map(class).collect()
}

fn describe(report: &InstrumentReport, output: &Path, uri: &str) -> String {
    let mut text =
        format!("{}: {} classes of {} count\n", output.display(), report.classes, report.package);
    if !report.left.is_empty() {
        let _ = writeln!(text, "{} classes stay as they are and do not count:", report.left.len());
    }
    for class in report.left.iter().take(MAX_LEFT) {
        let _ = writeln!(text, "  {}: {}", class.name, class.reason);
    }
    let _ = writeln!(text, "Signed with {}", report.keystore.display());
    let _ = writeln!(text, "Next: adb install -t {}", output.display());
    let _ = writeln!(text, "      adb shell content read --uri {uri} > coverage.exec");
    let _ = write!(text, "      retap instrument {} --read coverage.exec", output.display());
    text
}

fn read(args: &InstrumentArgs, console: &Console) -> Result<Exit, Failure> {
    let app = InstrumentedApp::open(&args.apk)?.ok_or_else(|| {
        let name = args.apk.display();
        Failure::input(format!("{name} is not instrumented: retap instrument {name} -o NEW.apk"))
    })?;
    let mut covered = Coverage::default();
    for file in &args.read {
        let bytes = std::fs::read(file).map_err(|error| in_file(file, &error))?;
        covered.union_with(&app.coverage(&bytes).map_err(|error| in_file(file, &error))?);
    }
    console.json(&json!({ "verb": "instrument", "coverage": app.units().count(&covered) }));
    let mut text = String::new();
    for (kind, count) in app.units().count(&covered) {
        let (percent, kind) = (count.percent(), kind.to_string());
        let _ =
            writeln!(text, "{kind:11} {:>7} of {:>7}  {percent:5.1}%", count.covered, count.total);
    }
    console.result(&text);
    Ok(Exit::Clean)
}

fn in_file(file: &Path, error: &dyn std::fmt::Display) -> Failure {
    Failure::from(DeviceError::App(format!("{}: {error}", file.display())))
}

fn key(args: &InstrumentArgs) -> Result<Option<SigningKey>, Failure> {
    let Some(file) = &args.key else { return Ok(None) };
    let password = match args.key_password.as_deref() {
        None => USUAL_PASSWORD.into(),
        Some(place) => password(place)?,
    };
    let file = file.canonicalize().map_err(|error| in_file(file, &error))?;
    Ok(Some(SigningKey { file, alias: args.key_alias.clone(), password }))
}

fn password(place: &str) -> Result<String, Failure> {
    let (kind, name) = place.split_once(':').unwrap_or_default();
    match kind {
        "env" => std::env::var(name)
            .map_err(|_| Failure::input(format!("the variable {name} holds no password"))),
        "file" => {
            let text =
                std::fs::read_to_string(name).map_err(|error| in_file(name.as_ref(), &error))?;
            Ok(text.lines().next().unwrap_or_default().to_owned())
        }
        _ => Err(Failure::input("--key-password takes env:VARIABLE or file:PATH")),
    }
}
