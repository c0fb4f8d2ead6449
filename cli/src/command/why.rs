//! `bygone why`.

use bygone_engine::Authority;
use bygone_engine::identity::{MAYBE_SAME, SAME_AS};
use bygone_query::say::{object_text, validity_text};
use bygone_query::stale::why_stale;
use bygone_query::why::{Bearing, fact_meant, is_id, why};
use serde_json::json;

use crate::failure::{Exit, Failure};
use crate::quote::quote;
use crate::session::{Context, Opened};
use crate::table::Cell;
use crate::view::ViewOptions;

#[derive(clap::Args)]
pub(crate) struct Why {
    /// The fact's id, f:…, or that of a statement, a:…, which means the fact that rests on it; the first digits are enough
    /// where they tell it from all others
    #[arg(value_name = "FACT-ID")]
    fact: String,
    #[command(flatten)]
    view: ViewOptions,
}

impl Why {
    pub(crate) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let request = self.view.request(context.now())?;
        if !is_id(&self.fact) {
            return Err(Failure::Usage(format!(
                "{:?} is no id: expected f: or a: and 6 to 32 hexadecimal digits",
                self.fact
            )));
        }
        let Opened { space, ontology, mut output, .. } = context.reading_in(&request.view)?;
        let snapshot = space.snapshot();
        let seen = snapshot.seen(&request.view)?;
        let id = fact_meant(&seen, &self.fact)?;
        let proof = why(&seen, ontology, &request, id)?;
        let stale = why_stale(&seen, ontology, &request, proof.row.clone())?;
        let reason = stale.map(|stale| stale.reason_text());
        if output.json {
            let mut json = proof.to_json();
            json["reason"] = json!(reason);
            output.row(&json)?;
            return Ok(Exit::Done);
        }
        let row = &proof.row;
        output.line(format!(
            "{} {} {}, {}: {}",
            row.group.subject,
            row.group.predicate,
            object_text(&row.fact.object),
            validity_text(row.fact.validity, row.fact.ended_by),
            row.verdict.name().replace('_', " "),
        ))?;
        if let Some(reason) = reason {
            output.line(reason)?;
        }
        let mut last = None;
        for evidence in &proof.evidence {
            if last != Some(evidence.bearing) {
                output.line(format!("\n{}", heading(evidence.bearing)))?;
                last = Some(evidence.bearing);
            }
            quote(evidence, &mut output)?;
            let assertion = &evidence.recorded.assertion;
            if matches!(assertion.predicate.as_str(), SAME_AS | MAYBE_SAME)
                && assertion.authority == Authority::Inferred
            {
                let (rule, confidence) = (&assertion.extractor, assertion.confidence);
                output.cells(&[Cell::faint(format!("    concluded by {rule}, confidence {confidence}"))])?;
            }
        }
        Ok(Exit::Done)
    }
}

fn heading(bearing: Bearing) -> &'static str {
    match bearing {
        Bearing::Supports => "It rests on",
        Bearing::Premise => "which was concluded from",
        Bearing::Denies => "Against it",
        Bearing::OtherValue => "Other values",
    }
}
