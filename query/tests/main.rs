//! The tests of questions and queries, in one program: each more takes as long to link as the whole.

mod ask;
mod computed;
mod interface;
mod language;
mod language_laws;
mod language_matching;
mod state;
mod store;
