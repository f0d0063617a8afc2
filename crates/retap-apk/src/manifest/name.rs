//! Names that Android checks before it installs an app, because they become names of files. Texts that
//! it does not check (versions, labels, classes) may hold anything.

/// The longest name of a file.
const MAX_LEN: usize = 255;

/// Android's own package, the only one without a dot.
const ANDROID: &str = "android";

/// Returns true for a name that Android accepts as an app's package.
pub fn is_package(name: &str) -> bool {
    name == ANDROID || is_split(name) && name.contains('.')
}

/// Returns true for a name that Android accepts as a split's.
pub fn is_split(name: &str) -> bool {
    let is_word = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_alphabetic())
            && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    // Android takes a dot at the end.
    let words = name.strip_suffix('.').unwrap_or(name);
    name.len() <= MAX_LEN && words.split('.').all(is_word)
}

/// Returns enough of a wrong name to recognise it.
pub fn shorten(name: &str) -> String {
    const SHOWN: usize = 80;
    name.chars().take(SHOWN).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_is_accepted_as_a_phone_accepts_it() {
        for name in ["a.b", "com.example.app_2", "org.a1.B", "android", "a.b."] {
            assert!(is_package(name), "{name}");
        }
        let long = format!("a.{}", "b".repeat(300));
        for name in [
            "",
            "a",
            ".",
            "..",
            "a..b",
            ".a",
            "../../etc",
            "/tmp/a.b",
            "a/b.c",
            "a.1b",
            "a.b c",
            "a.b\n",
            "a.b\0",
            "a.\u{202e}b",
            "a.\u{1b}[2J",
            "ä.b",
            "a.b-c",
            "a.b\\c",
            &long,
        ] {
            assert!(!is_package(name), "{name:?}");
        }
    }

    #[test]
    fn a_split_needs_no_dot() {
        assert!(["camera", "config.arm64_v8a", "config.xxhdpi"].into_iter().all(is_split));
        assert!(!["", "../camera", "a b", "1", "\u{1b}c"].into_iter().any(is_split));
    }
}
