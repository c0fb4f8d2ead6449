//! The loader against small ontologies: what it reads, and where it says what is wrong.

use crate::ontology::Ontology;

/// Checks that a text has exactly these problems, as printed, in this order.
fn check(text: &str, expected: &[&str]) {
    check_result(Ontology::parse("t.toml", text), text, expected);
}

fn check_result(result: Result<Ontology, Vec<super::LoadError>>, text: &str, expected: &[&str]) {
    let found: Vec<String> = match result {
        Ok(_) => Vec::new(),
        Err(errors) => errors.iter().map(ToString::to_string).collect(),
    };
    assert_eq!(found, expected, "in:\n{text}");
}

/// Makes a text of the types `person` and `org`, and one predicate on line 4 with `lines` from line 5.
fn predicate(lines: &str) -> String {
    format!("[types]\nperson = {{}}\norg = {{}}\n[[predicate]]\n{lines}\n")
}

/// As [`predicate`], with a sound predicate `p` up to line 9 and `lines` from line 10.
fn sound_and(lines: &str) -> String {
    predicate(&format!(
        "id = \"p\"\ndomain = [\"person\"]\nrange = [\"org\"]\nkind = \"state\"\ncardinality = \"one\"\n{lines}"
    ))
}

#[test]
fn the_core_is_sound() {
    check(include_str!("../../core.toml"), &[]);
}

#[test]
fn an_empty_text_declares_nothing() {
    check("", &[]);
    assert_eq!(Ontology::parse("t.toml", "").map(|o| o.predicates().count()), Ok(0));
}

#[test]
fn a_text_that_is_not_toml_says_where() {
    check(
        "[types]\nperson = {}\nperson = {}\n[[predicate]]\nid = \n",
        &[
            "t.toml:3:1: not TOML: duplicate key",
            "t.toml:5:6: not TOML: string values must be quoted, expected literal string",
        ],
    );
}

#[test]
fn unknown_keys_are_refused_by_name() {
    check("[type]\nperson = {}\n", &["t.toml:1:2: unknown key \"type\": expected one of types, predicate"]);
    check(
        "[types]\nteam = { parnet = \"any\" }\n",
        &["t.toml:2:10: unknown key \"parnet\": expected one of parent, note"],
    );
    check(
        &sound_and("  kindd = 1"),
        &["t.toml:10:3: unknown key \"kindd\": expected one of id, domain, range, kind, cardinality, key, \
            inverse, symmetric, half_life_days, cues, end_cues, schema, wikidata, note"],
    );
}

#[test]
fn missing_keys_are_all_named() {
    check(
        &predicate("note = \"x\""),
        &[
            "t.toml:4:1: predicate without \"id\"",
            "t.toml:4:1: predicate without \"domain\"",
            "t.toml:4:1: predicate without \"range\"",
            "t.toml:4:1: predicate without \"kind\"",
            "t.toml:4:1: predicate without \"cardinality\"",
        ],
    );
}

#[test]
fn values_of_the_wrong_type_are_refused() {
    check("types = 1", &["t.toml:1:9: \"types\" is of type integer: expected a table"]);
    check("[types]\nperson = \"any\"", &["t.toml:2:10: \"person\" is of type string: expected a table"]);
    check(
        "[predicate]\nid = \"p\"",
        &["t.toml:1:1: \"predicate\" is of type table: expected a list of tables"],
    );
    check("predicate = [1]", &["t.toml:1:14: \"predicate\" is of type integer: expected a table"]);
    for (line, expected) in [
        ("key = 1", "t.toml:10:7: \"key\" is of type integer: expected a string"),
        ("cues = \"é\"", "t.toml:10:8: \"cues\" is of type string: expected a list of strings"),
        ("cues = [\"é\", 2]", "t.toml:10:14: \"cues\" is of type integer: expected a string"),
        ("symmetric = \"yes\"", "t.toml:10:13: \"symmetric\" is of type string: expected a boolean"),
        ("half_life_days = 1.5", "t.toml:10:18: \"half_life_days\" is of type float: expected an integer"),
    ] {
        check(&sound_and(line), &[expected]);
    }
}

#[test]
fn words_outside_a_keys_set_are_refused() {
    check(
        &predicate(
            "id = \"p\"\ndomain = [\"any\"]\nrange = [\"any\"]\nkind = \"stat\"\ncardinality = \"two\"",
        ),
        &[
            "t.toml:8:8: unknown kind \"stat\": expected one of state, event, rigid",
            "t.toml:9:15: unknown cardinality \"two\": expected one of one, many",
        ],
    );
}

