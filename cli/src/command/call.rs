//! `bygone call`: calls of tools, each made once however often it is asked for.

use bygone_engine::View;
use bygone_query::state;
use bygone_query::state::call::{
    Begin, Begun, Call, Found, Given, Outcome, Retry, Settled, State, TURNS_READ, begin, call, calls, settle,
    told, told_call,
};
use bygone_query::state::liveness::Heard;
use serde_json::json;

use crate::acting::Acting;
use crate::beats::SpaceBeats;
use crate::failure::{Exit, Failure};
use crate::mask::Mask;
use crate::output::{Output, count, shorten};
use crate::session::{Context, Opened};
use crate::table::Cell;
use crate::view::ViewOptions;

/// How many characters of an error or a result are shown in a table.
const MOST_SHOWN: usize = 60;

#[derive(clap::Args)]
pub(crate) struct CallCommand {
    #[command(subcommand)]
    action: Action,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Ask whether to make a call, and record it as begun where the answer is run
    ///
    /// The answer is run, replay (it was made, and this is its result), in flight (somebody is making it), or unknown
    /// (the run that began it is gone: check). Exit code 1 for the last two.
    Begin(BeginCall),
    /// Record that a call was done, and what it gave
    Succeed(SucceedCall),
    /// Record that a call failed; it may be begun again
    Fail(FailCall),
    /// Record that a call was called off before it was done; it may be begun again
    Cancel(CancelCall),
    /// Show how a call stands, or stood at another time
    Show(ShowCall),
    /// List calls, those that changed last at the end
    List(ListCalls),
}

#[derive(clap::Args)]
struct BeginCall {
    /// The tool
    #[arg(value_name = "TOOL")]
    tool: String,
    /// The key that tells this call from every other one
    #[arg(long, value_name = "KEY")]
    key: String,
    /// What the tool is called with
    #[arg(long, value_name = "JSON")]
    input: Option<String>,
    /// What becomes of it if it is made twice: nothing in the first three classes
    #[arg(long, value_name = "CLASS", default_value = "at-most-once", value_parser = retry_class)]
    retry: Retry,
    /// Make it again although nobody knows the outcome of the last attempt
    #[arg(long, alias = "force")]
    retry_unknown: bool,
    #[command(flatten)]
    acting: Acting,
}

#[derive(clap::Args)]
struct SucceedCall {
    /// Its key
    #[arg(value_name = "KEY")]
    key: String,
    /// What it gave: an object or an array as JSON, anything else as a text
    #[arg(long, value_name = "TEXT | JSON", allow_hyphen_values = true)]
    result: Option<String>,
    #[command(flatten)]
    acting: Acting,
}

#[derive(clap::Args)]
struct FailCall {
    /// Its key
    #[arg(value_name = "KEY")]
    key: String,
    /// What it failed of
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    error: String,
    #[command(flatten)]
    acting: Acting,
}

#[derive(clap::Args)]
struct CancelCall {
    /// Its key
    #[arg(value_name = "KEY")]
    key: String,
    #[command(flatten)]
    acting: Acting,
}

#[derive(clap::Args)]
struct ShowCall {
    /// Its key; of a call that a transcript tells of, SESSION#N:ID
    #[arg(value_name = "KEY")]
    key: String,
    #[command(flatten)]
    view: ViewOptions,
}

#[derive(clap::Args)]
struct ListCalls {
    /// Only those that stand so
    #[arg(long, value_name = "STATE", value_parser = state)]
    state: Option<State>,
    /// How many turns of each agent's transcripts are read for calls, the last ones; 0 for none
    #[arg(long, value_name = "N", default_value_t = TURNS_READ)]
    turns: usize,
    #[command(flatten)]
    view: ViewOptions,
}

impl CallCommand {
    pub(crate) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        match &self.action {
            Action::Begin(action) => action.execute(context),
            Action::Succeed(SucceedCall { key, result, acting }) => {
                let mask = acting.mask();
                let given = mask.optional(result.as_deref()).map(|result| Given::read(&result));
                execute_settle(context, key, &Outcome::Succeeded(given), acting, &mask)
            }
            Action::Fail(FailCall { key, error, acting }) => {
                let mask = acting.mask();
                execute_settle(context, key, &Outcome::Failed(mask.text(error)), acting, &mask)
            }
            Action::Cancel(CancelCall { key, acting }) => {
                execute_settle(context, key, &Outcome::Cancelled, acting, &acting.mask())
            }
            Action::Show(action) => action.execute(context),
            Action::List(action) => action.execute(context),
        }
    }
}

impl BeginCall {
    fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let mask = self.acting.mask();
        let input = mask.optional(self.input.as_deref());
        let asked = Begin {
            tool: &self.tool,
            key: &self.key,
            input: input.as_deref(),
            retry: self.retry,
            takes_over: self.retry_unknown,
        };
        let (sent, heard) = (context.sent(), heard(context.beats()));
        let Opened { space, now, mut output, .. } = context.writing()?;
        mask.tell(&mut output)?;
        let by = self.acting.actor();
        let mut begun = self.acting.decide(&space, sent.as_deref(), &asked, now, |snapshot, place| {
            begin(snapshot, place, &by, &asked, &heard)
        })?;
        // What was answered to the same request before is no leave any more once the call has gone on.
        let snapshot = space.snapshot();
        let stands = call(&snapshot.seen(&View::LATEST)?, &self.key, snapshot.present(now)?, &heard)?;
        drop(snapshot);
        if matches!(&begun, Begun::Run(begun) if stands.is_some_and(|stands| stands.seq != begun.seq)) {
            begun = state::decide(&space, &by, None, now, |snapshot, place| {
                begin(snapshot, place, &by, &asked, &heard)
            })?;
        }
        if output.json {
            output.row(&begun.to_json())?;
        } else {
            output.line(begun.name())?;
            if let Begun::Replay(Call { result: Some(result), .. }) = &begun {
                output.line(result.text())?;
            }
            remark(begun.call(), &mut output)?;
        }
        Ok(match begun {
            Begun::Run(_) | Begun::Replay(_) => Exit::Done,
            Begun::InFlight(_) | Begun::Unknown(_) => Exit::No,
        })
    }
}

