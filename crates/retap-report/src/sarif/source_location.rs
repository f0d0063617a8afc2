//! The source location that a stack frame such as `com.app.Main$1.onClick(Main.java:7)` names.

/// A method and, if the frame names them, its file and line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceLocation<'a> {
    pub method: &'a str,
    /// The path of the source file, by the convention that folders are packages.
    pub file: Option<String>,
    pub line: Option<u32>,
}

impl<'a> SourceLocation<'a> {
    /// Parses a line of a stack trace. Returns none if it is not a frame.
    pub fn parse(text: &'a str) -> Option<Self> {
        let text = text.trim();
        let text = text.strip_prefix("at ").unwrap_or(text);
        let (method, source) = text.strip_suffix(')')?.split_once('(')?;
        let (name, line) = source.split_once(':').unwrap_or((source, ""));
        let is_file = name.contains('.') && !name.contains(['/', '\\', ' ']);
        let class = method.rsplit_once('.').map_or(method, |(class, _)| class);
        let folder = class.rsplit_once('.').map(|(package, _)| package.replace('.', "/"));
        let file = is_file.then(|| match folder {
            Some(folder) => format!("{folder}/{name}"),
            None => name.to_string(),
        });
        let line = line.parse().ok().filter(|line| *line > 0);
        Some(Self { method, file, line })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_names_its_method_file_and_line() {
        let check = |text, expected: Option<(&str, Option<&str>, Option<u32>)>| {
            let location = SourceLocation::parse(text);
            let found = location.as_ref().map(|l| (l.method, l.file.as_deref(), l.line));
            assert_eq!(found, expected, "{text}");
        };
        check(
            "\tat com.app.Main$1.onClick(Main.java:7)",
            Some(("com.app.Main$1.onClick", Some("com/app/Main.java"), Some(7))),
        );
        check("Main.go(Main.kt)", Some(("Main.go", Some("Main.kt"), None)));
        check("com.app.Main.go(Unknown Source)", Some(("com.app.Main.go", None, None)));
        check("a.B.c(Native Method)", Some(("a.B.c", None, None)));
        check("... 3 more", None);
        check("", None);
    }
}
