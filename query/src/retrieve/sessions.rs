//! The score of the session a turn belongs to: BM25 with sessions as documents.
