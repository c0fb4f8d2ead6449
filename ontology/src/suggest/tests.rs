//! What is proposed of a few statements each.

use bygone_engine::time::Instant;
use bygone_engine::wire::{Defaults, read_statement};
use proptest::prelude::*;

use super::*;
use crate::extension::Extension;
use crate::ontology::Ontology;

/// Reads statements, one a line: `A teaches B 2020..2021`, `A not teaches B 2021..`; subject and object are people
/// unless a type stands before a colon, and `"text"` is a text. Each is known a day after the one before, and at the
/// start of 2024 at the earliest.
fn statements(lines: &str) -> Vec<Assertion> {
    let lines = lines.lines().map(str::trim).filter(|line| !line.is_empty());
    lines
        .enumerate()
        .map(|(idx, line)| {
            let denies = line.contains(" not ");
            let line = line.replace(" not ", " ");
            let words: Vec<&str> = line.split_whitespace().collect();
            let entity = |word: &str| {
                if word.contains(':') { word.to_owned() } else { format!("person:{word}") }
            };
            let object = match words[2].strip_prefix('"') {
                Some(text) => serde_json::json!({ "text": text.trim_end_matches('"') }),
                None => serde_json::json!({ "entity": entity(words[2]) }),
            };
            let mut value = serde_json::json!({
                "subject": entity(words[0]),
                "predicate": words[1],
                "object": object,
                "polarity": if denies { "deny" } else { "affirm" },
                "known_at": format!("2024-01-{:02}", idx % 28 + 1),
                "source": format!("d#{idx}"),
            });
            if let Some((from, to)) = words.get(3).and_then(|period| period.split_once("..")) {
                for (key, time) in [("from", from), ("to", to)] {
                    if !time.is_empty() {
                        value[key] = serde_json::json!(time);
                    }
                }
            }
            let now = Instant::from_micros(0).expect("ordinary");
            let defaults = Defaults { now, document: String::new(), position: 0 };
            read_statement(&value.to_string(), &defaults).expect(&line).assertion
        })
        .collect()
}

use bygone_engine::Assertion;

fn suggested<'a>(statements: impl IntoIterator<Item = &'a Assertion>) -> Suggestions {
    let core = Ontology::core();
    let mut survey = Survey::new(&core);
    statements.into_iter().for_each(|statement| survey.see(statement));
    survey.suggestions()
}

/// Checks the declaration of the first predicate, as `kind cardinality domain -> range`, and its reasons.
#[track_caller]
fn check(lines: &str, expected: &str, reasons: &[&str]) {
    let suggestions = suggested(&statements(lines));
    let found = &suggestions.predicates[0];
    let definition = &found.definition;
    let mut told = format!(
        "{} {} {} -> {}",
        write::kind_name(definition.kind),
        write::cardinality_name(definition.cardinality),
        definition.domain.join(","),
        definition.range.join(","),
    );
    if definition.symmetric {
        told.push_str(" symmetric");
    }
    if let Some(inverse) = &definition.inverse {
        told = format!("{told} inverse {inverse}");
    }
    assert_eq!(told, expected, "{found:#?}");
    for reason in reasons {
        assert!(found.reasons().iter().any(|told| told.contains(reason)), "{reason}: {:#?}", found.reasons());
    }
}

#[test]
fn what_gives_moments_happens() {
    check(
        "A climbs place:Eiger 2023-05-01..2023-05-02
         A climbs place:Eiger 2023-06-01..2023-06-02
         B climbs place:Rigi 2023..2024",
        "event many person -> place",
        &["3 of 3 statements give one moment, none an end"],
    );
}

#[test]
fn what_ends_holds() {
    check(
        "A coaches B 2023-05-01..2023-05-02
         A coaches B 2023-05-01..2023-05-02
         A not coaches B 2023-07..",
        "state many person -> person",
        &["2 give one moment, 1 tell that it ended"],
    );
}

#[test]
fn a_past_tense_without_periods_happens() {
    check(
        "A toured place:Rome\nB toured place:Oslo",
        "event many person -> place",
        &["the name is a past tense"],
    );
    check("A toured place:Rome 2020..", "state many person -> place", &["1 go on"]);
}

#[test]
fn one_after_another_is_one_at_a_time() {
    check(
        "A mentored_by X 2020..
         A mentored_by Y 2022..
         B mentored_by X 2021..",
        "state one person -> person",
        &["of 2 subjects 1 had several objects one after another, none two at once"],
    );
}

#[test]
fn two_at_once_are_many() {
    for lines in [
        "A knows_of X 2020..2023\nA knows_of Y 2022..2024",
        "A knows_of X 2022..\nA knows_of Y 2022..",
        // The first is told again after the second.
        "A knows_of X 2020..\nA knows_of Y 2021..\nA knows_of X 2022..",
    ] {
        check(lines, "state many person -> person", &["of 1 subject 1 had two objects at once"]);
    }
}

#[test]
fn one_slip_among_many_leaves_one() {
    let mut lines = "A0 mentored_by X 2020..2023\nA0 mentored_by Y 2022..2024\n".to_owned();
    let in_turn = |idx: usize| format!("A{idx} mentored_by X 2020..\nA{idx} mentored_by Y 2022..\n");
    lines.extend((1..20).map(in_turn));
    check(&lines, "state one person -> person", &["19 had several objects one after another, 1 two at once"]);
    let with_another = format!("{lines}B mentored_by X 2020..2023\nB mentored_by Y 2022..2024\n");
    check(&with_another, "state many person -> person", &["of 21 subjects 2 had two objects at once"]);
}

