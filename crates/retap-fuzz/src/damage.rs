//! Ways to damage a file.

use crate::random::SplitMix;

/// Numbers at the edges of what readers count with.
const NUMBERS: [&str; 12] = [
    "0",
    "-1",
    "1",
    "127",
    "255",
    "65535",
    "2147483648",
    "4294967295",
    "9223372036854775808",
    "18446744073709551615",
    "1e999",
    "0.5",
];

const EDGES: [u64; 8] = [0, 1, 0x7f, 0x80, 0xffff, 0x7fff_ffff, 0xffff_ffff, 0x8000_0000_0000_0000];

/// The longest part that is removed or copied.
const PART: usize = 200;

/// Damages one of the files, up to four times.
pub fn damage(files: &[Vec<u8>], words: &[&str], random: &mut SplitMix, max_len: usize) -> Vec<u8> {
    let mut bytes = files.get(random.below(files.len())).cloned().unwrap_or_default();
    for _ in 0..=random.below(4) {
        damage_once(&mut bytes, files, words, random);
    }
    bytes.truncate(max_len);
    bytes
}

fn damage_once(bytes: &mut Vec<u8>, files: &[Vec<u8>], words: &[&str], random: &mut SplitMix) {
    let at = random.below(bytes.len() + 1);
    match random.below(10) {
        0 => overwrite(bytes, at, &[random.next() as u8]),
        1 => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1 << random.below(8);
            }
        }
        2 => {
            let new: Vec<u8> = (0..=random.below(4)).map(|_| random.next() as u8).collect();
            insert(bytes, at, &new);
        }
        3 | 4 => {
            let word = words.get(random.below(words.len())).copied().unwrap_or_default();
            insert(bytes, at, word.as_bytes());
        }
        5 => drop(bytes.drain(at..end_of_part(bytes, at, random))),
        6 => {
            let part = bytes[at..end_of_part(bytes, at, random)].to_vec();
            let to = random.below(bytes.len() + 1);
            insert(bytes, to, &part);
        }
        7 => replace_number(bytes, at, NUMBERS[random.below(NUMBERS.len())]),
        8 => {
            let edge = EDGES[random.below(EDGES.len())];
            let size = 1 << random.below(4);
            match random.below(2) {
                0 => overwrite(bytes, at, &edge.to_be_bytes()[8 - size..]),
                _ => overwrite(bytes, at, &edge.to_le_bytes()[..size]),
            }
        }
        _ => {
            let other = files.get(random.below(files.len())).map_or(&[][..], Vec::as_slice);
            bytes.truncate(at);
            bytes.extend_from_slice(&other[random.below(other.len())..]);
        }
    }
}

fn end_of_part(bytes: &[u8], at: usize, random: &mut SplitMix) -> usize {
    at + random.below(PART.min(bytes.len() - at) + 1)
}

fn insert(bytes: &mut Vec<u8>, at: usize, new: &[u8]) {
    bytes.splice(at..at, new.iter().copied());
}

fn overwrite(bytes: &mut [u8], at: usize, new: &[u8]) {
    for (old, new) in bytes.iter_mut().skip(at).zip(new) {
        *old = *new;
    }
}

/// Replaces the first number from `at` on.
fn replace_number(bytes: &mut Vec<u8>, at: usize, new: &str) {
    let Some(start) = bytes.iter().skip(at).position(u8::is_ascii_digit).map(|found| at + found)
    else {
        return;
    };
    let len = bytes[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    bytes.splice(start..start + len, new.bytes());
}
