//! The certificate that an APK is signed with, from its signing block (schemes 2 and 3). The signature itself is not
//! checked: this tells whether two APKs have one owner, not whether they are genuine.

use crate::digest::sha256_hex;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

const MAGIC: &[u8; 16] = b"APK Sig Block 42";
const SCHEME_2: u32 = 0x7109_871a;
const SCHEME_3: u32 = 0xf053_68c0;

/// The longest comment of an archive and its last record.
const TAIL: u64 = 65_535 + 22;

/// Far more than any signing block takes.
const MOST_BYTES: u64 = 16 << 20;

/// Returns the digest of the first signer's certificate, or nothing for an APK without a signing block.
pub fn certificate_of(apk: &Path) -> Option<String> {
    let block = signing_block(apk).ok()??;
    let scheme = pairs(&block).find(|(id, _)| [SCHEME_2, SCHEME_3].contains(id))?.1;
    let signers = prefixed(scheme)?.0;
    let signer = prefixed(signers)?.0;
    let signed_data = prefixed(signer)?.0;
    let (_digests, rest) = prefixed(signed_data)?;
    let certificates = prefixed(rest)?.0;
    Some(sha256_hex(prefixed(certificates)?.0))
}

/// Reads the pairs of the signing block, which lies before the central directory.
fn signing_block(apk: &Path) -> io::Result<Option<Vec<u8>>> {
    let mut file = File::open(apk)?;
    let length = file.metadata()?.len();
    let tail = read_at(&mut file, length.saturating_sub(TAIL), length.min(TAIL))?;
    let Some(end) = tail.windows(4).rposition(|bytes| bytes == b"PK\x05\x06") else {
        return Ok(None);
    };
    let Some(directory) = number(&tail, end + 16).map(u64::from) else { return Ok(None) };
    if directory < 32 || directory > length {
        return Ok(None);
    }
    let footer = read_at(&mut file, directory - 24, 24)?;
    let size = number(&footer, 0).map(u64::from).unwrap_or_default();
    if &footer[8..] != MAGIC || !(24..=MOST_BYTES).contains(&size) || size + 8 > directory {
        return Ok(None);
    }
    read_at(&mut file, directory - size, size - 24).map(Some)
}

fn read_at(file: &mut File, at: u64, length: u64) -> io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(at))?;
    let mut bytes = vec![0; usize::try_from(length).map_err(io::Error::other)?];
    file.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// Returns the blocks by their ids.
fn pairs(mut block: &[u8]) -> impl Iterator<Item = (u32, &[u8])> {
    std::iter::from_fn(move || {
        let length = usize::try_from(number(block, 0)?).ok()?;
        let pair = block.get(8..8_usize.checked_add(length)?)?;
        block = &block[8 + length..];
        Some((number(pair, 0)?, pair.get(4..)?))
    })
}

/// Returns the bytes after their length, and the rest.
fn prefixed(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let length = usize::try_from(number(bytes, 0)?).ok()?;
    bytes.get(4..)?.split_at_checked(length)
}

fn number(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at.checked_add(4)?)?.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fixture(name: &str) -> std::path::PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(name)
    }

    #[test]
    fn apks_of_one_owner_have_one_certificate() {
        let notes = certificate_of(&fixture("notes.apk"));
        assert!(notes.is_some());
        assert_eq!(notes, certificate_of(&fixture("notes-test.apk")));
        assert_eq!(certificate_of(&fixture("debug.p12")), None);
    }

    #[test]
    fn damaged_blocks_have_no_certificate() {
        assert_eq!(prefixed(&[255, 255, 255, 255, 1]), None);
        assert_eq!(pairs(&[255; 20]).count(), 0);
        assert_eq!(number(&[1, 2, 3], 0), None);
    }
}
