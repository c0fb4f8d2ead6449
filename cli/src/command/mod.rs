//! The commands, one file each.

mod agents;
mod artifact;
mod ask;
mod assert;
mod attempt;
mod attempts;
mod backup;
mod call;
mod checkpoint;
mod conclude;
mod confirm;
mod context;
mod cursor;
mod decide;
mod decisions;
mod diff;
mod doctor;
mod entities;
mod erase;
mod eval;
mod explain;
mod export;
mod facts;
mod history;
mod hook;
mod identity;
mod import;
mod inbox;
mod ingest;
mod init;
mod keys;
mod learned;
mod lease;
mod mcp;
mod memory;
mod observe;
mod ontology;
mod promise;
mod promises;
mod query;
mod reindex;
mod repl;
mod restore;
mod resume;
mod search;
mod serve;
mod show;
mod spaces;
mod stale;
mod stats;
mod task;
mod timeline;
mod timex;
mod verify;
mod why;
mod work;
mod workstation;

use crate::failure::{Exit, Failure};
use crate::session::Context;

macro_rules! commands {
    ($($(#[$doc:meta])* $name:ident($arguments:ty),)*) => {
        #[derive(clap::Subcommand)]
        pub(crate) enum Command { $($(#[$doc])* $name($arguments),)* }

        impl Command {
            /// Runs the command.
            pub(crate) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
                match self { $(Command::$name(arguments) => arguments.execute(context),)* }
            }
        }
    };
}

commands! {
    /// Make a store (other commands make one on first write, too)
    Init(init::Init),
    /// Read transcripts, or folders of them, into the store
    Ingest(ingest::Ingest),
    /// Record statements, one JSON object a line
    Assert(assert::Assert),
    /// Answer a question in plain English
    Ask(ask::Ask),
    /// Answer a query: patterns over entities, facts and turns
    Query(query::Query),
    /// Show how a query is answered, or how a question is read
    Explain(explain::Explain),
    /// Find turns and facts by their words
    Search(search::Search),
    /// Build a block of context for a prompt, within a budget of tokens
    Context(context::Context),
    /// Show derived facts
    Facts(facts::Facts),
    /// Show what was so of an entity, in the order of time
    Timeline(timeline::Timeline),
    /// Show how belief about an entity changed
    History(history::History),
    /// Show what differs between two known times, or in the world between two times
    Diff(diff::Diff),
    /// Show when something was first believed, and from which turn
    Learned(learned::LearnedCommand),
    /// Show the proof of a fact, down to the quoted turns
    Why(why::Why),
    /// List entities
    Entities(entities::Entities),
    /// Show what is known of an entity, or what was said in a turn
    Show(show::Show),
    /// Say that two entities are one
    Merge(identity::Merge),
    /// Say that two entities are not one
    Split(identity::Split),
    /// Show what the time grammar sees in a text
    Timex(timex::Timex),
    /// Show, check and extend what predicates and types mean
    Ontology(ontology::OntologyCommand),
    /// Get and set named values, such as how far a list was read
    Cursor(cursor::Cursor),
    /// Start, prolong and end the runs of agents
    Lease(lease::Lease),
    /// List agents, with whether they live and what they said last
    Agents(agents::Agents),
    /// Make calls of tools once: begin them by a key, settle them, see which ones nobody knows the outcome of
    Call(call::CallCommand),
    /// Send, read and answer messages between agents, and hand work over
    Inbox(inbox::Inbox),
    /// Decide something, so that the decision before gives way
    ///
    /// What the user decided is not displaced by an agent: exit code 1 then, and the choice is kept beside it as a proposal.
    Decide(decide::Decide),
    /// Show what is decided, why, and what else was thought of
    ///
    /// With --history also the decisions that others took the place of, in the order in which they were made.
    Decisions(decisions::Decisions),
    /// Promise something, or say what became of a promise
    ///
    /// Exit code 1 where something else became of it, or where it is others' to say.
    Promise(promise::Promise),
    /// List promises: to whom, by when, kept or overdue
    Promises(promises::Promises),
    /// Tell of an attempt that failed, so that nobody tries it again unaware
    Attempt(attempt::Attempt),
    /// List attempts that failed, the last one first
    Attempts(attempts::Attempts),
    /// Note what one works towards, is doing and will do next
    Task(task::Task),
    /// Say that a fact is still so, as of now
    ///
    /// What it says is said again, in the name of who confirms it: it ages no more. Exit code 1 where it has ended, has not
    /// begun, or is no fact of the latest view.
    Confirm(confirm::Confirm),
    /// List what nobody checked: facts that age, and conclusions from what fell
    ///
    /// Each with the reason; what ought to have been checked earliest comes first.
    Stale(stale::Stale),
    /// Note which version a file or a page has
    ///
    /// The id of the statement is printed: what is concluded from the source stands on it, and is stale once another
    /// version was observed.
    Observe(observe::Observe),
    /// Record a conclusion that stands on statements or facts
    ///
    /// The id of the statement is printed. It is stale once one of what it stands on has fallen. Exit code 1 where one of
    /// them is not there.
    Conclude(conclude::Conclude),
    /// What a coding agent runs at the turning points of a session, and what writes that into its settings
    Hook(hook::Hook),
    /// Keep track of very many items: which are to be done, were done, or failed
    Work(work::Work),
    /// Save states, and get back any of them
    Checkpoint(checkpoint::CheckpointCommand),
    /// Files that a model keeps by the memory tool of Anthropic's API, in all their versions
    Memory(memory::MemoryCommand),
    /// Register files that are being made, with what they lack
    Artifact(artifact::ArtifactCommand),
    /// Show what an agent needs to carry on, within a budget of tokens
    ///
    /// Objective, next step, failed attempts, decisions, open calls, changed files, failures, todos, progress, promises, inbox,
    /// lost teammates, what is stale or due, and what was compacted away: as recorded, or else as transcripts have it. Exit
    /// code 1 where no agent took part in anything.
    Resume(resume::Resume),
    /// Write what agents need to carry on as plain files, a folder for each agent
    Workstation(workstation::Workstation),
    /// Erase a session, a user's words or one episode, physically
    Erase(erase::Erase),
    /// Write every statement, work-set and checkpoint as JSON Lines
    Export(export::Export),
    /// Read back what `export` wrote: statements, work-sets and checkpoints
    Import(import::Import),
    /// Copy the whole store into a folder, while it is in use
    ///
    /// Every space, as it is after the last commit; the copy lists its files with their hashes. The indexes are not in it: the
    /// first search makes them again. What is erased later stays in the copy.
    Backup(backup::Backup),
    /// Make a store of what `backup` wrote
    ///
    /// The store that --store names must not be there yet. Every file is compared with the hash that was written with it
    /// before there is a store. Exit code 4: a file is missing or is not as it was written.
    Restore(restore::Restore),
    /// Measure how well it finds what answers questions
    Eval(eval::Eval),
    /// Check the store against its own rules
    ///
    /// Every row of every table is read and decoded; log, statements, facts and what points at them have to agree, and the
    /// facts of the space are derived again and compared. Then both indexes have to hold what the store makes, word by word
    /// and vector by vector. An index whose files were damaged is made anew, which is said; what is wrong with the store
    /// itself is reported and never changed. Exit code 0: all of it is sound; 3: the vectors could not be checked, since
    /// their model does not answer or another one is configured; 4: something is wrong.
    Verify(verify::Verify),
    /// Say what is wrong with the store, and what to run
    ///
    /// Checks every space and both indexes as `verify` does, and looks at what lies around: one finding a line, the worst
    /// first. Exit code 0: nothing is wrong; 4: something is.
    Doctor(doctor::Doctor),
    /// Make the indexes of the store again
    ///
    /// Both, of every space: words, and vectors by the model that --config names, or else the one that is built in. That
    /// model is the store's from then on, and every other one is refused. Where it makes no vectors, everything stays as it
    /// is; where it stops answering on the way, the next search goes on. Files in the folders text and
    /// vectors that no index wrote are left alone.
    Reindex(reindex::Reindex),
    /// List the spaces of the store
    Spaces(spaces::Spaces),
    /// Count what the store holds
    Stats(stats::Stats),
    /// Answer over HTTP: every command that reads or writes the store, and the tools of `bygone mcp`
    ///
    /// Runs until it is interrupted; requests under way are finished then. On this machine's own address nobody needs a key
    /// until `bygone keys` has made one; on every other address there has to be one. What was refused and what was changed is
    /// written to audit.jsonl in the store's folder.
    Serve(serve::Serve),
    /// Offer the memory to a program as tools of the Model Context Protocol, over standard input and output
    Mcp(mcp::Mcp),
    /// Say who may ask a server for what
    ///
    /// Keys stand in keys.json in the store's folder: as hashes, and not in copies that `backup` makes.
    Keys(keys::Keys),
    /// Type commands and questions one after another, with the store open
    Repl(repl::Repl),
}
