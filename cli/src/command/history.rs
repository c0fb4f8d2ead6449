//! `bygone history`.

use bygone_engine::time::{Moment, format_moment};
use bygone_ontology::Verdict;
use bygone_query::facts::Belief;
use bygone_query::history::history;
use bygone_query::predicates::unknown_predicate;
use bygone_query::row::basis_name;
use bygone_query::say::{object_text, validity_text};

use super::facts::subject;
use crate::draw::draw_beliefs;
use crate::failure::{Exit, Failure};
use crate::output::shorten;
use crate::session::{Context, Opened};
use crate::table::Cell;
use crate::view::ViewOptions;

#[derive(clap::Args)]
pub(crate) struct History {
    /// The entity
    #[arg(value_name = "ENTITY")]
    entity: String,
    /// Only this predicate
    #[arg(value_name = "PREDICATE")]
    predicate: Option<String>,
    /// Draw it, valid time across and known time downward; the shell does so by itself
    #[arg(long)]
    draw: bool,
    /// List it, in the shell, too
    #[arg(long)]
    list: bool,
    #[command(flatten)]
    view: ViewOptions,
}

impl History {
    pub(crate) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let request = self.view.request(context.now())?;
        let screen = context.session.screen();
        let Opened { space, ontology, mut output, .. } = context.reading_in(&request.view)?;
        let snapshot = space.snapshot();
        let seen = snapshot.seen(&request.view)?;
        let entity = subject(&seen, &self.entity)?;
        let chapters = history(&seen, ontology, &request, &entity, self.predicate.as_deref())?;
        if chapters.is_empty() {
            let name = self.predicate.as_deref();
            let unknown = name.map(|name| unknown_predicate(&snapshot, ontology, name)).transpose()?;
            if let Some(unknown) = unknown.flatten() {
                return Err(Failure::NotKnown(unknown.to_string()));
            }
            let predicate = name.map_or_else(String::new, |name| format!(" {name}"));
            output.remark(format!("nothing was ever believed in this view: {entity}{predicate}"))?;
        }
        if output.json {
            chapters.iter().try_for_each(|chapter| output.row(&chapter.to_json(&seen)))?;
            return Ok(Exit::Done);
        }
        if self.draw && !self.list {
            for group in chapters.chunk_by(|one, next| one.group == next.group) {
                let beliefs: Vec<&Belief> = group.iter().map(|chapter| &chapter.belief).collect();
                let heading = &group[0].group;
                let key = if heading.key.is_empty() { String::new() } else { format!(" [{}]", heading.key) };
                output.line(format!("{} {}{key}", heading.subject.name(), heading.predicate))?;
                draw_beliefs(&beliefs, request.now, screen).iter().try_for_each(|line| output.line(line))?;
            }
            return Ok(Exit::Done);
        }
        let instant = |at| format_moment(Moment::instant(at));
        let mut rows = Vec::new();
        for chapter in &chapters {
            let belief = &chapter.belief;
            let until = belief.known_to.map_or_else(String::new, |at| format!(" until {}", instant(at)));
            let basis = belief.fact.segments.last().map_or("", |last| basis_name(last.basis));
            let basis = match chapter.verdict {
                Verdict::StalePremise | Verdict::Contested | Verdict::Aging => {
                    format!("{basis}, {}", chapter.verdict.name().replace('_', " "))
                }
                Verdict::Planned
                | Verdict::Superseded
                | Verdict::Ended
                | Verdict::Presumed
                | Verdict::Stated => basis.to_owned(),
            };
            let key = &chapter.group.key;
            let key = if key.is_empty() { String::new() } else { format!(" [{}]", shorten(key, 30)) };
            rows.push(vec![
                Cell::from(format!("{}{key}", chapter.group.predicate)),
                Cell::strong(shorten(&object_text(&belief.fact.object), 60)),
                validity_text(belief.fact.validity, belief.fact.ended_by).into(),
                basis.into(),
                Cell::faint(format!("believed from {}{until}", instant(belief.known_from))),
            ]);
        }
        output.table(&rows)?;
        Ok(Exit::Done)
    }
}
