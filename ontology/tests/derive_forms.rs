//! The forms that facts took are followed from statement to statement: it comes to the same as deriving everything afresh after
//! each batch.

use bygone_engine::semantics::derived_after_each;
use bygone_engine::time::{Bound, Granularity, Instant, Moment, Period, Validity};
use bygone_engine::{
    Assertion, AssertionId, Authority, EntityRef, EpisodeId, Form, Modality, Object, Polarity, Semantics,
    Source, Told,
};
use bygone_ontology::Ontology;
use proptest::prelude::*;

/// How one group is told: over how many days and objects, and which statements in a hundred are what.
#[derive(Clone, Copy, Debug)]
struct Manner {
    days: i64,
    objects: u8,
    denies: u32,
    bounded: u32,
    coarse: u32,
    undated: u32,
}

/// Few days, so that bounds meet; every form of statement.
const DENSE: Manner = Manner { days: 12, objects: 3, denies: 35, bounded: 35, coarse: 30, undated: 5 };
/// Mostly changes in order, as they are told of one who moves.
const SPARSE: Manner = Manner { days: 900, objects: 5, denies: 12, bounded: 25, coarse: 15, undated: 0 };

const GRAINS: [Granularity; 6] = [
    Granularity::Year,
    Granularity::Month,
    Granularity::Week,
    Granularity::Day,
    Granularity::Hour,
    Granularity::Unknown,
];
const DAY: i64 = 86_400_000_000;

fn day(day: i64) -> Instant {
    Instant::from_micros(1_704_067_200_000_000 + day * DAY).expect("ordinary")
}

fn share(hundredths: u32) -> impl Strategy<Value = bool> {
    prop::bool::weighted(f64::from(hundredths) / 100.0)
}

fn moment(manner: Manner) -> impl Strategy<Value = Moment> {
    (0..manner.days, share(manner.coarse), prop::sample::select(&GRAINS[..]), any::<bool>()).prop_map(
        |(at, is_coarse, grain, is_aligned)| match is_coarse {
            true if is_aligned => Moment::new(grain.floor(day(at)), grain),
            true => Moment::new(day(at), grain),
            false => Moment::instant(day(at)),
        },
    )
}

/// What a statement says about the world.
#[derive(Clone, Debug)]
struct Said {
    object: Option<Object>,
    polarity: Polarity,
    validity: Validity,
    sure_until: Option<Moment>,
}

fn said(manner: Manner) -> impl Strategy<Value = Said> {
    let period = (
        prop::option::weighted(0.95, moment(manner)),
        prop::option::weighted(f64::from(manner.bounded) / 100.0, moment(manner)),
        prop::option::weighted(0.3, moment(manner)),
    );
    let object = prop::option::weighted(0.85, 0..manner.objects);
    (share(manner.denies), share(manner.undated), object, period).prop_map(
        |(denies, is_undated, object, (from, to, sure))| {
            let bound = |moment: Option<Moment>| moment.map_or(Bound::Open, Bound::At);
            let period = Period::new(bound(from), bound(to)).or(Period::new(bound(from), Bound::Open));
            let period = period.expect("an open end is after every start");
            let polarity = if denies { Polarity::Deny } else { Polarity::Affirm };
            let validity = if is_undated && !denies { Validity::Undated } else { Validity::Over(period) };
            // What is vouched for ends after it starts.
            let start = period.from().moment();
            let sure =
                sure.filter(|sure| sure.end() > period.start()).or(start).unwrap_or(Moment::instant(day(3)));
            let is_open = validity == Validity::Over(period) && period.to().is_open() && !denies;
            let object = if denies { object } else { Some(object.unwrap_or(0)) };
            let object = object.map(|object| Object::Text(object.to_string()));
            Said { object, polarity, validity, sure_until: is_open.then_some(sure) }
        },
    )
}

