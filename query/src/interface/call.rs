//! Operations by their names: a request as JSON in, an answer as JSON out.

use bygone_engine::store::{Decided, Operation, Place, Snapshot, Space};
use bygone_engine::time::Instant;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use super::memory_tool::{self, Command};
use super::{InterfaceError, checkpoints, items, memories, sessions};

/// What an operation needs leave for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// It reads.
    Read,
    /// It writes, and what was there stays in the history.
    Write,
    /// It writes, and tells what is there.
    ReadWrite,
    /// It erases physically.
    Erase,
}

type Reads = fn(&Asked<'_>) -> Result<Box<RawValue>, InterfaceError>;

/// An operation there is.
struct Known {
    interface: &'static str,
    name: &'static str,
    scope: Scope,
    run: Reads,
}

/// An operation as it is asked for.
struct Asked<'a> {
    space: &'a Space<'a>,
    now: Instant,
    key: Option<&'a str>,
    /// What is asked for, with the names of the operation: an idempotency key is for one request alone.
    request: String,
    body: &'a str,
}

impl Asked<'_> {
    fn parsed<R: DeserializeOwned>(&self) -> Result<R, InterfaceError> {
        serde_json::from_str(self.body).map_err(|error| InterfaceError::Request(error.to_string()))
    }

    fn read<R: DeserializeOwned, T: Serialize>(
        &self,
        read: fn(&Snapshot<'_>, &R) -> Result<T, InterfaceError>,
    ) -> Result<Box<RawValue>, InterfaceError> {
        let request = self.parsed()?;
        answer(&read(&self.space.snapshot(), &request)?)
    }

    fn write<R: DeserializeOwned, T: Serialize>(
        &self,
        decide: fn(&Snapshot<'_>, Place, &R) -> Result<Decided<T>, InterfaceError>,
    ) -> Result<Box<RawValue>, InterfaceError> {
        let request = self.parsed()?;
        let operation = self.key.map(|key| Operation { key, request: &self.request });
        let told: Option<Box<RawValue>> = self.space.decide(operation, self.now, |snapshot, place| {
            Ok::<_, InterfaceError>(decide(snapshot, place, &request)?.map(|told| answer(&told).ok()))
        })?;
        told.ok_or_else(|| InterfaceError::Request("an answer is no JSON".to_owned()))
    }
}

impl Asked<'_> {
    /// Does a batch on items, which writes only where it puts something or lets something live on.
    fn batch(&self) -> Result<Box<RawValue>, InterfaceError> {
        let request: items::Batch = self.parsed()?;
        if !request.writes() {
            let (answers, documents) = items::batch(&self.space.snapshot(), self.now, &request)?;
            if documents.is_empty() {
                return answer(&answers);
            }
        }
        self.write(items::decide)
    }
}

impl Asked<'_> {
    /// Does a command of the memory tool. One that is none, or cannot be done, has an answer for the model.
    fn command(&self) -> Result<Box<RawValue>, InterfaceError> {
        match Command::read(&self.parsed()?) {
            Err(refusal) => answer(&refusal),
            Ok(Command::View(asked)) => answer(&memory_tool::run_view(&self.space.snapshot(), &asked)?),
            Ok(_) => self.write(memory_tool::run),
        }
    }
}

fn answer(told: &impl Serialize) -> Result<Box<RawValue>, InterfaceError> {
    serde_json::value::to_raw_value(told)
        .map_err(|error| InterfaceError::Request(format!("an answer is no JSON: {error}")))
}

macro_rules! operations {
    ($($interface:literal $name:literal $scope:ident: $run:expr,)*) => {
        static KNOWN: &[Known] = &[$(Known {
            interface: $interface,
            name: $name,
            scope: Scope::$scope,
            run: $run,
        },)*];
    };
}

