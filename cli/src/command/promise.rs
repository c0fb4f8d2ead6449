//! `bygone promise`.

use bygone_query::state::promise::{Fate, Vow, promise, settle};

use super::promises::show;
use crate::acting::{Acting, optional_moment};
use crate::failure::{Exit, Failure};
use crate::session::{Context, Opened};

#[derive(clap::Args)]
#[command(subcommand_negates_reqs = true)]
pub(crate) struct Promise {
    #[command(subcommand)]
    action: Option<Action>,
    /// What is promised
    #[arg(value_name = "TEXT", required = true)]
    text: Option<String>,
    /// Whom to: an agent, or type:Name as in person:Anna
    #[arg(long, value_name = "WHOM", required = true)]
    to: Option<String>,
    /// When it is to be done
    #[arg(long, value_name = "T")]
    due: Option<String>,
    #[command(flatten)]
    acting: Acting,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Say that a promise was kept
    Keep(Settle),
    /// Say that a promise was not kept, and will not be
    Break(Settle),
    /// Take a promise back
    Withdraw(Settle),
}

#[derive(clap::Args)]
struct Settle {
    /// The promise
    #[arg(value_name = "ID")]
    id: String,
    #[command(flatten)]
    acting: Acting,
}

impl Promise {
    pub(crate) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        match &self.action {
            None => self.make(context),
            Some(Action::Keep(action)) => action.execute(context, Fate::Kept),
            Some(Action::Break(action)) => action.execute(context, Fate::Broken),
            Some(Action::Withdraw(action)) => action.execute(context, Fate::Withdrawn),
        }
    }

    fn make(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let mask = self.acting.mask();
        let text = mask.text(self.text.as_deref().unwrap_or_default());
        let vow = Vow {
            text: &text,
            to: self.to.as_deref().unwrap_or_default(),
            due: optional_moment("--due", self.due.as_deref())?,
        };
        let key = context.sent();
        let Opened { space, now, mut output, .. } = context.writing()?;
        mask.tell(&mut output)?;
        let by = self.acting.actor();
        let made = self.acting.decide(&space, key.as_deref(), &vow, now, |snapshot, place| {
            promise(snapshot, place, &by, &vow)
        })?;
        if output.json {
            output.row(&made.to_json())?;
            return Ok(Exit::Done);
        }
        output.line(&made.id)?;
        output.remark(format!("promised to {}", made.to))?;
        Ok(Exit::Done)
    }
}

impl Settle {
    fn execute(&self, context: Context<'_>, fate: Fate) -> Result<Exit, Failure> {
        let key = context.sent();
        let Opened { space, now, mut output, .. } = context.writing()?;
        let by = self.acting.actor();
        let request = ("promise", &self.id, fate);
        let settled = self.acting.decide(&space, key.as_deref(), &request, now, |snapshot, place| {
            settle(snapshot, place, &by, &self.id, fate)
        })?;
        show(&[settled], &mut output)?;
        Ok(Exit::Done)
    }
}
