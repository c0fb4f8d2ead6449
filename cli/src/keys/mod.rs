//! Who may ask a server for what.
//!
//! A key is 256 bits of chance, shown once. What is kept of it is a hash, with its scopes, its spaces and the instant from
//! which on it is not taken any more. Keys stand in a file of the store's folder, outside the store: they are not part of what
//! is remembered, and a copy of the store does not bring them along.
//!
//! Invariant: a file of keys that cannot be read opens nothing.

mod ring;

use std::collections::BTreeSet;
use std::fmt;
use std::io;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bygone_engine::time::Instant;
use serde::{Deserialize, Serialize};

use crate::verb::Scope;

pub(crate) use ring::{Ring, RingError};

/// What the text of every key begins with, so that scanners for secrets know one.
const PREFIX: &str = "bygone_";
/// What stands for every space.
pub(crate) const EVERY_SPACE: &str = "*";

/// What is kept of a key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Key {
    /// What it is called by in lists and records; part of its text.
    pub(crate) id: String,
    /// What it is for, in its owner's words.
    pub(crate) name: String,
    /// The BLAKE3 hash of its text, in hexadecimal digits.
    hash: String,
    pub(crate) scopes: BTreeSet<Scope>,
    /// Names of spaces, or [`EVERY_SPACE`].
    pub(crate) spaces: BTreeSet<String>,
    pub(crate) created: Instant,
    /// From when on it is not taken.
    pub(crate) expires: Option<Instant>,
    pub(crate) revoked: Option<Instant>,
}

/// The text of a key, which is shown once.
pub(crate) struct Secret(String);

impl fmt::Display for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// What a key is made for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Purpose {
    pub(crate) name: String,
    pub(crate) scopes: BTreeSet<Scope>,
    pub(crate) spaces: BTreeSet<String>,
    pub(crate) expires: Option<Instant>,
}

/// How a key stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    Live,
    Expired,
    Revoked,
}

impl Standing {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Standing::Live => "live",
            Standing::Expired => "expired",
            Standing::Revoked => "revoked",
        }
    }
}

impl Key {
    /// Makes a key of bytes of chance.
    pub(crate) fn new(purpose: Purpose, chance: &Chance, now: Instant) -> (Key, Secret) {
        let id = format!("{:08x}", u32::from_be_bytes(chance.id));
        let secret = format!("{PREFIX}{id}_{}", URL_SAFE_NO_PAD.encode(chance.secret));
        let Purpose { name, scopes, spaces, expires } = purpose;
        let hash = blake3::hash(secret.as_bytes()).to_hex().to_string();
        (Key { id, name, hash, scopes, spaces, created: now, expires, revoked: None }, Secret(secret))
    }

    /// Returns how it stands.
    pub(crate) fn standing(&self, now: Instant) -> Standing {
        match (self.revoked, self.expires) {
            (Some(_), _) => Standing::Revoked,
            (None, Some(expires)) if expires <= now => Standing::Expired,
            (None, _) => Standing::Live,
        }
    }

    /// Says whether a text is that of this key, in a time that does not depend on how much of it is right.
    fn is_text(&self, hash: blake3::Hash) -> bool {
        blake3::Hash::from_hex(&self.hash).is_ok_and(|own| own == hash)
    }
}

/// Bytes of chance, enough for one key.
pub(crate) struct Chance {
    id: [u8; 4],
    secret: [u8; 32],
}

impl Chance {
    /// Draws them from the system.
    pub(crate) fn draw() -> io::Result<Chance> {
        let mut chance = Chance { id: [0; 4], secret: [0; 32] };
        getrandom::fill(&mut chance.id).map_err(io::Error::other)?;
        getrandom::fill(&mut chance.secret).map_err(io::Error::other)?;
        Ok(chance)
    }

    /// Returns the secret part alone, for what is not a key.
    pub(crate) fn secret(self) -> [u8; 32] {
        self.secret
    }
}
