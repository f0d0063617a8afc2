//! The sync service: stat, list, push and pull.

use crate::files::{FileError, FileNode, FileTree, resolve};
use crate::phone::Phone;
use std::io::{self, Read, Write};

const MAX_PATH: u32 = 1024;
/// The longest chunk of a push, as the protocol has it.
const MAX_CHUNK: u32 = 64 * 1024;
const CHUNK: usize = 64 * 1024;
/// The longest file, so that a push cannot take all memory.
const MAX_FILE: usize = 1 << 30;

/// Serves requests until the client quits or breaks the protocol.
pub fn serve(input: &mut dyn Read, output: &mut dyn Write, phone: &Phone) -> io::Result<()> {
    loop {
        let mut id = [0; 4];
        match input.read_exact(&mut id) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(()),
            other => other?,
        }
        let length = read_number(input)?;
        if &id == b"QUIT" {
            return Ok(());
        }
        if length > MAX_PATH {
            return fail(output, "the path is too long");
        }
        let mut text = vec![0; length as usize];
        input.read_exact(&mut text)?;
        let text = String::from_utf8_lossy(&text).into_owned();
        match &id {
            b"STAT" => output.write_all(&stat_v1(&find(phone, &text)))?,
            b"STA2" | b"LST2" => output.write_all(&stat_v2(&id, &find(phone, &text)))?,
            b"LIST" => list(output, phone, &text, dent_v1, 16)?,
            b"LIS2" => list(output, phone, &text, dent_v2, 72)?,
            b"SEND" => receive(input, output, phone, &text)?,
            b"RECV" => send(output, phone, &text)?,
            _ => return fail(output, "unknown command"),
        }
    }
}

fn read_number(input: &mut dyn Read) -> io::Result<u32> {
    let mut bytes = [0; 4];
    input.read_exact(&mut bytes)?;
    Ok(u32::from_le_bytes(bytes))
}

fn fail(output: &mut dyn Write, message: &str) -> io::Result<()> {
    let mut bytes = b"FAIL".to_vec();
    bytes.extend((message.len() as u32).to_le_bytes());
    bytes.extend(message.as_bytes());
    output.write_all(&bytes)
}

fn find(phone: &Phone, path: &str) -> Result<FileNode, FileError> {
    phone.files().get(&resolve("/", path)).cloned()
}

fn numbers(fields: [u32; 3]) -> impl Iterator<Item = u8> {
    fields.into_iter().flat_map(u32::to_le_bytes)
}

fn stat_v1(found: &Result<FileNode, FileError>) -> Vec<u8> {
    let fields =
        found.as_ref().map_or([0; 3], |node| [node.mode(), node.size() as u32, node.modified]);
    b"STAT".iter().copied().chain(numbers(fields)).collect()
}

fn stat_v2(id: &[u8; 4], found: &Result<FileNode, FileError>) -> Vec<u8> {
    let mut bytes = id.to_vec();
    bytes.extend(found.as_ref().err().map_or(0, |error| error.number()).to_le_bytes());
    // Device and inode.
    bytes.extend([0; 8]);
    bytes.extend(u64::from(found.is_ok()).to_le_bytes());
    let node = found.as_ref().ok();
    // Mode, links, user and group.
    for field in [node.map_or(0, FileNode::mode), u32::from(node.is_some()), 2000, 2000] {
        bytes.extend(field.to_le_bytes());
    }
    bytes.extend(node.map_or(0, FileNode::size).to_le_bytes());
    for _ in ["access", "change of content", "change of state"] {
        bytes.extend(u64::from(node.map_or(0, |node| node.modified)).to_le_bytes());
    }
    bytes
}

fn dent_v1(node: &FileNode) -> Vec<u8> {
    let fields = numbers([node.mode(), node.size() as u32, node.modified]);
    b"DENT".iter().copied().chain(fields).collect()
}

fn dent_v2(node: &FileNode) -> Vec<u8> {
    stat_v2(b"DNT2", &Ok(node.clone()))
}

fn list(
    output: &mut dyn Write,
    phone: &Phone,
    path: &str,
    entry: fn(&FileNode) -> Vec<u8>,
    rest_of_end: usize,
) -> io::Result<()> {
    let nodes = phone.files().list(&resolve("/", path)).unwrap_or_default();
    let mut bytes = Vec::new();
    for (name, node) in nodes {
        bytes.extend(entry(&node));
        bytes.extend((name.len() as u32).to_le_bytes());
        bytes.extend(name.as_bytes());
    }
    bytes.extend(b"DONE");
    bytes.extend(vec![0; rest_of_end]);
    output.write_all(&bytes)
}

/// Takes a file that the client pushes: `path,mode`.
fn receive(
    input: &mut dyn Read,
    output: &mut dyn Write,
    phone: &Phone,
    target: &str,
) -> io::Result<()> {
    let (path, mode) = target.rsplit_once(',').unwrap_or((target, "33206"));
    let permissions = mode.parse().unwrap_or(0o644);
    let mut content = Vec::new();
    let mut too_long = false;
    let modified = loop {
        let mut id = [0; 4];
        input.read_exact(&mut id)?;
        let length = read_number(input)?;
        match &id {
            b"DATA" if length <= MAX_CHUNK => {
                let mut chunk = vec![0; length as usize];
                input.read_exact(&mut chunk)?;
                too_long |= content.len() + chunk.len() > MAX_FILE;
                if !too_long {
                    content.extend(chunk);
                }
            }
            b"DONE" => break length,
            _ => return fail(output, "expected DATA or DONE"),
        }
    };
    let path = resolve("/", path);
    let written = if too_long {
        Err(FileError::NoSpace)
    } else {
        let mut files = phone.files();
        make_parent(&mut files, &path, modified)
            .and_then(|()| files.write(&path, content, permissions, modified))
    };
    match written {
        Ok(()) => output.write_all(b"OKAY\0\0\0\0"),
        Err(error) => fail(output, &format!("couldn't create file: {error}")),
    }
}

/// A push makes the folders above its file.
fn make_parent(files: &mut FileTree, path: &str, modified: u32) -> Result<(), FileError> {
    match path.rsplit_once('/') {
        Some((parent, _)) if !parent.is_empty() => files.make_folder(parent, true, modified),
        _ => Ok(()),
    }
}

fn send(output: &mut dyn Write, phone: &Phone, path: &str) -> io::Result<()> {
    let content = phone.files().read(&resolve("/", path));
    match content {
        Ok(content) => {
            for chunk in content.chunks(CHUNK) {
                let mut bytes = b"DATA".to_vec();
                bytes.extend((chunk.len() as u32).to_le_bytes());
                bytes.extend(chunk);
                output.write_all(&bytes)?;
            }
            output.write_all(b"DONE\0\0\0\0")
        }
        Err(error) => fail(output, &format!("open failed: {error}")),
    }
}
