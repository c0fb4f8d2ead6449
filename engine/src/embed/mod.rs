//! Texts as vectors: where do two texts that mean alike, in whatever words, come to lie close together?

pub mod wordpiece;
