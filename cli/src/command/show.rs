//! `bygone show`: what is known of an entity, or what was said in a turn.

use bygone_engine::Object;
use bygone_engine::record::RecordedEpisode;
use bygone_query::QueryError;
use bygone_query::entities::entry;
use bygone_query::facts::{Filter, facts};
use bygone_query::names::resolve;
use bygone_query::turns::{turn_json, turns};
use serde_json::{Value, json};

use super::facts::print;
use crate::failure::{Exit, Failure};
use crate::output::Output;
use crate::quote::turn_text;
use crate::session::{Context, Opened};
use crate::view::ViewOptions;

#[derive(clap::Args)]
pub(crate) struct Show {
    /// The entity; or a turn of a session, SESSION#N, or some of them, SESSION#A..B, which are shown verbatim
    #[arg(value_name = "ENTITY")]
    entity: String,
    #[command(flatten)]
    view: ViewOptions,
}

impl Show {
    pub(crate) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let request = self.view.request(context.now())?;
        let Opened { space, ontology, mut output, .. } = context.reading_in(&request.view)?;
        let snapshot = space.snapshot();
        let seen = snapshot.seen(&request.view)?;
        let entity = match resolve(&seen, &self.entity) {
            Ok(entity) => entity,
            Err(error @ QueryError::NoEntity(_)) => {
                let turns = turns(&seen, &self.entity)?;
                return if turns.is_empty() { Err(error.into()) } else { said(&turns, &mut output) };
            }
            Err(error) => return Err(error.into()),
        };
        let entry = entry(&seen, &entity)?;
        let about = Filter { subject: Some(entity.clone()), ..Filter::default() };
        let about = facts(&seen, ontology, &request, &about)?;
        let mentions = Filter { object: Some(Object::Entity(entity)), ..Filter::default() };
        let mentions = facts(&seen, ontology, &request, &mentions)?;
        if output.json {
            let rows = |rows: &[bygone_query::Row]| rows.iter().map(bygone_query::Row::to_json).collect();
            let mut value = entry.to_json();
            let facts: Value = rows(&about);
            value["facts"] = facts;
            value["mentions"] = rows(&mentions);
            output.row(&value)?;
            return Ok(Exit::Done);
        }
        output.line(entry.entity.to_string())?;
        if !entry.same_as.is_empty() {
            let others: Vec<String> = entry.same_as.iter().map(ToString::to_string).collect();
            output.line(format!("the same as {}", others.join(", ")))?;
        }
        if !entry.aliases.is_empty() {
            output.line(format!("also called {}", json!(entry.aliases)))?;
        }
        print(&about, &mut output)?;
        if !mentions.is_empty() {
            output.line("mentioned in")?;
            print(&mentions, &mut output)?;
        }
        Ok(Exit::Done)
    }
}

/// Prints turns as they were said.
fn said(turns: &[RecordedEpisode], output: &mut Output<'_>) -> Result<Exit, Failure> {
    for record in turns {
        if output.json {
            output.row(&turn_json(record))?;
        } else {
            output.line(turn_text(&record.episode))?;
            output.line(format!("{}\n", record.episode.text))?;
        }
    }
    Ok(Exit::Done)
}
