//! Reading a turn sentence by sentence: who is meant, what is said, and what only seems to be.

use std::collections::BTreeSet;
use std::ops::Range;

use bygone_engine::time::{Granularity, Instant};
use bygone_engine::{Authority, EntityRef, Episode, Object};
use bygone_ontology::timex::Kind as TimeKind;

use super::answer::Asked;
use super::correction::Topic;
use super::cues;
use super::fill::{self, Filled};
use super::kin;
use super::kinship::Told;
use super::lexicon;
use super::memory::Memory;
use super::mood::{self, MainVerb, Mood, is_marked};
use super::opening::{Times, merge_time_prefixes, skip_openers, time_before};
use super::pattern::{self, Pattern};
use super::people::{introductions, unnamed, unnamed_pets};
use super::phrase::Clause;
use super::possessed::possessed;
use super::recall::Recall;
use super::report::{by_the_other, report};
use super::saying::Scene;
use super::split::{self, Link, Part};
use super::subject::{self, Mention, Subject, Who};
use super::token::{Kind, Sentence, Token};
use super::verb::{VerbForm, readings};
use crate::candidate::Candidate;

/// Reads the sentences of one turn.
pub(super) struct Reader<'t> {
    /// The turn.
    pub(super) episode: &'t Episode,
    /// The turn's text.
    pub(super) text: &'t str,
    /// When it was said.
    pub(super) said_at: Instant,
    /// The time words of its sentences.
    pub(super) times: Times<'t>,
    /// Who speaks, where known.
    pub(super) speaker: Option<&'t EntityRef>,
    /// Whose word it is.
    pub(super) authority: Authority,
    /// What was found so far.
    pub(super) found: Vec<Candidate>,
    /// The persons named in the clause before.
    pub(super) before: Vec<Mention>,
    /// Names that stood alone before an "and": "Tom" in "Tom and I got married".
    pub(super) alone: Vec<Mention>,
    /// What was last spoken of, for "it isn't Acme".
    pub(super) topic: Option<Topic>,
    /// How many more sentences a correction reaches.
    pub(super) correcting: u8,
    /// What was said in the turns before.
    pub(super) memory: &'t Memory,
    /// What of it is being taken back.
    pub(super) recall: Recall,
    /// Whom the turn told of by what they are to the speaker.
    pub(super) kin_told: Vec<Told>,
    /// The names of animals: no persons, whatever they love.
    pub(super) animals: BTreeSet<String>,
    /// What was asked just before, and is not answered yet.
    pub(super) asked: Option<Asked>,
    /// The last time that was told of what happened, and for how many sentences it still stands.
    pub(super) told_time: Option<(Range<usize>, u8)>,
    /// Whether the clause that is read goes on in one that says which is meant: "people | who have been there".
    pub(super) goes_on: bool,
}

/// What is known of a clause beside its words.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "independent marks that clauses hand on to each other")]
pub(super) struct Setting {
    /// It starts its sentence.
    pub(super) first: bool,
    /// It is somebody else's word.
    pub(super) reported: bool,
    /// What the speaker said they had said: it sets the topic and states nothing.
    pub(super) mute: bool,
    /// Something is taken back.
    pub(super) corrects: bool,
}

impl Setting {
    /// Says whether the clause is the speaker's own word, and means what it says.
    fn tells(self) -> bool {
        !self.reported && !self.mute
    }
}

/// What stands around a clause.
struct Around<'a> {
    /// Its place in the sentence.
    part: &'a Part,
    /// The position where its own words start, behind a time that was put before it.
    head: usize,
    /// What is known of it beside its words.
    setting: Setting,
    /// What it may lean on.
    lean: Option<Lean>,
    /// The persons it names.
    mentions: Vec<Mention>,
}

