//! Texts and what they are found by.

use super::*;

#[track_caller]
fn check_in(language: Language, text: &str, expected: &str) {
    assert_eq!(Analyzer::new(language).words(text).join(" "), expected, "{text}");
}

#[track_caller]
fn check(text: &str, expected: &str) {
    check_in(Language::English, text, expected);
}

/// What is looked for, each with its weight.
fn asked(text: &str) -> Vec<(String, f64)> {
    let mut asked = Vec::new();
    Analyzer::default().reader().each_word(text, |word| {
        if word.weight > 0.0 {
            asked.push((word.text.to_owned(), word.weight));
        }
    });
    asked
}

/// How many words long a text is.
fn length(text: &str) -> usize {
    let mut length = 0;
    Analyzer::default().reader().each_word(text, |word| length += usize::from(word.is_counted));
    length
}

#[test]
fn words_are_lowered_stemmed_and_without_stop_words() {
    check("She was painting the paintings!", "paint paint");
    check("What did Anna's dogs do on 8 May, 2023?", "anna dog 8 may 2023");
    check("I don\u{2019}t; we\u{2019}ve", "");
    check("", "");
}

#[test]
fn names_are_found_whole_and_by_their_parts() {
    for (text, expected) in [
        (
            "edit src/main.rs, then call cursor_get()",
            "edit src/main.rs main.rs src main rs call cursor_get cursor get",
        ),
        ("getUserName", "getusernam get user name"),
        ("an HTTPServer", "httpserver http server"),
        ("the vector-index of ours", "vector-index vector index"),
        ("--vector-index=on", "vector-index vector index"),
        ("run --verbose", "run verbos"),
        ("@scope/name", "@scope/name scope name"),
        ("C++ and C# or F#", "c++ c c# c f# f"),
        (".env, ~/.env", ".env env .env env"),
        ("error E0308", "error e0308"),
        ("see #123!", "see #123 123"),
        ("a.lee@mail.example", "a.lee@mail.example a.lee mail.example lee mail exampl"),
        ("https://x.example/docs/API?q=1", "x.example/docs/api?q=1 x.example x exampl doc api q 1"),
        ("O'Brien's house", "o'brien o brien hous"),
        ("std::collections::HashMap", "std::collections::hashmap std collect hashmap hash map"),
        (r"C:\Users\ann", "c:/users/ann c user ann"),
        ("/etc/hosts and etc/hosts", "etc/hosts etc host etc/hosts etc host"),
    ] {
        check(text, expected);
    }
}

#[test]
fn numbers_and_versions_have_one_form() {
    for (text, expected) in [
        ("1,000 or 1000 or 1_000", "1000 1000 1000"),
        ("$12,345.50", "12345.50"),
        ("v0.27.1 and 0.27.1", "0.27.1 0 27 1 0.27.1 0 27 1"),
        ("at 10:30", "10:30 10 30"),
    ] {
        check(text, expected);
    }
}

#[test]
fn a_hash_is_found_by_how_it_begins() {
    check("D4220680aa11", "d4220680aa11 d422068");
    check("d422068", "d422068");
    check("deadbeef 12345678", "deadbeef 12345678");
}

#[test]
fn accents_and_codes_of_letters_do_not_count() {
    check("ﬁve Ⅳ ÉCOLE ecole", "five iv ecol ecol");
    check("café co\u{ad}operate x\u{2010}ray", "cafe cooper x-ray x ray");
    check("Zürich Łódź", "zurich lodz");
}

#[test]
fn what_is_written_without_accents_is_found_in_every_language() {
    for (language, with, without) in [
        (Language::Spanish, "información", "informacion"),
        (Language::French, "réservation", "reservation"),
        (Language::Portuguese, "canções", "cancoes"),
        (Language::German, "Häuser", "Hauser"),
        (Language::Turkish, "ılıman", "iliman"),
    ] {
        let analyzer = Analyzer::new(language);
        let (with, without) = (analyzer.words(with), analyzer.words(without));
        assert!(with.iter().any(|word| without.contains(word)), "{with:?} and {without:?}");
    }
}