#[test]
fn what_is_empty_or_repeated_is_refused() {
    for (line, expected) in [
        ("key = \"\"", "t.toml:10:7: \"key\" is empty"),
        ("cues = [\"a\", \" \"]", "t.toml:10:14: \"cues\" is empty"),
        ("cues = [\"a\", \"a\"]", "t.toml:10:14: \"cues\" lists \"a\" twice"),
        ("cues = []\nend_cues = [1]", "t.toml:11:13: \"end_cues\" is of type integer: expected a string"),
    ] {
        check(&sound_and(line), &[expected]);
    }
    check(
        &predicate("id = \"p\"\ndomain = []\nrange = []\nkind = \"state\"\ncardinality = \"one\""),
        &["t.toml:6:10: \"domain\" is empty", "t.toml:7:9: \"range\" is empty"],
    );
}

#[test]
fn half_lives_are_days_from_one_and_of_states() {
    for days in ["0", "-1", "4294967296"] {
        check(
            &sound_and(&format!("half_life_days = {days}")),
            &[&format!(
                "t.toml:10:18: half_life_days is {days}: expected a whole number of days from 1 to 4294967295"
            )],
        );
    }
    check(&sound_and("half_life_days = 4_294_967_295"), &[]);
    for kind in ["event", "rigid"] {
        check(
            &sound_and("half_life_days = 7").replace("\"state\"", &format!("\"{kind}\"")),
            &[
                "t.toml:10:18: \"p\" is not a state and has a half-life: expected half_life_days on states only",
            ],
        );
    }
}

#[test]
fn names_have_the_form_of_entity_types() {
    check(
        "[types]\nPerson = {}\n\"\" = {}\n[[predicate]]\nid = \"is-a\"\ndomain = [\"any\"]\nrange = [\"any\"]\n\
         kind = \"state\"\ncardinality = \"one\"\n",
        &[
            "t.toml:2:1: name \"Person\" is not lower-case letters, digits and underscores",
            "t.toml:3:1: name \"\" is not lower-case letters, digits and underscores",
            "t.toml:5:6: name \"is-a\" is not lower-case letters, digits and underscores",
        ],
    );
}

#[test]
fn built_in_names_cannot_be_types() {
    check(
        "[types]\nany = {}\ntext = {}\n",
        &[
            "t.toml:2:1: type \"any\" is built in: expected another name",
            "t.toml:3:1: type \"text\" is built in: expected another name",
        ],
    );
}

#[test]
fn duplicate_predicates_name_the_first() {
    let twice = sound_and("") + sound_and("").split_once("[[").map_or("", |(_, rest)| rest);
    let twice = twice.replace("\npredicate]]", "\n[[predicate]]");
    check(&twice, &["t.toml:12:6: predicate \"p\" is declared twice: first on line 5"]);
}

#[test]
fn unknown_types_are_refused_wherever_they_stand() {
    check(
        "[types]\na = { parent = \"b\" }\nc = { parent = \"number\" }\n",
        &[
            "t.toml:2:16: unknown type \"b\" in \"parent\": expected a declared type",
            "t.toml:3:16: \"number\" in \"parent\" is a kind of value: expected a type of entity",
        ],
    );
    check(
        &predicate(
            "id = \"p\"\ndomain = [\"person\", \"wizard\", \"text\"]\nrange = [\"org\", \"spell\", \"text\", \"any\"]\n\
             kind = \"state\"\ncardinality = \"one\"",
        ),
        &[
            "t.toml:6:21: unknown type \"wizard\" in \"domain\": expected a declared type",
            "t.toml:6:31: \"text\" in \"domain\" is a kind of value: expected a type of entity",
            "t.toml:7:17: unknown type \"spell\" in \"range\": expected a declared type or a kind of value",
        ],
    );
}

#[test]
fn parents_form_no_cycle() {
    check(
        "[types]\na = { parent = \"a\" }\nb = { parent = \"c\" }\nc = { parent = \"b\" }\nd = { parent = \"c\" }\n",
        &[
            "t.toml:2:16: type \"a\" is its own ancestor",
            "t.toml:3:16: type \"b\" is its own ancestor",
            "t.toml:4:16: type \"c\" is its own ancestor",
        ],
    );
}

#[test]
fn symmetric_sides_are_alike() {
    check(
        &sound_and("symmetric = true"),
        &[
            "t.toml:10:13: \"p\" is symmetric and its domain and range differ: expected the same types in both",
        ],
    );
    check(&sound_and("symmetric = false"), &[]);
    check(
        &predicate(
            "id = \"p\"\ndomain = [\"person\", \"org\"]\nrange = [\"org\", \"person\"]\nkind = \"state\"\n\
             cardinality = \"one\"\nsymmetric = true",
        ),
        &[],
    );
}

