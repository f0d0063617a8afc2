//! The commands of toybox on the phone's own file tree.

use crate::files::{FileError, FileNode};
use crate::phone::show_time;
use crate::shell::Invocation;
use std::io;

fn now(invocation: &Invocation<'_, '_>) -> u32 {
    (invocation.phone.log.now_ms() / 1_000) as u32
}

/// Splits the letters of options from names.
fn options_and_names(invocation: &Invocation<'_, '_>) -> (String, Vec<String>) {
    let is_option = |word: &&String| word.len() > 1 && word.starts_with('-');
    let (options, names): (Vec<&String>, Vec<&String>) =
        invocation.arguments.iter().partition(is_option);
    let letters = options.into_iter().map(|option| &option[1..]).collect();
    (letters, names.into_iter().cloned().collect())
}

/// Does something with every named file and complains about those that fail.
fn each(
    invocation: &mut Invocation<'_, '_>,
    names: &[String],
    command: &str,
    mut act: impl FnMut(&mut Invocation<'_, '_>, &str) -> io::Result<Result<(), FileError>>,
) -> io::Result<u8> {
    let mut code = 0;
    for name in names {
        let path = invocation.path(name);
        if let Err(error) = act(invocation, &path)? {
            code = invocation.complain(&format!("{command}: {name}: {error}"))?;
        }
    }
    Ok(code)
}

pub fn cat(invocation: &mut Invocation<'_, '_>) -> io::Result<u8> {
    let (_, names) = options_and_names(invocation);
    if names.is_empty() {
        let bytes = invocation.read_input(64 << 20)?;
        invocation.streams.output.write_all(&bytes)?;
        return Ok(0);
    }
    each(invocation, &names, "cat", |invocation, path| {
        if path == "/proc/uptime" {
            let passed = invocation.phone.log.uptime_ms() as f64 / 1_000.0;
            return invocation.print(&format!("{passed:.2} {passed:.2}\n")).map(Ok);
        }
        let content = invocation.phone.files().read(path);
        match content {
            Ok(content) => invocation.streams.output.write_all(&content).map(Ok),
            Err(error) => Ok(Err(error)),
        }
    })
}

pub fn ls(invocation: &mut Invocation<'_, '_>) -> io::Result<u8> {
    let (options, mut names) = options_and_names(invocation);
    if names.is_empty() {
        names.push(".".into());
    }
    let several = names.len() > 1;
    let long = options.contains('l');
    let mut at = names.clone().into_iter();
    each(invocation, &names, "ls", |invocation, path| {
        let name = at.next().unwrap_or_default();
        let files = invocation.phone.files();
        let node = match files.get(path) {
            Ok(node) => node.clone(),
            Err(error) => return Ok(Err(error)),
        };
        let lists = node.is_folder() && !options.contains('d');
        let entries = if lists { files.list(path) } else { Ok(vec![(name.clone(), node)]) };
        drop(files);
        let entries = match entries {
            Ok(entries) => entries,
            Err(error) => return Ok(Err(error)),
        };
        let mut text = String::new();
        if several && lists {
            text.push_str(&format!("{name}:\n"));
        }
        if long && lists {
            text.push_str(&format!("total {}\n", entries.len()));
        }
        for (name, node) in entries {
            text.push_str(&if long { long_line(&name, &node) } else { format!("{name}\n") });
        }
        invocation.print(&text).map(Ok)
    })
}

fn long_line(name: &str, node: &FileNode) -> String {
    let kind = if node.is_folder() { 'd' } else { '-' };
    let permissions: String = (0..9)
        .rev()
        .map(|bit| {
            let letter = ['x', 'w', 'r'][bit % 3];
            if node.permissions & (1 << bit) != 0 { letter } else { '-' }
        })
        .collect();
    let time = show_time(u64::from(node.modified) * 1_000, true);
    let time = time.get(..16).unwrap_or_default();
    format!("{kind}{permissions} 1 shell shell {} {time} {name}\n", node.size())
}

pub fn rm(invocation: &mut Invocation<'_, '_>) -> io::Result<u8> {
    let (options, names) = options_and_names(invocation);
    let recursive = options.contains('r') || options.contains('R');
    let forced = options.contains('f');
    each(invocation, &names, "rm", |invocation, path| {
        let removed = invocation.phone.files().remove(path, recursive);
        Ok(match removed {
            Err(FileError::NotFound) if forced => Ok(()),
            other => other,
        })
    })
}

pub fn rmdir(invocation: &mut Invocation<'_, '_>) -> io::Result<u8> {
    let (_, names) = options_and_names(invocation);
    each(invocation, &names, "rmdir", |invocation, path| {
        Ok(invocation.phone.files().remove_folder(path))
    })
}

pub fn mkdir(invocation: &mut Invocation<'_, '_>) -> io::Result<u8> {
    let (options, names) = options_and_names(invocation);
    let time = now(invocation);
    each(invocation, &names, "mkdir", |invocation, path| {
        Ok(invocation.phone.files().make_folder(path, options.contains('p'), time))
    })
}

