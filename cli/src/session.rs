//! Running commands one after another against stores that stay open.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::io::{BufRead, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use bygone_engine::store::{FORMAT_VERSION, Space, Store, VectorMode};
use bygone_engine::time::Instant;
use bygone_engine::{RecordedAt, StoreError, View};
use bygone_ontology::Ontology;
use serde::{Deserialize, Serialize};

use crate::arguments::{self, Arguments, DEFAULT_SPACE, Global, Variables, VectorIndex};
use crate::beats::{Beats, SpaceBeats};
use crate::clock::Clock;
use crate::config::Config;
use crate::declared::InForce;
use crate::failure::{Exit, Failure};
use crate::open::Found;
use crate::output::Output;
use crate::screen::Screen;
use crate::share::{self, Sending, Served};
use crate::table::{harmless, one_line};
use crate::view::moment;

/// After how long it is said that a process stays for the sake of others.
const LEAVE_TAKING: Duration = Duration::from_millis(500);

/// Where a command reads and writes.
pub struct Streams<'a> {
    /// Its input.
    pub input: &'a mut dyn BufRead,
    /// Its results.
    pub output: &'a mut dyn Write,
    /// Everything else.
    pub errors: &'a mut dyn Write,
}

/// What results are shown on, and who is there to see them. The default is nobody, and a screen like most others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Front {
    /// Whether results for people are set off by weight and colour.
    pub colour: bool,
    /// Whether a person watches standard error, so that how far a command has come is shown there.
    pub is_watched: bool,
    /// Whether input and results are a terminal's, at which somebody sits.
    pub at_terminal: bool,
    /// The screen.
    pub screen: Screen,
}

/// A store that is open, and what predicates mean in it.
struct Held {
    /// Those who use it from other processes; they are gone before it is closed.
    served: Option<Served>,
    store: Arc<Store>,
    in_force: InForce,
    /// Whose models it was opened with.
    config: Config,
}

/// Of which spaces something may be said: of all of them, unless they are named.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sight(Option<BTreeSet<String>>);

impl Sight {
    /// Returns that of some spaces alone.
    pub(crate) fn of(spaces: BTreeSet<String>) -> Sight {
        Sight(Some(spaces))
    }

    /// Says whether a space is among them.
    pub(crate) fn sees(&self, space: &str) -> bool {
        self.0.as_ref().is_none_or(|spaces| spaces.contains(space))
    }
}

/// A store that stays open, for sessions on it that are made one after another or at a time.
#[derive(Clone)]
pub(crate) struct Lending {
    store: Arc<Store>,
    ontology: Arc<Ontology>,
    config: Config,
    beats: Beats,
    /// How vectors are compared.
    pub(crate) vector_index: VectorIndex,
}

impl Lending {
    /// Makes a session that says nothing of spaces which it does not see.
    pub(crate) fn session(&self, sight: Sight) -> Session {
        Session::on(self, sight)
    }

    /// Does something in a space, which is made where `creates` says so.
    ///
    /// # Errors
    /// Those of what is done; [`StoreError::NoSpace`] and [`StoreError::SpaceName`].
    pub(crate) fn in_space<T, E: From<StoreError>>(
        &self,
        space: &str,
        creates: bool,
        then: impl FnOnce(&Space<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        then(&self.store.space(space, creates || space == DEFAULT_SPACE)?)
    }

    /// Returns the sequence number of the last commit; nothing where it cannot be read.
    pub(crate) fn last_seq(&self) -> Option<u64> {
        self.store.space(DEFAULT_SPACE, true).ok()?.snapshot().last_seq().ok()
    }
}

/// Where a command ran.
pub(crate) enum Ran {
    /// Here, and how it ended.
    Here(Exit),
    /// Nowhere yet: another process has the store, and this is the line to it.
    Elsewhere(UnixStream),
}

/// A place to run commands in. A store that one command opened stays open for the next.
pub struct Session {
    clock: Clock,
    ontology: Arc<Ontology>,
    stores: BTreeMap<PathBuf, Held>,
    front: Front,
    vector_mode: VectorMode,
    config: Config,
    in_shell: bool,
    stop: Option<Arc<AtomicBool>>,
    /// Whether stores are shared with other processes.
    shares: bool,
    /// The store that another session lends this one, whatever its folder is called.
    lent: Option<Arc<Store>>,
    /// The line to the process that has the store of the command.
    elsewhere: Option<UnixStream>,
    variables: Variables,
    /// What makes the command one with another sending of it, where it was or may have been sent before.
    sending: Option<Sending>,
    /// The heartbeats that were received here.
    beats: Beats,
    /// What is to be said of the space that the command opened, after whatever it says itself.
    remark: Option<String>,
    /// That a store was brought to another format when it was opened.
    brought_up: Option<String>,
    /// Of which spaces something may be said.
    sight: Sight,
}

impl Session {
    /// Makes a session with no store open.
    pub fn new(clock: Clock) -> Session {
        Session::of(Arc::new(Ontology::core()), clock)
    }

