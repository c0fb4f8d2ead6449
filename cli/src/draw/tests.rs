//! Drawings as they stand on the screen: derived from statements, so that bars and bases are real ones.

use std::sync::Arc;

use bygone_engine::View;
use bygone_engine::backend::Memory;
use bygone_engine::store::{Recording, Store};
use bygone_engine::time::{Period, parse_moment};
use bygone_engine::wire::{Defaults, read_statement};
use bygone_query::{Request, timeline::timeline};
use unicode_width::UnicodeWidthStr;

use super::*;

const LIFE: &str = r#"
{"subject":"person:Anna","predicate":"lives_in","object":{"entity":"place:Berlin"},"from":"2018","known_at":"2018-05-01T00:00:00Z"}
{"subject":"person:Anna","predicate":"lives_in","object":{"entity":"place:Lisbon"},"from":"2021-03","sure_until":"2022","known_at":"2022-06-01T00:00:00Z"}
{"subject":"person:Anna","predicate":"works_at","object":{"entity":"org:Gamma"},"from":"unknown","to":"2020","known_at":"2021-01-01T00:00:00Z"}
{"subject":"person:Anna","predicate":"visited","object":{"entity":"place:Rome"},"from":"2019-06-07","to":"2019-06-08","known_at":"2021-01-01T00:00:00Z"}
{"subject":"person:Anna","predicate":"has_pet","object":{"text":"猫"},"from":"unknown","to":"unknown","known_at":"2021-01-01T00:00:00Z"}
{"subject":"project:Atlas","predicate":"managed_by","object":{"entity":"person:Anna"},"from":"2020-01","to":"2021-07","known_at":"2021-07-01T00:00:00Z"}
"#;

fn at(text: &str) -> Instant {
    parse_moment(text).expect(text).at
}

/// Draws the timeline of Anna.
fn drawn(lines: &str, width: usize, signs: Signs, now: &str, valid: ValidTime) -> Vec<String> {
    let ontology = Arc::new(Ontology::core());
    let store = Store::open(Box::new(Memory::new()), Arc::clone(&ontology) as _).expect("opens");
    let space = store.space("default", true).expect("a space");
    for (position, line) in (0..).zip(lines.lines().filter(|line| !line.is_empty())) {
        let defaults = Defaults { now: at(now), document: "life".to_owned(), position };
        let statement = read_statement(line, &defaults).expect(line);
        let recording = Recording {
            episodes: vec![statement.episode],
            assertions: vec![statement.assertion],
            ..Recording::default()
        };
        space.record(recording, at(now)).expect("records");
    }
    let snapshot = space.snapshot();
    let seen = snapshot.seen(&View::LATEST).expect("reads");
    let entity = EntityRef::parse("person:Anna").expect("an entity");
    let request =
        Request { view: View::LATEST, valid: ValidTime::All, history: false, planned: false, now: at(now) };
    let rows = timeline(&seen, &ontology, &request, &entity).expect("reads");
    let screen = Screen { width, signs };
    draw(&rows, &Frame { screen, ontology: &ontology, entity: &entity, now: at(now), valid })
}

#[track_caller]
fn check(found: &[String], expected: &str) {
    let found = found.join("\n");
    assert_eq!(found, expected.trim_matches('\n'), "\n{found}\n");
}

#[test]
fn a_life_is_drawn_over_years() {
    let drawing = drawn(LIFE, 80, Signs::Unicode, "2024-01-01", ValidTime::All);
    check(
        &drawing,
        "
                                                                           now ▾
                      2018     2019      2020      2021     2022      2023
                      ┬────────┬─────────┬─────────┬────────┬─────────┬─────────
lives_in Berlin       ━━━━━━━━━━╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌                          ┊
works_at Gamma                 ?━━━━━━━━━━                                     ┊
visited Rome                       ●                                           ┊
Atlas managed_by Anna                    ━━━━━━━━━━━━━━━                       ┊
lives_in Lisbon                                     ━━━━━━━━━━━━━━━━━━━╌╌╌╌╌╌╌╌▸
has_pet 猫            ?                                                        ┊
━ stated  ╌ presumed  ▸ no end  ● event  ? nobody said when
",
    );
}

#[test]
fn ascii_draws_the_same() {
    let day = ValidTime::At(at("2019-07-01"));
    check(
        &drawn(LIFE, 60, Signs::Ascii, "2024-01-01", day),
        "
                                                       now v
                               v valid
                      2018  2019  2020   2021  2022  2023
                      +-----+-----+------+-----+-----+------
lives_in Berlin       =======--------------                :
works_at Gamma              ?======                        :
visited Rome                   *                           :
Atlas managed_by Anna          |  ===========              :
lives_in Lisbon                |          ============----->
has_pet 猫            ?        |                           :
= stated  - presumed  > no end  * event  ? nobody said when
",
    );
}

#[test]
fn a_short_time_has_a_fine_axis() {
    let line = r#"{"subject":"person:Anna","predicate":"lives_in","object":{"entity":"place:Berlin"},"from":"2024-03-05","to":"2024-04-02","known_at":"2024-04-02T00:00:00Z"}"#;
    let march =
        [parse_moment("2024-03-10"), parse_moment("2024-03-21")].map(|m| Bound::At(m.expect("a day")));
    let march = Period::new(march[0], march[1]).expect("a period");
    check(
        &drawn(line, 72, Signs::Unicode, "2024-04-10", ValidTime::During(march)),
        "
                                                                   now ▾
                       ▾ valid from
                                        ▾ valid to
                         2024-03-11            2024-03-25
                ─────────┬─────────────────────┬────────────────────────
lives_in Berlin ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━           ┊
━ stated  ╌ presumed  ▸ no end  ● event  ? nobody said when
",
    );
}

#[test]
fn nothing_is_wider_than_the_screen() {
    for width in 0..130 {
        for signs in [Signs::Unicode, Signs::Ascii] {
            for line in drawn(LIFE, width, signs, "2024-01-01", ValidTime::At(at("2020"))) {
                assert!(line.width() <= width, "{width}: {line:?}");
                assert!(signs == Signs::Unicode || line.replace('猫', "").is_ascii(), "{line}");
            }
        }
    }
}

#[test]
fn axes_label_every_length_of_time() {
    for (first, last, expected) in [
        ("2024-03-01T10:00:00Z", "2024-03-01T10:00:03Z", "2024-03-01T10:00:00Z"),
        ("2024-03-01", "2024-03-09", "2024-03-01"),
        ("2024-01-20", "2024-12-20", "2024-04"),
        ("2001-05", "2024-12", "2005"),
        ("-0044-03-15", "2024", "0000"),
        ("-9999", "9999", "-9999"),
    ] {
        let scale = Scale::over([at(first), at(last)], 60).expect("a scale");
        let ticks = scale.ticks();
        assert_eq!(ticks.first().map(|tick| tick.label.as_str()), Some(expected), "{first} {ticks:?}");
        assert!(ticks.windows(2).all(|pair| pair[0].column + pair[0].label.len() + 1 < pair[1].column));
    }
}
