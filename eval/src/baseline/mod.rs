//! What a system is to be better than: rankings that know nothing of time, speakers or sessions.

pub mod bm25;
pub mod by_words;
pub mod dense;
pub mod fused;
pub mod whole;
