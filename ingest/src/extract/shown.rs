//! What people show: a picture with its caption becomes an event of the one who shares it.

use bygone_engine::time::{Bound, Moment, Period, Validity};
use bygone_engine::{Authority, Modality, Object, Polarity, Role};

use crate::candidate::{Candidate, When};
use crate::read::{Part, Turn};

/// Proposes what the turn's speaker showed in it.
pub fn extract(turn: &Turn) -> Vec<Candidate> {
    let episode = &turn.episode;
    let said = Moment::instant(episode.time);
    let (Role::User, Some(speaker), Ok(period)) = (
        episode.role,
        &episode.speaker,
        Period::new(Bound::At(said), Bound::At(Moment::instant(episode.time.next()))),
    ) else {
        return Vec::new();
    };
    let shown = turn.parts.iter().filter_map(|part| match part {
        Part::Shown(span) => Some(span),
        _ => None,
    });
    let candidate = |span: &std::ops::Range<usize>| {
        let caption = episode.text.get(span.clone())?.trim();
        (!caption.is_empty()).then(|| Candidate {
            subject: speaker.clone(),
            predicate: "shared",
            key: String::new(),
            object: Some(Object::Text(caption.to_owned())),
            polarity: Polarity::Affirm,
            when: When::Exactly { validity: Validity::Over(period), sure_until: None },
            modality: Modality::Actual,
            authority: Authority::User,
            confidence: 1.0,
            span: span.clone(),
            context: Vec::new(),
            rule: "shown.shared/1",
        })
    };
    shown.filter_map(candidate).collect()
}
