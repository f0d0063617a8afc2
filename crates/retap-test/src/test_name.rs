//! The name of a test: its class and its method.

use serde::{Serialize, Serializer};
use std::fmt;

/// A test, as an instrumentation names it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TestName {
    pub class: String,
    /// The method, with the number of the parameters in brackets if there are any: `adds[2]`.
    pub method: String,
}

impl TestName {
    pub fn new(class: impl Into<String>, method: impl Into<String>) -> Self {
        Self { class: class.into(), method: method.into() }
    }

    /// Returns the name for the runner's argument `class`. The runner splits it at commas, which a name for parameters may
    /// contain; without the brackets the test runs with all parameters.
    pub fn selector(&self) -> String {
        let method = match self.method.find('[') {
            Some(at) if self.method[at..].contains([',', '#']) => &self.method[..at],
            _ => &self.method,
        };
        format!("{}#{method}", self.class)
    }
}

impl fmt::Display for TestName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}#{}", self.class, self.method)
    }
}

impl Serialize for TestName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_stay_in_the_selector_unless_the_runner_would_split_them() {
        assert_eq!(TestName::new("a.B", "c").selector(), "a.B#c");
        assert_eq!(TestName::new("a.B", "c[2]").selector(), "a.B#c[2]");
        assert_eq!(TestName::new("a.B", "c[1, 2]").selector(), "a.B#c");
    }
}
