//! Times known only by what happened: "after the wedding", "the following day", "three days later", "since we moved".
//!
//! No date is guessed for them; who reads the story may know one.

use bygone_engine::time::Granularity;

use super::Kind;
use super::grammar::{Found, Parser, Reading, longest};
use super::lexicon::{Unit, unit, weekday};

/// Things that happen once and are spoken of as a time; words in -tion that are not here are taken too.
const EVENTS: &[&str] = &[
    "accident",
    "anniversary",
    "appointment",
    "attack",
    "birth",
    "birthday",
    "ceremony",
    "championship",
    "christening",
    "concert",
    "conference",
    "covid",
    "crash",
    "death",
    "deployment",
    "divorce",
    "engagement",
    "event",
    "exam",
    "exams",
    "festival",
    "fight",
    "finals",
    "fire",
    "flight",
    "flood",
    "funeral",
    "game",
    "hike",
    "honeymoon",
    "incident",
    "interview",
    "journey",
    "launch",
    "layoff",
    "layoffs",
    "lecture",
    "lockdown",
    "marriage",
    "match",
    "meeting",
    "merger",
    "migration",
    "move",
    "outage",
    "pandemic",
    "party",
    "performance",
    "pregnancy",
    "race",
    "release",
    "retirement",
    "reunion",
    "show",
    "storm",
    "surgery",
    "tournament",
    "treatment",
    "trial",
    "trip",
    "visit",
    "war",
    "wedding",
    "workshop",
];

/// Times of everyday life that need no article.
const ROUTINES: &[&str] =
    &["breakfast", "lunch", "dinner", "work", "school", "college", "university", "class", "practice"];

const DETERMINERS: &[&str] =
    &["the", "my", "our", "your", "his", "her", "their", "its", "that", "this", "a", "an"];

impl Parser<'_> {
    pub(super) fn event(self, at: usize) -> Found<Reading> {
        let (end, grain) = longest([
            self.around_event(at),
            self.around_clause(at),
            self.narrative_neighbour(at),
            self.later_in_story(at),
        ])?;
        Some((end, Reading::undated(Kind::Event, grain)))
    }

    /// Reads a connective with what may stand before it: "shortly after", "two days before", "the week after".
    fn connective(self, at: usize) -> Option<usize> {
        let mut next = at;
        if let Some((after, _)) = self.quantity(at) {
            next = after;
        } else if self.is(at, &["the"]) && unit(self.word(at + 1)).is_some() {
            next = at + 2;
        } else if self.is(at, &["shortly", "right", "soon", "just", "immediately", "long", "ever"]) {
            next = at + 1;
        }
        if let Some(end) = self.phrase(next, &["prior", "to"]) {
            return Some(end);
        }
        let plain = next == at;
        let known = self.is(next, &["after", "before"])
            || plain && self.is(next, &["since", "until", "till", "during", "following"])
            || self.word(at) == "ever" && self.is(next, &["since"]);
        known.then_some(next + 1)
    }

    fn around_event(self, at: usize) -> Found<Granularity> {
        let next = self.connective(at)?;
        if self.is(next, ROUTINES) {
            return Some((next + 1, Granularity::Unknown));
        }
        let determined = self.is(next, DETERMINERS) || self.is_possessive(next);
        if !determined {
            return None;
        }
        let noun = (next + 1..next + 4).find(|noun| self.is_event_noun(*noun))?;
        // Only words may stand between the article and its noun.
        let words =
            (next + 1..noun).all(|at| !self.word(at).is_empty() && !self.is(at, &["of", "and", "i", "we"]));
        words.then_some((noun + 1, Granularity::Unknown))
    }

    fn is_event_noun(self, at: usize) -> bool {
        let word = self.word(at);
        EVENTS.contains(&word) || word.len() > 7 && (word.ends_with("ation") || word.ends_with("ction"))
    }

    /// "since I moved here", "before we met", "when I was a kid": up to the verb.
    fn around_clause(self, at: usize) -> Found<Granularity> {
        let pronouns = ["i", "we", "he", "she", "they", "you"];
        if let Some(next) = self.phrase(at, &["when", "i", "was"]) {
            let next = self.skip(next, &["a", "in"]);
            let stages = [
                "kid", "child", "teenager", "teen", "boy", "girl", "baby", "student", "young", "little",
                "younger", "college", "school",
            ];
            return self.is(next, &stages).then_some((next + 1, Granularity::Unknown));
        }
        let next = self.connective(at)?;
        // "since we live far apart" gives a reason and no time.
        let reason = self.is(next.saturating_sub(1), &["since"])
            && self.is(
                next + 1,
                &[
                    "am", "are", "both", "don't", "have", "is", "like", "live", "love", "need", "share",
                    "think", "want", "work",
                ],
            );
        if reason {
            return None;
        }
        let verb = self.is(next, &pronouns) && !self.word(next + 1).is_empty();
        let modal = self.is(
            next + 1,
            &["can", "could", "will", "would", "should", "may", "might", "do", "know", "go", "get"],
        );
        (verb && !modal).then_some((next + 2, Granularity::Unknown))
    }

    /// "the following day", "the next morning", "the previous year", "the day before", "the same day".
    fn narrative_neighbour(self, at: usize) -> Found<Granularity> {
        if !self.is(at, &["the"]) {
            return None;
        }
        let grain = |at: usize| {
            let word = self.word(at);
            let part = matches!(word, "morning" | "afternoon" | "evening" | "night");
            let day = weekday(word).is_some();
            if part || day {
                return Some(if day { Granularity::Day } else { Granularity::Hour });
            }
            unit(word).filter(|_| !word.ends_with('s') && word != "second").map(Unit::grain)
        };
        // "in the next week" and "the next quarter" look ahead from now, not from the story.
        let ahead = self.word(at + 1) == "next" && matches!(self.word(at + 2), "quarter" | "fortnight");
        if ahead {
            return None;
        }
        if self.is(at + 1, &["following", "next", "previous", "same", "preceding"]) {
            return Some((at + 3, grain(at + 2)?));
        }
        let behind = self.is(at + 2, &["before", "after"]);
        let alone = self.word(at + 3).is_empty() && self.number(at + 3).is_none();
        (behind && alone).then(|| Some((at + 3, grain(at + 1)?))).flatten()
    }

    /// "three days later", "a week earlier".
    fn later_in_story(self, at: usize) -> Found<Granularity> {
        let (end, quantity) = self.quantity(at)?;
        let told =
            self.is(end, &["later", "earlier", "afterwards", "beforehand"]) && !self.is(end + 1, &["than"]);
        told.then(|| (end + 1, quantity.low.grain()))
    }
}
