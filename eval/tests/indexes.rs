//! The indexes beside a store equal the store, whatever became of their folders: what is damaged, missing, of another time
//! or of another store is caught up with or made again, and searches find what they find in a store told the same.
//!
//! Rows are kept in memory and the indexes on disk, so that a store can be opened over older rows beside newer indexes.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};

use bygone_engine::backend::{Backend, Batch, ByteSearch, Memory, Reader};
use bygone_engine::embed::{EmbedError, Embedder, Model, StaticEmbedder};
use bygone_engine::episode::Role;
use bygone_engine::store::{Recording, Space, Store, Target, VectorMode, Verification};
use bygone_engine::time::Instant;
use bygone_engine::wire::{Defaults, read_statement};
use bygone_engine::{EntityRef, Episode, EpisodeId, StoreError, ValidTime, View};
use bygone_eval::belief::splitmix::Random;
use bygone_ontology::Ontology;
use bygone_query::Request;
use bygone_query::retrieve::{Kind, Sought, search};
use serde_json::json;
use tempfile::TempDir;

/// How far is told when the indexes are brought up to date. The first three times they are written to disk: the words each
/// time, the vectors of the first two times together, and those of the third by themselves. What is left stays in memory.
const ROUNDS: [u64; 4] = [520, 1_040, 1_556, 1_590];
/// Recorded together.
const TOGETHER: u64 = 90;

const INDEXES: [&str; 2] = ["text", "vectors"];
const MODES: [VectorMode; 2] = [VectorMode::Exact, VectorMode::Graph];
const SPACES: [&str; 2] = ["default", "other"];
const WORDS: [&str; 32] = [
    "otter", "badger", "heron", "lynx", "river", "swim", "jazz", "piano", "guitar", "song", "tax", "invoice",
    "form", "bank", "lamp", "chair", "table", "kitchen", "bread", "coffee", "tea", "train", "ticket",
    "Berlin", "Lisbon", "office", "meeting", "budget", "garden", "rose", "hammer", "robot",
];
const PEOPLE: [&str; 3] = ["Anna Lee", "Ben", "Clara"];

static ONTOLOGY: LazyLock<Arc<Ontology>> = LazyLock::new(|| Arc::new(Ontology::core()));

fn open(backend: &Memory, mode: VectorMode) -> Store {
    open_over(Box::new(backend.clone()), mode)
}

fn open_over(backend: Box<dyn Backend>, mode: VectorMode) -> Store {
    let store = Store::open(backend, Arc::clone(&ONTOLOGY) as _).expect("opens");
    let store = store.with_embedder(Arc::new(Sums::new()));
    store.set_vector_mode(mode);
    store
}

/// An embedder that takes no time: each word has a direction by its letters, and a text is the sum of its words.
struct Sums {
    model: Model,
    n_embedded: AtomicUsize,
}

impl Sums {
    fn new() -> Sums {
        let model = Model { id: "sums".to_owned(), hash: String::new(), dimension: 16 };
        Sums { model, n_embedded: AtomicUsize::new(0) }
    }

    fn word_pieces(text: &str) -> impl Iterator<Item = u32> {
        let letters =
            |word: &str| word.bytes().fold(7, |sum: u32, byte| (sum * 31 + u32::from(byte)) % 1_000);
        text.split_whitespace().map(letters).collect::<Vec<_>>().into_iter()
    }

    fn sum(&self, text: &str, weigh: impl Fn(u32) -> f32) -> Vec<f32> {
        let mut sum = vec![0.0_f32; self.model.dimension];
        for piece in Sums::word_pieces(text) {
            let mut random = Random::new(u64::from(piece));
            let weight = weigh(piece);
            for part in &mut sum {
                *part += weight * if random.chance(50) { 1.0 } else { -1.0 };
            }
        }
        let length = sum.iter().map(|part| part * part).sum::<f32>().sqrt();
        sum.into_iter().map(|part| if length > 0.0 { part / length } else { 0.0 }).collect()
    }
}

impl Embedder for Sums {
    fn model(&self) -> &Model {
        &self.model
    }

    fn is_costly(&self) -> bool {
        false
    }

    fn documents(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        self.n_embedded.fetch_add(texts.len(), Ordering::Relaxed);
        Ok(texts.iter().map(|text| self.sum(text, |_| 1.0)).collect())
    }

    fn query(&self, text: &str, rarity: &dyn Fn(u32) -> f32) -> Result<Vec<f32>, EmbedError> {
        Ok(self.sum(text, rarity))
    }

    fn is_exact(&self) -> bool {
        true
    }

    fn pieces(&self, text: &str) -> Vec<u32> {
        Sums::word_pieces(text).collect()
    }
}

