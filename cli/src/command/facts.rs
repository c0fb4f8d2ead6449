//! `bygone facts`.

use bygone_engine::store::Seen;
use bygone_engine::time::Validity;
use bygone_engine::wire::object_from_json;
use bygone_engine::{EntityRef, Object};
use bygone_ontology::Verdict;
use bygone_query::facts::{Filter, facts};
use bygone_query::names::{candidates, resolve, said_of};
use bygone_query::predicates::unknown_predicate;
use bygone_query::say::{object_text, validity_text};
use bygone_query::{QueryError, Row};

use crate::failure::{Exit, Failure};
use crate::output::{Output, count, shorten};
use crate::session::{Context, Opened};
use crate::table::Cell;
use crate::view::ViewOptions;

#[derive(clap::Args)]
pub(crate) struct Facts {
    /// Facts about this entity
    #[arg(long, value_name = "ENTITY")]
    subject: Option<String>,
    /// Facts of this predicate
    #[arg(long, value_name = "PREDICATE")]
    predicate: Option<String>,
    /// Facts with this object: an entity, a text, or JSON as in {"number":3}
    #[arg(long, value_name = "OBJECT")]
    object: Option<String>,
    #[command(flatten)]
    view: ViewOptions,
}

impl Facts {
    pub(crate) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let request = self.view.request(context.now())?;
        let Opened { space, ontology, mut output, .. } = context.reading_in(&request.view)?;
        let snapshot = space.snapshot();
        let seen = snapshot.seen(&request.view)?;
        let subject = self.subject.as_deref().map(|name| subject(&seen, name)).transpose()?;
        let of = subject.as_ref().map(|subject| (subject, self.predicate.as_deref()));
        let named = |text: &str| object(&seen, "--object", text, of);
        let filter = Filter {
            subject: subject.clone(),
            predicate: self.predicate.clone(),
            object: self.object.as_deref().map(named).transpose()?,
        };
        let rows = facts(&seen, ontology, &request, &filter)?;
        print(&rows, &mut output)?;
        if let Some(name) = &self.predicate
            && let Some(unknown) = unknown_predicate(&snapshot, ontology, name)?
        {
            output.remark(unknown.to_string())?;
        }
        Ok(Exit::Done)
    }
}

/// Finds the entity that a name means. A well-formed `type:Name` that nothing mentions names an entity without facts.
pub(super) fn subject(seen: &Seen<'_>, name: &str) -> Result<EntityRef, QueryError> {
    match resolve(seen, name) {
        Err(QueryError::NoEntity(_)) if EntityRef::parse(name).is_ok() => {
            EntityRef::parse(name).map_err(|_| QueryError::NoEntity(name.to_owned()))
        }
        found => found,
    }
}

/// Reads an object given as `argument`: an entity's name, another text, or JSON. Of several things of one name, the one is
/// meant that is said of the subject and predicate.
pub(super) fn object(
    seen: &Seen<'_>,
    argument: &str,
    text: &str,
    of: Option<(&EntityRef, Option<&str>)>,
) -> Result<Object, Failure> {
    if text.starts_with('{') {
        let value = serde_json::from_str(text)
            .map_err(|error| Failure::Usage(format!("{argument} is not valid JSON: {error}")))?;
        return object_from_json(&value).map_err(|error| Failure::Usage(format!("{argument}: {error}")));
    }
    let mut entities = candidates(seen, text)?;
    if let (Some((subject, predicate)), 2..) = (of, entities.len()) {
        let said = said_of(seen, subject, predicate, entities.clone())?;
        if said.len() == 1 {
            entities = said;
        }
    }
    match entities.len() {
        0 => Ok(EntityRef::parse(text).map_or_else(|_| Object::Text(text.to_owned()), Object::Entity)),
        1 => Ok(Object::Entity(entities.remove(0))),
        _ => Ok(Object::Entity(resolve(seen, text)?)),
    }
}

/// Prints rows.
pub(super) fn print(rows: &[Row], output: &mut Output<'_>) -> Result<(), Failure> {
    if output.json {
        return rows.iter().try_for_each(|row| output.row(&row.to_json()));
    }
    let table: Vec<Vec<Cell>> = rows.iter().map(columns).collect();
    output.table(&table)?;
    output.remark(count(rows.len() as u64, "fact"))
}

fn columns(row: &Row) -> Vec<Cell> {
    vec![
        shorten(&row.group.subject.to_string(), 40).into(),
        predicate(row).into(),
        Cell::strong(shorten(&object_text(&row.fact.object), 60)),
        validity_text(row.fact.validity, row.fact.ended_by).into(),
        standing(row).into(),
        Cell::faint(row.id.to_string()),
    ]
}

/// Says a row's predicate and key.
pub(super) fn predicate(row: &Row) -> String {
    let key =
        if row.group.key.is_empty() { String::new() } else { format!(" [{}]", shorten(&row.group.key, 30)) };
    format!("{}{key}", row.group.predicate)
}

/// Says how a fact stands: its verdict, and on what basis it last held, where the verdict does not say that.
pub(super) fn standing(row: &Row) -> String {
    let is_dated = row.fact.validity != Validity::Undated;
    let ended = row.fact.ended_by.filter(|_| is_dated && row.verdict == Verdict::Ended);
    let verdict = match ended {
        Some(by) => format!("ended ({})", bygone_query::row::ended_by_name(by)),
        None => row.verdict.name().replace('_', " "),
    };
    match (row.verdict, row.fact.segments.last()) {
        (Verdict::Stated | Verdict::Presumed | Verdict::Aging | Verdict::Planned, _) | (_, None) => verdict,
        (_, Some(last)) => format!("{verdict}, {}", bygone_query::row::basis_name(last.basis)),
    }
}
