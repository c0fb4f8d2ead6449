//! `bygone stale`.

use bygone_query::say::object_text;
use bygone_query::stale::stale;

use super::facts::{predicate, standing, subject};
use crate::failure::{Exit, Failure};
use crate::output::{count, shorten};
use crate::session::{Context, Opened};
use crate::table::Cell;
use crate::view::ViewOptions;

#[derive(clap::Args)]
pub(crate) struct Stale {
    /// Only those about this entity
    #[arg(long, value_name = "ENTITY")]
    about: Option<String>,
    /// At most this many
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    #[command(flatten)]
    view: ViewOptions,
}

impl Stale {
    pub(crate) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let request = self.view.request(context.now())?;
        let Opened { space, ontology, mut output, .. } = context.reading_in(&request.view)?;
        let snapshot = space.snapshot();
        let request = self.view.at_present(&snapshot, request)?;
        let seen = snapshot.seen(&request.view)?;
        let about = self.about.as_deref().map(|name| subject(&seen, name)).transpose()?;
        let mut found = stale(&seen, ontology, &request, about.as_ref())?;
        let n_found = found.len();
        found.truncate(self.limit.unwrap_or(n_found));
        if output.json {
            found.iter().try_for_each(|stale| output.row(&stale.to_json()))?;
            return Ok(Exit::Done);
        }
        let table: Vec<Vec<Cell>> = found
            .iter()
            .map(|stale| {
                let row = &stale.row;
                vec![
                    shorten(&row.group.subject.to_string(), 40).into(),
                    predicate(row).into(),
                    Cell::strong(shorten(&object_text(&row.fact.object), 60)),
                    standing(row).into(),
                    stale.reason_text().into(),
                    Cell::faint(row.id.to_string()),
                ]
            })
            .collect();
        output.table(&table)?;
        let hidden = n_found - found.len();
        let more = if hidden == 0 { String::new() } else { format!(", {hidden} more") };
        output.remark(format!("{} to check{more}", count(found.len() as u64, "fact")))?;
        Ok(Exit::Done)
    }
}
