//! How like in meaning documents are to a text, where that tells anything.

use bygone_engine::StoreError;
use bygone_engine::store::Likeness;
use bygone_engine::text::{Corpus, Kind};

use super::Sought;
use super::question::Question;

/// Returns how like each document of a corpus is to what is asked. Of words that the embedder knows none of, nothing is.
pub(super) fn likeness(
    sought: &Sought<'_>,
    kind: Kind,
    corpus: &Corpus,
    question: &Question,
) -> Result<Likeness, StoreError> {
    if sought.seen.knows_any(&question.written)? {
        sought.seen.likeness(kind, corpus, sought.text)
    } else {
        Ok(Likeness::none(corpus))
    }
}