#[test]
fn languages_have_their_own_stems_and_stop_words() {
    check_in(Language::German, "Die Häuser waren größer als das Haus", "haus gross haus");
    check_in(Language::French, "L'école n'est pas aujourd'hui", "ecol aujourd hui");
    check_in(Language::Italian, "dell'acqua e degli amici", "acqua amic");
    check_in(Language::Spanish, "los niños están jugando", "nin jug");
    check_in(Language::Russian, "книги лежали на столе", "книг лежа стол");
    check_in(Language::None, "The paintings of Anna's don't", "the paintings of anna don't don t");
    check_in(Language::Turkish, "İstanbul'da ISI", "istanbul da is");
}

#[test]
fn scripts_without_spaces_are_found_by_pairs() {
    check("数据库", "数 据 库 数据 据库");
    check("猫", "猫");
    check("データ", "デー ータ");
    check("서울에서", "서울 울에 에서");
    check("用Python写", "用 python 写");
    assert_eq!(asked("数据库"), [("数据".to_owned(), 1.0), ("据库".to_owned(), 1.0)]);
    assert_eq!(asked("猫"), [("猫".to_owned(), 1.0)]);
}

#[test]
fn a_name_is_one_word_long_and_its_parts_weigh_as_much_as_the_whole() {
    assert_eq!(length("edit src/text/main.rs of HashMap"), 3);
    assert_eq!(length("数据库"), 2);
    for name in ["src/text/main.rs", "HashMap", "#12", "https://x.example/docs", "o'brien"] {
        let asked = asked(name);
        assert_eq!(asked[0].1.to_bits(), 1.0_f64.to_bits(), "{name}");
        let of_parts: f64 = asked[1..].iter().map(|(_, weight)| weight).sum();
        assert!((of_parts - 1.0).abs() < 1e-9, "{name}: {asked:?}");
    }
}

#[test]
fn blobs_are_no_words() {
    check(&format!("key {}", "x".repeat(97)), "key");
    let long = format!("https://x.example/{}", "part/".repeat(200));
    let words = Analyzer::default().words(&long);
    assert!(words.len() < 20 && words[0] == "x.example", "{words:?}");
    assert_eq!(length(&long), 1);
}

#[test]
fn every_language_has_a_name_of_its_own() {
    for language in Language::ALL {
        assert_eq!(Language::named(language.name()), Some(language));
    }
    assert_eq!(Language::named("klingon"), None);
    assert!(Language::ALL.is_sorted_by_key(|language| (*language == Language::None, language.name())));
    assert_eq!(Analyzer::new(Language::German).name(), format!("german/{VERSION}"));
}

/// The stemmers index into words by byte; none of them may fall over one.
#[test]
fn no_text_is_too_odd_for_any_language() {
    let pieces = [
        "a",
        "é",
        "ß",
        "ığ",
        "İ",
        "ая",
        "ёй",
        "γκ",
        "ώς",
        "ال",
        "ة",
        "கள்",
        "ing",
        "s",
        "'",
        "ij",
        "eux",
        "yy",
        "ő",
        "0",
        "-",
        ".",
        "的",
        "\u{301}",
        "ﬁ",
        "\u{1f980}",
        "_",
        "/",
        "ü",
        "ción",
        "ement",
        "heit",
        " ",
    ];
    let mut state: u64 = 7;
    for language in Language::ALL {
        let mut reader = Analyzer::new(language).reader();
        for _ in 0..3_000 {
            let mut text = String::new();
            for _ in 0..6 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let idx = usize::try_from(state >> 33).expect("31 bits") % pieces.len();
                text.push_str(pieces[idx]);
            }
            reader.each_word(&text, |word| {
                assert!(!word.text.is_empty() && !word.text.contains(char::is_whitespace), "{text:?}");
            });
        }
    }
}
