//! Checks that a recorded trace belongs to the app at hand.

use crate::{Context, Failure};
use retap_model::App;
use retap_model::format::trace::Header;

/// Refuses a trace of another app or build. With `force` the difference is only remarked.
pub fn check(header: &Header, app: &App, force: bool, context: Context<'_>) -> Result<(), Failure> {
    match difference(header, app) {
        None => Ok(()),
        Some(difference) if force => {
            context.remark(&format!("warning: {difference}"));
            Ok(())
        }
        Some(difference) => {
            Err(Failure::input(format!("{difference}; --force uses it all the same")))
        }
    }
}

/// Describes how the trace's app differs from this one; `None` if they are the same build.
pub fn difference(header: &Header, app: &App) -> Option<String> {
    let (recorded, here) = (&header.app, &app.identity);
    if recorded.package != here.package {
        Some(format!("the trace is of {}, the app is {}", recorded.package, here.package))
    } else if !recorded.sha256.is_empty() && recorded.sha256 != here.sha256 {
        let version = |v: &str| if v.is_empty() { "unnamed".to_string() } else { v.to_string() };
        Some(format!(
            "the trace is of another build of {} (version {}, here {})",
            here.package,
            version(&recorded.version),
            version(&here.version)
        ))
    } else {
        None
    }
}
