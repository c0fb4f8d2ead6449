//! `bygone keys`: who may ask a server for what.

use std::collections::BTreeSet;

use bygone_engine::StoreError;
use bygone_engine::store::is_space_name;
use bygone_engine::time::Instant;
use serde_json::json;

use crate::acting::length;
use crate::failure::{Exit, Failure};
use crate::keys::{Chance, EVERY_SPACE, Key, Purpose, Ring, RingError};
use crate::output::Output;
use crate::serve::Record;
use crate::session::Context;
use crate::table::shown;
use crate::verb::Scope;
use crate::view::moment;

#[derive(clap::Args)]
pub(crate) struct Keys {
    #[command(subcommand)]
    action: Action,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Make a key and print it: it cannot be shown again
    Create(Create),
    /// List the keys, with what each may do
    List,
    /// Make a key that may do what another one may, in its place
    Rotate(Rotate),
    /// Take a key no more, from now on
    Revoke(Revoke),
}

#[derive(clap::Args)]
struct Create {
    /// What the key is for
    #[arg(value_name = "NAME")]
    name: String,
    /// What it may do; may be given again [default: read]
    #[arg(long, value_enum, value_name = "SCOPE")]
    scope: Vec<Scope>,
    /// A space that it opens, or * for every one; may be given again [default: the one that --space names]
    #[arg(long, value_name = "NAME")]
    opens: Vec<String>,
    /// From when on it is not taken: a time, or a length such as 12h or 30d
    #[arg(long, value_name = "T | D")]
    expires: Option<String>,
}

#[derive(clap::Args)]
struct Rotate {
    /// The key's id
    #[arg(value_name = "ID")]
    id: String,
    /// How long the old one is still taken [default: not at all]
    #[arg(long, value_name = "D", value_parser = length)]
    overlap: Option<i64>,
}

#[derive(clap::Args)]
struct Revoke {
    /// The key's id
    #[arg(value_name = "ID")]
    id: String,
}

impl From<RingError> for Failure {
    fn from(error: RingError) -> Failure {
        Failure::Input(error.to_string())
    }
}

impl Keys {
    pub(crate) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let now = context.now();
        let Context { global, mut output, .. } = context;
        if !global.store.is_dir() {
            let store = shown(&global.store.to_string_lossy());
            return Err(Failure::Input(format!("there is no store at {store}: `bygone init` makes one")));
        }
        let ring = Ring::of(&global.store);
        match &self.action {
            Action::Create(create) => create.execute(&ring, &global.space, now, &mut output),
            Action::List => list(&ring, now, &mut output),
            Action::Rotate(rotate) => rotate.execute(&ring, now, &mut output),
            Action::Revoke(revoke) => revoke.execute(&ring, now, &mut output),
        }
    }
}

impl Create {
    fn execute(
        &self,
        ring: &Ring,
        space: &str,
        now: Instant,
        output: &mut Output<'_>,
    ) -> Result<Exit, Failure> {
        let scopes: BTreeSet<Scope> = self.scope.iter().copied().collect();
        let spaces: BTreeSet<String> = self.opens.iter().cloned().collect();
        let purpose = Purpose {
            name: self.name.clone(),
            scopes: if scopes.is_empty() { BTreeSet::from([Scope::Read]) } else { scopes },
            spaces: if spaces.is_empty() { BTreeSet::from([space.to_owned()]) } else { spaces },
            expires: self.expires.as_deref().map(|text| later("--expires", text, now)).transpose()?,
        };
        check(&purpose, now)?;
        make((ring, "create"), purpose, now, output, |_| Ok(()))
    }
}

/// Says why a key could never do what it is for.
fn check(purpose: &Purpose, now: Instant) -> Result<(), Failure> {
    let refuse = |why: String| Err(Failure::Usage(why));
    if purpose.name.trim().is_empty() {
        return refuse("a key has no name: expected one that tells whose it is".to_owned());
    }
    let is_none = |space: &&String| *space != EVERY_SPACE && !is_space_name(space);
    if let Some(space) = purpose.spaces.iter().find(is_none) {
        return refuse(format!("--opens: {}", StoreError::SpaceName(space.clone())));
    }
    if purpose.scopes.contains(&Scope::Admin) && !purpose.spaces.contains(EVERY_SPACE) {
        return refuse("--scope admin is of the whole store: expected --opens '*' with it".to_owned());
    }
    match purpose.expires {
        Some(at) if at <= now => refuse(format!("--expires: {} has passed", at.to_rfc3339())),
        _ => Ok(()),
    }
}

