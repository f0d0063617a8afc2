//! The envelope of a task: who asks for it, in which campaign, with a signature. A worker opens only envelopes of keys that
//! it trusts. The keys are Ed25519 keys in the text form of NATS.

use crate::error::FleetError;
use crate::packing::{pack, unpack};
use crate::task::Task;
use nkeys::KeyPair;
use retap_model::hash::to_hex;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Envelope {
    campaign: String,
    /// The public key, or empty where nobody signs.
    key: String,
    signature: String,
    /// The text of the task, as it was signed.
    task: String,
}

/// Signs tasks, with a key if there is one.
#[derive(Default)]
pub struct Signer(Option<KeyPair>);

impl fmt::Debug for Signer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Signer").field(&self.public_key()).finish()
    }
}

impl Signer {
    /// Reads a key from the text of its file.
    pub fn from_seed(text: &str) -> Result<Self, FleetError> {
        let pair = KeyPair::from_seed(text.trim());
        let explain = |_| {
            let text = "this is no key of a fleet: `retap fleet key` makes one";
            FleetError::NotTrusted(text.into())
        };
        Ok(Self(Some(pair.map_err(explain)?)))
    }

    /// Makes a new key. Returns its secret text and its public key.
    pub fn generate() -> Result<(String, String), FleetError> {
        let pair = KeyPair::new_user();
        let seed = pair.seed().map_err(|error| FleetError::NotTrusted(error.to_string()))?;
        Ok((seed, pair.public_key()))
    }

    /// Returns the public key, if there is a key.
    pub fn public_key(&self) -> Option<String> {
        self.0.as_ref().map(KeyPair::public_key)
    }

    /// Seals a task of a campaign.
    pub(crate) fn seal(&self, campaign: &str, task: &Task) -> Result<Vec<u8>, FleetError> {
        let task = task.text();
        let (key, signature) = match &self.0 {
            None => (String::new(), String::new()),
            Some(pair) => {
                let signature = pair
                    .sign(&signed_bytes(campaign, &task))
                    .map_err(|error| FleetError::NotTrusted(error.to_string()))?;
                (pair.public_key(), to_hex(&signature))
            }
        };
        let envelope = Envelope { campaign: campaign.into(), key, signature, task };
        pack(&envelope)
    }
}

/// The keys that a worker trusts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TrustedKeys {
    /// Whoever reaches the server. Only for a server of this machine.
    Everyone,
    Only(BTreeSet<String>),
}

impl TrustedKeys {
    /// Reads public keys.
    pub fn read<'k>(keys: impl IntoIterator<Item = &'k str>) -> Result<Self, FleetError> {
        let check = |key: &str| match KeyPair::from_public_key(key) {
            Ok(_) => Ok(key.to_string()),
            Err(_) => Err(FleetError::NotTrusted(format!("{key:?} is no public key"))),
        };
        Ok(Self::Only(keys.into_iter().map(check).collect::<Result<_, _>>()?))
    }

    /// Opens an envelope if a trusted key has signed it. Returns the campaign and the task.
    pub(crate) fn open(&self, bytes: &[u8]) -> Result<(String, Task), FleetError> {
        let envelope: Envelope = unpack(bytes)?;
        if let TrustedKeys::Only(keys) = self {
            envelope.check(keys)?;
        }
        let task = serde_json::from_str(&envelope.task).map_err(FleetError::malformed)?;
        Ok((envelope.campaign, task))
    }
}

impl Envelope {
    fn check(&self, keys: &BTreeSet<String>) -> Result<(), FleetError> {
        let Self { key, campaign, .. } = self;
        if !keys.contains(key) {
            let who = if key.is_empty() { "nobody" } else { key };
            let text = format!("{who} signed this task of campaign {campaign}, who is not trusted");
            return Err(FleetError::NotTrusted(text));
        }
        let forged =
            || FleetError::NotTrusted(format!("a task of {campaign} has a forged signature"));
        let pair = KeyPair::from_public_key(key).map_err(|_| forged())?;
        let signature = from_hex(&self.signature).ok_or_else(forged)?;
        pair.verify(&signed_bytes(campaign, &self.task), &signature).map_err(|_| forged())
    }
}

/// The campaign is signed too, so that nobody can move a task to another one.
fn signed_bytes(campaign: &str, task: &str) -> Vec<u8> {
    format!("{campaign}\n{task}").into_bytes()
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    let pairs = text.as_bytes().chunks(2);
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    pairs.map(byte).collect()
}

/// A task for tests.
#[cfg(test)]
pub(crate) fn sample_task() -> Task {
    use crate::task::{DeviceSetup, Work};
    let setup = DeviceSetup {
        kind: "fake".into(),
        app: "ab".into(),
        file: "a.fake".into(),
        api: None,
        display: None,
        outside: Vec::new(),
        include: Vec::new(),
        exclude: Vec::new(),
    };
    Task { version: "1".into(), setup, work: Work::Run { jobs: Vec::new(), repeat: 0 } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worker_opens_what_a_trusted_key_has_signed() {
        let (seed, public) = Signer::generate().unwrap();
        let sealed = Signer::from_seed(&seed).unwrap().seal("c1", &sample_task()).unwrap();
        let trusted = TrustedKeys::read([public.as_str()]).unwrap();
        assert_eq!(trusted.open(&sealed).unwrap(), ("c1".to_string(), sample_task()));
    }

    #[test]
    fn a_worker_opens_nothing_else() {
        let (seed, public) = Signer::generate().unwrap();
        let (other, _) = Signer::generate().unwrap();
        let trusted = TrustedKeys::read([public.as_str()]).unwrap();
        let sealed = Signer::from_seed(&seed).unwrap().seal("c1", &sample_task()).unwrap();
        let sealed: Envelope = unpack(&sealed).unwrap();
        let moved = Envelope { campaign: "c2".into(), ..sealed.clone() };
        let changed = Envelope { task: sealed.task.replace("a.fake", "b.fake"), ..sealed };
        let forgeries = [
            Signer::from_seed(&other).unwrap().seal("c1", &sample_task()).unwrap(),
            Signer::default().seal("c1", &sample_task()).unwrap(),
            pack(&moved).unwrap(),
            pack(&changed).unwrap(),
        ];
        for forgery in forgeries {
            assert!(matches!(trusted.open(&forgery), Err(FleetError::NotTrusted(_))));
        }
        assert!(TrustedKeys::read(["not a key"]).is_err());
        assert!(Signer::from_seed("not a seed").is_err());
    }
}
