//! `bygone timeline`.

use bygone_engine::time::{Bound, Granularity, Moment, Period, Validity, format_moment};
use bygone_engine::{Basis, EntityRef};
use bygone_query::Row;
use bygone_query::say::object_text;
use bygone_query::timeline::timeline;

use super::facts::{predicate, standing, subject};
use crate::draw::{Frame, draw};
use crate::failure::{Exit, Failure};
use crate::output::{count, shorten};
use crate::session::{Context, Opened};
use crate::table::Cell;
use crate::view::ViewOptions;

#[derive(clap::Args)]
pub(crate) struct Timeline {
    /// The entity
    #[arg(value_name = "ENTITY")]
    entity: String,
    /// Draw it, as wide as the terminal; the shell does so by itself
    #[arg(long)]
    draw: bool,
    /// List it, in the shell, too
    #[arg(long)]
    list: bool,
    #[command(flatten)]
    view: ViewOptions,
}

impl Timeline {
    pub(crate) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let request = self.view.request_over_all_time(context.now())?;
        let screen = context.session.screen();
        let Opened { space, ontology, mut output, .. } = context.reading_in(&request.view)?;
        let snapshot = space.snapshot();
        let seen = snapshot.seen(&request.view)?;
        let entity = subject(&seen, &self.entity)?;
        let rows = timeline(&seen, ontology, &request, &entity)?;
        if output.json {
            rows.iter().try_for_each(|row| output.row(&row.to_json()))?;
            return Ok(Exit::Done);
        }
        let entity = seen.identity().representative(&entity);
        if self.draw && !self.list && !rows.is_empty() {
            let frame = Frame { screen, ontology, entity, now: request.now, valid: request.valid };
            draw(&rows, &frame).iter().try_for_each(|line| output.line(line))?;
            return output.remark(count(rows.len() as u64, "fact")).map(|()| Exit::Done);
        }
        let mut table = Vec::new();
        let mut last = None;
        for row in &rows {
            let heading = heading(row.fact.validity);
            if last.as_ref() != Some(&heading) {
                table.push(vec![Cell::strong(&*heading)]);
                last = Some(heading);
            }
            table.push(columns(row, entity));
        }
        output.table(&table)?;
        output.remark(count(rows.len() as u64, "fact"))?;
        Ok(Exit::Done)
    }
}

/// Returns what a fact stands under: the year it starts in, as far as a start is known.
fn heading(validity: Validity) -> String {
    let Validity::Over(period) = validity else {
        return "nobody said when".to_owned();
    };
    match period.from() {
        Bound::Open => "since ever".to_owned(),
        Bound::At(from) => {
            let year = Granularity::Year.floor(from.at);
            format_moment(Moment::new(year, Granularity::Year))
        }
    }
}

fn columns(row: &Row, entity: &EntityRef) -> Vec<Cell> {
    let (from, mark, to) = course(row);
    let said = if row.group.subject == *entity {
        predicate(row)
    } else {
        format!("{} {}", shorten(&row.group.subject.to_string(), 40), predicate(row))
    };
    let object = shorten(&object_text(&row.fact.object), 60);
    // An entity that is only the object is marked: the fact is another's.
    let object =
        if row.group.subject == *entity { Cell::strong(object) } else { Cell::from(format!("← {object}")) };
    vec![Cell::from(format!("  {from}")), mark.into(), to.into(), said.into(), object, standing(row).into()]
}

/// Says when a fact held: its start, a bar, its end. A point is one granule; a bar is solid where somebody vouched for
/// the fact last and broken where it was presumed, ends in an arrow where it is open, and starts with a question mark
/// where nobody said when.
fn course(row: &Row) -> (String, String, String) {
    let Validity::Over(period) = row.fact.validity else {
        return (String::new(), "?".to_owned(), String::new());
    };
    let from = period.from().moment().filter(|from| from.grain != Granularity::Unknown);
    if let (Some(from), Bound::At(to)) = (from, period.to())
        && from.end() == to.at
    {
        return (format_moment(from), "●".to_owned(), String::new());
    }
    let is_stated = row.fact.segments.last().is_some_and(|last| last.basis == Basis::Stated);
    let bar = if is_stated { "───" } else { "╌╌╌" };
    let (left, from) = match (period.from(), from) {
        (Bound::Open, _) => ("◂", String::new()),
        (Bound::At(_), None) => ("?", String::new()),
        (Bound::At(_), Some(from)) => ("├", format_moment(from)),
    };
    let (right, to) = match period.to() {
        Bound::Open => ("▸", String::new()),
        Bound::At(to) if to.grain == Granularity::Unknown => ("?", String::new()),
        Bound::At(_) => ("┤", end(row, period)),
    };
    (from, format!("{left}{bar}{right}"), to)
}

fn end(row: &Row, period: Period) -> String {
    bygone_query::say::end_text(period, row.fact.ended_by).unwrap_or_default()
}
