//! How the benches ingest: by one worker, into the default space.

use std::num::NonZeroUsize;

use bygone_engine::time::Instant;
use bygone_ingest::{Document, Plan};
use bygone_ontology::Ontology;

/// Returns a plan to ingest documents.
pub fn plan<'a>(documents: &'a [Document], ontology: &'a Ontology, now: Instant) -> Plan<'a> {
    Plan {
        documents,
        format: None,
        space: "default",
        prefix: None,
        ontology,
        jobs: NonZeroUsize::MIN,
        keeps_secrets: false,
        now,
    }
}
