//! TLS and credentials files, tried with a real server.

use crate::common::{Fakes, Fleet, job};
use nkeys::KeyPair;
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair as CertificateKey};
use retap_device::RemotePool;
use retap_fleet::{FleetError, FleetOptions, Protection, run_worker};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// Runs an execution through this server with this protection.
fn ask(fleet: &Fleet, protection: Protection) -> Result<usize, FleetError> {
    let options = FleetOptions { protection, ..fleet.options() };
    let mut pool = fleet.try_pool(options.clone(), fleet.settings())?;
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        let settings = fleet.worker("protected");
        let fakes = Fakes { delay: Duration::ZERO };
        let (options, stop) = (&options, &stop);
        scope.spawn(move || run_worker(options, &settings, &fakes, stop).unwrap());
        let ran = pool.run_shares(&[vec![job("mm")]]);
        stop.store(true, Ordering::Relaxed);
        Ok(ran.unwrap()[0][0].events())
    })
}

/// Makes an authority and a certificate of it for the loopback. Returns the authority's file and lines for the server.
fn certificates(folder: &Path) -> (PathBuf, String) {
    let mut authority = CertificateParams::new(Vec::new()).unwrap();
    authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let authority_key = CertificateKey::generate().unwrap();
    let root = authority.self_signed(&authority_key).unwrap();
    let key = CertificateKey::generate().unwrap();
    let names = vec!["localhost".to_string(), "127.0.0.1".to_string()];
    let issuer = Issuer::new(authority, authority_key);
    let certificate = CertificateParams::new(names).unwrap().signed_by(&key, &issuer).unwrap();
    let write = |name: &str, text: String| {
        let file = folder.join(name);
        std::fs::write(&file, text).unwrap();
        file
    };
    let root = write("root.pem", root.pem());
    let (certificate, key) =
        (write("server.pem", certificate.pem()), write("server.key", key.serialize_pem()));
    (root, format!("tls {{ cert_file: {certificate:?}, key_file: {key:?} }}"))
}

#[test]
fn a_server_with_tls_is_reached_by_those_who_know_its_authority() {
    let folder = tempfile::tempdir().unwrap();
    let (root, settings) = certificates(folder.path());
    let fleet = Fleet::start(&settings);
    let protection =
        |root_certificate| Protection { tls: true, root_certificate, credentials: None };
    assert_eq!(ask(&fleet, protection(Some(root))).unwrap(), 2);
    let error = ask(&fleet, protection(None)).unwrap_err();
    assert!(
        matches!(&error, FleetError::Unreachable(text) if text.contains("127.0.0.1")),
        "{error}"
    );
    // Another authority of the same name vouches for nothing.
    let (other, _) = certificates(folder.path());
    ask(&fleet, protection(Some(other))).unwrap_err();
}

#[test]
fn a_server_without_tls_is_refused_if_tls_is_asked_for() {
    let fleet = Fleet::start("");
    let error = ask(&fleet, Protection { tls: true, ..Protection::default() }).unwrap_err();
    assert!(matches!(error, FleetError::Unreachable(_)), "{error}");
}

/// An operator with an account for a fleet, and the files of its users.
struct Operator {
    operator: KeyPair,
    account: KeyPair,
    system: KeyPair,
}

impl Operator {
    fn new() -> Self {
        let (operator, account) = (KeyPair::new_operator(), KeyPair::new_account());
        Self { operator, account, system: KeyPair::new_account() }
    }

    /// Returns the lines of a server that knows this operator and its accounts.
    fn server_settings(&self) -> String {
        let limits = serde_json::json!({
            "subs": -1, "data": -1, "payload": -1, "imports": -1, "exports": -1, "wildcards": true, "conn": -1, "leaf": -1,
            "mem_storage": -1, "disk_storage": -1, "streams": -1, "consumer": -1,
        });
        let account = serde_json::json!({ "type": "account", "version": 2, "limits": limits });
        let system = serde_json::json!({ "type": "account", "version": 2 });
        let operator = serde_json::json!({ "type": "operator", "version": 2 });
        let signs = &self.operator;
        let operator = token(signs, &signs.public_key(), &operator);
        let (account_id, system_id) = (self.account.public_key(), self.system.public_key());
        let account = token(signs, &account_id, &account);
        let system = token(signs, &system_id, &system);
        format!(
            "operator: {operator}\nsystem_account: {system_id}\nresolver: MEMORY\n\
             resolver_preload: {{ {account_id}: {account}, {system_id}: {system} }}"
        )
    }

    /// Writes the credentials of a new user, as `nsc` does.
    fn write_credentials(&self, file: &Path) {
        let user = KeyPair::new_user();
        let claims = serde_json::json!({
            "type": "user", "version": 2, "pub": {}, "sub": {}, "subs": -1, "data": -1, "payload": -1,
        });
        let token = token(&self.account, &user.public_key(), &claims);
        let seed = user.seed().unwrap();
        let text = format!(
            "-----BEGIN NATS USER JWT-----\n{token}\n------END NATS USER JWT------\n\n\
             -----BEGIN USER NKEY SEED-----\n{seed}\n------END USER NKEY SEED------\n"
        );
        std::fs::write(file, text).unwrap();
    }
}

/// Returns what an issuer says about somebody, as a token of NATS.
fn token(issuer: &KeyPair, about: &str, claims: &serde_json::Value) -> String {
    let encode = |bytes: &[u8]| data_encoding::BASE64URL_NOPAD.encode(bytes);
    let header = serde_json::json!({ "typ": "JWT", "alg": "ed25519-nkey" });
    let body = serde_json::json!({
        "jti": about, "iat": 1_700_000_000, "iss": issuer.public_key(), "name": about, "sub": about, "nats": claims,
    });
    let text = format!(
        "{}.{}",
        encode(header.to_string().as_bytes()),
        encode(body.to_string().as_bytes())
    );
    let signature = issuer.sign(text.as_bytes()).unwrap();
    format!("{text}.{}", encode(&signature))
}

#[test]
fn a_user_of_the_account_is_let_in_and_others_are_not() {
    let folder = tempfile::tempdir().unwrap();
    let operator = Operator::new();
    let fleet = Fleet::start(&operator.server_settings());
    let credentials = |name: &str| Some(folder.path().join(name));
    operator.write_credentials(&credentials("ours").unwrap());
    Operator::new().write_credentials(&credentials("theirs").unwrap());
    std::fs::write(credentials("broken").unwrap(), "no credentials").unwrap();
    let with = |name| Protection { credentials: credentials(name), ..Protection::default() };
    assert_eq!(ask(&fleet, with("ours")).unwrap(), 2);
    for (protection, reason) in [
        (with("theirs"), "127.0.0.1"),
        (Protection::default(), "127.0.0.1"),
        (with("broken"), "the credentials in"),
        (with("missing"), "the credentials in"),
    ] {
        let error = ask(&fleet, protection).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    }
}

#[test]
fn tls_and_credentials_go_together() {
    let folder = tempfile::tempdir().unwrap();
    let (root, settings) = certificates(folder.path());
    let operator = Operator::new();
    let fleet = Fleet::start(&format!("{settings}\n{}", operator.server_settings()));
    let credentials = folder.path().join("user.creds");
    operator.write_credentials(&credentials);
    let protection =
        Protection { credentials: Some(credentials), tls: true, root_certificate: Some(root) };
    assert_eq!(ask(&fleet, protection).unwrap(), 2);
}
