//! `bygone diff`.

use bygone_engine::store::Seen;
use bygone_query::diff::{Change, Difference, known, valid};
use bygone_query::names::resolve;
use bygone_query::say::{object_text, validity_text};
use bygone_query::why::{Bearing, statement};
use bygone_query::{QueryError, Row};

use super::facts::{predicate, standing};
use crate::failure::{Exit, Failure};
use crate::output::{Output, count, shorten};
use crate::quote::quote;
use crate::session::{Context, Opened};
use crate::table::{Cell, lines};
use crate::view::{Compared, ViewOptions};

/// Compares what was known by two times (`--known A..B`), or what was so at two times (`--valid A..B`).
#[derive(clap::Args)]
pub(crate) struct Diff {
    /// Only what mentions this entity
    #[arg(long, value_name = "ENTITY")]
    about: Option<String>,
    #[command(flatten)]
    view: ViewOptions,
}

impl Diff {
    pub(crate) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let compared = self.view.compared(context.now())?;
        let view = match &compared {
            Compared::Known { after, .. } => &after.view,
            Compared::Valid { request, .. } => &request.view,
        };
        let Opened { space, ontology, mut output, .. } = context.reading_in(view)?;
        let snapshot = space.snapshot();
        let about = |seen: &Seen<'_>| -> Result<_, QueryError> {
            self.about.as_deref().map(|name| resolve(seen, name)).transpose()
        };
        match compared {
            Compared::Known { before, after } => {
                let (seen_before, seen_after) = (snapshot.seen(&before.view)?, snapshot.seen(&after.view)?);
                let entity = about(&seen_after)?;
                let sides = ((&seen_before, &before), (&seen_after, &after));
                let found = known(sides.0, sides.1, ontology, entity.as_ref())?;
                print(&found, &seen_after, &mut output)?;
            }
            Compared::Valid { request, from, to } => {
                let seen = snapshot.seen(&request.view)?;
                let entity = about(&seen)?;
                let found = valid(&seen, ontology, &request, (from, to), entity.as_ref())?;
                print(&found, &seen, &mut output)?;
            }
        }
        Ok(Exit::Done)
    }
}

fn print(found: &[Difference], seen: &Seen<'_>, output: &mut Output<'_>) -> Result<(), Failure> {
    if output.json {
        return found.iter().try_for_each(|difference| output.row(&difference.to_json()));
    }
    let rows: Vec<Vec<Cell>> = found.iter().map(columns).collect();
    let mut laid_out = found.iter().zip(lines(&rows, output.colour)).collect::<Vec<_>>();
    laid_out.sort_by_key(|(difference, _)| difference.change);
    let mut last: Option<Change> = None;
    for (difference, line) in laid_out {
        if last != Some(difference.change) {
            output.cells(&[Cell::strong(difference.change.name())])?;
            last = Some(difference.change);
        }
        output.laid_out(&line)?;
        if let Some(evidence) = statement(seen, Bearing::Supports, difference.cause)? {
            quote(&evidence, output)?;
        }
    }
    output.remark(count(found.len() as u64, "difference"))
}

fn columns(difference: &Difference) -> Vec<Cell> {
    let row = difference.row();
    let was = difference.was.as_ref().filter(|_| difference.fact.is_some());
    let now = if difference.fact.is_some() {
        vec![when(row), standing(row)]
    } else {
        vec![when(row), "no longer believed".to_owned()]
    };
    let mut cells = vec![
        Cell::from(shorten(&row.group.subject.to_string(), 40)),
        predicate(row).into(),
        Cell::strong(shorten(&object_text(&row.fact.object), 60)),
    ];
    cells.extend(now.into_iter().map(Cell::from));
    cells.push(was.map_or_else(String::new, |was| former(was, row)).into());
    cells
}

fn when(row: &Row) -> String {
    validity_text(row.fact.validity, row.fact.ended_by)
}

/// Says what a fact was before, as far as it was otherwise.
fn former(was: &Row, row: &Row) -> String {
    let subject = if was.group.subject == row.group.subject {
        String::new()
    } else {
        format!("{}: ", was.group.subject)
    };
    let object = shorten(&object_text(&was.fact.object), 60);
    format!("was {subject}{object} {}", when(was))
}
