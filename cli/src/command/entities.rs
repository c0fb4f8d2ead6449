//! `bygone entities`.

use bygone_query::entities::{Entry, entities};

use crate::failure::{Exit, Failure};
use crate::output::count;
use crate::session::{Context, Opened};
use crate::view::ViewOptions;

#[derive(clap::Args)]
pub(crate) struct Entities {
    /// Only entities one of whose names starts like this; `type:` or `type:Pre` for those of one type
    #[arg(value_name = "PREFIX", default_value = "")]
    prefix: String,
    #[command(flatten)]
    view: ViewOptions,
}

impl Entities {
    pub(crate) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let request = self.view.request(context.now())?;
        let Opened { space, mut output, .. } = context.reading()?;
        let snapshot = space.snapshot();
        let seen = snapshot.seen(&request.view)?;
        let entries = entities(&seen, &self.prefix)?;
        if output.json {
            entries.iter().try_for_each(|entry| output.row(&entry.to_json()))?;
            return Ok(Exit::Done);
        }
        let names = |entry: &Entry| {
            let others = entry.same_as.iter().map(ToString::to_string).chain(entry.aliases.iter().cloned());
            others.collect::<Vec<_>>().join(", ")
        };
        let rows: Vec<Vec<String>> =
            entries.iter().map(|entry| vec![entry.entity.to_string(), names(entry)]).collect();
        output.table(&rows)?;
        output.remark(count(entries.len() as u64, "entity").replace("entitys", "entities"))?;
        Ok(Exit::Done)
    }
}