    fn of(ontology: Arc<Ontology>, clock: Clock) -> Session {
        Session {
            clock,
            ontology,
            stores: BTreeMap::new(),
            front: Front::default(),
            vector_mode: VectorMode::Auto,
            config: Config::default(),
            in_shell: false,
            stop: None,
            shares: false,
            lent: None,
            elsewhere: None,
            variables: Variables::Own,
            sending: None,
            beats: Beats::default(),
            remark: None,
            brought_up: None,
            sight: Sight::default(),
        }
    }

    /// Sets what results are shown on and who is there to see them.
    #[must_use]
    pub fn before(self, front: Front) -> Session {
        Session { front, ..self }
    }

    /// Shares the stores that are opened from now on with other processes: has commands done by the one that has a store
    /// open, and does those of others.
    #[must_use]
    pub fn sharing(self) -> Session {
        Session { shares: true, ..self }
    }

    /// Makes a session on a store that is open already, with the models that it was opened with.
    fn on(lending: &Lending, sight: Sight) -> Session {
        let Lending { store, ontology, config, beats, .. } = lending.clone();
        Session { lent: Some(store), config, beats, sight, ..Session::of(ontology, Clock::System) }
    }

    /// Sets the variables of the environment that commands go by.
    pub(crate) fn set_variables(&mut self, variables: BTreeMap<String, OsString>) {
        self.variables = Variables::Sent(variables);
    }

    /// Returns what results are shown on and who is there to see them, as another process may show them.
    pub(crate) fn front(&self) -> Front {
        Front { is_watched: false, at_terminal: false, ..self.front }
    }

    /// Returns what tells the models that are configured from others, and nothing of what is secret in it.
    pub(crate) fn config_mark(&self) -> String {
        self.config.mark()
    }

    /// Runs one command; the first word is the program's name.
    pub fn run<W: Into<OsString> + Clone>(
        &mut self,
        words: impl IntoIterator<Item = W>,
        streams: &mut Streams<'_>,
    ) -> Exit {
        let words: Vec<OsString> = words.into_iter().map(Into::into).collect();
        if self.shares {
            return share::run(self, &words, streams);
        }
        match self.run_here(&words, None, streams) {
            Ran::Here(exit) => exit,
            Ran::Elsewhere(_) => Exit::Busy,
        }
    }

    /// Runs one command in this process, unless another one has the store that it needs.
    pub(crate) fn run_here(
        &mut self,
        words: &[OsString],
        sending: Option<&Sending>,
        streams: &mut Streams<'_>,
    ) -> Ran {
        let arguments = match arguments::command(words, &self.variables) {
            Ok(arguments) => arguments,
            Err(error) => {
                let text = error.render();
                let (stream, exit) = if error.use_stderr() {
                    (&mut *streams.errors, Exit::Usage)
                } else {
                    (&mut *streams.output, Exit::Done)
                };
                let written = write!(stream, "{text}").and_then(|()| stream.flush());
                return Ran::Here(written.map_or(Exit::BadInput, |()| exit));
            }
        };
        self.sending = sending.cloned();
        let result = self.execute(&arguments, streams);
        self.sending = None;
        if let Some(line) = self.elsewhere.take() {
            return Ran::Elsewhere(line);
        }
        let flushed = streams.output.flush();
        let exit = Session::exit(result, flushed, streams);
        let remarks = [self.brought_up.take(), self.remark.take()];
        for remark in remarks.into_iter().flatten().filter(|_| !arguments.global.quiet) {
            writeln!(streams.errors, "{remark}").unwrap_or_default();
        }
        Ran::Here(exit)
    }

