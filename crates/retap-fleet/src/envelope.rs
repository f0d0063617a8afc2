//! The envelope of a task or of a result: one line that says what the content is and who signed it, then the packed content.
//! Workers open only tasks of keys that they trust, coordinators only such results. The keys are Ed25519 keys in the text
//! form of NATS.

use crate::error::FleetError;
use crate::packing::{pack, unpack};
use crate::result::TaskResult;
use crate::task::{Task, TaskId};
use nkeys::KeyPair;
use retap_model::hash::to_hex;
use std::collections::BTreeSet;
use std::fmt;

/// The key and the signature where nobody signs.
const NOBODY: &str = "-";
/// The label of a task begins so, and its campaign follows.
const TASK_OF: &str = "task of campaign ";

/// Signs tasks or results, with a key if there is one.
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
    pub(crate) fn seal_task(&self, campaign: &str, task: &Task) -> Result<Vec<u8>, FleetError> {
        self.seal(&format!("{TASK_OF}{campaign}"), pack(task)?)
    }

    /// Seals the result of a task.
    pub(crate) fn seal_result(
        &self,
        id: &TaskId,
        result: &TaskResult,
    ) -> Result<Vec<u8>, FleetError> {
        self.seal(&result_label(id), pack(result)?)
    }

    fn seal(&self, label: &str, content: Vec<u8>) -> Result<Vec<u8>, FleetError> {
        let (key, signature) = match &self.0 {
            None => (NOBODY.into(), NOBODY.into()),
            Some(pair) => {
                let signature = pair
                    .sign(&signed_bytes(label, &content))
                    .map_err(|error| FleetError::NotTrusted(error.to_string()))?;
                (pair.public_key(), to_hex(&signature))
            }
        };
        let mut envelope = format!("{key} {signature} {label}\n").into_bytes();
        envelope.extend(content);
        Ok(envelope)
    }
}

/// The keys that a worker or a coordinator trusts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TrustedKeys {
    /// Whoever reaches the server.
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

    /// Opens the envelope of a task if a trusted key has signed it. Returns its campaign and the task.
    pub(crate) fn open_task(&self, bytes: &[u8]) -> Result<(String, Task), FleetError> {
        let envelope = self.check(bytes)?;
        let campaign = envelope.label.strip_prefix(TASK_OF);
        let campaign = campaign.ok_or_else(|| FleetError::malformed("this is no task"))?;
        Ok((campaign.into(), unpack(envelope.content)?))
    }

    /// Opens the envelope of this task's result if a trusted key has signed it.
    pub(crate) fn open_result(&self, id: &TaskId, bytes: &[u8]) -> Result<TaskResult, FleetError> {
        let envelope = self.check(bytes)?;
        if envelope.label != result_label(id) {
            let text = format!("the result of task {id} is in truth the {}", envelope.label);
            return Err(FleetError::NotTrusted(text));
        }
        unpack(envelope.content)
    }

    fn check<'b>(&self, bytes: &'b [u8]) -> Result<Envelope<'b>, FleetError> {
        let envelope =
            Envelope::read(bytes).ok_or_else(|| FleetError::malformed("this is no envelope"))?;
        if let TrustedKeys::Only(keys) = self {
            envelope.check(keys)?;
        }
        Ok(envelope)
    }
}

/// The parts of an envelope.
struct Envelope<'b> {
    key: &'b str,
    signature: &'b str,
    /// What the content is.
    label: &'b str,
    content: &'b [u8],
}

impl<'b> Envelope<'b> {
    fn read(bytes: &'b [u8]) -> Option<Self> {
        let end = bytes.iter().position(|&byte| byte == b'\n')?;
        let line = std::str::from_utf8(&bytes[..end]).ok()?;
        let (key, rest) = line.split_once(' ')?;
        let (signature, label) = rest.split_once(' ')?;
        Some(Self { key, signature, label, content: &bytes[end + 1..] })
    }

