//! SHA-256 digests as hexadecimal text, the form in which files are named and compared.

use std::io::{self, Read};

use sha2::{Digest, Sha256};

/// Bytes that are read at a time: archives can be larger than memory.
const BLOCK_LEN: usize = 64 << 10;

/// Returns the SHA-256 of `bytes` as 64 lower-case hexadecimal digits.
pub fn sha256_hex(bytes: &[u8]) -> String {
    write_hex(&Sha256::digest(bytes))
}

/// Reads everything from `reader` and returns its SHA-256 as 64 lower-case hexadecimal digits.
pub fn sha256_hex_of_reader(mut reader: impl Read) -> io::Result<String> {
    let mut hasher = Sha256::new();
    let mut block = vec![0; BLOCK_LEN];
    loop {
        match reader.read(&mut block)? {
            0 => break,
            len => hasher.update(&block[..len]),
        }
    }
    Ok(write_hex(&hasher.finalize()))
}

fn write_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_is_the_one_the_standard_names() {
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sha256_hex(b"abc"), expected);
        assert_eq!(sha256_hex_of_reader(&b"abc"[..]).unwrap(), expected);
    }
}
