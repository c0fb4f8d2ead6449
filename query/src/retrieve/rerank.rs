//! What a reranker makes of what was found: the best of it in the order of a model that reads text and hit together.
//!
//! ```text
//! ranked    A .9  B .7  C .4 │ D .2      the best are handed to the model, the rest stays behind them
//! its scores   -3    8     1 │
//! in order  B .9  C .7  A .4 │ D .2      scores stay where they were, and what was found moves
//! ```
//!
//! Scores of a model compare with nothing else, so the model's own stand among the channels alone.
//! Invariant: everything found comes back once, and the sequence of scores is the same as before.

use bygone_engine::StoreError;
use bygone_engine::embed::Reranker;
use bygone_engine::time::{Granularity, format_instant};

use super::found::{Found, Item};

/// How many hits a reranker is handed, turns and facts together. Chosen, untested: a page of hits or a prompt's context is
/// among them, and a model reads them in one question.
pub(super) const MOST: usize = 50;

/// The channel under which the model's score stands.
pub const CHANNEL: &str = "rerank";

/// Puts the best of what was found, best first, into the order of a reranker; of what it says nothing of, the order stays,
/// behind all that it does.
///
/// # Errors
/// [`StoreError::Embed`] where the reranker fails.
pub(super) fn rerank(reranker: &dyn Reranker, text: &str, found: &mut Vec<Found>) -> Result<(), StoreError> {
    let n_read = found.len().min(MOST);
    if n_read == 0 {
        return Ok(());
    }
    let documents: Vec<String> = found[..n_read].iter().map(|found| document(&found.item)).collect();
    let documents: Vec<&str> = documents.iter().map(String::as_str).collect();
    let ranked = reranker.rerank(text, &documents, n_read)?;

    let scores: Vec<f64> = found.iter().map(|found| found.score).collect();
    let mut left: Vec<Option<Found>> = found.drain(..).map(Some).collect();
    for one in ranked {
        if let Some(mut next) = left.get_mut(one.position).and_then(Option::take) {
            next.channels.push((CHANNEL, f64::from(one.score)));
            found.push(next);
        }
    }
    found.extend(left.into_iter().flatten());
    for (found, score) in found.iter_mut().zip(scores) {
        found.score = score;
    }
    Ok(())
}