pub fn touch(invocation: &mut Invocation<'_, '_>) -> io::Result<u8> {
    let (_, names) = options_and_names(invocation);
    let time = now(invocation);
    each(invocation, &names, "touch", |invocation, path| {
        let mut files = invocation.phone.files();
        let content = match files.get(path) {
            Ok(node) if node.is_folder() => return Ok(Ok(())),
            Ok(node) => node.content.as_ref().map(|content| content.to_vec()).unwrap_or_default(),
            Err(_) => Vec::new(),
        };
        Ok(files.write(path, content, 0o644, time))
    })
}

pub fn copy(invocation: &mut Invocation<'_, '_>) -> io::Result<u8> {
    copy_files(invocation, "cp", false)
}

pub fn rename(invocation: &mut Invocation<'_, '_>) -> io::Result<u8> {
    copy_files(invocation, "mv", true)
}

fn copy_files(invocation: &mut Invocation<'_, '_>, command: &str, moves: bool) -> io::Result<u8> {
    let (_, mut names) = options_and_names(invocation);
    let Some(target) = names.pop().filter(|_| !names.is_empty()) else {
        return invocation.complain(&format!("{command}: needs a source and a target"));
    };
    let target = invocation.path(&target);
    let time = now(invocation);
    each(invocation, &names, command, |invocation, path| {
        let mut files = invocation.phone.files();
        let into = files.get(&target).is_ok_and(FileNode::is_folder);
        let name = path.rsplit('/').next().unwrap_or_default();
        let to = if into { format!("{target}/{name}") } else { target.clone() };
        if to == path {
            return Ok(Ok(()));
        }
        let copied = files.read(path).and_then(|it| files.write(&to, it.to_vec(), 0o644, time));
        let removed = copied.and_then(|()| if moves { files.remove(path, false) } else { Ok(()) });
        Ok(removed)
    })
}

pub fn find(invocation: &mut Invocation<'_, '_>) -> io::Result<u8> {
    let words = invocation.words();
    let top = words.first().filter(|word| !word.starts_with('-')).copied().unwrap_or(".");
    let wanted = words.windows(2).find(|pair| pair[0] == "-name").map(|pair| pair[1].to_string());
    let mut waiting = vec![(top.to_string(), invocation.path(top))];
    let mut text = String::new();
    while let Some((shown, path)) = waiting.pop() {
        let name = path.rsplit('/').next().unwrap_or_default();
        if wanted.as_deref().is_none_or(|pattern| matches(pattern, name)) {
            text.push_str(&format!("{shown}\n"));
        }
        let inside = invocation.phone.files().list(&path).unwrap_or_default();
        waiting.extend(inside.into_iter().rev().map(|(name, _)| {
            (
                format!("{}/{name}", shown.trim_end_matches('/')),
                format!("{}/{name}", path.trim_end_matches('/')),
            )
        }));
    }
    invocation.print(&text)?;
    Ok(0)
}

/// Compares a name with a pattern whose `*` stands for anything.
fn matches(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| name.strip_prefix(first)) else {
        return false;
    };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

pub fn stat(invocation: &mut Invocation<'_, '_>) -> io::Result<u8> {
    let words = invocation.words();
    let format = words.windows(2).find(|pair| pair[0] == "-c").map(|pair| pair[1].to_string());
    let name = words.last().copied().unwrap_or_default().to_string();
    let found = invocation.phone.files().get(&invocation.path(&name)).cloned();
    match found {
        Ok(node) => {
            let format = format.unwrap_or_else(|| "  File: %n\n  Size: %s\nModify: %Y".into());
            let text = format
                .replace("%n", &name)
                .replace("%s", &node.size().to_string())
                .replace("%Y", &node.modified.to_string())
                .replace("%a", &format!("{:o}", node.permissions));
            invocation.print(&format!("{text}\n"))?;
            Ok(0)
        }
        Err(error) => invocation.complain(&format!("stat: '{name}': {error}")),
    }
}

pub fn pwd(invocation: &mut Invocation<'_, '_>) -> io::Result<u8> {
    let folder = format!("{}\n", invocation.shell.folder);
    invocation.print(&folder)?;
    Ok(0)
}

pub fn change_folder(invocation: &mut Invocation<'_, '_>) -> io::Result<u8> {
    let name = invocation.arguments.first().map_or("/", String::as_str).to_string();
    let path = invocation.path(&name);
    let found = invocation.phone.files().get(&path).map(FileNode::is_folder);
    match found {
        Ok(true) => {
            invocation.shell.folder = path;
            Ok(0)
        }
        Ok(false) => invocation.complain(&format!("cd: {name}: {}", FileError::NoFolder)),
        Err(error) => invocation.complain(&format!("cd: {name}: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_anything() {
        assert!(matches("*.apk", "a.apk") && matches("a*c", "abbc") && matches("*", ""));
        assert!(!matches("*.apk", "apk") && !matches("a*b*c", "acb") && matches("x", "x"));
    }
}
