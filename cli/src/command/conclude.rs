//! `bygone conclude`.

use bygone_engine::View;
use bygone_query::state::conclude::{Conclusion, Ground, conclude};

use super::facts::{object, subject};
use crate::acting::Acting;
use crate::failure::{Exit, Failure};
use crate::session::{Context, Opened};

#[derive(clap::Args)]
pub(crate) struct Conclude {
    /// What it is about
    #[arg(value_name = "SUBJECT")]
    subject: String,
    /// The predicate
    #[arg(value_name = "PREDICATE")]
    predicate: String,
    /// What it says: an entity, a text, or JSON as in {"number":3}
    #[arg(value_name = "OBJECT")]
    object: String,
    /// Statements that it is concluded from, a:…, or facts, f:…, each of which stands for all that supports it
    #[arg(long, value_name = "ID", required = true, num_args = 1..)]
    from: Vec<String>,
    /// Which of several parallel values
    #[arg(long, value_name = "KEY", default_value = "", hide_default_value = true)]
    key: String,
    #[command(flatten)]
    acting: Acting,
}

impl Conclude {
    pub(crate) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let ground = |id: &String| {
            Ground::parse(id).ok_or_else(|| {
                Failure::Usage(format!(
                    "--from: {id:?} is no id: expected a: or f: and 32 hexadecimal digits"
                ))
            })
        };
        let from = self.from.iter().map(ground).collect::<Result<Vec<_>, _>>()?;
        let mask = self.acting.mask();
        let told = mask.text(&self.object);
        let key = context.sent();
        let Opened { space, ontology, now, mut output } = context.writing()?;
        mask.tell(&mut output)?;
        let conclusion = {
            let snapshot = space.snapshot();
            let seen = snapshot.seen(&View::LATEST)?;
            let subject = subject(&seen, &self.subject)?;
            let of = Some((&subject, Some(self.predicate.as_str())));
            let object = object(&seen, "OBJECT", &told, of)?;
            Conclusion { subject, predicate: &self.predicate, key: &self.key, object, from }
        };
        let by = self.acting.actor();
        let concluded = self.acting.decide(&space, key.as_deref(), &conclusion, now, |snapshot, place| {
            conclude(snapshot, place, &by, ontology, &conclusion)
        })?;
        if output.json {
            output.row(&concluded.to_json())?;
        } else {
            output.line(&concluded.statement)?;
        }
        Ok(Exit::Done)
    }
}
