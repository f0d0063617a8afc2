//! The reasons why the set-up fails, each with advice.

use crate::setup::API_LEVELS;
use retap_device::DeviceError;
use std::path::PathBuf;

/// A reason why the set-up failed.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    #[error(
        "no JDK was found: the embedded device needs JDK 17 or newer (looked at JAVA_HOME, PATH and \
         the usual places); install one, or set JAVA_HOME"
    )]
    NoJdk,
    #[error(
        "the embedded device needs JDK 17 or newer, and there is only {found}; install a newer one, \
         or point JAVA_HOME to it"
    )]
    OldJdk { found: String },
    #[error(
        "the Java at {} has no compiler, which is needed to build the agent: install the JDK, not \
         just the runtime", home.display()
    )]
    NoCompiler { home: PathBuf },
    #[error(
        "Maven was not found, and {what} must still be fetched: install Maven (mvn) or put it in PATH"
    )]
    NoMaven { what: String },
    #[error("{what} could not be fetched: {message}\n{advice}")]
    Maven { what: String, message: String, advice: &'static str },
    #[error("the disk is full: {what} needs about {megabytes} MB in {}; RETAP_CACHE can name another place", cache.display())]
    DiskFull { what: String, megabytes: u64, cache: PathBuf },
    #[error("cannot write {}: {source}; {} or name another place with RETAP_CACHE", path.display(), advice(source))]
    Cache { path: PathBuf, source: std::io::Error },
    #[error("cannot run {}: {source}", program.display())]
    Run { program: PathBuf, source: std::io::Error },
    #[error(
        "there is no place for a cache: neither RETAP_CACHE nor XDG_CACHE_HOME nor HOME is set"
    )]
    NoCache,
    #[error(
        "the embedded device has API levels {} to {}, not {api}",
        API_LEVELS.start(),
        API_LEVELS.end()
    )]
    NoSuchLevel { api: u32 },
    #[error("Android API level {api} could not be prepared: {message}")]
    Framework { api: u32, message: String },
    #[error("interrupted")]
    Interrupted,
}

/// Says what helps against a failed write.
fn advice(error: &std::io::Error) -> &'static str {
    use std::io::ErrorKind;
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "make room there",
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => "make it writable",
        _ => "mend it",
    }
}

impl From<SetupError> for DeviceError {
    fn from(error: SetupError) -> Self {
        match error {
            SetupError::Interrupted => DeviceError::Interrupted,
            // The user asked for it with a flag, so this is wrong input and not a fault of the machine.
            SetupError::NoSuchLevel { .. } => DeviceError::App(error.to_string()),
            error => DeviceError::Setup(error.to_string()),
        }
    }
}
