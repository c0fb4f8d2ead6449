//! Turns as people write them in chat: everyday words in sentences, and in some of them a time.

use crate::workload::mixed;

/// Words that no expression of time needs; they stand for the rest of the language.
const WORDS: &[&str] = &[
    "I",
    "you",
    "we",
    "they",
    "it",
    "she",
    "he",
    "my",
    "your",
    "our",
    "the",
    "a",
    "this",
    "that",
    "and",
    "but",
    "so",
    "because",
    "really",
    "just",
    "about",
    "with",
    "for",
    "of",
    "to",
    "in",
    "at",
    "is",
    "was",
    "are",
    "had",
    "have",
    "went",
    "got",
    "made",
    "took",
    "saw",
    "love",
    "like",
    "think",
    "know",
    "want",
    "feel",
    "hope",
    "great",
    "good",
    "new",
    "amazing",
    "little",
    "happy",
    "tough",
    "family",
    "friends",
    "kids",
    "work",
    "dog",
    "painting",
    "hike",
    "book",
    "game",
    "music",
    "class",
    "support",
    "group",
    "photo",
    "beach",
    "pottery",
    "adoption",
    "park",
    "project",
    "team",
    "dinner",
    "coffee",
    "car",
    "garden",
    "community",
    "shelter",
    "school",
    "charity",
    "Caroline",
    "Melanie",
    "John",
    "wow",
    "thanks",
    "congrats",
    "definitely",
    "together",
    "always",
    "journey",
    "something",
];

/// Times as chats tell them.
const TIMES: &[&str] = &[
    "yesterday",
    "last week",
    "last Friday",
    "next month",
    "recently",
    "two weekends ago",
    "for 3 years",
    "since 2016",
    "tomorrow at 3pm",
    "this past weekend",
    "on the 15th",
    "a few years ago",
    "every Tuesday",
    "in June 2021",
    "last night",
    "from May to July",
    "the week before last",
    "on 7 May 2023",
    "these days",
    "for two weeks starting Monday",
];

/// One turn in so many tells a time: 529 of 2,960 turns did in five conversations of LoCoMo (Maharana et al. 2024).
const TURNS_PER_TIME: u64 = 6;

/// Returns `count` turns of one to three sentences, the same ones each time.
pub fn turns(count: u64) -> Vec<String> {
    (0..count).map(turn).collect()
}

fn turn(position: u64) -> String {
    let draw = |nth: u64, from: u64| {
        let bits = mixed((position << 8 | nth).wrapping_add(0x9e37_79b9_7f4a_7c15));
        usize::try_from(bits % from).unwrap_or(0)
    };
    let pick = |nth: u64, from: &[&'static str]| from[draw(nth, u64::try_from(from.len()).unwrap_or(1))];
    let mut text = String::new();
    let mut nth = 0;
    for _ in 0..=draw(250, 3) {
        for _ in 0..5 + draw(nth + 100, 8) {
            nth += 1;
            text.push_str(pick(nth, WORDS));
            text.push(' ');
        }
        text.pop();
        text.push_str(". ");
    }
    if position.is_multiple_of(TURNS_PER_TIME) {
        text.push_str("That was ");
        text.push_str(pick(251, TIMES));
        text.push('!');
    }
    text
}