    /// Closes the stores, after what is done in them for other processes.
    pub fn close(&mut self, errors: &mut dyn Write) {
        for held in self.stores.values_mut() {
            if held.served.as_mut().is_some_and(|served| served.is_busy(LEAVE_TAKING)) {
                let remark = "another process is having something done here; waiting for its end";
                writeln!(errors, "bygone: {remark}").unwrap_or_default();
            }
        }
        self.stores.clear();
    }

    /// Returns how a command ends, and reports what it failed of.
    fn exit(result: Result<Exit, Failure>, flushed: std::io::Result<()>, streams: &mut Streams<'_>) -> Exit {
        match result.and_then(|exit| Ok(flushed.map(|()| exit)?)) {
            Ok(exit) => exit,
            // Whoever reads our output has had enough, as with `| head`.
            Err(Failure::Output(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => Exit::Done,
            Err(failure) => {
                let message = match &failure {
                    // It may name folders, and what another process was called with.
                    Failure::Store(error) => one_line(&error.to_string()),
                    failure => harmless(&failure.to_string()),
                };
                // There is nowhere left to report to if this fails as well.
                writeln!(streams.errors, "bygone: {message}").unwrap_or_default();
                failure.exit()
            }
        }
    }

    fn execute(&mut self, arguments: &Arguments, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
        let Arguments { global, command } = arguments;
        let clock = match (&global.now, &self.sending) {
            (Some(text), _) => Clock::Fixed(moment("--now", text)?.at),
            (None, Some(sending)) => Clock::Fixed(sending.now),
            (None, None) => self.clock,
        };
        self.vector_mode = global.vector_index.mode();
        if self.lent.is_none() {
            let config = global.config.as_deref();
            let config =
                config.map(|path| Config::read(path, &|name| std::env::var(name).ok())).transpose()?;
            self.config = config.unwrap_or_default();
        }
        let output = Output {
            json: global.json,
            quiet: global.quiet,
            colour: self.front.colour,
            n_masked: 0,
            results: streams.output,
            errors: streams.errors,
        };
        command.execute(Context { session: self, global, clock, input: streams.input, output })
    }

    /// Returns what results are shown on.
    pub(crate) fn screen(&self) -> Screen {
        self.front.screen
    }

    /// Returns what results are shown on, to be changed.
    pub(crate) fn screen_mut(&mut self) -> &mut Screen {
        &mut self.front.screen
    }

    /// Says whether results for people are set off by weight and colour.
    pub(crate) fn is_coloured(&self) -> bool {
        self.front.colour
    }

    /// Says whether input and results are a terminal's.
    pub(crate) fn is_at_terminal(&self) -> bool {
        self.front.at_terminal
    }

    /// Lets a flag stop what runs on the stores that are opened from now on.
    pub(crate) fn stop_by(&mut self, flag: Arc<AtomicBool>) {
        self.stop = Some(flag);
    }

    /// Returns the flag that stops what runs, where there is one.
    pub(crate) fn stop_flag(&self) -> Option<&AtomicBool> {
        self.stop.as_deref()
    }

    /// Takes the session into a shell.
    ///
    /// # Errors
    /// [`Failure::Usage`] where it is in one: a shell within it would have nothing of its own.
    pub(crate) fn enter_shell(&mut self) -> Result<(), Failure> {
        if self.in_shell {
            return Err(Failure::Usage("this is the shell already; `help` says what it can do".to_owned()));
        }
        self.in_shell = true;
        Ok(())
    }

    /// Takes the session out of its shell.
    pub(crate) fn leave_shell(&mut self) {
        self.in_shell = false;
    }

    /// Returns the present.
    pub(crate) fn now(&self) -> Instant {
        self.clock.now()
    }

    /// Returns what predicates and types mean in a store; where it is not open, what they mean in every store.
    pub(crate) fn ontology(&self, folder: &Path) -> &Ontology {
        self.stores.get(folder).map_or(&self.ontology, |held| held.in_force.latest())
    }

    /// Returns a store that is open.
    pub(crate) fn store(&self, folder: &Path) -> Option<&Store> {
        self.stores.get(folder).map(|held| &*held.store)
    }

    /// Opens the store of a shell to read; nothing where there is none, or where another process has it: then its commands are
    /// done there.
    pub(crate) fn open_for_shell(&mut self, folder: &Path) -> Result<Option<&Store>, StoreError> {
        match self.open_if_there(folder).map(drop) {
            Err(StoreError::Busy { .. }) if self.elsewhere.take().is_some() => Ok(None),
            opened => opened.map(|()| self.store(folder)),
        }
    }

    /// Opens a store to read. One that is not there is no failure: the command that needs it says so.
    pub(crate) fn open_if_there(&mut self, folder: &Path) -> Result<Option<&Store>, StoreError> {
        match self.open(folder, false) {
            Ok(_) | Err(StoreError::NoStore(_)) => Ok(self.store(folder)),
            Err(error) => Err(error),
        }
    }

    fn lending(&self, store: Arc<Store>, vector_index: VectorIndex) -> Lending {
        let (ontology, config) = (Arc::clone(&self.ontology), self.config.clone());
        Lending { store, ontology, config, beats: self.beats.clone(), vector_index }
    }

    fn open(&mut self, folder: &Path, create: bool) -> Result<&Held, StoreError> {
        // A store keeps its models for as long as it is open.
        if self.stores.get(folder).is_some_and(|held| held.config != self.config) {
            self.stores.remove(folder);
        }
        if let Some(held) = self.stores.get_mut(folder) {
            // An earlier command may have declared something.
            held.in_force = InForce::read(&self.ontology, &held.store)?;
        } else {
            let (store, served) = match &self.lent {
                Some(store) => (Arc::clone(store), None),
                None => self.opened(folder, create)?,
            };
            let in_force = InForce::read(&self.ontology, &store)?;
            let config = self.config.clone();
            self.stores.insert(folder.to_owned(), Held { served, store, in_force, config });
        }
        let held = &self.stores[folder];
        held.store.set_vector_mode(self.vector_mode);
        Ok(held)
    }

    /// Opens a store in this process, and serves it to others where stores are shared.
    fn opened(&mut self, folder: &Path, create: bool) -> Result<(Arc<Store>, Option<Served>), StoreError> {
        let store = match crate::open::open(folder, create, &self.ontology, self.shares)? {
            Found::Here(store) => *store,
            Found::Elsewhere { line, held } => {
                self.elsewhere = Some(line);
                return Err(held);
            }
        };
        if store.format_found() < FORMAT_VERSION {
            self.brought_up = Some(format!(
                "The store was brought from format {} to format {FORMAT_VERSION}; older programs do not open it any more.",
                store.format_found()
            ));
        }
        let mut store = self.config.set_up(store)?;
        if let Some(stop) = &self.stop {
            store = store.with_interrupt(Arc::clone(stop));
        }
        let store = Arc::new(store);
        let lending = self.lending(Arc::clone(&store), VectorIndex::default());
        // Where there can be no socket, others wait for the store as they would without one.
        let served = self
            .shares
            .then(|| Served::start(folder, move || lending.session(Sight::default())).ok())
            .flatten();
        Ok((store, served))
    }
}

/// What a command works with.
pub(crate) struct Context<'a> {
    pub(crate) session: &'a mut Session,
    pub(crate) global: &'a Global,
    clock: Clock,
    pub(crate) input: &'a mut dyn BufRead,
    pub(crate) output: Output<'a>,
}

/// What a command works with once its space is open.
pub(crate) struct Opened<'a> {
    pub(crate) space: Space<'a>,
    pub(crate) ontology: &'a Ontology,
    pub(crate) now: Instant,
    pub(crate) output: Output<'a>,
}

/// What a command works with that chooses among the spaces of a store.
pub(crate) struct Stored<'a, S = &'a Store> {
    pub(crate) store: S,
    /// The space that was named.
    pub(crate) space: &'a str,
    pub(crate) ontology: &'a Ontology,
    pub(crate) now: Instant,
    pub(crate) clock: Clock,
    /// Of which spaces something may be said.
    pub(crate) sight: &'a Sight,
    pub(crate) output: Output<'a>,
}

impl<'a> Context<'a> {
    /// Says whether to show how far the command has come.
    pub(crate) fn is_watched(&self) -> bool {
        self.session.front.is_watched && !self.global.quiet
    }