impl Rotate {
    fn execute(&self, ring: &Ring, now: Instant, output: &mut Output<'_>) -> Result<Exit, Failure> {
        let keys = ring.keys()?;
        let old = keys.iter().find(|key| key.id == self.id).ok_or_else(|| none(&self.id))?;
        let purpose = Purpose {
            name: old.name.clone(),
            scopes: old.scopes.clone(),
            spaces: old.spaces.clone(),
            expires: old.expires,
        };
        let until = now.plus_micros(self.overlap.unwrap_or(0));
        make((ring, "rotate"), purpose, now, output, |keys| {
            let old = keys.iter_mut().find(|key| key.id == self.id).ok_or_else(|| none(&self.id))?;
            old.expires = Some(old.expires.map_or(until, |expires| expires.min(until)));
            Ok(())
        })
    }
}

impl Revoke {
    fn execute(&self, ring: &Ring, now: Instant, output: &mut Output<'_>) -> Result<Exit, Failure> {
        let key = ring.change(|keys| {
            let key = keys.iter_mut().find(|key| key.id == self.id).ok_or_else(|| none(&self.id))?;
            key.revoked = Some(key.revoked.unwrap_or(now));
            Ok::<Key, Failure>(key.clone())
        })?;
        record(ring, now, "revoke", &key)?;
        if output.json {
            output.row(&row(&key, now))?;
        } else {
            output.line(format!("The key {} ({}) is taken no more.", key.id, key.name))?;
        }
        Ok(Exit::Done)
    }
}

/// Writes down beside the requests what was done to a key.
fn record(ring: &Ring, now: Instant, what: &str, key: &Key) -> Result<(), Failure> {
    Record::open(ring.folder(), false)?.write_of_key(now, what, &key.id);
    Ok(())
}

fn none(id: &str) -> Failure {
    Failure::NotKnown(format!("there is no key {id:?}: `bygone keys list` shows them"))
}

fn make(
    (ring, what): (&Ring, &str),
    purpose: Purpose,
    now: Instant,
    output: &mut Output<'_>,
    before: impl FnOnce(&mut Vec<Key>) -> Result<(), Failure>,
) -> Result<Exit, Failure> {
    let chance = Chance::draw()?;
    let (key, secret) = Key::new(purpose, &chance, now);
    ring.change(|keys| {
        before(keys)?;
        keys.push(key.clone());
        Ok::<(), Failure>(())
    })?;
    record(ring, now, what, &key)?;
    if output.json {
        let mut row = row(&key, now);
        row["key"] = secret.to_string().into();
        output.row(&row)?;
    } else {
        output.line(secret.to_string())?;
        output.remark("it is not kept and cannot be shown again")?;
    }
    Ok(Exit::Done)
}

fn list(ring: &Ring, now: Instant, output: &mut Output<'_>) -> Result<Exit, Failure> {
    let keys = ring.keys()?;
    if output.json {
        keys.iter().try_for_each(|key| output.row(&row(key, now)))?;
        return Ok(Exit::Done);
    }
    let table: Vec<Vec<String>> = keys
        .iter()
        .map(|key| {
            let scopes: Vec<&str> = key.scopes.iter().map(|scope| scope.name()).collect();
            let spaces: Vec<&str> = key
                .spaces
                .iter()
                .map(|space| if space == EVERY_SPACE { "every space" } else { space })
                .collect();
            let expires = key.expires.map_or_else(String::new, |at| format!("until {}", at.to_rfc3339()));
            let standing = key.standing(now).name().to_owned();
            vec![key.id.clone(), key.name.clone(), scopes.join(", "), spaces.join(", "), standing, expires]
        })
        .collect();
    output.table(&table)?;
    Ok(Exit::Done)
}

fn row(key: &Key, now: Instant) -> serde_json::Value {
    json!({
        "id": key.id,
        "name": key.name,
        "scopes": key.scopes.iter().map(|scope| scope.name()).collect::<Vec<_>>(),
        "spaces": key.spaces,
        "created": key.created.to_rfc3339(),
        "expires": key.expires.map(Instant::to_rfc3339),
        "standing": key.standing(now).name(),
    })
}

/// Reads when something is to end: a time, or a length from now on.
fn later(option: &str, text: &str, now: Instant) -> Result<Instant, Failure> {
    match length(text) {
        // A year is a number, too, and is not meant as seconds.
        Ok(micros) if !text.bytes().all(|byte| byte.is_ascii_digit()) => Ok(now.plus_micros(micros)),
        _ => Ok(moment(option, text)?.at),
    }
}
