//! Search in random views over random histories: nothing is found that the view does not see, everything is found that
//! it does, and the order is that of a store which was never told anything else.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, LazyLock};

use bygone_engine::backend::{Backend, Memory};
use bygone_engine::episode::Role;
use bygone_engine::store::{Recording, Space, Store, Target};
use bygone_engine::time::Instant;
use bygone_engine::wire::Statement;
use bygone_engine::{Episode, EpisodeId, Modality, RecordedAt, ValidTime, View};
use bygone_eval::belief::believed::believed;
use bygone_eval::belief::random::{Operation, definitions, operations, views};
use bygone_eval::belief::splitmix::Random;
use bygone_eval::belief::visible::Recorded;
use bygone_ontology::Ontology;
use bygone_query::Request;
use bygone_query::retrieve::{Found, Item, Kind, Sought, search};

/// Operations of one history.
const OPERATIONS: usize = 60;
/// Turns said between them.
const TURNS: usize = 40;
/// Views asked of each history.
const VIEWS: usize = 10;
/// Questions asked in each view.
const QUESTIONS: usize = 40;
/// Words of turns and questions, none of which has another form; names of the statements are among them.
const WORDS: [&str; 12] =
    ["Berlin", "Munich", "Acme", "Ann", "Bob", "Gamma", "tax", "robot", "dog", "jazz", "piano", "lamp"];

fn open(backend: Box<dyn Backend>) -> Store {
    Store::open(backend, Arc::clone(&ONTOLOGY) as _).expect("opens")
}

fn clock(step: usize) -> Instant {
    let micros = 1_700_000_000_000_000 + i64::try_from(step).expect("few steps") * 1_000_000;
    Instant::from_micros(micros).expect("ordinary")
}

/// A turn of one of the sessions that the statements come from, at a time at which one of them was made.
fn turn(random: &mut Random, position: u64, like: &Statement) -> Episode {
    let n_words = 1 + random.below(6);
    let text: Vec<&str> = (0..n_words).map(|_| *random.one_of(&WORDS)).collect();
    let like = &like.episode;
    let has_user = random.chance(50);
    Episode {
        id: EpisodeId::UNHASHED,
        session: like.session.clone(),
        position,
        role: Role::User,
        speaker: None,
        agent: like.agent.clone().filter(|_| !has_user),
        user: like.user.clone().filter(|_| has_user),
        time: like.time,
        time_inferred: false,
        zone: None,
        native_id: None,
        text: text.join(" "),
        raw: None,
    }
    .with_content_id()
}

/// A turn as the store recorded it.
#[derive(Clone)]
struct Told {
    seq: u64,
    at: Instant,
    episode: Episode,
}

/// What was told and not erased.
#[derive(Clone, Default)]
struct Log {
    statements: Vec<Recorded>,
    /// The episodes of statements.
    carriers: Vec<Told>,
    turns: Vec<Told>,
}

/// Plays a history with turns between its operations into a space.
fn play(space: &Space<'_>, seed: u64) -> Log {
    let mut random = Random::new(seed ^ 0x7e57);
    let history = operations(seed, OPERATIONS);
    let statements: Vec<&Statement> = history
        .iter()
        .filter_map(|operation| match operation {
            Operation::Assert(statement) => Some(&**statement),
            Operation::Erase { .. } => None,
        })
        .collect();
    let mut turns: BTreeMap<usize, Vec<Episode>> = BTreeMap::new();
    for position in 0..TURNS {
        let step = usize::try_from(random.below(OPERATIONS as u64)).expect("few");
        let said = turn(&mut random, 1_000 + position as u64, random_statement(&statements, seed, position));
        turns.entry(step).or_default().push(said);
    }
    let mut log = Log::default();
    let mut erased: BTreeSet<String> = BTreeSet::new();
    for (step, operation) in history.iter().enumerate() {
        let mut recording =
            Recording { episodes: turns.remove(&step).unwrap_or_default(), ..Recording::default() };
        // As with statements, nothing is said again in a session that was erased.
        recording.episodes.retain(|episode| !erased.contains(&episode.session));
        if let Operation::Assert(statement) = operation {
            recording.episodes.push(statement.episode.clone());
            recording.assertions.push(statement.assertion.clone());
        }
        let told = recording.episodes.clone();
        let receipt = space.record(recording, clock(step)).expect("records");
        if let Some(seq) = receipt.seq {
            let at = clock(step);
            for episode in told {
                let known = log.turns.iter().chain(&log.carriers).any(|told| told.episode.id == episode.id);
                if !known {
                    let list = if episode.role == Role::User { &mut log.turns } else { &mut log.carriers };
                    list.push(Told { seq, at, episode });
                }
            }
            if let Operation::Assert(statement) = operation
                && log.statements.iter().all(|known| known.assertion.id != statement.assertion.id)
            {
                log.statements.push(Recorded { seq, at, assertion: statement.assertion.clone() });
            }
        }
        if let Operation::Erase { session } = operation {
            space.erase(&Target::Session(session.clone()), clock(step)).expect("erases");
            erased.insert(session.clone());
            log.statements.retain(|known| known.assertion.source.session != *session);
            log.carriers.retain(|told| told.episode.session != *session);
            log.turns.retain(|told| told.episode.session != *session);
        }
    }
    log
}

