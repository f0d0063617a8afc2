//! A trace as a script of another tool, with what lies beside it: the stack of a crash and its picture.

use retap_engine::connection::{NamedTrace, find_launcher};
use retap_engine::{Failure, trace_file};
use retap_export::{ExportedTrace, Script, ScriptFormat};
use std::fs;
use std::path::{Path, PathBuf};

/// The longest stack that a bug report shows.
const MAX_STACK: u64 = 256 << 10;

/// Writes a trace, as users name it, in a format. `activity` is what the script launches; by default the app's launcher
/// activity, if the app's file is found.
pub fn export_trace(
    name: &str,
    format: ScriptFormat,
    activity: Option<&str>,
) -> Result<Script, Failure> {
    let (header, trace) = trace_file::read(name)?;
    for java in activity.into_iter().chain([header.app.package.as_str()]) {
        if !is_java_name(java) {
            return Err(Failure::input(format!("no package or class can be named {java:?}")));
        }
    }
    let launcher = find_launcher(NamedTrace { name, header: &header });
    let folder = trace_file::locate(name).parent().map(PathBuf::from).unwrap_or_default();
    let stack = read_stack(&folder.join("stack.txt"));
    let picture = folder.join("last.png");
    let picture = picture.is_file().then(|| picture.display().to_string());
    let exported = ExportedTrace {
        app: &header.app,
        api: header.api,
        display: header.display,
        entry: activity.or(launcher.as_deref().filter(|class| is_java_name(class))),
        trace: &trace,
        stack: stack.as_deref(),
        name,
        picture: picture.as_deref(),
    };
    Ok(retap_export::write(format, &exported))
}

fn is_java_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '_' | '$'))
}

/// Returns the stack in the folder of a crash, if the trace lies in one.
fn read_stack(file: &Path) -> Option<String> {
    let size = fs::metadata(file).ok().filter(fs::Metadata::is_file)?.len();
    (size <= MAX_STACK).then(|| fs::read_to_string(file).ok())?
}
