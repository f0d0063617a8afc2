//! The commands of toybox that print, filter and test.

use crate::shell::Invocation;
use regex::bytes::RegexBuilder;
use std::io;

const MAX_INPUT: u64 = 64 << 20;

pub fn nothing(_: &mut Invocation<'_, '_>) -> io::Result<u8> {
    Ok(0)
}

pub fn no(_: &mut Invocation<'_, '_>) -> io::Result<u8> {
    Ok(1)
}

pub fn echo(invocation: &mut Invocation<'_, '_>) -> io::Result<u8> {
    let words = invocation.words();
    let (end, words) = match words.split_first() {
        Some((&"-n", rest)) => ("", rest),
        Some((&"-e", rest)) => ("\n", rest),
        _ => ("\n", words.as_slice()),
    };
    let text = format!("{}{end}", words.join(" "));
    invocation.print(&text)?;
    Ok(0)
}

/// Knows `%s`, `%d` and the escapes that scripts use.
pub fn printf(invocation: &mut Invocation<'_, '_>) -> io::Result<u8> {
    let words = invocation.words();
    let Some((format, values)) = words.split_first() else {
        return invocation.complain("printf: need FORMAT");
    };
    let mut values = values.iter();
    let mut text = String::new();
    let mut letters = format.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => text.push(match letters.next() {
                Some('n') => '\n',
                Some('t') => '\t',
                Some('r') => '\r',
                Some(other) => other,
                None => '\\',
            }),
            '%' => match letters.next() {
                Some('s' | 'd') => text.push_str(values.next().unwrap_or(&"")),
                Some('%') => text.push('%'),
                other => {
                    return invocation.complain(&format!("printf: no %{}", other.unwrap_or(' ')));
                }
            },
            letter => text.push(letter),
        }
    }
    invocation.print(&text)?;
    Ok(0)
}

/// Returns the files that a filter reads, or its input. Complaints are counted.
fn read(invocation: &mut Invocation<'_, '_>, names: &[String]) -> io::Result<Vec<u8>> {
    if names.is_empty() {
        return invocation.read_input(MAX_INPUT);
    }
    let mut bytes = Vec::new();
    for name in names {
        let content = invocation.phone.files().read(&invocation.path(name));
        match content {
            Ok(content) => bytes.extend_from_slice(&content),
            Err(error) => drop(invocation.complain(&format!("{name}: {error}"))?),
        }
    }
    Ok(bytes)
}

fn lines(bytes: &[u8]) -> Vec<&[u8]> {
    let mut lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
    if lines.last().is_some_and(|last| last.is_empty()) {
        lines.pop();
    }
    lines
}

pub fn grep(invocation: &mut Invocation<'_, '_>) -> io::Result<u8> {
    let mut options = String::new();
    let mut pattern = None;
    let mut names = Vec::new();
    let mut arguments = invocation.arguments.iter();
    while let Some(argument) = arguments.next() {
        match argument.strip_prefix('-') {
            Some("e") => pattern = arguments.next().cloned(),
            Some(letters) if !letters.is_empty() => options.push_str(letters),
            _ if pattern.is_none() => pattern = Some(argument.clone()),
            _ => names.push(argument.clone()),
        }
    }
    let Some(mut pattern) = pattern else { return invocation.complain("grep: need PATTERN") };
    let has = |letter: char| options.contains(letter);
    if has('F') {
        pattern = regex::escape(&pattern);
    }
    let regex = RegexBuilder::new(&pattern).case_insensitive(has('i')).size_limit(1 << 20).build();
    let Ok(regex) = regex else {
        return invocation.complain(&format!("grep: bad pattern {pattern:?}")).map(|_| 2);
    };
    let bytes = read(invocation, &names)?;
    let mut output = Vec::new();
    let mut count = 0;
    for (number, line) in (1..).zip(lines(&bytes)) {
        if regex.is_match(line) == has('v') {
            continue;
        }
        count += 1;
        if has('n') {
            output.extend(format!("{number}:").into_bytes());
        }
        match regex.find(line).filter(|_| has('o')) {
            Some(found) => output.extend(found.as_bytes()),
            None => output.extend(line),
        }
        output.push(b'\n');
    }
    if has('c') {
        output = format!("{count}\n").into_bytes();
    }
    if !has('q') {
        invocation.streams.output.write_all(&output)?;
    }
    Ok(u8::from(count == 0))
}

