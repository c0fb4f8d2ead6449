//! What can be asked for by a name and a JSON object: the commands, as other protocols offer them.
//!
//! A verb is a command of the command line. Which options it takes, what they are for and which values they have is read off
//! the definitions of the command line, so that HTTP, MCP and the shell cannot say different things. What stands here is what
//! those definitions do not know: who may ask for it, and where its input comes from.
//!
//! Invariant: no verb takes the path of a file or folder of this machine.

mod page;
mod run;
mod schema;
mod words;

pub(crate) use page::{Page, Pages};
pub(crate) use run::{Ask, Outcome, Outlet, Place, run};
pub(crate) use schema::{about, properties};
pub(crate) use words::Wrong;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use clap::{Arg, Command as Definition, CommandFactory};

use crate::arguments::Arguments;

/// What somebody must be allowed to have a verb done.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize, clap::ValueEnum,
)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Scope {
    /// Ask questions
    Read,
    /// Record things
    Write,
    /// Erase sources physically
    Erase,
    /// Care for the whole store
    Admin,
}

impl Scope {
    /// Returns the name in keys, records and documents.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Scope::Read => "read",
            Scope::Write => "write",
            Scope::Erase => "erase",
            Scope::Admin => "admin",
        }
    }
}

/// What somebody must be allowed to have something done: a scope, and to read where it tells what is there besides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Needs {
    pub(crate) scope: Scope,
    pub(crate) tells: bool,
}

impl From<Scope> for Needs {
    fn from(scope: Scope) -> Needs {
        Needs { scope, tells: false }
    }
}

impl Needs {
    /// Returns the scopes.
    pub(crate) fn scopes(self) -> impl Iterator<Item = Scope> {
        let reads_too = self.tells && self.scope != Scope::Read;
        reads_too.then_some(Scope::Read).into_iter().chain([self.scope])
    }

    /// Returns the names of the scopes.
    pub(crate) fn names(self) -> String {
        self.scopes().map(Scope::name).collect::<Vec<_>>().join(" and ")
    }
}

/// What a verb is told besides its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Input {
    /// Nothing.
    None,
    /// Bytes, in place of the file that this argument names.
    Needed(&'static str),
    /// The same, where they are given.
    Possible(&'static str),
}

/// What a verb answers with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Output {
    /// Objects.
    Rows,
    /// The bytes of a state.
    Bytes,
}

/// A command that can be asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Verb {
    /// The words of the command.
    pub(crate) path: &'static [&'static str],
    pub(crate) scope: Scope,
    pub(crate) input: Input,
    pub(crate) output: Output,
    /// Whether it tells what is there, besides what its scope says.
    tells: bool,
    /// Arguments that are not offered, by their ids.
    without: &'static [&'static str],
}

const fn of(scope: Scope, path: &'static [&'static str]) -> Verb {
    Verb { path, scope, input: Input::None, output: Output::Rows, tells: false, without: &[] }
}

impl Verb {
    const fn told(self, input: Input) -> Verb {
        Verb { input, ..self }
    }

    const fn without(self, without: &'static [&'static str]) -> Verb {
        Verb { without, ..self }
    }

    const fn giving(self, output: Output) -> Verb {
        Verb { output, ..self }
    }

    const fn telling(self) -> Verb {
        Verb { tells: true, ..self }
    }

    /// Returns what somebody must be allowed to have it done.
    pub(crate) const fn needs(&self) -> Needs {
        Needs { scope: self.scope, tells: self.tells }
    }

    /// Returns the name: the words, parted by slashes.
    pub(crate) fn name(&self) -> String {
        self.path.join("/")
    }

    /// Says whether it changes nothing.
    pub(crate) fn only_reads(&self) -> bool {
        self.scope == Scope::Read
    }

    /// Says whether it takes a property.
    pub(crate) fn takes(&self, name: &str) -> bool {
        self.arguments().iter().any(|arg| schema::property(arg) == name)
    }

    /// Says whether a property is a list.
    pub(crate) fn takes_list(&self, name: &str) -> bool {
        self.arguments().iter().any(|arg| schema::property(arg) == name && schema::is_list(arg))
    }

    /// Returns the definition on the command line.
    fn definition(&self) -> &'static Definition {
        &self.offered().definition
    }

    /// Returns the arguments that are offered: those that have names first, then the positional ones in their order.
    fn arguments(&self) -> &'static [Arg] {
        &self.offered().arguments
    }

    fn offered(&self) -> &'static Offered {
        &OFFERED[self.path]
    }
}

/// What the command line says of a verb.
struct Offered {
    definition: Definition,
    arguments: Vec<Arg>,
}