fn clock(step: u64) -> Instant {
    let micros = 1_700_000_000_000_000 + i64::try_from(step).expect("few") * 60_000_000;
    Instant::from_micros(micros).expect("ordinary")
}

/// What is told at a step: a turn or a statement, in one of the spaces. The second space is told no statements in the last
/// round that is written, so that not every file is written then.
fn told(step: u64) -> (&'static str, Recording) {
    let mut random = Random::new(step);
    let mut words = |n_words: u64| (0..n_words).map(|_| *random.one_of(&WORDS)).collect::<Vec<_>>().join(" ");
    let (space, is_statement) = match step % 20 {
        0..12 => (SPACES[0], false),
        12..16 => (SPACES[1], false),
        16..19 => (SPACES[0], true),
        _ => (SPACES[1], step < ROUNDS[1]),
    };
    let person = PEOPLE[usize::try_from(step % 3).expect("small")];
    if is_statement {
        let line = json!({
            "subject": format!("person:{person}"), "predicate": "likes", "object": { "text": words(2) },
            "from": "2020", "session": format!("facts{}", step / 200),
        });
        let defaults = Defaults { now: clock(step), document: "facts".to_owned(), position: step };
        let statement = read_statement(&line.to_string(), &defaults).expect("a statement");
        let (episodes, assertions) = (vec![statement.episode], vec![statement.assertion]);
        return (space, Recording { episodes, assertions, ..Recording::default() });
    }
    let episode = Episode {
        id: EpisodeId::UNHASHED,
        session: format!("s{}", step / 60),
        position: step,
        role: if step.is_multiple_of(2) { Role::User } else { Role::Agent },
        speaker: EntityRef::parse(&format!("person:{person}")).ok(),
        agent: None,
        user: None,
        time: clock(step),
        time_inferred: false,
        zone: None,
        native_id: None,
        text: format!("Number{step} saw the {}.", words(6)),
        raw: None,
    };
    (space, Recording { episodes: vec![episode.with_content_id()], ..Recording::default() })
}

/// Tells steps at other times, and what is told changed.
fn tell_other(
    store: &Store,
    steps: std::ops::Range<u64>,
    clock: impl Fn(u64) -> Instant,
    other: impl Fn(u64, &mut Recording),
) {
    for start in steps.clone().step_by(usize::try_from(TOGETHER).expect("small")) {
        for name in SPACES {
            let mut together = Recording::default();
            for step in start..(start + TOGETHER).min(steps.end) {
                let (space, mut recording) = told(step);
                if space == name {
                    other(step, &mut recording);
                    together.episodes.append(&mut recording.episodes);
                    together.assertions.append(&mut recording.assertions);
                }
            }
            store.space(name, true).expect("a space").record(together, clock(start)).expect("records");
        }
    }
}

fn tell(store: &Store, steps: std::ops::Range<u64>) {
    tell_other(store, steps, clock, |_, _| {});
}

/// What was found, with its score to the bit.
type Hit = (String, u64);

/// Searches in both spaces, and in a view of the past.
fn found(store: &Store) -> Vec<Hit> {
    let mut all = Vec::new();
    for (name, view, kinds, question) in [
        (SPACES[0], View::LATEST, Kind::ALL, "Anna likes jazz and tax forms"),
        (SPACES[0], View::known_at(clock(900)), &[Kind::Turn], "Where did the otter swim?"),
        (SPACES[1], View::LATEST, &[Kind::Turn], "piano or guitar"),
    ] {
        let space = store.space(name, true).expect("a space");
        let snapshot = space.snapshot();
        let seen = snapshot.seen(&view).expect("reads");
        let request = Request { view, valid: ValidTime::All, ..Request::present(clock(10_000)) };
        let request = &request;
        let sought =
            Sought { seen: &seen, ontology: &ONTOLOGY, request, text: question, kinds, n_wanted: 100 };
        let found = search(&sought).expect("searches").found;
        all.extend(found.into_iter().map(|hit| (hit.item.id(), hit.score.to_bits())));
        for hit in seen.search_turns(question).expect("searches").take(100) {
            let hit = hit.expect("reads");
            all.push((hit.found.episode.id.to_string(), hit.score.to_bits()));
        }
    }
    all
}

/// Asserts that two stores find the same, and tells only the first difference.
#[track_caller]
fn assert_same(found: &[Hit], expected: &[Hit], what: &str) {
    let difference = found.iter().zip(expected).position(|(one, other)| one != other);
    assert_eq!(difference.map(|at| (at, &found[at], &expected[at])), None, "{what}");
    assert_eq!(found.len(), expected.len(), "{what}");
}