    fn check(&self, keys: &BTreeSet<String>) -> Result<(), FleetError> {
        let Self { key, signature, label, content } = *self;
        if !keys.contains(key) {
            let who = if key == NOBODY { "nobody" } else { key };
            let text = format!("{who} signed the {label}, who is not trusted");
            return Err(FleetError::NotTrusted(text));
        }
        let forged = || FleetError::NotTrusted(format!("the {label} has a forged signature"));
        let pair = KeyPair::from_public_key(key).map_err(|_| forged())?;
        let signature = from_hex(signature).ok_or_else(forged)?;
        pair.verify(&signed_bytes(label, content), &signature).map_err(|_| forged())
    }
}

fn result_label(id: &TaskId) -> String {
    format!("result of task {id}")
}

/// The label is signed too, so that nobody can move a task to another campaign or a result to another task.
fn signed_bytes(label: &str, content: &[u8]) -> Vec<u8> {
    [label.as_bytes(), b"\n", content].concat()
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

    fn signer_and_trust() -> (Signer, TrustedKeys) {
        let (seed, public) = Signer::generate().unwrap();
        (Signer::from_seed(&seed).unwrap(), TrustedKeys::read([public.as_str()]).unwrap())
    }

    fn replace(envelope: &[u8], from: &str, to: &str) -> Vec<u8> {
        let end = envelope.iter().position(|&byte| byte == b'\n').unwrap();
        let line = String::from_utf8(envelope[..end].to_vec()).unwrap();
        assert!(line.contains(from), "{line}");
        [line.replace(from, to).as_bytes(), &envelope[end..]].concat()
    }

    #[test]
    fn a_worker_opens_what_a_trusted_key_has_signed() {
        let (signer, trusted) = signer_and_trust();
        let sealed = signer.seal_task("c1", &sample_task()).unwrap();
        assert_eq!(trusted.open_task(&sealed).unwrap(), ("c1".to_string(), sample_task()));
    }

    #[test]
    fn a_worker_opens_nothing_else() {
        let (signer, trusted) = signer_and_trust();
        let (other, _) = signer_and_trust();
        let sealed = signer.seal_task("c1", &sample_task()).unwrap();
        let end = sealed.iter().position(|&byte| byte == b'\n').unwrap();
        let changed = Task { version: "2".into(), ..sample_task() };
        let forgeries = [
            other.seal_task("c1", &sample_task()).unwrap(),
            Signer::default().seal_task("c1", &sample_task()).unwrap(),
            replace(&sealed, "campaign c1", "campaign c2"),
            [&sealed[..=end], &pack(&changed).unwrap()].concat(),
        ];
        for forgery in forgeries {
            assert!(matches!(trusted.open_task(&forgery), Err(FleetError::NotTrusted(_))));
        }
        assert!(TrustedKeys::read(["not a key"]).is_err());
        assert!(Signer::from_seed("not a seed").is_err());
    }

    #[test]
    fn a_result_belongs_to_its_task() {
        let (signer, trusted) = signer_and_trust();
        let (asked, other) = (TaskId("a1".into()), TaskId("b2".into()));
        let result = TaskResult::SetAside { reason: "a reason".into() };
        let sealed = signer.seal_result(&asked, &result).unwrap();
        assert_eq!(trusted.open_result(&asked, &sealed).unwrap(), result);
        let forgeries = [
            signer.seal_result(&other, &result).unwrap(),
            signer.seal_task("c1", &sample_task()).unwrap(),
            replace(&signer.seal_result(&other, &result).unwrap(), "task b2", "task a1"),
            Signer::default().seal_result(&asked, &result).unwrap(),
        ];
        for forgery in forgeries {
            let opened = trusted.open_result(&asked, &forgery);
            assert!(matches!(opened, Err(FleetError::NotTrusted(_))), "{opened:?}");
        }
    }
}