/// That of every verb. Making the definitions takes longer than most verbs.
static OFFERED: LazyLock<BTreeMap<&'static [&'static str], Offered>> = LazyLock::new(|| {
    let mut root = Arguments::command();
    root.build();
    let offered = |verb: &Verb| {
        let inner =
            |of: Definition, word: &&str| of.find_subcommand(word).expect("verbs are commands").clone();
        let definition = verb.path.iter().fold(root.clone(), inner);
        let arguments = schema::arguments(verb, &definition);
        (verb.path, Offered { definition, arguments })
    };
    VERBS.iter().map(offered).collect()
});

/// Every verb.
pub(crate) const VERBS: &[Verb] = {
    use Scope::{Admin, Erase, Read, Write};
    &[
        of(Write, &["ingest"]).told(Input::Needed("paths")).without(&["jobs"]),
        of(Write, &["assert"]).told(Input::Needed("file")),
        of(Read, &["ask"]),
        of(Read, &["query"]),
        of(Read, &["explain"]),
        of(Read, &["search"]),
        of(Read, &["context"]),
        of(Read, &["facts"]),
        of(Read, &["timeline"]).without(&["draw", "list"]),
        of(Read, &["history"]).without(&["draw", "list"]),
        of(Read, &["diff"]),
        of(Read, &["learned"]),
        of(Read, &["why"]),
        of(Read, &["entities"]),
        of(Read, &["show"]),
        of(Write, &["merge"]),
        of(Write, &["split"]),
        of(Read, &["timex"]),
        of(Read, &["ontology", "show"]),
        of(Read, &["ontology", "check"]).told(Input::Possible("file")),
        of(Read, &["ontology", "suggest"]),
        of(Admin, &["ontology", "accept"]).told(Input::Possible("file")),
        of(Admin, &["ontology", "withdraw"]),
        of(Read, &["cursor", "get"]),
        of(Write, &["cursor", "set"]),
        of(Write, &["lease", "start"]),
        of(Write, &["lease", "beat"]),
        of(Write, &["lease", "end"]),
        of(Write, &["lease", "note"]),
        of(Read, &["agents"]),
        of(Write, &["call", "begin"]).telling(),
        of(Write, &["call", "succeed"]),
        of(Write, &["call", "fail"]),
        of(Write, &["call", "cancel"]),
        of(Read, &["call", "show"]),
        of(Read, &["call", "list"]),
        of(Write, &["inbox", "send"]),
        of(Write, &["inbox", "handover"]),
        of(Read, &["inbox", "list"]),
        of(Write, &["inbox", "read"]).telling(),
        of(Write, &["inbox", "reply"]).telling(),
        of(Write, &["inbox", "start"]).telling(),
        of(Write, &["inbox", "close"]).telling(),
        of(Read, &["inbox", "show"]),
        of(Write, &["decide"]),
        of(Read, &["decisions"]),
        of(Write, &["promise"]),
        of(Write, &["promise", "keep"]).telling(),
        of(Write, &["promise", "break"]).telling(),
        of(Write, &["promise", "withdraw"]).telling(),
        of(Read, &["promises"]),
        of(Write, &["attempt"]),
        of(Read, &["attempts"]),
        of(Write, &["task", "set"]),
        of(Read, &["task", "show"]),
        of(Write, &["confirm"]),
        of(Read, &["stale"]),
        of(Write, &["observe"]),
        of(Write, &["conclude"]),
        of(Write, &["work", "add"]),
        of(Write, &["work", "done"]),
        of(Write, &["work", "failed"]),
        of(Read, &["work", "missing"]),
        of(Read, &["work", "count"]),
        of(Read, &["work", "list"]),
        of(Write, &["checkpoint", "save"]).told(Input::Needed("file")),
        of(Read, &["checkpoint", "list"]),
        of(Read, &["checkpoint", "show"]),
        of(Read, &["checkpoint", "restore"]).without(&["output"]).giving(Output::Bytes),
        of(Write, &["checkpoint", "prune"]),
        of(Write, &["memory", "run"]).telling(),
        of(Read, &["memory", "view"]),
        of(Read, &["memory", "history"]),
        of(Write, &["artifact", "set"]),
        of(Read, &["artifact", "list"]),
        of(Read, &["resume"]),
        of(Erase, &["erase"]),
        of(Read, &["export"]).without(&["jsonl"]),
        of(Write, &["import"]).told(Input::Needed("file")),
        of(Read, &["stats"]),
        of(Read, &["spaces"]),
        of(Admin, &["verify"]),
        of(Admin, &["doctor"]),
        of(Admin, &["reindex"]),
    ]
};

/// Finds a verb by its name.
pub(crate) fn verb(name: &str) -> Option<&'static Verb> {
    VERBS.iter().find(|verb| verb.path.iter().copied().eq(name.split('/')))
}
