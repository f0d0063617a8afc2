//! From words as they were written to words as commands get them: variables, `$(…)` and names of files.

use super::word::{Field, Word, WordPart};
use super::{Captured, ShellState, ShellStreams, run_line};
use crate::files::{FileTree, resolve};
use crate::phone::Phone;
use std::io;

/// The most names that one pattern stands for.
const MAX_NAMES: usize = 10_000;

/// Returns the words of a command.
pub fn expand_words(
    words: &[Word],
    streams: &mut ShellStreams<'_>,
    phone: &Phone,
    state: &mut ShellState,
) -> io::Result<Vec<String>> {
    let mut expanded = Vec::new();
    for word in words {
        for field in word.fields(|part| value(part, streams, phone, state))? {
            let names = match field.is_pattern() {
                true => find_names(&field, &state.folder, &phone.files()),
                false => Vec::new(),
            };
            match names.is_empty() {
                // A pattern that fits nothing stands for itself.
                true => expanded.push(field.text()),
                false => expanded.extend(names),
            }
        }
    }
    Ok(expanded)
}

/// Returns the one word that a redirection names.
pub fn expand_name(
    word: &Word,
    streams: &mut ShellStreams<'_>,
    phone: &Phone,
    state: &mut ShellState,
) -> io::Result<String> {
    let fields = word.fields(|part| value(part, streams, phone, state))?;
    Ok(fields.iter().map(Field::text).collect::<Vec<_>>().join(" "))
}

fn value(
    part: &WordPart,
    streams: &mut ShellStreams<'_>,
    phone: &Phone,
    state: &mut ShellState,
) -> io::Result<String> {
    Ok(match part {
        WordPart::Text(text) => text.clone(),
        WordPart::Wildcard(letter) => letter.to_string(),
        WordPart::ExitCode => state.last.to_string(),
        WordPart::Variable { name, .. } => state.variables.get(name).cloned().unwrap_or_default(),
        WordPart::Command { line, .. } => output_of(line, streams, phone, state)?,
    })
}

/// Runs a line in a shell of its own and returns what it printed, without the last newlines.
fn output_of(
    line: &str,
    streams: &mut ShellStreams<'_>,
    phone: &Phone,
    state: &mut ShellState,
) -> io::Result<String> {
    let kept = (state.folder.clone(), state.variables.clone());
    let mut captured = Captured::default();
    let mut inner = ShellStreams {
        input: &mut io::empty(),
        output: &mut captured,
        errors: &mut *streams.errors,
        ended: streams.ended,
    };
    run_line(line, &mut inner, phone, state)?;
    (state.folder, state.variables) = kept;
    state.exited = false;
    let text = String::from_utf8_lossy(&captured.0);
    Ok(text.trim_end_matches('\n').to_string())
}

/// Returns the names that a pattern fits, in order; hidden ones only if it begins with a dot.
fn find_names(field: &Field, folder: &str, files: &FileTree) -> Vec<String> {
    let letters = &field.0;
    let is_absolute = letters.first() == Some(&('/', false));
    let mut found = vec![if is_absolute { "/".to_string() } else { String::new() }];
    for segment in letters.split(|letter| *letter == ('/', false)).filter(|it| !it.is_empty()) {
        let mut next = Vec::new();
        for parent in &found {
            let join = |name: &str| format!("{parent}{name}");
            let plain: String = segment.iter().map(|(letter, _)| letter).collect();
            if segment.iter().any(|(_, is_wild)| *is_wild) {
                let inside = files.list(&resolve(folder, parent)).unwrap_or_default();
                let fits = |name: &String| {
                    fits(segment, &name.chars().collect::<Vec<_>>())
                        && (!name.starts_with('.') || plain.starts_with('.'))
                };
                next.extend(
                    inside.iter().map(|(name, _)| name).filter(|it| fits(it)).map(|it| join(it)),
                );
            } else if files.get(&resolve(folder, &join(&plain))).is_ok() {
                next.push(join(&plain));
            }
        }
        next.truncate(MAX_NAMES);
        found = next.into_iter().map(|path| format!("{path}/")).collect();
    }
    found.iter().map(|path| path.trim_end_matches('/').to_string()).collect()
}

/// Compares a name with a pattern whose `*` stands for anything and whose `?` for one letter.
fn fits(pattern: &[(char, bool)], name: &[char]) -> bool {
    // Where the last star was, and how much of the name it takes.
    let (mut star, mut at, mut of) = (None, 0, 0);
    while of < name.len() {
        match pattern.get(at) {
            Some(('*', true)) => {
                star = Some((at, of));
                at += 1;
            }
            Some(('?', true)) => (at, of) = (at + 1, of + 1),
            Some((letter, _)) if *letter == name[of] => (at, of) = (at + 1, of + 1),
            _ => match star {
                Some((before, taken)) => {
                    star = Some((before, taken + 1));
                    (at, of) = (before + 1, taken + 1);
                }
                None => return false,
            },
        }
    }
    pattern[at..].iter().all(|letter| *letter == ('*', true))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(text: &str) -> Field {
        Field(text.chars().map(|letter| (letter, matches!(letter, '*' | '?'))).collect())
    }

    #[test]
    fn patterns_stand_for_the_names_that_fit() {
        let mut files = FileTree::default();
        for name in ["a.png", "b.png", "b.txt", ".c.png"] {
            files
                .write(
                    &format!("/sdcard/{name}").replace("/sdcard", "/storage/emulated/0"),
                    vec![],
                    0,
                    0,
                )
                .unwrap();
        }
        let find = |text: &str| find_names(&pattern(text), "/", &files);
        assert_eq!(find("/sdcard/*.png"), ["/sdcard/a.png", "/sdcard/b.png"]);
        assert_eq!(find("sdcard/b.*"), ["sdcard/b.png", "sdcard/b.txt"]);
        assert_eq!(find("/sdcard/?.txt"), ["/sdcard/b.txt"]);
        assert_eq!(find("/sd*rd/none*"), Vec::<String>::new());
        assert_eq!(find("/storage/*/0/a*g"), ["/storage/emulated/0/a.png"]);
    }
}