#[test]
fn inverses_exist_point_back_and_mirror() {
    let q = |rest: &str| {
        sound_and(&format!("inverse = \"q\"\n[[predicate]]\nid = \"q\"\ncardinality = \"many\"\n{rest}"))
    };
    check(
        &sound_and("inverse = \"q\""),
        &["t.toml:10:11: unknown inverse \"q\" of \"p\": expected a declared predicate"],
    );
    check(
        &sound_and("inverse = \"p\""),
        &["t.toml:10:11: \"p\" is its own inverse: expected symmetric = true and no inverse"],
    );
    let sides = "domain = [\"org\"]\nrange = [\"person\"]\n";
    check(&q(&format!("{sides}kind = \"state\"\ninverse = \"p\"")), &[]);
    check(
        &q(&format!("{sides}kind = \"state\"")),
        &["t.toml:10:11: inverse \"q\" of \"p\" does not point back: expected inverse = \"p\" there"],
    );
    check(
        &q(&format!("{sides}kind = \"event\"\ninverse = \"p\"")),
        &["t.toml:10:11: inverse \"q\" of \"p\" does not mirror it: expected the same kind"],
    );
    check(
        &q("domain = [\"org\"]\nrange = [\"org\"]\nkind = \"state\"\ninverse = \"p\""),
        &["t.toml:10:11: inverse \"q\" of \"p\" does not mirror it: \
            expected the domain of the one as the range of the other"],
    );
    check(
        &q("domain = [\"person\"]\nrange = [\"person\"]\nkind = \"state\"\ninverse = \"p\""),
        &["t.toml:10:11: inverse \"q\" of \"p\" does not mirror it: \
            expected the range of the one as the domain of the other"],
    );
    check(
        &q("domain = [\"org\"]\nrange = [\"org\"]\nkind = \"state\"\nsymmetric = true\ninverse = \"p\""),
        &[
            "t.toml:10:11: inverse \"q\" of \"p\" does not mirror it: \
                expected the domain of the one as the range of the other",
            "t.toml:18:11: \"q\" is symmetric and has an inverse: expected one of both",
        ],
    );
}

#[test]
fn an_extension_refers_to_the_base_and_cannot_redeclare_it() {
    let base = Ontology::parse("base.toml", &sound_and("")).expect("a sound ontology");
    let text = predicate(
        "id = \"p\"\ndomain = [\"person\"]\nrange = [\"org\"]\nkind = \"state\"\ncardinality = \"many\"\n\
         [[predicate]]\nid = \"q\"\ndomain = [\"org\"]\nrange = [\"person\"]\nkind = \"state\"\n\
         cardinality = \"many\"",
    );
    let repeated = "is already declared by the ontology this extends: expected a new name";
    check_result(
        base.extend("t.toml", &text),
        &text,
        &[
            &format!("t.toml:2:1: \"person\" {repeated}"),
            &format!("t.toml:3:1: \"org\" {repeated}"),
            &format!("t.toml:5:6: \"p\" {repeated}"),
        ],
    );
    let text = "[[predicate]]\nid = \"q\"\ndomain = [\"org\"]\nrange = [\"person\"]\nkind = \"state\"\n\
                cardinality = \"many\"\ninverse = \"p\"\n";
    check_result(
        base.extend("t.toml", text),
        text,
        &["t.toml:7:11: inverse \"p\" of \"q\" does not point back: expected inverse = \"q\" there"],
    );
}

#[test]
fn lines_end_as_they_may_and_columns_count_characters() {
    check(
        "[types]\r\nperson = { note = \"Žofie\", x = 1 }\r\norg = { y = 1 }\r\n",
        &[
            "t.toml:2:28: unknown key \"x\": expected one of parent, note",
            "t.toml:3:9: unknown key \"y\": expected one of parent, note",
        ],
    );
}

#[test]
fn a_text_cut_anywhere_is_read_or_refused_with_places() {
    let text = sound_and(
        "inverse = \"q\"\ncues = [\"é\", \"a\\nb\"]\nhalf_life_days = 0x1f\n[types.team]\nparent = \"org\"",
    );
    for (cut, _) in text.char_indices() {
        for error in Ontology::parse("t.toml", &text[..cut]).err().unwrap_or_default() {
            let n_lines = text[..cut].split('\n').count();
            assert!((1..=n_lines).contains(&error.line), "{error} in {:?}", &text[..cut]);
        }
    }
}
