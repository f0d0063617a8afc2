//! One hash for every id in retap: the same on every machine, in every process, in every release.
//! xxh3 over length-prefixed fields, so that neither field order nor boundaries can be confused.

use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

/// Gathers fields and hashes them at the end. For the small things we hash, this is several times
/// cheaper than a streaming state.
#[derive(Debug, Clone)]
pub struct StableHasher(Vec<u8>);

impl StableHasher {
    /// `domain` keeps ids of different kinds apart; it names what is being hashed.
    pub fn new(domain: &str) -> Self {
        let mut hasher = Self(Vec::with_capacity(256));
        hasher.str(domain);
        hasher
    }

    /// Starts a new hash and reuses the memory of the last one.
    pub fn restart(&mut self, domain: &str) -> &mut Self {
        self.0.clear();
        self.str(domain)
    }

    pub fn str(&mut self, value: &str) -> &mut Self {
        self.bytes(value.as_bytes())
    }

    pub fn bytes(&mut self, value: &[u8]) -> &mut Self {
        self.u64(value.len() as u64);
        self.0.extend_from_slice(value);
        self
    }

    pub fn u64(&mut self, value: u64) -> &mut Self {
        self.0.extend_from_slice(&value.to_le_bytes());
        self
    }

    pub fn i32(&mut self, value: i32) -> &mut Self {
        self.0.extend_from_slice(&value.to_le_bytes());
        self
    }

    pub fn u128(&mut self, value: u128) -> &mut Self {
        self.0.extend_from_slice(&value.to_le_bytes());
        self
    }

    pub fn finish(&self) -> u64 {
        xxh3_64(&self.0)
    }

    pub fn finish128(&self) -> u128 {
        xxh3_128(&self.0)
    }
}

/// Writes bytes as hexadecimal digits, two for each byte, in lower case.
pub fn to_hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        // Writing into a String cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Writes a 64-bit digest as sixteen hexadecimal digits.
pub fn digest_to_hex(digest: u64) -> String {
    to_hex(&digest.to_be_bytes())
}

/// Declares an id that is a number inside and fixed-width hexadecimal digits outside.
macro_rules! hex_id {
    ($(#[$meta:meta])* $name:ident, $number:ty, $digits:literal) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub $number);

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!("{:0", $digits, "x}"), self.0)
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self)
            }
        }

        impl std::str::FromStr for $name {
            type Err = String;

            fn from_str(text: &str) -> Result<Self, String> {
                let digits: usize = $digits;
                let well_formed =
                    text.len() == digits && text.bytes().all(|b| b.is_ascii_hexdigit());
                match <$number>::from_str_radix(text, 16) {
                    Ok(number) if well_formed => Ok(Self(number)),
                    _ => Err(format!("expected {digits} hexadecimal digits, found {text:?}")),
                }
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}
pub(crate) use hex_id;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn field_boundaries_are_part_of_the_hash() {
        let ab = StableHasher::new("t").str("a").str("b").finish();
        let a_b = StableHasher::new("t").str("ab").str("").finish();
        assert_ne!(ab, a_b);
    }

    #[test]
    fn bytes_and_digests_are_written_with_leading_zeros() {
        assert_eq!(to_hex(&[0, 10, 255]), "000aff");
        assert_eq!(digest_to_hex(0xabc), format!("{:016x}", 0xabc));
    }

    #[test]
    fn the_hash_is_the_same_in_every_release() {
        // Ids live in files that people keep: this number may never change.
        assert_eq!(
            StableHasher::new("state").str("Main").u64(7).finish(),
            13_278_810_588_114_667_748
        );
    }
}
