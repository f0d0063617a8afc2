//! A stack frame taken apart: `com.app.Main$1.onClick(Main.java:7)`.

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place<'a> {
    pub method: &'a str,
    /// Where the source would lie, by the convention that folders are packages.
    pub file: Option<String>,
    pub line: Option<u32>,
}

impl<'a> Place<'a> {
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
    fn frames_are_taken_apart() {
        let check = |text, expected: Option<(&str, Option<&str>, Option<u32>)>| {
            let place = Place::parse(text);
            let found = place.as_ref().map(|p| (p.method, p.file.as_deref(), p.line));
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