impl Around<'_> {
    /// Notes a person the clause names, once.
    fn mention(&mut self, name: &str, doubtful: bool) {
        if !self.mentions.iter().any(|mention| mention.name == name) {
            self.mentions.push(Mention { doubtful, ..Mention::of(name, None) });
        }
    }
}

/// What a clause leaves for the next one to lean on.
#[derive(Clone)]
struct Lean {
    subject: Subject,
    mood: Mood,
    verb_is_past: bool,
    /// A state was found that holds now.
    holds: bool,
    clause: Range<usize>,
}

impl<'t> Reader<'t> {
    /// Makes a reader for a turn, which may take back what `memory` holds.
    pub(super) fn new(episode: &'t Episode, authority: Authority, memory: &'t Memory) -> Reader<'t> {
        Reader {
            episode,
            text: &episode.text,
            said_at: episode.time,
            times: Times::of(&episode.text, episode.time),
            speaker: episode.speaker.as_ref(),
            authority,
            found: Vec::new(),
            before: Vec::new(),
            alone: Vec::new(),
            topic: None,
            correcting: 0,
            memory,
            recall: Recall::default(),
            kin_told: Vec::new(),
            animals: BTreeSet::new(),
            told_time: None,
            goes_on: false,
            asked: memory.said_before(episode).filter(|_| authority == Authority::User).and_then(Asked::of),
        }
    }

    /// Returns what was found, in the order of the text, each statement once, and whom of their kin the speaker told of.
    pub(super) fn finish(self) -> (Vec<Candidate>, Vec<Told>) {
        let mut found = self.found;
        found.sort_by_key(|candidate| candidate.span.start);
        let mut once: Vec<Candidate> = Vec::with_capacity(found.len());
        for candidate in found {
            // Repeats stand close together: the same clause read by two rules.
            let repeats = once.iter().rev().take(8).any(|other| {
                other.span == candidate.span
                    && (&other.subject, other.predicate, &other.key, &other.object, &other.when)
                        == (
                            &candidate.subject,
                            candidate.predicate,
                            &candidate.key,
                            &candidate.object,
                            &candidate.when,
                        )
            });
            if !repeats {
                once.push(candidate);
            }
        }
        (once, self.kin_told)
    }

    /// Reads one sentence.
    pub(super) fn sentence(&mut self, sentence: &Sentence) {
        let tokens = sentence.tokens.as_slice();
        // Where all is shouted, capitals tell no names.
        let shouted = tokens.len() > 2
            && !tokens.iter().any(|token| self.text[token.span.clone()].contains(char::is_lowercase));
        if shouted {
            return;
        }
        self.times.begin_sentence();
        let parts = merge_time_prefixes(&self.times, tokens, split::parts(tokens));
        let whole = self.belonging(sentence);
        let n_found = self.found.len();
        if cues::takes_back(tokens) {
            self.correcting = 2;
        }
        self.recall.open(sentence);
        let silent_from = silent_from(sentence, &parts);
        let introductions = introductions(self.text, tokens);
        let unnamed = unnamed(self.text, tokens);
        let pets = unnamed_pets(self.text, tokens);
        let possessed = possessed(self.text, tokens);
        let mut reported = false;
        let mut lean: Option<Lean> = None;
        for (index, (part, head)) in parts.iter().enumerate() {
            let words = &tokens[part.tokens.clone()];
            let doubted =
                parts.get(index + 1).is_some_and(|(next, _)| cues::doubts(&tokens[next.tokens.clone()]));
            // "Maybe, I'll go": the doubt is of the clause behind it.
            let unsure = index > 0 && cues::only_hedges(&tokens[parts[index - 1].0.tokens.clone()]);
            if index >= silent_from || doubted || unsure || cues::supposes(words) {
                lean = None;
                self.leave(words, index == 0, Vec::new());
                continue;
            }
            let mut around = Around {
                part,
                head: *head - part.tokens.start,
                setting: Setting {
                    first: index == 0 && *head == part.tokens.start,
                    reported,
                    mute: false,
                    corrects: self.correcting > 0,
                },
                lean: lean.take(),
                mentions: Vec::new(),
            };
            for introduction in introductions.iter().filter(|one| part.tokens.contains(&one.start)) {
                self.introduce(introduction, part, tokens, &mut around.mentions);
            }
            let times = self.times.among(words);
            let clause = Clause { text: self.text, tokens: words, times: &times };
            self.goes_on = parts.get(index + 1).is_some_and(|(next, _)| {
                !next.stopped && matches!(next.link, Link::Who | Link::Relative | Link::Condition)
            });
            let n_before = self.found.len();
            lean = self.clause(&clause, &mut around);
            reported |= around.setting.reported;
            self.keep_time(&clause, part.link);
            if self.found.len() == n_before && around.setting.tells() && around.part.link.tells() {
                let (at, _) = skip_openers(&clause, around.head);
                let advises = self.found.last().is_some_and(|last| last.predicate == "advised");
                let opens = index == 0 || (advises && part.link == Link::And);
                let _is_read = (index == 0 && self.answer(&clause, at))
                    || self.opinion(&clause, at, opens)
                    || self.described(&clause, at);
            }
            let named = |at: usize| introductions.iter().any(|one| (one.start..one.end).contains(&at));
            for one in unnamed.iter().filter(|one| part.tokens.contains(&one.start) && !named(one.start)) {
                self.introduce_unnamed(one, tokens, n_before, &mut around.mentions);
            }
            for one in possessed.iter().filter(|one| part.tokens.contains(&one.start)) {
                self.own(one, tokens);
            }
            for pet in pets.iter().filter(|pet| part.tokens.contains(&pet.place.start)) {
                if !named(pet.place.start) {
                    self.introduce_pet(pet, tokens, n_before);
                }
            }
            self.leave(words, index == 0, around.mentions);
        }
        self.belonging_instead(whole, n_found);
        self.let_pass();
        self.told_time =
            self.told_time.take().filter(|(_, left)| *left > 0).map(|(time, left)| (time, left - 1));
        self.correcting = self.correcting.saturating_sub(1);
        self.recall.close();
    }

    /// Keeps the time of what happened for what is told next: "Last week was wild. I got an offer!".
    fn keep_time(&mut self, clause: &Clause<'_>, link: Link) {
        const SENTENCES: u8 = 1;
        let mut dated =
            clause.times.iter().filter(|time| matches!(time.kind, TimeKind::Point | TimeKind::Span));
        let (Some(time), None, true) = (dated.next(), dated.next(), link.tells()) else { return };
        let is_past = time.end.is_some_and(|end| end <= self.said_at) && time.grain >= Granularity::Hour;
        self.told_time = is_past.then(|| (time.span.clone(), SENTENCES));
    }

    /// Keeps the persons of a clause for the pronouns of the next.
    fn leave(&mut self, tokens: &[Token], first: bool, mut mentions: Vec<Mention>) {
        let named = |mentions: &[Mention], word: &str| {
            mentions.iter().any(|mention| mention.name.split(' ').any(|part| part == word))
        };
        for (at, token) in tokens.iter().enumerate() {
            if token.kind != Kind::Word
                || !token.capital
                || (first && at == 0)
                || lexicon::is_no_name(&token.lower)
            {
                continue;
            }
            let word = &self.text[token.span.clone()];
            let known = lexicon::is_given_name(word);
            if named(&mentions, word) || self.is_object(token.span.clone()) {
                continue;
            }
            if !known && (lexicon::is_place(word) || lexicon::is_no_place(word)) {
                continue;
            }
            mentions.push(Mention { name: word.to_owned(), gender: lexicon::gender(word), doubtful: !known });
        }
        let verbless = tokens.iter().all(|token| token.capital || token.is_one_of(&["and", "my", "both"]));
        if verbless && !mentions.is_empty() {
            self.alone = mentions;
        } else {
            mentions.append(&mut self.alone);
            self.before = mentions;
        }
    }

    /// Says whether a name is known to be an animal's.
    pub(super) fn is_animal(&self, name: &str) -> bool {
        self.animals.contains(name) || self.memory.is_animal(name)
    }

    /// Says whether a word belongs to an object that is no person, of one of the last statements.
    fn is_object(&self, word: Range<usize>) -> bool {
        self.found.iter().rev().take(6).any(|candidate| {
            let covers = candidate.span.start <= word.start && word.end <= candidate.span.end;
            let object = candidate.object.as_ref().and_then(Object::entity);
            covers
                && object.is_some_and(|entity| {
                    entity.kind() != "person" && entity.name().contains(&self.text[word.clone()])
                })
        })
    }

    fn clause(&mut self, clause: &Clause<'_>, around: &mut Around<'_>) -> Option<Lean> {
        // What is taken for granted ("when I lived in Berlin") is not said.
        if matches!(around.part.link, Link::Time | Link::Relative) {
            return None;
        }
        let (at, hearsay) = skip_openers(clause, around.head);
        around.setting.reported |= hearsay;
        if clause.are(at, &["according", "to"]) {
            around.setting.reported = true;
            return None;
        }
        let setting = around.setting;
        if self.naming(clause, at)
            || self.favourite(clause, at)
            || self.is_favourite(clause, at)
            || self.hobbies(clause, at)
            || self.recalled(clause, at, setting)
            || self.corrected(clause, at, setting)
        {
            return None;
        }
        if let Some(you) = by_the_other(clause, at) {
            let name = self.memory.addressee(self.episode)?.name().to_owned();
            let who = Who::Person { name, doubtful: false };
            let told = Subject { who, start: you, end: you + 1, addressed: true };
            around.setting.reported = true;
            self.statement(clause, &told, at, None, around);
            return None;
        }
        let (subject, leaned) = self.subject(clause, at, around)?;
        if leaned.is_none() && around.part.link == Link::And && self.together(clause, &subject) {
            return None;
        }
        if let Who::Person { name, doubtful } = &subject.who {
            around.mention(name, *doubtful || !lexicon::is_given_name(name));
        }
        let from = time_before(clause, at).unwrap_or(at);
        let Some((embedded, mute)) = report(clause, &subject) else {
            return self.statement(clause, &subject, from, leaned, around);
        };
        let told = subject::read(clause, embedded, false, &around.mentions)
            .filter(|told| !mood::main_verbs(clause, told.end, told.is_third()).is_empty());
        let Some(told) = told else {
            // "I read Dune", "I wrote a poem": no report.
            let own = matches!(subject.who, Who::Speaker { .. });
            return own.then(|| self.statement(clause, &subject, from, leaned, around)).flatten();
        };
        around.setting.reported |= !mute;
        // Another's "I" is not the speaker; one's own reported word only sets the topic.
        if matches!(told.who, Who::Speaker { .. }) != mute {
            return None;
        }
        if let Who::Person { name, .. } = &told.who {
            around.mention(name, false);
        }
        around.setting.mute = mute;
        self.statement(clause, &told, from, None, around);
        None
    }

    /// Finds the subject: introduced, named, meant by a pronoun, or left out because it is the one before.
    fn subject(
        &self,
        clause: &Clause<'_>,
        at: usize,
        around: &Around<'_>,
    ) -> Option<(Subject, Option<Lean>)> {
        let person = |name: &str, start, end| Subject {
            who: Who::Person { name: name.to_owned(), doubtful: false },
            start,
            end,
            addressed: false,
        };
        if let Some(introduced) = kin::introduction(clause, at) {
            let [name] = introduced.names.as_slice() else {
                return None;
            };
            let comma = clause.token(introduced.end).is_some_and(|token| token.kind == Kind::Comma);
            return Some((person(name, at, introduced.end + usize::from(comma)), None));
        }
        if let Some(unnamed) = kin::unnamed(clause, at)
            && let Some(name) = self.slot_name(&unnamed.slot)
        {
            return Some((person(&name, at, unnamed.end), None));
        }
        if self.leaves_itself_out(clause, at, around) {
            return Some((
                Subject { who: Who::Speaker { plural: false }, start: at, end: at, addressed: false },
                None,
            ));
        }
        let here = around.mentions.iter().any(|mention| !mention.doubtful);
        let mentions = if here { &around.mentions } else { &self.before };
        if let Some(subject) = subject::read(clause, at, around.setting.first && at == 0, mentions) {
            return Some((subject, None));
        }
        match (around.part.link, &around.lean, self.before.as_slice()) {
            (Link::And, Some(lean), _) if lean_fits(clause, at, lean) => {
                let subject = Subject { start: at, end: at, ..lean.subject.clone() };
                Some((subject, Some(lean.clone())))
            }
            (Link::Who, _, [one]) if !one.doubtful => Some((person(&one.name, at, at), None)),
            _ => None,
        }
    }

    /// Says whether a clause starts with its verb, as in chat: "Moved to Oslo last month!", "Can't wait to see it!",
    /// "Thinking of moving".
    fn leaves_itself_out(&self, clause: &Clause<'_>, at: usize, around: &Around<'_>) -> bool {
        const LIKING: &[&str] = &["love", "enjoy", "hope", "wish", "appreciate", "miss", "adore", "hate"];
        const GOING_ON: &[&str] = &[
            "been",
            "considering",
            "dreaming",
            "enjoying",
            "going",
            "hoping",
            "learning",
            "looking",
            "loving",
            "planning",
            "missing",
            "playing",
            "practicing",
            "preparing",
            "reading",
            "researching",
            "saving",
            "studying",
            "taking",
            "thinking",
            "training",
            "trying",
            "watching",
            "working",
            "writing",
        ];
        const NO_LIKING: &[&str] = &[
            "and", "for", "is", "of", "from", "or", "can", "has", "will", "the", "this", "that", "these",
            "those", "how", "it", "you",
        ];
        const FINITE: &[&str] = &[
            "is", "are", "was", "were", "'s", "has", "have", "can", "could", "helps", "makes", "made",
            "will", "would", "sounds", "takes", "brings", "gives", "keeps", "means", "seems", "feels",
            "requires",
        ];
        let first = around.setting.first && (around.part.tokens.start == 0 || around.part.stopped);
        let (true, Authority::User, Some(token)) = (first, self.authority, clause.token(at)) else {
            return false;
        };
        let word = token.lower.as_str();
        let readings = readings(word);
        let has = |form| readings.iter().any(|(_, reading)| *reading == form);
        let past =
            has(VerbForm::Past) && !has(VerbForm::Base) && !token.is_one_of(&["was", "were", "had", "did"]);
        // "Had a great trip", but "Had I known".
        let had = word == "had" && clause.is_one_of(at + 1, &["a", "an", "my", "some", "the"]);
        let going_on = GOING_ON.contains(&word) && !clause.any(at + 1, FINITE);
        let looks_ahead = clause.are(at, &["can", "not", "wait"]);
        // "Love and acceptance" are no likings, and "Love this map!" is of what the other showed.
        let likes = LIKING.contains(&word) && !clause.is_one_of(at + 1, NO_LIKING);
        past || had || going_on || looks_ahead || likes || mood::is_state_of_mind(word)
    }

    /// Reads verb and object; returns what the next clause may lean on.
    fn statement(
        &mut self,
        clause: &Clause<'_>,
        subject: &Subject,
        from: usize,
        leaned: Option<Lean>,
        around: &mut Around<'_>,
    ) -> Option<Lean> {
        let verbs = mood::main_verbs(clause, subject.end, subject.is_third());
        // What leans on another verb has its own tense, but no mood of its own.
        let other_tense = |lean: &Lean| verbs.first().is_some_and(|verb| verb.mood.past != lean.verb_is_past);
        if leaned.as_ref().is_some_and(other_tense) {
            return None;
        }
        let borrowed = leaned.filter(|_| !clause.is_dated()).map(|lean| lean.clause);
        let n_before = self.found.len();
        let mut holds = false;
        let mut said = None;
        for verb in &verbs {
            let scene =
                Scene { clause, subject, verb, setting: around.setting, from, borrowed: borrowed.clone() };
            if self.copula(&scene, &mut around.mentions) || self.having(&scene, &mut around.mentions) {
                return None;
            }
            let Some((pattern, filled)) = first_fitting(clause, verb) else {
                continue;
            };
            let before = self.found.len();
            holds = self.say(&scene, pattern, &filled);
            if let (true, Who::Person { name, .. }) = (self.found.len() > before, &subject.who) {
                // Who lives and works somewhere is a person, however rare the name.
                for mention in around.mentions.iter_mut().filter(|mention| mention.name == *name) {
                    mention.doubtful = false;
                }
            }
            if let Some(person) = &filled.person {
                around.mention(person, false);
            }
            said = Some(verb);
            break;
        }
        if self.found.len() == n_before
            && let Some(verb) = verbs.last()
        {
            let scene =
                Scene { clause, subject, verb, setting: around.setting, from, borrowed: borrowed.clone() };
            if !self.routine(&scene) {
                self.frame(&scene, &verbs);
            }
        }
        let verb = said.or(verbs.last())?;
        let plain = !around.setting.mute && !around.setting.reported && !is_marked(verb.mood);
        let range = clause.tokens.first()?.span.start..clause.tokens.last()?.span.end;
        plain.then(|| Lean {
            subject: subject.clone(),
            mood: verb.mood,
            verb_is_past: verb.mood.past,
            holds,
            clause: range,
        })
    }
}