impl ShowCall {
    fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let request = self.view.request(context.now())?;
        let heard = heard(context.beats().filter(|_| self.view.is_present()));
        let Opened { space, mut output, .. } = context.reading_in(&request.view)?;
        let snapshot = space.snapshot();
        let seen = snapshot.seen(&request.view)?;
        let at = self.view.instant(&snapshot, &request)?;
        let (call, row) = match call(&seen, &self.key, at, &heard)? {
            Some(call) => {
                let row = call.to_json();
                (call, row)
            }
            None => match told_call(&seen, &self.key, at, &heard)? {
                Some(told) => {
                    let row = told.to_json(false);
                    (told.call, row)
                }
                None => return Err(Failure::NotKnown(format!("the call {:?} was not begun", self.key))),
            },
        };
        if output.json {
            output.row(&row)?;
            return Ok(Exit::Done);
        }
        output.line(call.state.name())?;
        for said in [call.result.as_ref().map(Given::text), call.error.as_deref()].into_iter().flatten() {
            output.line(said)?;
        }
        remark(&call, &mut output)?;
        Ok(Exit::Done)
    }
}

impl ListCalls {
    fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let request = self.view.request(context.now())?;
        let heard = heard(context.beats().filter(|_| self.view.is_present()));
        let Opened { space, mut output, .. } = context.reading_in(&request.view)?;
        let snapshot = space.snapshot();
        let seen = snapshot.seen(&request.view)?;
        let at = self.view.instant(&snapshot, &request)?;
        let recorded = calls(&seen, at, &heard, self.state)?;
        let Found { calls: of_transcripts, has_more } = told(&seen, at, &heard, self.state, self.turns)?;
        let mut listed: Vec<(Call, serde_json::Value)> = recorded
            .into_iter()
            .map(|call| {
                let row = call.to_json();
                (call, row)
            })
            .collect();
        listed.extend(of_transcripts.into_iter().map(|told| {
            let row = told.to_json(true);
            (told.call, row)
        }));
        // Either kind is in order, which this keeps.
        listed.sort_by_key(|(call, _)| call.at);
        if output.json {
            listed.iter().try_for_each(|(_, row)| output.row(row))?;
        } else {
            output.table(&listed.iter().map(|(call, _)| columns(call)).collect::<Vec<_>>())?;
            output.remark(count(listed.len() as u64, "call"))?;
        }
        if has_more && self.turns > 0 {
            output.remark(format!(
                "of transcripts, the last {} turns of each agent were read: --turns N reads more",
                self.turns
            ))?;
        }
        Ok(Exit::Done)
    }
}

fn execute_settle(
    context: Context<'_>,
    key: &str,
    outcome: &Outcome,
    acting: &Acting,
    mask: &Mask,
) -> Result<Exit, Failure> {
    let (sent, heard) = (context.sent(), heard(context.beats()));
    let Opened { space, now, mut output, .. } = context.writing()?;
    mask.tell(&mut output)?;
    let by = acting.actor();
    let asked = (key, outcome);
    let settled = acting.decide(&space, sent.as_deref(), &asked, now, |snapshot, place| {
        settle(snapshot, place, &by, key, outcome, &heard)
    })?;
    let Settled { call, was_settled } = settled;
    if output.json {
        let mut row = call.to_json();
        row["was_settled"] = json!(was_settled);
        output.row(&row)?;
    } else {
        let before = if was_settled { " before" } else { "" };
        output.remark(format!("{} {}{before} in attempt {}", call.key, call.state.name(), call.attempt))?;
    }
    Ok(Exit::Done)
}

fn heard(beats: Option<SpaceBeats>) -> Heard {
    beats.map_or_else(Heard::new, |beats| beats.heard())
}

fn remark(call: &Call, output: &mut Output<'_>) -> Result<(), Failure> {
    output.remark(format!(
        "attempt {} of {}, begun by {} on {}; {}",
        call.attempt,
        call.tool,
        call.by,
        call.started_at.to_rfc3339(),
        call.basis
    ))?;
    if call.state == State::OutcomeUnknown {
        output.remark(call.retry.advice())?;
    }
    Ok(())
}

fn columns(call: &Call) -> Vec<Cell> {
    let said = call.result.as_ref().map(Given::text).or(call.error.as_deref()).unwrap_or_default();
    let advice = if call.state == State::OutcomeUnknown { call.retry.advice() } else { "" };
    vec![
        Cell::strong(call.key.clone()),
        Cell::from(call.state.name()),
        Cell::from(call.tool.clone()),
        Cell::from(call.by.to_string()),
        Cell::from(call.at.to_rfc3339()),
        Cell::from(shorten(said, MOST_SHOWN)),
        Cell::from(advice),
        Cell::faint(call.basis.clone()),
    ]
}

fn retry_class(text: &str) -> Result<Retry, String> {
    let known = Retry::ALL.map(Retry::name).join(", ");
    Retry::from_name(text).ok_or_else(|| format!("{text:?} is no retry class: expected one of {known}"))
}

fn state(text: &str) -> Result<State, String> {
    let known = State::ALL.map(State::name).join(", ");
    State::from_name(text).ok_or_else(|| format!("{text:?} is no state of a call: expected one of {known}"))
}
