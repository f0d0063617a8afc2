//! Checks of this machine and of one app, with advice for each problem.

mod app;
mod machine;

pub use app::check_app;
pub use machine::check_machine;

/// The result of one check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HealthCheck {
    /// The thing that was checked.
    pub what: &'static str,
    pub ok: bool,
    pub found: String,
    /// Advice; empty if there is nothing to do.
    pub advice: String,
}

impl HealthCheck {
    fn passed(what: &'static str, found: impl Into<String>) -> Self {
        Self { what, ok: true, found: found.into(), advice: String::new() }
    }

    fn failed(what: &'static str, found: impl Into<String>, advice: impl Into<String>) -> Self {
        Self { what, ok: false, found: found.into(), advice: advice.into() }
    }

    /// Adds advice that does not make the check fail.
    fn with_advice(self, advice: impl Into<String>) -> Self {
        Self { advice: advice.into(), ..self }
    }
}