fn faults_of(store: &Store) -> Vec<String> {
    verified(store).faults
}

fn verified(store: &Store) -> Verification {
    let mut found = Verification::default();
    store.verify_indexes(&mut found).expect("reads");
    found
}

#[track_caller]
fn assert_sound(store: &Store, expected: &[Hit], what: &str) {
    assert_same(&found(store), expected, what);
    assert_eq!(faults_of(store), Vec::<String>::new(), "{what}");
}

/// What a store finds that was told the first steps in one go, and keeps nothing on disk.
fn found_afresh(n_steps: u64, mode: VectorMode) -> Vec<Hit> {
    let store = open(&Memory::new(), mode);
    tell(&store, 0..n_steps);
    found(&store)
}

fn copy(from: &Path, to: &Path) {
    if from.is_dir() {
        fs_err::create_dir_all(to).expect("a folder");
        for entry in fs_err::read_dir(from).expect("reads") {
            let entry = entry.expect("an entry");
            copy(&entry.path(), &to.join(entry.file_name()));
        }
    } else {
        fs_err::copy(from, to).expect("copies");
    }
}

fn remove(path: &Path) {
    if path.is_dir() {
        fs_err::remove_dir_all(path).expect("removes");
    } else if path.exists() {
        fs_err::remove_file(path).expect("removes");
    }
}

fn replace(path: &Path, with: &Path) {
    remove(path);
    copy(with, path);
}

/// The names of the files of a folder; none where there is none.
fn names(folder: &Path) -> Vec<String> {
    let entries = Path::read_dir(folder).into_iter().flatten();
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8")).collect();
    names.sort();
    names
}

/// Does something to the file at a path.
type Damage = Box<dyn Fn(&Path)>;

/// A store whose indexes were written in several rounds, with copies of their folders after each.
struct Bench {
    mode: VectorMode,
    /// The folder that the indexes are in.
    folder: TempDir,
    memory: Memory,
    /// The folder after each round that is written.
    after: [TempDir; 3],
    expected: Vec<Hit>,
}

