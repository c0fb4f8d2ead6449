//! What predicates, types and time words mean. Pure: no I/O, no clock.

pub mod definition;
pub mod derive;
pub mod extension;
mod fingerprint;
pub mod load;
pub mod ontology;
pub mod premise;
mod semantics;
pub mod similarity;
pub mod suggest;
pub mod timex;
pub mod validate;
pub mod verdict;
mod wording;
pub mod write;

pub use definition::{Cardinality, Definition, TemporalKind};
pub use derive::derive;
pub use extension::Extension;
pub use load::{LoadError, Problem};
pub use ontology::{Ontology, Type};
pub use validate::{Remark, validate};
pub use verdict::{Verdict, judged_instant, verdict};
