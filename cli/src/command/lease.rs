//! `bygone lease`: the runs of agents start, give heartbeats and end.

use bygone_query::state::Actor;
use bygone_query::state::incarnation::Incarnation;
use bygone_query::state::lease::{Beat, End, Leased, Start, beat, end, note, start};
use bygone_query::state::liveness::Lifetime;
use serde_json::json;

use crate::acting::{Acting, length, time_json};
use crate::failure::{Exit, Failure};
use crate::output::Output;
use crate::session::{Context, Opened};

#[derive(clap::Args)]
pub(crate) struct Lease {
    #[command(subcommand)]
    action: Action,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Start a run of an agent and print its epoch; the run before is fenced, and writes nothing more
    Start(StartLease),
    /// Give a heartbeat
    ///
    /// Exit code 1 where the run ended or a newer one started: the heartbeat is refused, and recorded as late.
    Beat(BeatLease),
    /// End a run; a compaction is recorded and ends nothing
    End(EndLease),
    /// Record what a run went through without ending, such as a compaction
    Note(NoteLease),
}

#[derive(clap::Args)]
struct StartLease {
    /// The agent
    #[arg(value_name = "AGENT")]
    name: String,
    /// What it runs for
    #[arg(long, value_name = "R")]
    role: Option<String>,
    /// Who starts it: NAME#EPOCH, or an agent, whose last run is meant
    #[arg(long, value_name = "INCARNATION")]
    parent: Option<String>,
    /// Whether it ends with its parent
    #[arg(long, value_name = "LIFETIME", requires = "parent", default_value = "independent")]
    lifetime: LifetimeOption,
    /// How long the lease is, such as 90s, 15m or 2h [default: 5m]
    #[arg(long, value_name = "D", value_parser = length)]
    ttl: Option<i64>,
    #[command(flatten)]
    acting: Acting,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum LifetimeOption {
    DiesWith,
    Independent,
}

#[derive(clap::Args)]
struct BeatLease {
    /// The agent; with --epoch, or as NAME#EPOCH
    #[arg(value_name = "AGENT")]
    name: String,
    /// How long the lease is from now on [default: as before]
    #[arg(long, value_name = "D", value_parser = length)]
    ttl: Option<i64>,
    /// How far it has come
    #[arg(long, value_name = "TEXT")]
    progress: Option<String>,
    /// What it has to say
    #[arg(long, value_name = "TEXT")]
    words: Option<String>,
    #[command(flatten)]
    acting: Acting,
}

#[derive(clap::Args)]
struct EndLease {
    /// The agent; with --epoch, or as NAME#EPOCH
    #[arg(value_name = "AGENT")]
    name: String,
    /// Why: exit, crash, restart or other words; a compaction ends nothing
    #[arg(long, value_name = "REASON", default_value = "exit")]
    reason: String,
    #[command(flatten)]
    acting: Acting,
}

#[derive(clap::Args)]
struct NoteLease {
    /// The agent; with --epoch, or as NAME#EPOCH
    #[arg(value_name = "AGENT")]
    name: String,
    /// What it went through, such as compaction
    #[arg(value_name = "TEXT")]
    text: String,
    #[command(flatten)]
    acting: Acting,
}

impl Lease {
    pub(crate) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        match &self.action {
            Action::Start(action) => action.execute(context),
            Action::Beat(action) => action.execute(context),
            Action::End(action) => action.execute(context),
            Action::Note(action) => action.execute(context),
        }
    }
}

impl StartLease {
    fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let asked = Start {
            agent: &self.name,
            role: self.role.as_deref(),
            parent: self.parent.as_deref(),
            lifetime: match self.lifetime {
                LifetimeOption::DiesWith => Lifetime::DiesWith,
                LifetimeOption::Independent => Lifetime::Independent,
            },
            ttl_micros: self.ttl,
        };
        let by = self.acting.actor();
        // Who starts itself anew is the run that starts, and not the one before.
        let is_its_own = by.agent.as_ref().is_none_or(|agent| *agent == self.name);
        let by = if is_its_own { Actor { agent: Some(self.name.clone()), epoch: None, ..by } } else { by };
        let (sent, beats) = (context.sent(), context.beats());
        let Opened { space, now, mut output, .. } = context.writing()?;
        let leased =
            self.acting.decide_as(&by, &space, sent.as_deref(), &asked, now, |snapshot, place| {
                start(snapshot, place, &by, &asked)
            })?;
        if let Some(beats) = beats {
            beats.receive(&leased.run, leased.at);
        }
        if output.json {
            return show(&leased, &mut output);
        }
        output.line(leased.run.epoch.to_string())?;
        if let Some(before) = &leased.fences {
            output.remark(format!("{before} is fenced: what it still writes is refused"))?;
        }
        show(&leased, &mut output)
    }
}

