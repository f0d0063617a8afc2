//! `screencap -p`: the PNG between warnings, as older and newer phones send it.

const BEGIN: &[u8] = b"\x89PNG\r\n\x1a\n";
/// A phone's terminal made two line ends of one.
const MANGLED: &[u8] = b"\x89PNG\r\r\n\x1a\r\n";
const END: &[u8] = b"IEND\xae\x42\x60\x82";

/// Returns the picture, if it is whole. The error says what came instead.
pub fn parse_picture(bytes: &[u8]) -> Result<Vec<u8>, String> {
    if let Some(start) = find(bytes, BEGIN) {
        return whole(&bytes[start..]).ok_or_else(|| "the picture was cut".into());
    }
    if let Some(start) = find(bytes, MANGLED) {
        let repaired = repair(&bytes[start..]);
        return whole(&repaired).ok_or_else(|| "the picture was cut".into());
    }
    let said = String::from_utf8_lossy(&bytes[..bytes.len().min(200)]);
    let said: Vec<&str> = said.split_whitespace().collect();
    Err(match said.is_empty() {
        true => "the phone sent no picture: the window may forbid it".into(),
        false => format!("the phone sent no picture: {}", said.join(" ")),
    })
}

fn whole(bytes: &[u8]) -> Option<Vec<u8>> {
    let end = find(bytes, END)? + END.len();
    Some(bytes[..end].to_vec())
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}

/// Each line feed had a carriage return put before it.
fn repair(bytes: &[u8]) -> Vec<u8> {
    let mut repaired = Vec::with_capacity(bytes.len());
    for (at, byte) in bytes.iter().enumerate() {
        if *byte == b'\r' && bytes.get(at + 1) == Some(&b'\n') {
            continue;
        }
        repaired.push(*byte);
    }
    repaired
}
