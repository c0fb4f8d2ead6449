//! A turn as its record tells it, and the episode that it becomes once its time is known.

use bygone_engine::{EntityRef, Episode, EpisodeId, Role};

use super::times::Timed;
use super::turn_text::TurnText;
use super::{Place, Turn};

/// A turn as its record tells it.
pub(super) struct Told<'a> {
    pub(super) place: Place,
    /// The record as it stands in the file; `None` where another turn keeps it.
    pub(super) bytes: Option<&'a [u8]>,
    pub(super) session: &'a str,
    /// Its place in the session.
    pub(super) position: u64,
    pub(super) role: Role,
    pub(super) speaker: Option<EntityRef>,
    pub(super) agent: &'a str,
    pub(super) user: Option<&'a str>,
    /// Its id.
    pub(super) native_id: Option<String>,
    pub(super) cwd: Option<String>,
    pub(super) rendering: TurnText,
}

impl Told<'_> {
    /// Makes the turn that was said at this time; returns it, and what was noticed.
    pub(super) fn at(self, timed: Timed) -> (Turn, Vec<String>) {
        let TurnText { text, parts, problems } = self.rendering;
        let episode = Episode {
            id: EpisodeId::UNHASHED,
            session: self.session.to_owned(),
            position: self.position,
            role: self.role,
            speaker: self.speaker,
            agent: Some(self.agent.to_owned()),
            user: self.user.map(str::to_owned),
            time: timed.at,
            time_inferred: timed.is_inferred,
            zone: timed.zone,
            native_id: self.native_id,
            text,
            raw: self.bytes.map(<[u8]>::to_vec),
        };
        let turn = Turn { place: self.place, episode: episode.with_content_id(), cwd: self.cwd, parts };
        (turn, problems)
    }
}
