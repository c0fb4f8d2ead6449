//! What things are like, and what they do for somebody: "the castle was unbelievable", "painting helps me relax",
//! "family is important to me".
//!
//! It is the speaker's word, and of a thing that is named: what "it" was, nobody can tell away from the turn.

use bygone_engine::{EntityRef, Object};

use super::affirm::Affirmed;
use super::cues::hedged;
use super::lexicon;
use super::mood::ADVERBS;
use super::phrase::Clause;
use super::reader::Reader;
use super::saying::span_of;
use super::token::Kind;
use crate::candidate::Form;

/// How sure these readings are.
const CONFIDENCE: f64 = 0.7;

/// Words that make what follows stronger, or say for how long or how much.
pub(super) const WEIGHING: &[&str] = &[
    "so",
    "super",
    "very",
    "pretty",
    "quite",
    "too",
    "extremely",
    "incredibly",
    "kinda",
    "totally",
    "more",
    "most",
];

/// What is spoken of: where it ends, and what it is called.
struct Topic {
    entity: EntityRef,
    end: usize,
}

impl Reader<'_> {
    /// Reads what the speaker says that something is like or does; says whether it is read.
    pub(super) fn described(&mut self, clause: &Clause<'_>, at: usize) -> bool {
        let Some(speaker) = self.speaker.filter(|speaker| speaker.kind() == "person").cloned() else {
            return false;
        };
        if hedged(clause) {
            return false;
        }
        self.remembered(clause, at, &speaker)
            || self.aim(clause, at, &speaker)
            || self.favourites(clause, at, &speaker)
            || self.like_this(clause, at, &speaker)
    }

    /// Reads "it reminds me of Rome".
    fn remembered(&mut self, clause: &Clause<'_>, at: usize, speaker: &EntityRef) -> bool {
        const REMINDING: &[&str] = &["reminds", "reminded", "remind"];
        let found = (at + 1..clause.tokens.len().min(at + 9)).find(|at| {
            clause.is_one_of(*at, REMINDING)
                && clause.is_one_of(*at + 1, &["me", "us"])
                && clause.is(*at + 2, "of")
        });
        let Some(verb) = found else { return false };
        let Some((object, _)) = clause.object_thing_or_doing(verb + 3) else { return false };
        // A time behind it is that of what came to mind.
        let span = clause.tokens[at].span.start..clause.tokens[object.end - 1].span.end;
        self.tell(
            speaker.clone(),
            ("reminded_of", "described.reminded_of/1"),
            object.words,
            Form::Event,
            span,
        );
        true
    }

    /// Reads "my dream is to open a bakery".
    fn aim(&mut self, clause: &Clause<'_>, at: usize, speaker: &EntityRef) -> bool {
        const AIMS: &[&str] =
            &["goal", "goals", "dream", "plan", "aim", "ambition", "hope", "priority", "wish"];
        if !clause.is_one_of(at, &["my", "our", "the"]) {
            return false;
        }
        let found = (at + 1..at + 6)
            .find(|at| clause.is_one_of(*at, AIMS) && clause.is_one_of(*at + 1, &["is", "'s", "are", "was"]));
        let Some(aim) = found else { return false };
        let from = aim + 2 + usize::from(clause.is_one_of(aim + 2, ADVERBS));
        let object = if clause.is(from, "to") {
            clause.object_to_do(from + 1)
        } else {
            clause.object_thing_or_doing(from).map(|(extent, _)| extent)
        };
        let Some(object) = object else { return false };
        let form = if clause.is(aim + 1, "was") { Form::Was } else { Form::State };
        self.tell(
            speaker.clone(),
            ("has_goal", "described.has_goal/1"),
            object.words,
            form,
            span_of(clause, at),
        );
        true
    }

    /// Reads "two of my favourites are Dune and Emma".
    fn favourites(&mut self, clause: &Clause<'_>, at: usize, speaker: &EntityRef) -> bool {
        const FAVOURITES: &[&str] =
            &["favorite", "favourite", "favorites", "favourites", "fave", "faves", "go-to"];
        let found = (at..at + 4).find(|at| clause.is(*at, "my") && clause.is_one_of(*at + 1, FAVOURITES));
        let Some(favourite) = found else { return false };
        let verb =
            (favourite + 2..favourite + 7).find(|at| clause.is_one_of(*at, &["is", "are", "'s", "include"]));
        let Some(verb) = verb else { return false };
        let mut from = verb + 1;
        while clause.is_one_of(from, ADVERBS) || clause.is_one_of(from, &["probably", "when", "either"]) {
            from += 1;
        }
        let Some((object, is_doing)) = clause.object_thing_or_doing(from) else { return false };
        let names = if object.items.is_empty() || is_doing { vec![object.words] } else { object.items };
        for name in names {
            let kind = if is_doing { "activity" } else { "thing" };
            let Ok(entity) = EntityRef::new(kind, &name) else { continue };
            self.affirm(Affirmed {
                subject: speaker.clone(),
                predicate: "likes",
                key: String::new(),
                object: Some(Object::Entity(entity)),
                form: Form::State,
                confidence: CONFIDENCE,
                span: span_of(clause, at),
                rule: "described.likes/1",
            });
        }
        true
    }

    fn like_this(&mut self, clause: &Clause<'_>, at: usize, speaker: &EntityRef) -> bool {
        let Some(topic) = self.topic_of(clause, at, speaker) else { return false };
        let span = span_of(clause, at);
        if clause.is_one_of(
            topic.end,
            &[
                "helps",
                "help",
                "helped",
                "lets",
                "let",
                "allows",
                "allowed",
                "gives",
                "keeps",
                "makes",
                "taught",
                "inspires",
                "motivates",
            ],
        ) && clause.is_one_of(topic.end + 1, &["me", "us"])
        {
            let to = topic.end + 2 + usize::from(clause.is(topic.end + 2, "to"));
            let past = clause.is_one_of(topic.end, &["helped", "allowed", "taught"]);
            let verb = &clause.tokens[topic.end];
            let Some(object) =
                clause.object_to_do(to).map(|extent| extent.words).or_else(|| clause.object_rest(to))
            else {
                return false;
            };
            let object = if verb.is_one_of(&["helps", "help", "helped", "lets", "let", "allows", "allowed"]) {
                object
            } else {
                format!("{} {object}", verb.lower)
            };
            let form = if past { Form::Was } else { Form::State };
            self.tell(topic.entity, ("helps", "described.helps/1"), object, form, span);
            return true;
        }
        // "Honesty matters a lot to me", "family means the world to us".
        let dear = clause.is_one_of(topic.end, &["matters", "matter", "means", "mean"])
            && clause.is(clause.tokens.len() - 2, "to")
            && clause.is_one_of(clause.tokens.len() - 1, &["me", "us"]);
        if dear {
            self.tell(
                speaker.clone(),
                ("values", "described.values/1"),
                topic.entity.name().to_owned(),
                Form::State,
                span,
            );
            return true;
        }
        // "Yoga helps with back pain".
        if clause.is_one_of(topic.end, &["helps", "help"]) && clause.is_one_of(topic.end + 1, &["with", "to"])
        {
            let Some(what) = clause.object_rest(topic.end + 2) else { return false };
            self.tell(topic.entity, ("helps", "described.helps/1"), what, Form::State, span);
            return true;
        }
        let mut next = topic.end;
        let mut past = false;
        let mut copula = false;
        while let Some(token) = clause.token(next) {
            match token.lower.as_str() {
                "is" | "are" | "'s" => copula = true,
                "was" | "were" => (copula, past) = (true, true),
                "been" => copula = true,
                "has" | "have" => {}
                "not" | "never" | "no" => return false,
                word if ADVERBS.contains(&word) => {}
                _ => break,
            }
            next += 1;
        }
        // "(The architecture and) the history were amazing" tells of both.
        let several = clause.tokens[at..topic.end].iter().any(|token| token.is("and"));
        let plural = several || clause.tokens[topic.end - 1].lower.ends_with('s');
        let agrees = plural || !clause.is_one_of(topic.end, &["were", "are"]);
        if !copula || !agrees {
            return false;
        }
        let mut quality = next;
        while clause.is_one_of(quality, WEIGHING) {
            quality += 1;
        }
        let is_quality = clause.token(quality).is_some_and(|token| lexicon::is_quality(&token.lower));
        let names = clause.is_one_of(next, &["a", "an", "my", "our", "one", "the"]);
        let form = if past { Form::Was } else { Form::State };
        let matters =
            ["important", "special", "dear", "precious", "everything", "huge", "key", "vital", "essential"];
        if !past
            && clause.is_one_of(quality, &matters)
            && clause.is(quality + 1, "to")
            && clause.is_one_of(quality + 2, &["me", "us"])
        {
            self.tell(
                speaker.clone(),
                ("values", "described.values/1"),
                topic.entity.name().to_owned(),
                Form::State,
                span,
            );
            return true;
        }
        if !is_quality && !names {
            return false;
        }
        let next = if names { next } else { quality };
        let object = match clause.object_rest(next) {
            Some(words) => words,
            None if is_quality && !names => clause.words(next..quality + 1),
            None => return false,
        };
        if let Some((_, what)) = object.split_once("way to ") {
            let what = what.trim().to_owned();
            if what.contains(' ') || what.len() > 4 {
                self.tell(topic.entity, ("helps", "described.helps/1"), what, form, span);
                return true;
            }
        }
        if self.goes_on && names {
            return false;
        }
        let good_for = object.split_once(" for ").filter(|(quality, _)| {
            matches!(*quality, "great" | "good" | "perfect" | "amazing" | "ideal" | "excellent")
        });
        if let (Some((_, what)), false) = (good_for, topic.entity.kind() == "person") {
            let what = what.to_owned();
            self.tell(topic.entity, ("helps", "described.helps/1"), what, form, span);
            return true;
        }
        self.tell(topic.entity, ("described_as", "described.described_as/1"), object, form, span);
        true
    }

    /// Reads what a clause is about: a named thing in front of its verb.
    fn topic_of(&self, clause: &Clause<'_>, at: usize, speaker: &EntityRef) -> Option<Topic> {
        const VERBS: &[&str] = &[
            "is",
            "are",
            "was",
            "were",
            "'s",
            "has",
            "have",
            "helps",
            "help",
            "helped",
            "lets",
            "allows",
            "allowed",
            "gives",
            "keeps",
            "makes",
            "taught",
            "inspires",
            "motivates",
            "matters",
            "matter",
            "means",
            "mean",
        ];
        const LONGEST: usize = 8;
        let end = (at + 1..clause.tokens.len().min(at + 1 + LONGEST)).find(|at| {
            clause.is_one_of(*at, VERBS)
                && !(clause.is(*at, "'s")
                    && clause.token(at + 1).is_some_and(|next| self.owned_by(clause, at + 1, next)))
        })?;
        let owned = clause.is_one_of(at, &["my", "our"]);
        let pointed = clause.is(at, "the");
        let from = at + usize::from(owned || pointed);
        let words = clause.tokens.get(from..end).filter(|words| !words.is_empty())?;
        let plain = words.iter().all(|token| {
            token.kind == Kind::Opaque
                || (token.kind == Kind::Word
                    && !lexicon::is_pointing(&token.lower)
                    && !token.is_one_of(&[
                        "or", "so", "but", "not", "must", "may", "might", "could", "would", "should",
                    ]))
        });
        let first = &words[0];
        let said = &self.text[first.span.clone()];
        let capital = first.capital && at > 0;
        let gerund = first.lower.len() > 5 && first.lower.ends_with("ing");
        let shouted = said.len() > 1 && !said.contains(char::is_lowercase);
        let bare = words.len() == 1 && (first.lower.len() > 3 || shouted);
        let titled = first.kind == Kind::Opaque;
        let named = owned || pointed || capital || gerund || bare || titled || lexicon::is_given_name(said);
        let last = &words[words.len() - 1];
        let vague = lexicon::is_abstract(&last.lower)
            || lexicon::is_deictic(&last.lower)
            || lexicon::is_calendar(&last.lower);
        let hollow = lexicon::is_quality(&last.lower)
            || last.lower.ends_with("ed")
            || lexicon::is_boundary(&last.lower);
        if !plain
            || !named
            || vague
            || hollow
            || (bare && !owned && lexicon::is_no_name(&first.lower) && !gerund)
        {
            return None;
        }
        let mut named_to = end;
        while named_to > from + 1 && clause.is_one_of(named_to - 1, ADVERBS) {
            named_to -= 1;
        }
        let words = clause.words(from..named_to);
        let words = words.trim_matches(|c| matches!(c, '"' | '“' | '”'));
        let (kind, name) = match () {
            () if owned => ("thing", format!("{}'s {words}", speaker.name())),
            () if gerund => ("activity", words[..1].to_lowercase() + &words[1..]),
            () if lexicon::is_given_name(said) && last.capital && !words.contains(" and ") => {
                ("person", words.to_owned())
            }
            () if lexicon::is_place(words) => ("place", words.to_owned()),
            () if from == 0 && bare && !shouted => ("thing", words.to_lowercase()),
            () => ("thing", words.to_owned()),
        };
        if kind == "person" && self.is_animal(&name) {
            return EntityRef::new("animal", &name).ok().map(|entity| Topic { entity, end });
        }
        EntityRef::new(kind, &name).ok().map(|entity| Topic { entity, end })
    }

    /// Says whether an "'s" belongs to the owner of what follows: "children's hospital".
    fn owned_by(&self, clause: &Clause<'_>, at: usize, next: &super::token::Token) -> bool {
        let telling = next.is_one_of(&["a", "an", "the", "my", "our", "been", "not"])
            || next.is_one_of(ADVERBS)
            || next.is_one_of(WEIGHING)
            || lexicon::is_quality(&next.lower);
        !telling && clause.token(at + 1).is_some()
    }

    fn tell(
        &mut self,
        subject: EntityRef,
        (predicate, rule): (&'static str, &'static str),
        words: String,
        form: Form,
        span: std::ops::Range<usize>,
    ) {
        self.affirm(Affirmed {
            subject,
            predicate,
            key: String::new(),
            object: Some(Object::Text(words)),
            form,
            confidence: CONFIDENCE,
            span,
            rule,
        });
    }
}