/// Returns the first part of a sentence from which on nothing is stated: a question or a condition.
fn silent_from(sentence: &Sentence, parts: &[(Part, usize)]) -> usize {
    let asks = |(part, head): &(Part, usize)| cues::opens_question(&sentence.tokens[*head..part.tokens.end]);
    let asks_from = match parts.iter().position(asks) {
        _ if !sentence.asks => parts.len(),
        // Where no part opens as one, the whole is a question.
        position => position.unwrap_or(0),
    };
    let supposes_from = match parts.iter().position(|(part, _)| part.link == Link::Condition) {
        // "I move to Lisbon if …": without a comma the condition governs the clause before it too.
        Some(at) if at > 0 && !parts[at].0.stopped => at - 1,
        Some(at) => at,
        None => parts.len(),
    };
    asks_from.min(supposes_from)
}

/// Returns the first pattern of the table that fits a verb and what stands behind it.
fn first_fitting(clause: &Clause<'_>, verb: &MainVerb) -> Option<(&'static Pattern, Filled)> {
    verb.readings.iter().find_map(|(lemma, _)| {
        pattern::of_lemma(lemma)
            .iter()
            .find_map(|(pattern, tail)| Some((*pattern, fill::fill(clause, pattern, tail, verb.after)?)))
    })
}

/// Says whether an elided subject can be the one before: "I left Acme and joined Beta".
fn lean_fits(clause: &Clause<'_>, at: usize, lean: &Lean) -> bool {
    let found = clause.token(at).map_or(&[][..], |token| readings(&token.lower));
    let has = |form| found.iter().any(|(_, reading)| *reading == form);
    if is_marked(lean.mood) {
        return false;
    }
    if lean.verb_is_past || lean.mood.perfect {
        return lean.verb_is_past && has(VerbForm::Past);
    }
    lean.holds && (has(VerbForm::Base) || has(VerbForm::Third))
}