#[test]
fn a_single_object_each_shows_nothing_unless_told_again() {
    check(
        "A mentored_by X 2020..\nB mentored_by Y 2020..",
        "state many person -> person",
        &["which shows nothing"],
    );
    let twice = |idx: usize| format!("A{idx} mentored_by X 2020..\nA{idx} mentored_by X 2021..\n");
    let again = (0..5).map(twice).collect::<Vec<_>>().concat();
    check(&again, "state one person -> person", &["of 5 subjects 5 were told of again"]);
}

#[test]
fn sides_have_the_types_seen() {
    check(
        "A drinks \"tea\"
         animal:Rex drinks \"water\"
         A drinks thing:Mate",
        "state many animal,person -> text,thing",
        &[],
    );
    check("text:T quotes text:U", "state many any -> any", &[]);
}

#[test]
fn pairs_both_ways_are_symmetric_or_inverse() {
    check(
        "A roommate_of B 2020..
         B roommate_of A 2020..
         C roommate_of D 2020..",
        "state many person -> person symmetric",
        &["2 of 3 pairs are stated the other way round"],
    );
    let lines = "A apprentice_of X 2020..\nB apprentice_of animal:Y 2020..
                 X trains A 2020..\nanimal:Y trains B 2020..";
    check(lines, "state many person -> animal,person inverse trains", &["2 pairs are stated both ways"]);
    let text = suggested(&statements(lines)).text_of(&["trains".to_owned()]).expect("it is proposed");
    let both = Extension::default().with(&Ontology::core(), "x", &text).expect("they fit each other");
    assert!(both.declares("trains") && both.declares("apprentice_of"));
}

#[test]
fn the_other_side_of_a_declared_predicate_is_told() {
    let lines = "A works_at org:O 2020..\nB works_at org:O 2020..\norg:O staffed_by A 2020..\norg:O staffed_by B 2020..";
    check(lines, "state many org -> person", &["works_at says the same from the other side of 2 of 2 pairs"]);
}

#[test]
fn near_duplicates_do_not_stand() {
    let suggestions = suggested(&statements("A lives-in place:Rome 2020..\nA employed_by org:O 2020.."));
    let told: Vec<(&str, bool)> =
        suggestions.predicates.iter().map(|s| (s.definition.id.as_str(), s.stands())).collect();
    assert_eq!(told, [("employed_by", false), ("lives-in", false)]);
    let text = suggestions.to_toml();
    assert!(text.lines().all(|line| line.starts_with('#') || line.is_empty()), "{text}");
    assert_eq!(
        suggestions.text_of(&["lives-in".to_owned()]).expect_err("no name for a declaration"),
        "\"lives-in\" cannot be declared: names that can be declared are lower-case letters, digits and underscores"
    );
    assert!(suggestions.text_of(&["employed_by".to_owned()]).is_ok(), "who insists may declare it");
}

#[test]
fn what_is_proposed_can_be_accepted_as_it_is_written() {
    let lines = "A casts spell:Fireball 2020..2021\nwizard:M casts spell:Frost 2020..\nA sings_in org:Choir";
    let suggestions = suggested(&statements(lines));
    let types: Vec<&str> = suggestions.types.iter().map(|s| s.declared.name.as_str()).collect();
    assert_eq!(types, ["spell", "wizard"]);
    let all = Extension::default().with(&Ontology::core(), "x", &suggestions.to_toml()).expect("it is sound");
    assert!(["casts", "sings_in", "spell", "wizard"].iter().all(|name| all.declares(name)));
    let one = suggestions.text_of(&["casts".to_owned()]).expect("it is proposed");
    let one = Extension::default().with(&Ontology::core(), "x", &one).expect("its types come along");
    assert!(one.declares("wizard") && !one.declares("sings_in"));
    assert!(suggestions.text_of(&["works_at".to_owned()]).is_err(), "it is declared");
}

#[test]
fn what_does_not_count_and_what_is_declared_is_passed_over() {
    let mut planned = statements("A sings_in org:Choir");
    planned[0].modality = bygone_engine::Modality::Planned;
    planned.extend(statements("A works_at org:O"));
    assert_eq!(suggested(&planned), Suggestions { types: Vec::new(), predicates: Vec::new() });
}

proptest! {
    #[test]
    fn the_order_of_statements_does_not_matter(seed in any::<u64>()) {
        let lines = "A p B 2020..\nB p A 2021..\nA p C 2022..2023\nX q wizard:W 2020-01-01..2020-01-02
                     wizard:W r X 2020..\nA p B 2024..\nC not p A 2023..\nX q wizard:V 2021..\nB lives-in place:R";
        let statements = statements(lines);
        let mut shuffled: Vec<&Assertion> = statements.iter().collect();
        let mut state = seed;
        for idx in (1..shuffled.len()).rev() {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            shuffled.swap(idx, usize::try_from(state >> 33).unwrap_or(0) % (idx + 1));
        }
        prop_assert_eq!(suggested(shuffled), suggested(&statements));
    }
}