impl Bench {
    fn new(mode: VectorMode) -> Bench {
        let folder = tempfile::tempdir().expect("a folder");
        let memory = Memory::beside(folder.path());
        let mut start = 0;
        let mut told = |until: u64| {
            let store = open(&memory, mode);
            tell(&store, start..until);
            store.index().expect("indexes");
            start = until;
            let copied = tempfile::tempdir().expect("a folder");
            copy(folder.path(), copied.path());
            copied
        };
        let after = [ROUNDS[0], ROUNDS[1], ROUNDS[2]].map(&mut told);
        told(ROUNDS[3]);
        let expected = found(&open(&memory, mode));
        Bench { mode, folder, memory, after, expected }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn last(&self) -> &Path {
        self.after[2].path()
    }

    /// Puts both folders back as they were.
    fn put_back(&self, copied: &TempDir) {
        for index in INDEXES {
            replace(&self.path(index), &copied.path().join(index));
        }
    }

    /// Puts both folders back as they were written last.
    fn restore(&self) {
        self.put_back(&self.after[2]);
    }

    /// Does something to the folders, and holds the store that is opened over them to what it found before.
    #[track_caller]
    fn check(&self, what: &str, damage: impl FnOnce(&Path)) {
        self.restore();
        damage(self.folder.path());
        assert_sound(&open(&self.memory, self.mode), &self.expected, what);
        let store = open(&self.memory, self.mode);
        store.index().expect("indexes");
        assert_same(&found(&store), &self.expected, what);
    }

    /// Damages every file of a folder: what makes a commit and the files of one segment in every way there is, each of the
    /// others in one of them.
    fn check_files(&self, index: &str, segment: &str) {
        for (nth, name) in names(&self.last().join(index)).into_iter().enumerate() {
            let mut damages = self.damages(index, &name);
            if !["MANIFEST", "meta.json"].contains(&name.as_str()) && !name.starts_with(segment) {
                damages = vec![damages.swap_remove(nth % damages.len())];
            }
            for (what, damage) in damages {
                let what = format!("{:?}, {index}/{name}: {what}", self.mode);
                self.check(&what, |folder| damage(&folder.join(index).join(&name)));
            }
        }
    }

    /// Returns what can become of a file.
    fn damages(&self, index: &str, name: &str) -> Vec<(String, Damage)> {
        let whole = fs_err::read(self.last().join(index).join(name)).expect("reads");
        let flipped = |at: usize| {
            let mut bytes = whole.clone();
            bytes[at] ^= 1;
            bytes
        };
        let written =
            |bytes: Vec<u8>| -> Damage { Box::new(move |path| fs_err::write(path, &bytes).expect("writes")) };
        let mut damages: Vec<(String, Damage)> = vec![
            ("deleted".to_owned(), Box::new(remove)),
            ("cut to half".to_owned(), written(whole[..whole.len() / 2].to_vec())),
            ("emptied".to_owned(), written(Vec::new())),
            ("a byte in the middle".to_owned(), written(flipped(whole.len() / 2))),
            ("the last byte".to_owned(), written(flipped(whole.len() - 1))),
            (
                "a folder in its place".to_owned(),
                Box::new(|path| {
                    remove(path);
                    fs_err::create_dir(path).expect("a folder");
                }),
            ),
        ];
        let mut known = BTreeSet::from([whole.clone()]);
        for other in self.others_of_its_kind(index, name) {
            let bytes = fs_err::read(&other).expect("reads");
            if known.insert(bytes.clone()) {
                damages.push((format!("replaced by {}", other.display()), written(bytes)));
            }
        }
        damages
    }

    /// Returns the file of that name as it was after each round, and another file of its kind.
    fn others_of_its_kind(&self, index: &str, name: &str) -> Vec<PathBuf> {
        let kind = |name: &str| name.split_once('.').map(|(_, kind)| kind.to_owned());
        let mut others = Vec::new();
        for folder in &self.after {
            let folder = folder.path().join(index);
            let of_its_kind: Vec<String> =
                names(&folder).into_iter().filter(|other| kind(other) == kind(name)).collect();
            let as_it_was = of_its_kind.iter().find(|other| **other == name);
            let another = of_its_kind.iter().find(|other| **other != name);
            others.extend(as_it_was.into_iter().chain(another).map(|name| folder.join(name)));
        }
        others
    }
}

#[test]
fn the_indexes_of_these_tests_have_files_of_every_kind() {
    for mode in MODES {
        let bench = Bench::new(mode);
        let (text, vectors) = (names(&bench.path("text")), names(&bench.path("vectors")));
        let n_ending = |names: &[String], end: &str| names.iter().filter(|name| name.ends_with(end)).count();
        assert_eq!((n_ending(&text, ".idx"), n_ending(&text, "meta.json")), (3, 1), "{text:?}");
        let n_graphs = if mode == VectorMode::Graph { 4 } else { 0 };
        let n_of_kinds = ["MANIFEST", ".codes", ".full", ".graph"].map(|end| n_ending(&vectors, end));
        assert_eq!(n_of_kinds, [1, 2, 2, n_graphs], "{vectors:?}");
        assert!(
            mode == VectorMode::Exact || vectors.iter().any(|name| name.starts_with("gen-2-")),
            "{vectors:?}"
        );
        assert_same(&bench.expected, &found_afresh(ROUNDS[3], mode), "afresh");
        assert!(bench.expected.len() > 400, "{}", bench.expected.len());
        bench.check("nothing", |_| {});
    }
}

#[test]
fn a_file_of_words_that_is_not_what_was_written_is_noticed() {
    let bench = Bench::new(VectorMode::Exact);
    let first = names(&bench.last().join("text")).swap_remove(0);
    bench.check_files("text", first.split('.').next().expect("a segment"));
}

#[test]
fn a_file_of_vectors_that_is_not_what_was_written_is_noticed() {
    Bench::new(VectorMode::Exact).check_files("vectors", "gen-2");
    // Of the graphs, too, one is of the second round.
    Bench::new(VectorMode::Graph).check_files("vectors", "gen-2-");
}

#[test]
fn whatever_the_folders_hold_searches_find_what_the_store_says() {
    for (mode, index) in MODES.into_iter().zip(INDEXES) {
        let bench = Bench::new(mode);
        let what = |done: &str| format!("{mode:?}, {index}: {done}");
        bench.check(&what("gone"), |folder| remove(&folder.join(index)));
        bench.check(&what("empty"), |folder| {
            remove(&folder.join(index));
            fs_err::create_dir(folder.join(index)).expect("a folder");
        });
        bench.check(&what("strangers in it"), |folder| {
            let folder = folder.join(index);
            for name in ["notes.txt", "gen-9.codes", "MANIFEST.new", ".managed.json", "meta.json.new"] {
                fs_err::write(folder.join(name), "x").expect("writes");
            }
            copy(bench.after[0].path(), &folder.join("a folder"));
        });
        for (earlier, round) in bench.after[..2].iter().zip(1..) {
            let earlier = earlier.path().join(index);
            // The other index stays the one of the last round, and so is later.
            bench.check(&what(&format!("of round {round}")), |folder| replace(&folder.join(index), &earlier));
            bench.check(&what(&format!("with the files of round {round} copied over it")), |folder| {
                copy(&earlier, &folder.join(index));
            });
            bench.check(&what(&format!("copied over that of round {round}")), |folder| {
                replace(&folder.join(index), &earlier);
                copy(&bench.last().join(index), &folder.join(index));
            });
        }
        bench.check(&what("and the other of the second round"), |folder| copy(bench.after[1].path(), folder));
    }
}

#[test]
fn verifying_tells_which_index_was_made_anew_and_only_that() {
    for mode in MODES {
        let bench = Bench::new(mode);
        let made_anew = |damaged: &[(&str, &str)]| {
            bench.restore();
            for (index, end) in damaged {
                let name = names(&bench.path(index)).into_iter().find(|name| name.ends_with(end));
                let path = bench.path(index).join(name.expect("a file of that kind"));
                let mut bytes = fs_err::read(&path).expect("reads");
                let middle = bytes.len() / 2;
                bytes[middle] ^= 1;
                fs_err::write(path, bytes).expect("writes");
            }
            let store = open(&bench.memory, mode);
            let found = verified(&store);
            assert_eq!((found.faults, found.unchecked), (Vec::new(), Vec::new()), "{damaged:?}");
            assert_eq!(verified(&store).made_anew, Vec::<String>::new(), "it is sound now");
            found.made_anew
        };
        assert_eq!(made_anew(&[]), Vec::<String>::new());
        assert_eq!(made_anew(&[("text", ".idx")]), ["full-text index"]);
        assert_eq!(made_anew(&[("text", "meta.json")]), ["full-text index"]);
        for end in ["MANIFEST", ".codes", ".full"] {
            assert_eq!(made_anew(&[("vectors", end)]), ["vectors"], "{end}");
        }
        let both = [("vectors", ".full"), ("text", ".fast")];
        assert_eq!(made_anew(&both), ["full-text index", "vectors"]);
    }
    let store = open(&Memory::new(), VectorMode::Auto);
    tell(&store, 0..600);
    assert_eq!(verified(&store).made_anew, Vec::<String>::new(), "there was none before");
}

#[test]
fn what_stands_in_the_place_of_an_index_is_named_and_left() {
    for (mode, index) in MODES.into_iter().zip(INDEXES) {
        let bench = Bench::new(mode);
        let path = bench.path(index);
        remove(&path);
        fs_err::write(&path, "no folder").expect("writes");
        let error = open(&bench.memory, mode).index().expect_err("there is no room").to_string();
        assert!(error.contains(&format!("{} is in the way", path.display())), "{error}");
        assert_eq!(fs_err::read(&path).expect("it is there"), b"no folder");
        remove(&path);
        assert_sound(&open(&bench.memory, mode), &bench.expected, index);
    }
}

#[test]
fn an_index_may_be_kept_elsewhere_behind_a_link() {
    for (mode, index) in MODES.into_iter().zip(INDEXES) {
        let bench = Bench::new(mode);
        let (path, elsewhere) = (bench.path(index), tempfile::tempdir().expect("a folder"));
        copy(&path, elsewhere.path());
        remove(&path);
        std::os::unix::fs::symlink(elsewhere.path(), &path).expect("links");
        let store = open(&bench.memory, mode);
        assert_sound(&store, &bench.expected, index);
        for space in SPACES {
            let space = store.space(space, false).expect("a space");
            space.erase(&Target::Session(ERASED.to_owned()), clock(20_000)).expect("erases");
        }
        assert_eq!(names(elsewhere.path()), Vec::<String>::new(), "what was erased is not there either");
        assert!(path.is_symlink());
    }
}

#[test]
fn vectors_stay_those_of_the_first_model_however_few_they_are() {
    let other = |memory: &Memory| {
        let embedder = StaticEmbedder::built_in().expect("it is built in");
        open(memory, VectorMode::Auto).with_embedder(Arc::new(embedder))
    };
    let refused = |store: &Store| {
        let error = store.index().expect_err("the vectors are of another model");
        assert!(matches!(error, StoreError::OtherModel { .. }), "{error}");
    };
    for folder in [None, Some(tempfile::tempdir().expect("a folder"))] {
        let memory = folder.as_ref().map_or_else(Memory::new, |folder| Memory::beside(folder.path()));
        let store = open(&memory, VectorMode::Auto);
        store.index().expect("indexes");
        other(&memory).index().expect("there are no vectors yet");
        tell(&store, 0..3);
        verified(&store);
        other(&memory).verify_indexes(&mut Verification::default()).expect("verifying settles nothing");
        store.index().expect("indexes");
        drop(store);
        refused(&other(&memory));
        let mut found = Verification::default();
        assert!(other(&memory).verify_indexes(&mut found).is_err());
        assert_eq!(found.unchecked, ["vectors"]);
        open(&memory, VectorMode::Auto).index().expect("it is the same model");

        // What is erased takes vectors along, and not what model they were of.
        let store = open(&memory, VectorMode::Auto);
        let (space, recording) = told(0);
        let session = recording.episodes[0].session.clone();
        let space = store.space(space, false).expect("a space");
        space.erase(&Target::Session(session), clock(20_000)).expect("erases");
        refused(&other(&memory));
        other(&memory).reindex().expect("makes the indexes");
        refused(&open(&memory, VectorMode::Auto));
        other(&memory).index().expect("it is the same model");
    }
}

/// Makes the words of a turn others.
fn say_otherwise(recording: &mut Recording) {
    for episode in &mut recording.episodes {
        if episode.role != Role::Statement {
            episode.text.push_str(" Or the otter?");
            *episode = episode.clone().with_content_id();
        }
    }
}

#[test]
fn an_index_that_is_ahead_of_its_store_or_was_made_of_another_is_made_again() {
    type Tell = fn(&Store);
    let stores: [(&str, Tell); 6] = [
        ("of nothing", |store| tell(store, 0..0)),
        ("of less", |store| tell(store, 0..700)),
        ("as it was at the second round", |store| tell(store, 0..ROUNDS[1])),
        ("taken back to the second round, and told something else since, at the same times", |store| {
            tell(store, 0..ROUNDS[1]);
            tell_other(store, ROUNDS[1]..ROUNDS[3], clock, |_, recording| say_otherwise(recording));
        }),
        ("told something else long ago", |store| {
            let otherwise = |step, recording: &mut Recording| {
                if step < TOGETHER {
                    say_otherwise(recording);
                }
            };
            tell_other(store, 0..ROUNDS[3], clock, otherwise);
        }),
        ("told the same a moment later", |store| {
            tell_other(store, 0..ROUNDS[3], |step| clock(step).plus_micros(1), |_, _| {});
        }),
    ];
    let bench = Bench::new(VectorMode::Graph);
    for (what, tell) in stores {
        bench.restore();
        let (memory, afresh) = (Memory::beside(bench.folder.path()), open(&Memory::new(), bench.mode));
        tell(&open(&memory, bench.mode));
        tell(&afresh);
        assert_sound(&open(&memory, bench.mode), &found(&afresh), what);
    }
}

#[test]
fn an_index_is_followed_where_its_folder_is_damaged_while_it_is_open() {
    /// Does something to the folders of a store, with those of another one at hand.
    type Damage = fn(&Path, &Path);
    fn change_all(folder: &Path, change: fn(&mut Vec<u8>)) {
        for index in INDEXES {
            for name in names(&folder.join(index)) {
                let path = folder.join(index).join(name);
                let mut bytes = fs_err::read(&path).expect("reads");
                change(&mut bytes);
                fs_err::write(&path, bytes).expect("writes");
            }
        }
    }
    let damages: [(&str, Damage); 4] = [
        ("cut short", |folder, _| change_all(folder, |bytes| bytes.truncate(bytes.len() / 2))),
        ("changed", |folder, _| change_all(folder, |bytes| bytes.iter_mut().for_each(|byte| *byte ^= 1))),
        ("of another store", |folder, other| {
            for index in INDEXES {
                replace(&folder.join(index), &other.join(index));
            }
        }),
        ("gone", |folder, _| {
            for index in INDEXES {
                remove(&folder.join(index));
            }
        }),
    ];
    for mode in MODES {
        let expected = [520, 1_040].map(|n_steps| found_afresh(n_steps, mode));
        let told = || {
            let folder = tempfile::tempdir().expect("a folder");
            let memory = Memory::beside(folder.path());
            let store = open(&memory, mode);
            tell(&store, 0..520);
            assert_same(&found(&store), &expected[0], "on disk");
            (folder, memory, store)
        };
        let other = told();
        for (what, damage) in damages {
            let what = format!("{mode:?}: {what}");
            let (folder, memory, store) = told();
            damage(folder.path(), other.0.path());
            assert_same(&found(&store), &expected[0], &what);
            tell(&store, 520..1_040);
            assert_sound(&store, &expected[1], &what);
            drop(store);
            assert_same(&found(&open(&memory, mode)), &expected[1], &what);
        }
    }
}

#[test]
fn vectors_that_are_sound_are_not_made_again_because_writing_fails() {
    let folder = tempfile::tempdir().expect("a folder");
    let embedder = Arc::new(Sums::new());
    let store =
        open(&Memory::beside(folder.path()), VectorMode::Exact).with_embedder(Arc::clone(&embedder) as _);
    tell(&store, 0..520);
    store.index().expect("indexes");
    // The next file to be written cannot be.
    let next = folder.path().join("vectors/gen-2.codes");
    std::os::unix::fs::symlink("nowhere", &next).expect("links");
    tell(&store, 520..1_040);
    let error = store.index().expect_err("a link is in the way").to_string();
    assert!(error.contains(&format!("{} is in the way", next.display())), "{error}");
    assert!(next.is_symlink());
    fs_err::remove_file(&next).expect("removes");
    assert_sound(&store, &found_afresh(1_040, VectorMode::Exact), "written again");
    // Writing was tried twice, and then once more.
    let n_verified = 1_040;
    assert_eq!(embedder.n_embedded.load(Ordering::Relaxed), 520 + 3 * 520 + n_verified);
}

/// Makes of a turn another one that has its id.
type Change = fn(&mut Episode);

#[test]
fn an_index_of_other_things_under_the_same_ids_is_reported() {
    const N_STEPS: u64 = 560;
    const CHANGED: u64 = 100;
    const BOTH: &[&str] = &["full-text index", "vectors"];
    let as_it_is: Change = |_| {};
    let no_document: Change = |episode| episode.role = Role::Statement;
    let cases: [(&str, Change, Change, &[&str]); 9] = [
        ("the same", as_it_is, as_it_is, &[]),
        ("a document is missing", no_document, as_it_is, BOTH),
        ("there is one too many", as_it_is, no_document, BOTH),
        ("a word is said once more", |episode| episode.text.push_str(" saw"), as_it_is, BOTH),
        ("a word is another", |episode| episode.text = episode.text.replace("saw", "met"), as_it_is, BOTH),
        (
            "the same words in other letters",
            |episode| episode.text = episode.text.to_uppercase(),
            as_it_is,
            &BOTH[1..],
        ),
        ("it has another place", |episode| episode.position += 1, as_it_is, &BOTH[..1]),
        ("it was said by another", |episode| episode.role = Role::Agent, as_it_is, &BOTH[..1]),
        ("it was known later", |episode| episode.time = episode.time.plus_micros(1), as_it_is, &BOTH[..1]),
    ];
    for (what, in_index, in_store, expected) in cases {
        let folder = tempfile::tempdir().expect("a folder");
        let tell = |change: Change| {
            let store = open(&Memory::beside(folder.path()), VectorMode::Graph);
            tell_other(&store, 0..N_STEPS, clock, |step, recording| {
                if step == CHANGED {
                    recording.episodes.iter_mut().for_each(change);
                }
            });
            store
        };
        tell(in_index).index().expect("indexes");
        let store = tell(in_store);
        let faults = faults_of(&store);
        let named: Vec<&str> = faults.iter().filter_map(|fault| Some(fault.split_once(':')?.0)).collect();
        assert_eq!(named, expected, "{what}: {faults:?}");
        store.reindex().expect("makes the indexes");
        assert_eq!(faults_of(&store), Vec::<String>::new(), "{what}");
    }
}

/// Storage on a machine that stops before what was erased is dropped from it.
struct Stopping(Memory);

impl Backend for Stopping {
    fn snapshot(&self) -> Box<dyn Reader + '_> {
        self.0.snapshot()
    }