/// A statement, and the batch that it comes with.
fn statement(manner: Manner) -> impl Strategy<Value = (Assertion, usize)> {
    let authority = prop_oneof![
        5 => Just(Authority::User),
        1 => Just(Authority::Tool),
        1 => Just(Authority::Agent),
        1 => Just(Authority::Inferred),
    ];
    let asserter = prop::option::weighted(0.9, prop::sample::select(vec!["person:B", "person:C"]));
    let modality = prop_oneof![9 => Just(Modality::Actual), 1 => Just(Modality::Planned)];
    let how = (authority, asserter, modality, 0_u8..4, any::<[u8; 16]>());
    (said(manner), 0..manner.days, how, 0_usize..12).prop_map(
        |(said, known, (authority, asserter, modality, confidence, id), batch)| {
            let digits = format!("{:032x}", u128::from_be_bytes(id));
            let assertion = Assertion {
                id: AssertionId::parse(&format!("a:{digits}")).expect("an id"),
                subject: EntityRef::parse("person:A").expect("an entity"),
                predicate: String::new(),
                key: String::new(),
                object: said.object,
                polarity: said.polarity,
                validity: said.validity,
                sure_until: said.sure_until,
                modality,
                authority,
                confidence: f64::from(confidence) / 4.0,
                known_at: day(known),
                source: Source {
                    document: "d".to_owned(),
                    position: 0,
                    span: None,
                    episode: EpisodeId::parse(&format!("e:{digits}")).expect("an id"),
                    context: Vec::new(),
                    asserter: asserter.map(|asserter| EntityRef::parse(asserter).expect("an entity")),
                    session: "s".to_owned(),
                    agent: None,
                    user: None,
                    zone: None,
                },
                extractor: "test".to_owned(),
                derived_from: Vec::new(),
            };
            (assertion, batch)
        },
    )
}

fn statements(
    manner: Manner,
    count: std::ops::Range<usize>,
) -> impl Strategy<Value = Vec<(Assertion, usize)>> {
    prop::collection::vec(statement(manner), count)
}

/// In whatever batches they come, or as they come to be known.
fn batches(statements: &[(Assertion, usize)], in_known_order: bool) -> Vec<Vec<&Assertion>> {
    if in_known_order {
        let mut known: Vec<&Assertion> = statements.iter().map(|(assertion, _)| assertion).collect();
        known.sort_by_key(|assertion| (assertion.known_at, assertion.id));
        let at_once = known.chunk_by(|one, next| one.known_at == next.known_at);
        return at_once.map(<[&Assertion]>::to_vec).collect();
    }
    let mut batches = vec![Vec::new(); 12];
    for (assertion, batch) in statements {
        batches[*batch].push(assertion);
    }
    batches
}

fn in_order(mut forms: Vec<Form>) -> Vec<Form> {
    forms.sort_by_cached_key(|form| (form.from, form.fact.validity, form.fact.object.canonical()));
    forms
}

fn check(statements: &[(Assertion, usize)], in_known_order: bool) -> Result<(), TestCaseError> {
    let ontology = Ontology::core();
    let batches = batches(statements, in_known_order);
    // A state of one value, one of many, events, and what does not change.
    for predicate in ["lives_in", "likes", "visited", "born_on"] {
        for told in [Told::AtFirst, Told::AtLast] {
            let followed = ontology.forms(predicate, &batches, told, &mut || Ok(())).expect("goes on");
            let derived =
                derived_after_each(&ontology, predicate, &batches, told, &mut || Ok(())).expect("goes on");
            prop_assert_eq!(in_order(followed), in_order(derived), "{} {:?}", predicate, told);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn dense_groups_are_followed_as_they_are_derived(
        statements in statements(DENSE, 1..24),
        in_known_order: bool,
    ) {
        check(&statements, in_known_order)?;
    }

    #[test]
    fn sparse_groups_are_followed_as_they_are_derived(
        statements in statements(SPARSE, 1..30),
        in_known_order: bool,
    ) {
        check(&statements, in_known_order)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10, ..ProptestConfig::default() })]

    // Many denials and voices are found otherwise than few.
    #[test]
    fn large_groups_are_followed_as_they_are_derived(
        dense in statements(Manner { days: 90, ..DENSE }, 90..150),
        sparse in statements(SPARSE, 90..150),
    ) {
        check(&dense, true)?;
        check(&sparse, true)?;
    }
}

#[test]
fn following_stops_where_it_is_told_to() {
    let ontology = Ontology::core();
    let mut n_asked = 0;
    let mut proceed = || {
        n_asked += 1;
        if n_asked == 3 { Err(bygone_engine::StoreError::Interrupted) } else { Ok(()) }
    };
    let batches = vec![Vec::new(); 5];
    let stopped = ontology.forms("lives_in", &batches, Told::AtLast, &mut proceed);
    assert!(matches!(stopped, Err(bygone_engine::StoreError::Interrupted)), "{stopped:?}");
    assert_eq!(n_asked, 3);
}