/// Returns what a model reads of something found: a turn with who says it and on which day, a fact as a sentence.
fn document(item: &Item) -> String {
    let Item::Turn(record) = item else { return item.text() };
    let turn = &record.episode;
    let day = format_instant(Granularity::Day.floor(turn.time));
    match &turn.speaker {
        Some(speaker) => format!("{}, {day}: {}", speaker.name(), turn.text),
        None => format!("{day}: {}", turn.text),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use bygone_engine::backend::Memory;
    use bygone_engine::embed::{EmbedError, Ranked};
    use bygone_engine::episode::Role;
    use bygone_engine::record::RecordedEpisode;
    use bygone_engine::store::{Recording, Store};
    use bygone_engine::time::{Instant, parse_moment};
    use bygone_engine::wire::{Defaults, read_statement};
    use bygone_engine::{EntityRef, Episode, EpisodeId, View};
    use bygone_ontology::Ontology;

    use super::super::{Kind, Sought, search};
    use super::*;
    use crate::request::Request;

    /// A model that gives documents the scores that it is told to, and notes what it is asked.
    #[derive(Default)]
    struct Told {
        ranked: Vec<Ranked>,
        asked: Mutex<Vec<(String, Vec<String>, usize)>>,
    }

    impl Told {
        fn new(ranked: &[(usize, f32)]) -> Told {
            let ranked = ranked.iter().map(|&(position, score)| Ranked { position, score }).collect();
            Told { ranked, ..Told::default() }
        }
    }

    impl Reranker for Told {
        fn rerank(&self, query: &str, documents: &[&str], top: usize) -> Result<Vec<Ranked>, EmbedError> {
            let documents = documents.iter().map(|&text| text.to_owned()).collect();
            self.asked.lock().expect("no test panics in it").push((query.to_owned(), documents, top));
            Ok(self.ranked.clone())
        }
    }

    /// The last comes first, and the further, the better.
    struct Backwards;

    impl Reranker for Backwards {
        fn rerank(&self, _: &str, documents: &[&str], top: usize) -> Result<Vec<Ranked>, EmbedError> {
            let backwards = (0..documents.len()).rev().zip((0_u8..).map(f32::from));
            Ok(backwards.take(top).map(|(position, nth)| Ranked { position, score: -nth }).collect())
        }
    }

    struct Failing;

    impl Reranker for Failing {
        fn rerank(&self, _: &str, _: &[&str], _: usize) -> Result<Vec<Ranked>, EmbedError> {
            let url = "http://127.0.0.1:1/v1/rerank".to_owned();
            Err(EmbedError::Unreachable { url, attempts: 1, reason: "nobody is there".to_owned() })
        }
    }

    fn at(text: &str) -> Instant {
        parse_moment(text).expect("a time").at
    }

    fn episode(position: u64, speaker: Option<&str>, text: &str) -> Episode {
        Episode {
            id: EpisodeId::UNHASHED,
            session: "talk".to_owned(),
            position,
            role: Role::User,
            speaker: speaker.map(|name| EntityRef::new("person", name).expect("a name")),
            agent: None,
            user: None,
            time: at("2024-03-01T09:30:00Z"),
            time_inferred: false,
            zone: None,
            native_id: None,
            text: text.to_owned(),
            raw: None,
        }
        .with_content_id()
    }

    fn found(speaker: Option<&str>, text: &str, score: f64) -> Found {
        let record = RecordedEpisode { episode: episode(0, speaker, text), seq: 1, at: at("2024-04") };
        Found { item: Item::Turn(Box::new(record)), score, channels: vec![("text", score)] }
    }

    fn three() -> Vec<Found> {
        vec![found(Some("Anna"), "one", 0.9), found(None, "two", 0.7), found(Some("Ben"), "three", 0.4)]
    }

    /// What was found, each as its text, its score, and what the model gave it.
    fn seen(found: &[Found]) -> Vec<(String, f64, Option<f64>)> {
        let given = |found: &Found| found.channels.iter().find(|(name, _)| *name == CHANNEL).map(|(_, s)| *s);
        found.iter().map(|found| (found.item.text(), found.score, given(found))).collect()
    }

    #[track_caller]
    fn check(ranked: &[(usize, f32)], expected: &[(&str, f64, Option<f64>)]) {
        let mut found = three();
        rerank(&Told::new(ranked), "which?", &mut found).expect("ranks");
        let expected: Vec<_> =
            expected.iter().map(|&(text, score, given)| (text.to_owned(), score, given)).collect();
        assert_eq!(seen(&found), expected);
    }

    #[test]
    fn what_was_found_moves_and_the_scores_stay() {
        check(
            &[(2, 8.0), (0, 1.0), (1, -3.0)],
            &[("three", 0.9, Some(8.0)), ("one", 0.7, Some(1.0)), ("two", 0.4, Some(-3.0))],
        );
    }

    #[test]
    fn what_scores_the_same_stays_as_the_reranker_puts_it() {
        check(
            &[(0, 0.5), (1, 0.5), (2, 0.5)],
            &[("one", 0.9, Some(0.5)), ("two", 0.7, Some(0.5)), ("three", 0.4, Some(0.5))],
        );
    }

    #[test]
    fn what_the_reranker_leaves_out_stays_behind_in_its_order() {
        check(&[(2, 1.0)], &[("three", 0.9, Some(1.0)), ("one", 0.7, None), ("two", 0.4, None)]);
        check(&[], &[("one", 0.9, None), ("two", 0.7, None), ("three", 0.4, None)]);
    }

    #[test]
    fn what_is_said_twice_or_of_nothing_counts_once_or_not() {
        check(
            &[(1, 2.0), (1, 1.5), (7, 1.0), (0, 0.5)],
            &[("two", 0.9, Some(2.0)), ("one", 0.7, Some(0.5)), ("three", 0.4, None)],
        );
    }

    #[test]
    fn the_model_reads_who_said_it_and_when() {
        let told = Told::default();
        rerank(&told, "which?", &mut three()).expect("ranks");
        let texts = ["Anna, 2024-03-01: one", "2024-03-01: two", "Ben, 2024-03-01: three"];
        let expected = ("which?".to_owned(), texts.map(str::to_owned).to_vec(), 3);
        assert_eq!(*told.asked.lock().expect("no test panics in it"), [expected]);
    }

    #[test]
    fn nothing_is_asked_about_nothing() {
        rerank(&Failing, "which?", &mut Vec::new()).expect("asks nobody");
    }

    #[test]
    fn a_reranker_that_fails_is_named() {
        let error = rerank(&Failing, "which?", &mut three()).expect_err("fails").to_string();
        assert_eq!(error, "http://127.0.0.1:1/v1/rerank does not answer (attempts: 1): nobody is there");
    }

    /// A store of a fact and many turns about a dog.
    fn store(n_turns: u64) -> Store {
        let store = Store::open(Box::new(Memory::new()), Arc::new(Ontology::core())).expect("a store");
        let line = r#"{"subject": "person:Anna", "predicate": "owns", "object": {"entity": "thing:dog"}, "from": "2020"}"#;
        let defaults = Defaults { now: at("2024"), document: "test".to_owned(), position: 0 };
        let statement = read_statement(line, &defaults).expect("a statement");
        let turns =
            (1..=n_turns).map(|position| episode(position, Some("Ben"), &format!("dog number {position}")));
        let recording = Recording {
            episodes: turns.chain([statement.episode]).collect(),
            assertions: vec![statement.assertion],
            ..Recording::default()
        };
        store.space("default", true).expect("a space").record(recording, at("2024-04")).expect("recorded");
        store
    }

    fn searched(store: &Store, kinds: &[Kind], n_wanted: usize) -> Result<Vec<Found>, StoreError> {
        let space = store.space("default", false).expect("a space");
        let snapshot = space.snapshot();
        let seen = snapshot.seen(&View::LATEST).expect("reads");
        let request = Request::present(at("2025"));
        let ontology = Ontology::core();
        let (ontology, request) = (&ontology, &request);
        Ok(search(&Sought { seen: &seen, ontology, request, text: "dog", kinds, n_wanted })?.found)
    }

    #[test]
    fn a_search_hands_over_the_best_of_turns_and_facts_together() {
        let plain = searched(&store(60), Kind::ALL, 61).expect("finds");
        assert_eq!(plain.len(), 61);
        let store = store(60).with_reranker(Arc::new(Backwards));
        let ids = |found: &[Found]| found.iter().map(|found| found.item.id()).collect::<Vec<_>>();
        let mut expected = ids(&plain);
        expected[..MOST].reverse();
        let all = searched(&store, Kind::ALL, 61).expect("finds");
        assert_eq!(ids(&all), expected);
        assert!(all[..MOST].iter().any(|found| found.item.kind() == Kind::Fact));
        assert!(plain.iter().map(|found| found.score).eq(all.iter().map(|found| found.score)));
        assert!(
            all.iter()
                .map(|found| found.channels.iter().any(|(name, _)| *name == CHANNEL))
                .eq((0..61).map(|at| at < MOST))
        );
        // What is cut off had its chance.
        assert_eq!(ids(&searched(&store, Kind::ALL, 3).expect("finds")), expected[..3]);
        let facts = searched(&store, &[Kind::Fact], 3).expect("finds");
        assert_eq!(seen(&facts)[0].2, Some(0.0));
    }

    #[test]
    fn a_search_fails_with_its_reranker() {
        let store = store(3).with_reranker(Arc::new(Failing));
        assert!(matches!(searched(&store, Kind::ALL, 3), Err(StoreError::Embed(_))));
    }
}