operations! {
    "session-store" "append" Write: |asked| asked.write(sessions::append),
    "session-store" "load" Read: |asked| asked.read(sessions::load),
    "session-store" "history" Read: |asked| asked.read(sessions::history),
    "session-store" "list_sessions" Read: |asked| asked.read(sessions::list_sessions),
    "session-store" "list_session_summaries" Read: |asked| asked.read(sessions::list_summaries),
    "session-store" "get_session_summary" Read: |asked| asked.read(sessions::get_summary),
    "session-store" "list_subkeys" Read: |asked| asked.read(sessions::list_subkeys),
    "session-store" "delete" Write: |asked| asked.write(|snapshot, _, request| sessions::delete(snapshot, request)),
    "session-store" "fork" Write: |asked| asked.write(sessions::fork),
    "session-store" "erase" Erase: |asked| answer(&sessions::erase(asked.space, asked.now, &asked.parsed()?)?),
    "langgraph/checkpoints" "put" Write: |asked| asked.write(|snapshot, _, request| checkpoints::put(snapshot, request)),
    "langgraph/checkpoints" "put_writes" Write: |asked| asked.write(|snapshot, _, request| checkpoints::put_writes(snapshot, request)),
    "langgraph/checkpoints" "get" Read: |asked| asked.read(checkpoints::get),
    "langgraph/checkpoints" "list" Read: |asked| asked.read(checkpoints::list),
    "langgraph/checkpoints" "delta_history" Read: |asked| asked.read(checkpoints::delta_history),
    "langgraph/checkpoints" "delete_thread" Write: |asked| asked.write(|snapshot, _, request| checkpoints::delete_thread(snapshot, request)),
    "langgraph/checkpoints" "delete_for_runs" Write: |asked| asked.write(|snapshot, _, request| checkpoints::delete_for_runs(snapshot, request)),
    "langgraph/checkpoints" "copy_thread" Write: |asked| asked.write(|snapshot, _, request| checkpoints::copy_thread(snapshot, request)),
    "langgraph/checkpoints" "prune" Write: |asked| asked.write(|snapshot, _, request| checkpoints::prune(snapshot, request)),
    "langgraph/checkpoints" "erase" Erase: |asked| answer(&checkpoints::erase(asked.space, asked.now, &asked.parsed()?)?),
    "langgraph/store" "batch" ReadWrite: |asked| asked.batch(),
    "langgraph/store" "read" Read: |asked| answer(&items::read(&asked.space.snapshot(), asked.now, &asked.parsed()?)?),
    "langgraph/store" "sweep" Write: |asked| asked.write(items::sweep),
    "langgraph/store" "history" Read: |asked| asked.read(items::history),
    "langgraph/store" "erase" Erase: |asked| answer(&items::erase(asked.space, asked.now, &asked.parsed()?)?),
    "mem0" "erase" Erase: |asked| answer(&memories::erase(asked.space, asked.now, &asked.parsed()?)?),
    "memory-tool" "run" ReadWrite: |asked| asked.command(),
    "memory-tool" "view" Read: |asked| asked.read(memory_tool::run_view),
    "memory-tool" "history" Read: |asked| asked.read(memory_tool::history),
    "memory-tool" "erase" Erase: |asked| answer(&memory_tool::erase(asked.space, asked.now, &asked.parsed()?)?),
}

/// Returns the operations that there are: interface, name, and what each needs leave for.
pub fn operations() -> impl Iterator<Item = (&'static str, &'static str, Scope)> {
    KNOWN.iter().map(|known| (known.interface, known.name, known.scope))
}

/// Returns what an operation needs leave for; nothing where there is none of the name.
pub fn scope(interface: &str, name: &str) -> Option<Scope> {
    find(interface, name).map(|known| known.scope)
}

fn find(interface: &str, name: &str) -> Option<&'static Known> {
    KNOWN.iter().find(|known| known.interface == interface && known.name == name)
}

/// Does an operation in a space, and returns its answer.
///
/// `key` is an idempotency key: a write that bears one and was done is not done again, and its first answer is returned.
/// Reads and erasures pass over it.
///
/// # Errors
/// [`InterfaceError`]; nothing was written then.
pub fn call(
    space: &Space<'_>,
    now: Instant,
    key: Option<&str>,
    (interface, name): (&str, &str),
    body: &[u8],
) -> Result<Box<RawValue>, InterfaceError> {
    let Some(known) = find(interface, name) else {
        return Err(InterfaceError::Missing(format!("there is no operation {name:?} of {interface:?}")));
    };
    let body = std::str::from_utf8(body)
        .map_err(|_| InterfaceError::Request("the body is no UTF-8: expected JSON".to_owned()))?;
    let request = if key.is_some() { format!("{interface}/{name}\n{body}") } else { String::new() };
    (known.run)(&Asked { space, now, key, request, body })
}
