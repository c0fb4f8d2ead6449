//! `bygone hook`: what a coding agent runs at the turning points of a session, so that all of it is kept and the next one
//! starts where it ended.
//!
//! Reads the event as JSON on standard input, and answers in the form of Claude Code's hooks, which other agents took over.
//!
//! Invariant: what goes wrong with an event is told and never stops the agent: the exit code is never 2, which would.

mod event;
mod install;
mod steps;

use crate::acting::length;
use crate::failure::{Exit, Failure};
use crate::session::Context;
use event::Event;
use install::Install;
use steps::Steps;

#[derive(clap::Args)]
pub(crate) struct Hook {
    #[command(subcommand)]
    moment: Moment,
}

#[derive(clap::Subcommand)]
enum Moment {
    /// A session begins: record what its agent's transcripts hold, and answer with the packet to carry on with
    SessionStart(Start),
    /// A session is about to be compacted: record all of it, and keep a checkpoint of the packet
    PreCompact(Options),
    /// A tool answered: record what is new, and keep a checkpoint of the packet now and then
    PostToolUse(AfterTool),
    /// A session ends: record all of it, and keep a checkpoint of the packet
    SessionEnd(Options),
    /// Write the hooks into a coding agent's settings
    Install(Install),
}

#[derive(clap::Args)]
struct Options {
    /// The agent whose work it is [default: the one that took part last]
    #[arg(long, env = "BYGONE_AGENT", value_name = "A")]
    agent: Option<String>,
    /// Work in a space of the project's own, named after the folder of its transcripts
    #[arg(long)]
    by_project: bool,
}

#[derive(clap::Args)]
struct AfterTool {
    #[command(flatten)]
    options: Options,
    /// After how long a checkpoint is due again
    #[arg(long, value_name = "D", default_value = "15m", value_parser = length)]
    every: i64,
}

#[derive(clap::Args)]
struct Start {
    #[command(flatten)]
    options: Options,
    /// The most tokens the packet may have
    #[arg(long, value_name = "TOKENS", default_value_t = 2000, value_parser = clap::value_parser!(u32).range(1..))]
    budget: u32,
}

impl Hook {
    pub(crate) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let options = match &self.moment {
            Moment::Install(install) => return install.execute(context),
            Moment::SessionStart(Start { options, .. }) | Moment::PostToolUse(AfterTool { options, .. }) => {
                options
            }
            Moment::PreCompact(options) | Moment::SessionEnd(options) => options,
        };
        let Context { session, global, input, output, .. } = context;
        let (agent, space) = (options.agent.clone(), global.space.clone());
        let mut steps = Steps { session, global, agent, space, output };
        let done = Event::read(input).and_then(|event| {
            if options.by_project {
                steps.space = event.space().unwrap_or(steps.space.clone());
            }
            match &self.moment {
                Moment::SessionStart(start) => steps.start(&event, start.budget),
                Moment::PostToolUse(after) => steps.follow(&event, after.every),
                Moment::PreCompact(_) | Moment::SessionEnd(_) => steps.keep(&event),
                Moment::Install(_) => Ok(()),
            }
        });
        match done {
            Ok(()) => Ok(Exit::Done),
            // What cannot be written has no reader.
            Err(failure @ Failure::Output(_)) => Err(failure),
            Err(failure) => {
                steps.output.remark(format!("bygone hook: {failure}"))?;
                Ok(Exit::No)
            }
        }
    }
}