fn random_statement<'s>(statements: &[&'s Statement], seed: u64, nth: usize) -> &'s Statement {
    let mut random = Random::new(seed.wrapping_mul(31).wrapping_add(nth as u64));
    let one: &&Statement = random.one_of(statements);
    one
}

fn is_reached(told: &Told, view: &View) -> bool {
    told.episode.time <= view.known
        && match view.recorded {
            RecordedAt::Latest => true,
            RecordedAt::Seq(seq) => told.seq <= seq,
            RecordedAt::Instant(at) => told.at <= at,
        }
}

/// Returns the turns that a view sees, by the words of the contract.
fn visible_turns<'l>(log: &'l Log, view: &View) -> Vec<&'l Episode> {
    let reached: Vec<&Episode> = log
        .turns
        .iter()
        .chain(&log.carriers)
        .filter(|told| is_reached(told, view))
        .map(|told| &told.episode)
        .collect();
    let narrowing = &view.narrowing;
    let is_listened_to = |episode: &Episode| {
        let of_session = || reached.iter().filter(|other| other.session == episode.session);
        narrowing.session.as_ref().is_none_or(|asked| *asked == episode.session)
            && (narrowing.agent.is_none() || of_session().any(|other| other.agent == narrowing.agent))
            && (narrowing.user.is_none() || of_session().any(|other| other.user == narrowing.user))
    };
    let turns = log.turns.iter().filter(|told| is_reached(told, view)).map(|told| &told.episode);
    turns.filter(|episode| is_listened_to(episode)).collect()
}

static ONTOLOGY: LazyLock<Arc<Ontology>> = LazyLock::new(|| Arc::new(Ontology::core()));

fn find(space: &Space<'_>, request: &Request, question: &str, kinds: &[Kind]) -> Vec<Found> {
    let snapshot = space.snapshot();
    let seen = snapshot.seen(&request.view).expect("reads");
    let sought =
        Sought { seen: &seen, ontology: &ONTOLOGY, request, text: question, kinds, n_wanted: 10_000 };
    search(&sought).expect("searches").found
}

/// A supposition in a turn's place: it says nothing, and its speaker takes part in the session, as the turn's does.
fn attendance(told: &Told, log: &Log) -> Option<Recorded> {
    let mut assertion = log.statements.first()?.assertion.clone();
    assertion.modality = Modality::Hypothetical;
    assertion.known_at = told.episode.time;
    assertion.source.session.clone_from(&told.episode.session);
    assertion.source.agent.clone_from(&told.episode.agent);
    assertion.source.user.clone_from(&told.episode.user);
    Some(Recorded { seq: told.seq, at: told.at, assertion: assertion.with_content_id() })
}

fn check_facts(seed: u64, log: &Log, request: &Request, found: &[Found]) {
    let mut statements = log.statements.clone();
    statements.extend(log.turns.iter().filter_map(|told| attendance(told, log)));
    let model = believed(&definitions(), &statements, &request.view);
    for hit in found {
        let Item::Fact(row, evidence) = &hit.item else { continue };
        let assertion = &evidence.recorded.assertion;
        let what = format!("seed {seed}, {request:?}, {:?}", row.fact);
        assert!(assertion.known_at <= request.view.known, "found by what was said later: {what}");
        assert!(request.valid.selects(row.fact.validity), "not at the time asked about: {what}");
        if assertion.predicate == "same_as" {
            continue;
        }
        let group = (row.group.subject.clone(), row.group.predicate.clone(), row.group.key.clone());
        let stretches = model.get(&group).map(Vec::as_slice).unwrap_or_default();
        for segment in &row.fact.segments {
            let is_believed = stretches.iter().any(|(object, from, to, basis)| {
                *object == row.fact.object
                    && *from <= segment.from
                    && segment.to <= *to
                    && *basis == segment.basis
            });
            assert!(is_believed, "not believed in the view: {what}");
        }
    }
}

