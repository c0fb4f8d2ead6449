//! Reading assertions from JSON.

use serde_json::{Map, Value};
use unicode_normalization::UnicodeNormalization;

use super::object::{ObjectError, object_from_json};
use super::unique::Unique;
use crate::assertion::{Assertion, Authority, Modality, Polarity, Source, Span};
use crate::entity::{EntityError, EntityRef, MAX_NAME_BYTES};
use crate::episode::{Episode, Role};
use crate::excerpt::excerpt;
use crate::id::{AssertionId, EpisodeId};
use crate::time::{
    Bound, Granularity, Instant, Moment, Period, PeriodError, TimeError, Validity, parse_moment,
};

/// What a line that leaves things out is taken to say.
#[derive(Clone, Debug)]
pub struct Defaults {
    /// Known time of a statement without `known_at`.
    pub now: Instant,
    /// Document of a statement without `source`.
    pub document: String,
    /// Position of a statement without `source`.
    pub position: u64,
}

/// A statement as it was sent, and the episode that keeps it verbatim.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// What was said.
    pub assertion: Assertion,
    /// The line it was sent as.
    pub episode: Episode,
}

/// Why a line is no statement.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum WireError {
    /// The line is not JSON.
    #[error("not valid JSON: {0}")]
    NotJson(String),
    /// The line is JSON, but not an object.
    #[error("expected a JSON object, found {0}")]
    NotAnObject(String),
    /// A key that statements do not have.
    #[error("unknown key {key:?}: expected one of {expected}")]
    UnknownKey {
        /// The key.
        key: String,
        /// The keys there are.
        expected: String,
    },
    /// A key that must be there is not.
    #[error("{0:?} is missing")]
    Missing(&'static str),
    /// A value of the wrong kind.
    #[error("{key:?} is {found}: expected {expected}")]
    Kind {
        /// The key.
        key: &'static str,
        /// What was sent.
        found: String,
        /// What was expected.
        expected: &'static str,
    },
    /// A time that is none.
    #[error("{key:?}: {error}")]
    Time {
        /// The key.
        key: &'static str,
        /// What is wrong with it.
        error: TimeError,
    },
    /// An entity that is none.
    #[error("{key:?}: {error}")]
    Entity {
        /// The key.
        key: &'static str,
        /// What is wrong with it.
        error: EntityError,
    },
    /// The object is malformed.
    #[error(transparent)]
    Object(#[from] ObjectError),
    /// The period is empty.
    #[error(transparent)]
    Period(#[from] PeriodError),
    /// Parts that do not go together.
    #[error("{0}")]
    Conflict(&'static str),
}

const KEYS: [&str; 25] = [
    "agent",
    "asserter",
    "authority",
    "confidence",
    "derived_from",
    "extractor",
    "from",
    "from_grain",
    "id",
    "key",
    "known_at",
    "modality",
    "object",
    "polarity",
    "predicate",
    "session",
    "source",
    "span",
    "subject",
    "sure_grain",
    "sure_until",
    "to",
    "to_grain",
    "user",
    "zone",
];

/// Reads one line.
///
/// # Errors
/// [`WireError`] by the first thing that is wrong; nothing of the line is kept then.
pub fn read_statement(line: &str, defaults: &Defaults) -> Result<Statement, WireError> {
    let Unique(value) = serde_json::from_str(line).map_err(|error| WireError::NotJson(error.to_string()))?;
    let Value::Object(map) = value else {
        return Err(WireError::NotAnObject(excerpt(&value.to_string())));
    };
    if let Some(key) = map.keys().find(|key| !KEYS.contains(&key.as_str())) {
        return Err(WireError::UnknownKey { key: excerpt(key), expected: KEYS.join(", ") });
    }
    let fields = Fields(&map);
    let subject = fields.entity("subject")?.ok_or(WireError::Missing("subject"))?;
    let predicate = fields.text("predicate")?.ok_or(WireError::Missing("predicate"))?.to_owned();
    if predicate.is_empty() || predicate.chars().any(|c| c.is_control() || c.is_whitespace()) {
        return Err(fields.kind("predicate", "a predicate's id, such as works_at"));
    }
    let key: String = fields.text("key")?.unwrap_or_default().nfc().collect();
    for (name, text) in [("predicate", &predicate), ("key", &key)] {
        if text.len() > MAX_NAME_BYTES {
            return Err(fields.kind(name, "at most 4096 bytes"));
        }
    }
    let object = match fields.0.get("object") {
        None | Some(Value::Null) => None,
        Some(object) => Some(object_from_json(object)?),
    };
    let polarity = match fields.text("polarity")? {
        None | Some("affirm") => Polarity::Affirm,
        Some("deny") => Polarity::Deny,
        Some(_) => return Err(fields.kind("polarity", "affirm or deny")),
    };
    if object.is_none() && polarity == Polarity::Affirm {
        return Err(WireError::Missing("object"));
    }
    let known_at = fields.time("known_at")?.map_or(defaults.now, |moment| moment.at);
    let (validity, sure_until) = match polarity {
        Polarity::Affirm => affirmed(&fields, known_at)?,
        Polarity::Deny => (denied(&fields)?, None),
    };
    let authority = match fields.text("authority")? {
        None | Some("user") => Authority::User,
        Some("tool") => Authority::Tool,
        Some("agent") => Authority::Agent,
        Some("inferred") => Authority::Inferred,
        Some(_) => return Err(fields.kind("authority", "user, tool, agent or inferred")),
    };
    let modality = match fields.text("modality")? {
        None | Some("actual") => Modality::Actual,
        Some("planned") => Modality::Planned,
        Some("hypothetical") => Modality::Hypothetical,
        Some("reported") => Modality::Reported,
        Some(_) => return Err(fields.kind("modality", "actual, planned, hypothetical or reported")),
    };
    // Reported speech takes part with the authority of hearsay, whoever reports it.
    let authority = if modality == Modality::Reported { Authority::Inferred } else { authority };
    let confidence = match fields.0.get("confidence") {
        None | Some(Value::Null) => 1.0,
        Some(value) => match value.as_f64() {
            Some(confidence) if (0.0..=1.0).contains(&confidence) => confidence,
            _ => return Err(fields.kind("confidence", "a number from 0 to 1")),
        },
    };
    let (document, position) = match fields.text("source")? {
        None => (defaults.document.clone(), defaults.position),
        Some(source) => split_source(source),
    };
    let session = fields.text("session")?.map_or_else(|| document.clone(), str::to_owned);
    let derived_from = fields.premises()?;
    let episode = Episode {
        id: EpisodeId::UNHASHED,
        session: session.clone(),
        position,
        role: Role::Statement,
        speaker: fields.entity("asserter")?,
        agent: fields.text("agent")?.map(str::to_owned),
        user: fields.text("user")?.map(str::to_owned),
        time: known_at,
        time_inferred: false,
        zone: match fields.text("zone")? {
            Some(zone) => Some(zone.to_owned()),
            None => {
                ["known_at", "from", "to"].into_iter().find_map(|key| offset(fields.0.get(key)?.as_str()?))
            }
        },
        native_id: None,
        text: line.trim().to_owned(),
        raw: None,
    };
    let mut assertion = Assertion {
        id: AssertionId([0; 16]),
        subject,
        predicate,
        key,
        object,
        polarity,
        validity,
        sure_until,
        modality,
        authority,
        confidence,
        known_at,
        source: Source {
            document,
            position,
            span: fields.span()?,
            episode: EpisodeId::UNHASHED,
            context: Vec::new(),
            asserter: episode.speaker.clone(),
            session,
            agent: episode.agent.clone(),
            user: episode.user.clone(),
            zone: episode.zone.clone(),
        },
        extractor: fields.text("extractor")?.unwrap_or("wire/1").to_owned(),
        derived_from,
    };
    let content = assertion.content_id();
    assertion.id = match fields.text("id")? {
        None => content,
        Some(id) => {
            AssertionId::parse(id).ok_or_else(|| fields.kind("id", "a: and 32 hexadecimal digits"))?
        }
    };
    let episode = episode.carrying(assertion.id, assertion.id == content);
    assertion.source.episode = episode.id;
    Ok(Statement { assertion, episode })
}

fn affirmed(fields: &Fields<'_>, known_at: Instant) -> Result<(Validity, Option<Moment>), WireError> {
    let (from, to) = (fields.bound("from", "from_grain")?, fields.bound("to", "to_grain")?);
    let sure_until = fields.moment("sure_until", "sure_grain")?;
    let (from, to) = match (from, to) {
        (Said::Unknown, Said::Unknown) => {
            if sure_until.is_some() {
                return Err(WireError::Conflict("\"sure_until\" goes only with an open \"to\""));
            }
            return Ok((Validity::Undated, None));
        }
        (Said::Unknown, Said::Open) => {
            return Err(WireError::Conflict(
                "\"from\" is unknown and \"to\" is open: send \"from\" null (from when it was known) or a date",
            ));
        }
        (Said::Unknown, Said::At(to)) => {
            (Moment::new(to.grain.before(to.at), Granularity::Unknown), Bound::At(to))
        }
        (Said::Open, Said::Unknown) => {
            return Err(WireError::Conflict(
                "\"to\" is unknown: send \"from\" as a date, or \"unknown\" for a fact without dates",
            ));
        }
        (Said::At(from), Said::Unknown) => (from, Bound::At(Moment::new(from.end(), Granularity::Unknown))),
        (Said::Open, to) => (Moment::instant(known_at), to.bound()),
        (Said::At(from), to) => (from, to.bound()),
    };
    let period = Period::new(Bound::At(from), to)?;
    if !to.is_open() {
        if sure_until.is_some() {
            return Err(WireError::Conflict("\"sure_until\" goes only with an open \"to\""));
        }
        return Ok((Validity::Over(period), None));
    }
    let sure_until = sure_until.unwrap_or(from);
    if sure_until.end() <= from.at {
        return Err(WireError::Conflict("\"sure_until\" ends before \"from\""));
    }
    Ok((Validity::Over(period), Some(sure_until)))
}

fn denied(fields: &Fields<'_>) -> Result<Validity, WireError> {
    if fields.moment("sure_until", "sure_grain")?.is_some() {
        return Err(WireError::Conflict("\"sure_until\" goes only with an affirm"));
    }
    let (from, to) = (fields.bound("from", "from_grain")?, fields.bound("to", "to_grain")?);
    if matches!(from, Said::Unknown) || matches!(to, Said::Unknown) {
        return Err(WireError::Conflict(
            "a deny cannot have an unknown bound: an END at an unknown date sends \"from\" equal to \"known_at\"",
        ));
    }
    Ok(Validity::Over(Period::new(from.bound(), to.bound())?))
}

/// A bound as sent.
enum Said {
    Open,
    Unknown,
    At(Moment),
}

impl Said {
    fn bound(&self) -> Bound {
        match self {
            Said::Open | Said::Unknown => Bound::Open,
            Said::At(moment) => Bound::At(*moment),
        }
    }
}

struct Fields<'a>(&'a Map<String, Value>);

impl Fields<'_> {
    fn kind(&self, key: &'static str, expected: &'static str) -> WireError {
        let found = self.0.get(key).map_or_else(|| "absent".to_owned(), |value| excerpt(&value.to_string()));
        WireError::Kind { key, found, expected }
    }

    fn text(&self, key: &'static str) -> Result<Option<&str>, WireError> {
        match self.0.get(key) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) if text.contains('\0') => Err(self.kind(key, "a text without NUL")),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(self.kind(key, "a text")),
        }
    }

    fn entity(&self, key: &'static str) -> Result<Option<EntityRef>, WireError> {
        let parse = |text| EntityRef::parse(text).map_err(|error| WireError::Entity { key, error });
        self.text(key)?.map(parse).transpose()
    }

    fn time(&self, key: &'static str) -> Result<Option<Moment>, WireError> {
        let parse = |text| parse_moment(text).map_err(|error| WireError::Time { key, error });
        self.text(key)?.map(parse).transpose()
    }

    fn moment(&self, key: &'static str, grain_key: &'static str) -> Result<Option<Moment>, WireError> {
        let moment = self.time(key)?;
        let Some(grain) = self.text(grain_key)? else {
            return Ok(moment);
        };
        let grain = Granularity::from_name(grain)
            .filter(|grain| *grain != Granularity::Unknown)
            .ok_or_else(|| self.kind(grain_key, "a granularity, such as day, month or year"))?;
        match moment {
            Some(moment) => Ok(Some(Moment::new(moment.at, grain))),
            None => Err(self.kind(grain_key, "to stand beside the time it describes")),
        }
    }

    fn bound(&self, key: &'static str, grain_key: &'static str) -> Result<Said, WireError> {
        if self.text(key)? == Some("unknown") {
            return Ok(Said::Unknown);
        }
        Ok(self.moment(key, grain_key)?.map_or(Said::Open, Said::At))
    }

    fn span(&self) -> Result<Option<Span>, WireError> {
        let expected = "two byte positions, the second not before the first";
        match self.0.get("span") {
            None | Some(Value::Null) => Ok(None),
            Some(value) => {
                let [start, end] = value.as_array().map_or(&[][..], Vec::as_slice) else {
                    return Err(self.kind("span", expected));
                };
                let byte = |value: &Value| value.as_u64().and_then(|at| u32::try_from(at).ok());
                match (byte(start), byte(end)) {
                    (Some(start), Some(end)) if start <= end => Ok(Some(Span { start, end })),
                    _ => Err(self.kind("span", expected)),
                }
            }
        }
    }

    fn premises(&self) -> Result<Vec<AssertionId>, WireError> {
        let kind = || self.kind("derived_from", "a list of assertion ids");
        match self.0.get("derived_from") {
            None | Some(Value::Null) => Ok(Vec::new()),
            Some(Value::Array(ids)) => {
                let mut premises = Vec::new();
                for id in ids {
                    premises.push(id.as_str().and_then(AssertionId::parse).ok_or_else(kind)?);
                }
                premises.sort_unstable();
                premises.dedup();
                Ok(premises)
            }
            Some(_) => Err(kind()),
        }
    }
}

/// Splits `document#position` at the last `#`; a text without a number behind it is all document.
fn split_source(source: &str) -> (String, u64) {
    match source.rsplit_once('#').map(|(document, digits)| (document, digits.parse())) {
        Some((document, Ok(position))) => (document.to_owned(), position),
        _ => (source.to_owned(), 0),
    }
}

/// Returns the offset of an RFC 3339 time that is not UTC, such as `+02:00`.
fn offset(time: &str) -> Option<String> {
    let (_, clock) = time.split_once(['T', 't'])?;
    let sign = clock.rfind(['+', '-'])?;
    Some(clock[sign..].to_owned()).filter(|offset| offset != "+00:00" && offset != "-00:00")
}
