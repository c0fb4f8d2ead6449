//! `bygone agents`: who runs or ran, and whether they live.

use bygone_query::state::liveness::{Heard, words_of};
use bygone_query::state::roster::{Member, Which, roster};

use crate::failure::{Exit, Failure};
use crate::output::{count, shorten};
use crate::session::{Context, Opened};
use crate::table::Cell;
use crate::view::ViewOptions;

/// How many characters of what an agent said are shown in a table.
const MOST_SHOWN: usize = 60;

#[derive(clap::Args)]
pub(crate) struct Agents {
    /// Every run, and not only the last one of each agent
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    view: ViewOptions,
}

impl Agents {
    pub(crate) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let request = self.view.request(context.now())?;
        let beats = context.beats().filter(|_| self.view.is_present());
        let Opened { space, mut output, .. } = context.reading_in(&request.view)?;
        let snapshot = space.snapshot();
        let seen = snapshot.seen(&request.view)?;
        let at = self.view.instant(&snapshot, &request)?;
        let heard = beats.map_or_else(Heard::new, |beats| beats.heard());
        let which = if self.all { Which::All } else { Which::Last };
        let members = roster(&seen, at, &heard, which)?;
        if output.json {
            members.iter().try_for_each(|member| output.row(&member.to_json()))?;
            return Ok(Exit::Done);
        }
        output.table(&members.iter().map(columns).collect::<Vec<_>>())?;
        output.remark(count(members.len() as u64, if self.all { "run" } else { "agent" }))?;
        Ok(Exit::Done)
    }
}

fn columns(member: &Member) -> Vec<Cell> {
    let name = member.run().map_or_else(|| member.agent.clone(), |run| run.to_string());
    let seen = member.age_micros.map_or_else(String::new, |age| format!("seen {} ago", words_of(age)));
    let said = [&member.progress, &member.last_words].into_iter().flatten();
    let said: Vec<String> = said.map(|text| shorten(text, MOST_SHOWN)).collect();
    let parent = member.parent.as_ref().map(|parent| {
        let lifetime = member.lifetime.map_or("", |lifetime| lifetime.name());
        format!("of {parent}, {lifetime}")
    });
    vec![
        Cell::strong(name),
        Cell::from(member.liveness.name()),
        Cell::from(member.role.clone().unwrap_or_default()),
        Cell::from(seen),
        Cell::from(parent.unwrap_or_default()),
        Cell::from(said.join("; ")),
        Cell::faint(member.basis.clone()),
    ]
}
