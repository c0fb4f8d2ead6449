//! What a search is confined to: the documents of one kind in one space.

use crate::key::SpaceId;
use crate::text::Kind;

/// A space and a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Group {
    pub(super) space: SpaceId,
    pub(super) kind: Kind,
}

impl Group {
    /// Bytes of a group in a file: the space's number, little-endian, and the kind's letter.
    pub(super) const BYTES: usize = 5;

    pub(super) fn to_bytes(self) -> [u8; Group::BYTES] {
        let [a, b, c, d] = self.space.0.to_le_bytes();
        [a, b, c, d, letter(self.kind)]
    }

    pub(super) fn from_bytes([a, b, c, d, kind]: [u8; Group::BYTES]) -> Option<Group> {
        let kinds = [Kind::Turn, Kind::Statement, Kind::Plan];
        let kind = kinds.into_iter().find(|&known| letter(known) == kind)?;
        Some(Group { space: SpaceId(u32::from_le_bytes([a, b, c, d])), kind })
    }
}

impl std::fmt::Display for Group {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:x}-{}", self.space.0, char::from(letter(self.kind)))
    }
}

fn letter(kind: Kind) -> u8 {
    match kind {
        Kind::Turn => b't',
        Kind::Statement => b's',
        Kind::Plan => b'p',
    }
}