    fn commit(&self, batch: &Batch) -> Result<(), StoreError> {
        self.0.commit(batch)
    }

    fn purge(&self) -> Result<(), StoreError> {
        Err(StoreError::Storage("the machine stopped".to_owned()))
    }

    fn search(&self, needles: &[Vec<u8>]) -> Result<ByteSearch, StoreError> {
        self.0.search(needles)
    }

    fn folder(&self) -> Option<&Path> {
        self.0.folder()
    }

    fn link_to(&self, folder: &Path) -> Result<(), StoreError> {
        self.0.link_to(folder)
    }

    fn size(&self) -> Result<u64, StoreError> {
        self.0.size()
    }
}

const ERASED: &str = "s3";

fn is_erased(recording: &Recording) -> bool {
    recording.episodes.iter().any(|episode| episode.session == ERASED)
}

/// What of an erased session may not be in any file: its words, and the ids of its turns.
fn erased_bytes() -> Vec<Vec<u8>> {
    let erased = (0..ROUNDS[3]).filter(|step| is_erased(&told(*step).1));
    let of_step = |step: u64| {
        let id = told(step).1.episodes[0].id.bytes().to_vec();
        [format!("number{step}").into_bytes(), format!("Number{step}").into_bytes(), id]
    };
    erased.flat_map(of_step).collect()
}

