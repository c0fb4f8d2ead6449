//! The tests of the ontology, in one program: each more takes as long to link as the whole.

mod derive_forms;
mod derive_rules;
mod timex_cases;
mod timex_kinds;
