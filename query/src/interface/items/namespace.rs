//! Lists of namespaces.

use std::collections::BTreeSet;

use bygone_engine::document::Listing;
use bygone_engine::store::Snapshot;
use bygone_engine::time::Instant;
use serde::Deserialize;

use super::super::InterfaceError;
use super::{ITEMS, Name, lives};

/// Which namespaces are asked for.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListNamespaces {
    /// What they all match.
    #[serde(default)]
    pub match_conditions: Vec<MatchCondition>,
    /// How many labels are shown of each.
    #[serde(default)]
    pub max_depth: Option<usize>,
    /// The most rows.
    #[serde(default = "hundred")]
    pub limit: usize,
    /// How many are passed over first.
    #[serde(default)]
    pub offset: usize,
}

fn hundred() -> usize {
    100
}

/// What a namespace matches.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchCondition {
    /// Where.
    pub match_type: MatchType,
    /// Labels; `*` is any.
    pub path: Vec<String>,
}

/// Where a namespace matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MatchType {
    /// From its first label on.
    Prefix,
    /// Up to its last label.
    Suffix,
}

impl MatchCondition {
    fn is_met(&self, namespace: &[&str]) -> bool {
        let Some(n_others) = namespace.len().checked_sub(self.path.len()) else { return false };
        let labels = match self.match_type {
            MatchType::Prefix => &namespace[..self.path.len()],
            MatchType::Suffix => &namespace[n_others..],
        };
        self.path.iter().zip(labels).all(|(asked, label)| asked == "*" || asked == label)
    }
}

/// Lists the namespaces that have an item which has not run out, in order. Reads every item.
pub(super) fn list(
    snapshot: &Snapshot<'_>,
    now: Instant,
    request: &ListNamespaces,
) -> Result<Vec<Vec<String>>, InterfaceError> {
    let lives = lives(snapshot, b"")?;
    let mut namespaces: BTreeSet<Vec<String>> = BTreeSet::new();
    for found in snapshot.documents(&Listing::new(&ITEMS, b"")) {
        let found = found?;
        if lives.get(&found.name).is_some_and(|(_, end)| *end <= now) {
            continue;
        }
        let Some(Name { namespace, .. }) = Name::read(&found.name) else { continue };
        if request.match_conditions.iter().all(|condition| condition.is_met(&namespace)) {
            let depth = request.max_depth.unwrap_or(namespace.len()).min(namespace.len());
            namespaces.insert(namespace[..depth].iter().map(|label| (*label).to_owned()).collect());
        }
    }
    Ok(namespaces.into_iter().skip(request.offset).take(request.limit).collect())
}
