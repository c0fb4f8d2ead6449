//! What was heard or read: one turn, kept verbatim.

use serde::{Deserialize, Serialize};

use crate::entity::EntityRef;
use crate::id::{AssertionId, EpisodeId, hash_parts};
use crate::time::Instant;

/// What kind of voice a turn is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// A person speaks.
    User,
    /// An agent speaks.
    Agent,
    /// A tool answers.
    Tool,
    /// The harness speaks: reminders, command wrappers, summaries. Never a person's word.
    System,
    /// A statement that came as data, not as speech.
    Statement,
}

/// One turn of a session, kept as it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Episode {
    /// The content hash.
    pub id: EpisodeId,
    /// The session it belongs to.
    pub session: String,
    /// Its place in the session: the position of its record in the source.
    pub position: u64,
    /// The voice.
    pub role: Role,
    /// Who speaks, where that is known.
    pub speaker: Option<EntityRef>,
    /// The agent that took part, where known.
    pub agent: Option<String>,
    /// The user that took part, where known.
    pub user: Option<String>,
    /// When it was said.
    pub time: Instant,
    /// Whether the time was inferred from its neighbours because the record gave none.
    pub time_inferred: bool,
    /// The zone or offset the record gave its time in, where not UTC.
    pub zone: Option<String>,
    /// The id the source gives the record, where it gives one.
    pub native_id: Option<String>,
    /// What was said; spans are byte ranges of this.
    pub text: String,
    /// The record as it stood in the source, where it says more than the text.
    pub raw: Option<Vec<u8>>,
}

impl Episode {
    /// Returns the id for a record: by its native id and content where it has one, so that history copied into
    /// another file is recognised; else by session, position and content.
    pub fn content_id(&self) -> EpisodeId {
        let position = self.position.to_le_bytes();
        let (place, position) = match &self.native_id {
            Some(native) => (native.as_bytes(), [].as_slice()),
            None => (self.session.as_bytes(), position.as_slice()),
        };
        let by_native = [u8::from(self.native_id.is_some()), self.role as u8];
        let time = if self.time_inferred { 0 } else { self.time.micros() }.to_le_bytes();
        let parts = [&by_native, place, position, time.as_slice(), self.text.as_bytes()];
        EpisodeId(hash_parts("episode", parts))
    }

    /// Returns the episode as the one that carries a statement and nothing else. Its id follows from the statement's, so
    /// that the same statement is the same episode however its line was spelt.
    ///
    /// Where that id is the hash of the statement's content, as `is_content` says, the episode's has the same bytes. An id
    /// that was sent says nothing of the content: its bytes could be those of another turn.
    #[must_use]
    pub fn carrying(mut self, statement: AssertionId, is_content: bool) -> Episode {
        let native_id = statement.to_string();
        self.id =
            EpisodeId(if is_content { statement.0 } else { hash_parts("statement", [native_id.as_bytes()]) });
        self.native_id = Some(native_id);
        self
    }

    /// Returns the episode with its content hash as its id.
    #[must_use]
    pub fn with_content_id(mut self) -> Episode {
        self.id = self.content_id();
        self
    }
}

impl EpisodeId {
    /// A placeholder for an episode whose hash is yet to be computed by [`Episode::with_content_id`].
    pub const UNHASHED: EpisodeId = EpisodeId([0; 16]);
}

impl AssertionId {
    /// A placeholder for a statement whose hash is yet to be computed by `with_content_id`.
    pub const UNHASHED: AssertionId = AssertionId([0; 16]);
}
