//! The tests of questions and queries, in one program: each more takes as long to link as the whole.

mod ask;
mod computed;
mod interface;
mod language;
mod language_laws;
mod language_matching;
mod linear;
mod names_like_queries;
mod spaces;
mod state;
mod store;