/// Asks questions of one history in many views; returns how many.
fn check_history(seed: u64, space: &Space<'_>) -> usize {
    let log = play(space, seed);
    let mut random = Random::new(seed ^ 0xa5c);
    let mut n_pairs = 0;
    for (view, valid) in views(seed, VIEWS, &operations(seed, OPERATIONS)) {
        let recorded = match view.recorded {
            RecordedAt::Seq(_) if !log.turns.is_empty() => RecordedAt::Seq(random.one_of(&log.turns).seq),
            RecordedAt::Instant(_) if !log.turns.is_empty() => {
                RecordedAt::Instant(random.one_of(&log.turns).at)
            }
            RecordedAt::Latest | RecordedAt::Seq(_) | RecordedAt::Instant(_) => RecordedAt::Latest,
        };
        let view = View { recorded, ..view };
        let visible = visible_turns(&log, &view);
        let valid = valid.map_or(ValidTime::All, ValidTime::At);
        let request = Request { view: view.clone(), valid, ..Request::present(clock(10_000)) };
        for _ in 0..QUESTIONS {
            let words: BTreeSet<&str> = (0..=random.below(2)).map(|_| *random.one_of(&WORDS)).collect();
            let question = words.iter().copied().collect::<Vec<_>>().join(" ");
            n_pairs += 1;
            let found = find(space, &request, &question, Kind::ALL);
            let turns: BTreeSet<EpisodeId> = found
                .iter()
                .filter_map(|hit| match &hit.item {
                    Item::Turn(record) => Some(record.episode.id),
                    Item::Fact(..) => None,
                })
                .collect();
            let has_word = |episode: &&&Episode| episode.text.split(' ').any(|word| words.contains(word));
            let expected: BTreeSet<EpisodeId> =
                visible.iter().filter(has_word).map(|episode| episode.id).collect();
            assert!(turns.is_superset(&expected), "missed: seed {seed}, {view:?}, {question:?}");
            let reached: BTreeSet<EpisodeId> = visible.iter().map(|episode| episode.id).collect();
            assert!(turns.is_subset(&reached), "outside: seed {seed}, {view:?}, {question:?}");
            check_facts(seed, &log, &request, &found);
            assert!(found.is_sorted_by(|one, next| one.score >= next.score), "seed {seed}: best first");
        }
    }
    check_replay(seed, space, &log);
    n_pairs
}

/// A store that was only ever told what was known by then finds the same, in the same order, with the same scores.
fn check_replay(seed: u64, space: &Space<'_>, log: &Log) {
    let Some(last) = log.turns.get(log.turns.len() / 2) else { return };
    let known = last.episode.time;
    let told_less = open(Box::new(Memory::new()));
    let told_less = told_less.space("default", true).expect("a space");
    let told = log.turns.iter().chain(&log.carriers).map(|told| &told.episode);
    let recording = Recording {
        episodes: told.filter(|episode| episode.time <= known).cloned().collect(),
        assertions: (log.statements.iter().map(|recorded| &recorded.assertion))
            .filter(|assertion| assertion.known_at <= known)
            .cloned()
            .collect(),
        ..Recording::default()
    };
    told_less.record(recording, clock(0)).expect("records");
    let latest = Request { valid: ValidTime::All, ..Request::present(clock(10_000)) };
    let as_known = Request { view: View::known_at(known), ..latest.clone() };
    let told = |found: Vec<Found>| -> Vec<(String, f64)> {
        found.into_iter().map(|hit| (hit.item.id(), hit.score)).collect()
    };
    for word in WORDS {
        let here = told(find(space, &as_known, word, &[Kind::Turn]));
        let there = told(find(&told_less, &latest, word, &[Kind::Turn]));
        assert_eq!(here, there, "replay, seed {seed}, {word:?}");
    }
}

/// Asks a quarter of a hundred thousand questions.
fn check_histories(seeds: std::ops::Range<u64>) {
    let mut n_pairs = 0;
    for seed in seeds {
        let store = open(Box::new(Memory::new()));
        n_pairs += check_history(seed, &store.space("default", true).expect("a space"));
    }
    assert!(n_pairs >= 25_000, "{n_pairs}");
}

#[test]
fn nothing_outside_the_view_is_found_and_nothing_with_a_word_is_missed() {
    check_histories(0..63);
}

#[test]
fn nor_in_the_second_quarter_of_a_hundred_thousand_pairs() {
    check_histories(63..126);
}

#[test]
fn nor_in_the_third_quarter_of_a_hundred_thousand_pairs() {
    check_histories(126..189);
}

#[test]
fn nor_in_the_last_quarter_of_a_hundred_thousand_pairs() {
    check_histories(189..252);
}

#[cfg(feature = "rocksdb")]
#[test]
fn neither_does_an_index_on_disk_that_many_spaces_share() {
    use bygone_engine::backend::Rocks;

    let folder = tempfile::tempdir().expect("a folder");
    let store = open(Box::new(Rocks::open(folder.path(), true, "a test").expect("opens")));
    for seed in 300..320 {
        let space = store.space(&format!("seed-{seed}"), true).expect("a space");
        check_history(seed, &space);
    }
}