    /// Returns the present.
    pub(crate) fn now(&self) -> Instant {
        self.clock.now()
    }

    /// Returns what tells the sending of this command from every other one, where somebody sent it who may send it again.
    pub(crate) fn sent(&self) -> Option<String> {
        self.session.sending.as_ref().map(|sending| sending.mark.clone())
    }

    /// Returns the heartbeats of the space that were received here; nothing where the clock is fixed, since all that is
    /// shown follows from its instant then.
    pub(crate) fn beats(&self) -> Option<SpaceBeats> {
        let is_fixed = self.global.now.is_some() || matches!(self.session.clock, Clock::Fixed(_));
        (!is_fixed).then(|| {
            // Whoever sent the command may call the store's folder something else.
            let store = std::fs::canonicalize(&self.global.store);
            let store = store.as_ref().unwrap_or(&self.global.store);
            self.session.beats.of_space(store, &self.global.space)
        })
    }

    /// Returns how vectors are compared.
    pub(crate) fn vector_mode(&self) -> VectorMode {
        self.session.vector_mode
    }

    /// Opens the space to read; there must be one.
    pub(crate) fn reading(self) -> Result<Opened<'a>, Failure> {
        self.opened(false, RecordedAt::Latest)
    }

    /// Opens the space to read it as a view does: predicates mean what they meant in the last commit that it sees.
    pub(crate) fn reading_in(self, view: &View) -> Result<Opened<'a>, Failure> {
        self.opened(false, view.recorded)
    }

    /// Returns what is declared as of a commit, and the store's own part of it as text; the core where there is no store.
    pub(crate) fn in_force(
        self,
        recorded: RecordedAt,
    ) -> Result<(&'a Ontology, Option<String>, Output<'a>), Failure> {
        let Context { session, global, output, .. } = self;
        session.open_if_there(&global.store)?;
        let Some(held) = session.stores.get(&global.store) else {
            return Ok((&session.ontology, None, output));
        };
        let declared = held.store.declared_in(recorded)?;
        let ontology = held.in_force.since(declared.as_ref().map(|declared| declared.seq));
        Ok((ontology, declared.map(|declared| declared.text), output))
    }

    /// Opens the space to write; store and space are made where there are none.
    pub(crate) fn writing(self) -> Result<Opened<'a>, Failure> {
        self.opened(true, RecordedAt::Latest)
    }

    /// Opens the store to write; it is made where there is none, its spaces as they are written to.
    pub(crate) fn store(self) -> Result<Stored<'a>, Failure> {
        let Context { session, global, clock, output, .. } = self;
        session.open(&global.store, true)?;
        let Held { store, in_force, .. } = &session.stores[&global.store];
        let (ontology, sight) = (in_force.latest(), &session.sight);
        Ok(Stored { store: &**store, space: &global.space, ontology, now: clock.now(), clock, sight, output })
    }

    /// Opens the store in this process, to be lent out for as long as the session keeps it; it is made where there is none.
    ///
    /// # Errors
    /// [`StoreError::Busy`] where another process has it, whatever that could do with it.
    pub(crate) fn lent_out(self) -> Result<(Lending, Output<'a>), Failure> {
        let Context { session, global, output, .. } = self;
        let opened = session.open(&global.store, true).map(|held| Arc::clone(&held.store));
        // What is asked for is to be here, and nowhere else.
        session.elsewhere = None;
        Ok((session.lending(opened?, global.vector_index), output))
    }

    /// Opens the store to read; there must be one.
    pub(crate) fn store_to_read(self) -> Result<Stored<'a>, Failure> {
        let Context { session, global, clock, output, .. } = self;
        session.open(&global.store, false)?;
        let Held { store, in_force, .. } = &session.stores[&global.store];
        let (ontology, sight) = (in_force.latest(), &session.sight);
        Ok(Stored { store: &**store, space: &global.space, ontology, now: clock.now(), clock, sight, output })
    }

    /// Opens the store to read, or says why it does not open.
    pub(crate) fn store_or_why(self) -> (Result<&'a Store, StoreError>, Output<'a>) {
        let Context { session, global, output, .. } = self;
        let opened = session.open(&global.store, false).map(drop);
        (opened.map(|()| &*session.stores[&global.store].store), output)
    }

    /// Opens the store to read if there is one.
    pub(crate) fn store_if_there(self) -> Result<Stored<'a, Option<&'a Store>>, Failure> {
        let Context { session, global, clock, output, .. } = self;
        session.open_if_there(&global.store)?;
        let (store, ontology) = (session.store(&global.store), session.ontology(&global.store));
        let sight = &session.sight;
        Ok(Stored { store, space: &global.space, ontology, now: clock.now(), clock, sight, output })
    }

    fn opened(self, create: bool, recorded: RecordedAt) -> Result<Opened<'a>, Failure> {
        let Context { session, global, clock, output, .. } = self;
        session.open(&global.store, create)?;
        let Held { store, in_force, .. } = &session.stores[&global.store];
        // The default space is there from the start.
        let space = store.space(&global.space, create || global.space == DEFAULT_SPACE)?;
        // A table that cannot be read is told by the command that needs it.
        session.remark = if create { None } else { emptiness(&space, &session.sight).unwrap_or_default() };
        if global.now.is_none() && matches!(session.clock, Clock::System) {
            session.remark = clock_behind(&space, clock.now())?.or(session.remark.take());
        }
        let ontology = in_force.since(store.declared_in(recorded)?.map(|declared| declared.seq));
        Ok(Opened { space, ontology, now: clock.now(), output })
    }
}