impl BeatLease {
    fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let mask = self.acting.mask();
        let [progress, words] = [&self.progress, &self.words].map(|text| mask.optional(text.as_deref()));
        let asked = Beat { ttl_micros: self.ttl, progress: progress.as_deref(), words: words.as_deref() };
        let by = as_run(&run(&self.name, &self.acting)?, &self.acting);
        let (sent, beats) = (context.sent(), context.beats());
        let Opened { space, now, mut output, .. } = context.writing()?;
        mask.tell(&mut output)?;
        let leased =
            self.acting.decide_as(&by, &space, sent.as_deref(), &asked, now, |snapshot, place| {
                beat(snapshot, place, &by, &asked)
            })?;
        if let Some(beats) = beats {
            beats.receive(&leased.run, leased.at);
        }
        show(&leased, &mut output)
    }
}

impl EndLease {
    fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let run = run(&self.name, &self.acting)?;
        let by = teller(&self.name, &run, &self.acting);
        let mask = self.acting.mask();
        let reason = mask.text(&self.reason);
        let asked = ("end", &run, &reason);
        let (sent, beats) = (context.sent(), context.beats());
        let Opened { space, now, mut output, .. } = context.writing()?;
        mask.tell(&mut output)?;
        let ended = self.acting.decide_as(&by, &space, sent.as_deref(), &asked, now, |snapshot, place| {
            end(snapshot, place, &by, &run, &reason)
        })?;
        if let (Some(beats), End::Now { .. } | End::Before { .. }) = (beats, &ended) {
            beats.forget(&run);
        }
        show_end(&run, &ended, &mut output)
    }
}

impl NoteLease {
    fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let run = run(&self.name, &self.acting)?;
        let by = teller(&self.name, &run, &self.acting);
        let mask = self.acting.mask();
        let text = mask.text(&self.text);
        let asked = ("note", &run, &text);
        let sent = context.sent();
        let Opened { space, now, mut output, .. } = context.writing()?;
        mask.tell(&mut output)?;
        let noted = self.acting.decide_as(&by, &space, sent.as_deref(), &asked, now, |snapshot, place| {
            note(snapshot, place, &by, &run, &text)
        })?;
        show_end(&run, &noted, &mut output)
    }
}

/// Returns the run that a name means, by itself or with the epoch given beside it.
fn run(name: &str, acting: &Acting) -> Result<Incarnation, Failure> {
    let epoch = acting.actor().epoch;
    if let Some(run) = Incarnation::parse(name) {
        let is_another = acting.names_a_run_of(&run.agent) && epoch.is_some_and(|epoch| epoch != run.epoch);
        return if is_another {
            Err(Failure::Usage(format!("{run} and --epoch are two runs")))
        } else {
            Ok(run)
        };
    }
    match epoch {
        Some(epoch) => Ok(Incarnation { agent: name.to_owned(), epoch }),
        None => Err(Failure::Usage(format!("{name} has many runs: expected --epoch N, or {name}#N"))),
    }
}

/// Returns a run as the one who acts.
fn as_run(run: &Incarnation, acting: &Acting) -> Actor {
    Actor { agent: Some(run.agent.clone()), epoch: Some(run.epoch), ..acting.actor() }
}

/// Returns who tells something of a run: the run itself where no other agent is named. An epoch that tells which run is
/// meant does not tell which run of the other agent acts.
fn teller(name: &str, run: &Incarnation, acting: &Acting) -> Actor {
    let by = acting.actor();
    let is_told_by_name = Incarnation::parse(name).is_some();
    match &by.agent {
        Some(_) if is_told_by_name => by,
        Some(agent) if *agent != run.agent => Actor { epoch: None, ..by },
        _ => as_run(run, acting),
    }
}

fn show(leased: &Leased, output: &mut Output<'_>) -> Result<Exit, Failure> {
    let Leased { run, at, until, fences } = leased;
    if output.json {
        output.row(&json!({
            "agent": run.agent,
            "epoch": run.epoch,
            "incarnation": run.to_string(),
            "at": time_json(*at),
            "until": time_json(*until),
            "fences": fences.as_ref().map(Incarnation::to_string),
        }))?;
    } else {
        output.remark(format!("{run} has a lease until {}", until.to_rfc3339()))?;
    }
    Ok(Exit::Done)
}

fn show_end(run: &Incarnation, end: &End, output: &mut Output<'_>) -> Result<Exit, Failure> {
    let (is_over, at, reason, words) = match end {
        End::Now { at, reason } => (true, at, reason, format!("{run} ended: {reason}")),
        End::Before { at, reason } => {
            (true, at, reason, format!("{run} had ended on {}: {reason}", at.to_rfc3339()))
        }
        End::GoesOn { at, through } => (false, at, through, format!("{run} goes on after: {through}")),
    };
    if output.json {
        output.row(&json!({
            "incarnation": run.to_string(),
            "ended": is_over,
            "at": time_json(*at),
            "reason": reason,
        }))?;
    } else {
        output.remark(words)?;
    }
    Ok(Exit::Done)
}