/// Splits `-n N`, `-nN` and `-N` from the names of files.
fn count_and_names(arguments: &[String]) -> (usize, Vec<String>) {
    let mut count = 10;
    let mut names = Vec::new();
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        match argument.strip_prefix('-') {
            Some("n") => count = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(count),
            Some(rest) => count = rest.trim_start_matches('n').parse().unwrap_or(count),
            None => names.push(argument.clone()),
        }
    }
    (count, names)
}

pub fn head(invocation: &mut Invocation<'_, '_>) -> io::Result<u8> {
    let (count, names) = count_and_names(invocation.arguments);
    let bytes = read(invocation, &names)?;
    print_lines(invocation, lines(&bytes).into_iter().take(count))
}

pub fn tail(invocation: &mut Invocation<'_, '_>) -> io::Result<u8> {
    let (count, names) = count_and_names(invocation.arguments);
    let bytes = read(invocation, &names)?;
    let lines = lines(&bytes);
    let skipped = lines.len().saturating_sub(count);
    print_lines(invocation, lines.into_iter().skip(skipped))
}

fn print_lines<'l>(
    invocation: &mut Invocation<'_, '_>,
    lines: impl Iterator<Item = &'l [u8]>,
) -> io::Result<u8> {
    let output: Vec<u8> = lines.flat_map(|line| [line, b"\n"].concat()).collect();
    invocation.streams.output.write_all(&output)?;
    Ok(0)
}

pub fn wc(invocation: &mut Invocation<'_, '_>) -> io::Result<u8> {
    let is_option = |word: &&String| word.starts_with('-');
    let (options, names): (Vec<&String>, Vec<&String>) =
        invocation.arguments.iter().partition(is_option);
    let names: Vec<String> = names.into_iter().cloned().collect();
    let letters: String = options.into_iter().map(|option| &option[1..]).collect();
    let bytes = read(invocation, &names)?;
    let words = String::from_utf8_lossy(&bytes).split_whitespace().count();
    let newlines = bytes.iter().filter(|byte| **byte == b'\n').count();
    let all = [('l', newlines), ('w', words), ('c', bytes.len())];
    let wanted = all.iter().filter(|(letter, _)| letters.is_empty() || letters.contains(*letter));
    let counts: Vec<String> = wanted.map(|(_, count)| count.to_string()).collect();
    invocation.print(&format!("{}\n", counts.join(" ")))?;
    Ok(0)
}

/// `test` and `[`: files, texts and numbers.
pub fn test(invocation: &mut Invocation<'_, '_>) -> io::Result<u8> {
    let mut words = invocation.words();
    if words.last() == Some(&"]") {
        words.pop();
    }
    let node = |name: &str| invocation.phone.files().get(&invocation.path(name)).cloned().ok();
    let number = |text: &str| text.parse::<i64>().unwrap_or_default();
    let truth = match words.as_slice() {
        ["-e", name] => node(name).is_some(),
        ["-f", name] => node(name).is_some_and(|node| !node.is_folder()),
        ["-d", name] => node(name).is_some_and(|node| node.is_folder()),
        ["-s", name] => node(name).is_some_and(|node| node.size() > 0),
        ["-n", text] | [text] => !text.is_empty(),
        ["-z", text] => text.is_empty(),
        [a, "=" | "==", b] => a == b,
        [a, "!=", b] => a != b,
        [a, "-eq", b] => number(a) == number(b),
        [a, "-ne", b] => number(a) != number(b),
        [a, "-lt", b] => number(a) < number(b),
        [a, "-gt", b] => number(a) > number(b),
        _ => false,
    };
    Ok(u8::from(!truth))
}