/// The files of a folder, at any depth, with their bytes.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut all = Vec::new();
    for name in names(folder) {
        let path = folder.join(&name);
        if path.is_dir() {
            all.extend(files(&path));
        } else {
            all.push((name, fs_err::read(path).expect("reads")));
        }
    }
    all
}

fn has_any(bytes: &[u8], needles: &[Vec<u8>]) -> bool {
    needles.iter().any(|needle| bytes.windows(needle.len()).any(|window| window == needle))
}

#[test]
fn what_was_erased_is_in_neither_folder_whatever_is_put_back() {
    let needles = erased_bytes();
    assert_eq!(needles.len(), 3 * 48, "the turns of the session, in both spaces");
    let bench = Bench::new(VectorMode::Graph);
    let mode = bench.mode;
    let afresh = open(&Memory::new(), mode);
    tell_other(&afresh, 0..ROUNDS[3], clock, |_, recording| {
        recording.episodes.retain(|episode| episode.session != ERASED);
    });
    let expected = found(&afresh);
    // Words do not stand in a dictionary in one piece, so no file of before may be there at all.
    let before: BTreeSet<String> =
        bench.after.iter().flat_map(|copied| names(&copied.path().join("text"))).collect();
    assert!(files(bench.folder.path()).iter().any(|(_, bytes)| has_any(bytes, &needles)));
    let assert_gone = |what: &str| {
        for (name, bytes) in files(bench.folder.path()) {
            let is_old = before.contains(&name) && name != "meta.json";
            assert!(!is_old && !has_any(&bytes, &needles), "{what}: {name}");
        }
    };

    let store = open_over(Box::new(Stopping(bench.memory.clone())), mode);
    for space in SPACES {
        let space = store.space(space, false).expect("a space");
        let erased = space.erase(&Target::Session(ERASED.to_owned()), clock(20_000));
        assert!(erased.is_err(), "the machine stopped");
    }
    drop(store);
    // As if it had stopped a moment earlier.
    bench.restore();
    let store = open(&bench.memory, mode);
    assert_gone("purged when the store is opened");
    assert_sound(&store, &expected, "purged when the store is opened");
    assert_gone("indexed again");
    drop(store);

    for earlier in &bench.after {
        bench.put_back(earlier);
        assert_sound(&open(&bench.memory, mode), &expected, "an older copy");
        assert_gone("an older copy");
    }
}