/// Says that the clock stands long before what was recorded last: times run on from there, so leases do not run out.
fn clock_behind(space: &Space<'_>, now: Instant) -> Result<Option<String>, StoreError> {
    const TOLERATED_MICROS: i64 = 3_600_000_000;
    let last = space.snapshot().present(now)?;
    Ok((last > now.plus_micros(TOLERATED_MICROS)).then(|| {
        format!(
            "the clock says {}, and the last commit is of {}: leases and lifetimes do not run until the clock has \
             passed that",
            now.to_rfc3339(),
            last.to_rfc3339()
        )
    }))
}

/// Says that a space is empty where others are not: whoever finds nothing in it may look for what stands in another.
fn emptiness(space: &Space<'_>, sight: &Sight) -> Result<Option<String>, StoreError> {
    if !space.is_empty()? {
        return Ok(None);
    }
    let store = space.store();
    let mut n_others = 0;
    for other in store.spaces()? {
        if sight.sees(&other) && !store.space(&other, false)?.is_empty()? {
            n_others += 1;
        }
    }
    let others = match n_others {
        0 => return Ok(None),
        1 => "1 other".to_owned(),
        n_others => format!("{n_others} others"),
    };
    let name = space.name();
    Ok(Some(format!("the space {name:?} is empty; the store has {others}: `bygone spaces` lists them")))
}