#[test]
fn erasing_takes_the_folders_away() {
    let bench = Bench::new(VectorMode::Graph);
    let store = open(&bench.memory, bench.mode);
    let space: Space<'_> = store.space(SPACES[0], false).expect("a space");
    space.erase(&Target::Session(ERASED.to_owned()), clock(20_000)).expect("erases");
    assert_eq!(files(bench.folder.path()), Vec::new());
}

#[cfg(feature = "rocksdb")]
#[test]
fn a_store_on_disk_may_stand_beside_indexes_of_another_time() {
    use bygone_engine::backend::Rocks;

    let built_in = |backend: Box<dyn Backend>| {
        let store = Store::open(backend, Arc::clone(&ONTOLOGY) as _).expect("opens");
        store.set_vector_mode(VectorMode::Graph);
        store
    };
    let open = |folder: &Path| built_in(Box::new(Rocks::open(folder, true, "a test").expect("opens")));
    let folder = tempfile::tempdir().expect("a folder");
    let afresh = built_in(Box::new(Memory::new()));
    let mut states = Vec::new();
    for steps in [0..ROUNDS[1], ROUNDS[1]..ROUNDS[3]] {
        let store = open(folder.path());
        tell(&store, steps.clone());
        store.index().expect("indexes");
        drop(store);
        let copied = tempfile::tempdir().expect("a folder");
        copy(folder.path(), copied.path());
        tell(&afresh, steps);
        states.push((copied, found(&afresh)));
    }
    for (of_store, expected) in &states {
        for (of_text, _) in &states {
            for (of_vectors, _) in &states {
                let parts = [("data", of_store), ("text", of_text), ("vectors", of_vectors)];
                for (part, of) in parts {
                    replace(&folder.path().join(part), &of.path().join(part));
                }
                // How far commits were acknowledged belongs to the data.
                let acknowledged = "ACKNOWLEDGED";
                fs_err::copy(of_store.path().join(acknowledged), folder.path().join(acknowledged))
                    .expect("copied");
                assert_sound(&open(folder.path()), expected, &format!("{parts:?}"));
                assert_same(&found(&open(folder.path())), expected, &format!("{parts:?}, opened again"));
            }
        }
    }
}
