//! Reading a turn sentence by sentence: who is meant, what is said, and what only seems to be.

use std::collections::BTreeSet;
use std::ops::Range;

use bygone_engine::time::{Bound, Granularity, Instant, Moment, Period, Validity};
use bygone_engine::{Authority, EntityRef, Episode, Modality, Object, Polarity};
use bygone_ontology::timex::{self, Context, Kind, Tense, TimeExpression};

use super::fill::{self, Filled};
use super::form::{self, Signs};
use super::kin::{self, Introduction};
use super::lexicon;
use super::mood::{self, ADVERBS, MainVerb, Mood};
use super::pattern::{self, Class, PATTERNS, Pattern, Slot};
use super::phrase::Clause;
use super::split::{self, Link, Part};
use super::subject::{self, Mention, Subject, Who};
use super::token::{Kind as TokenKind, Sentence, Token};
use super::verb::VerbForm;
use crate::candidate::{Candidate, Form, When};

/// Reads the sentences of one turn.
pub(super) struct Reader<'t> {
    text: &'t str,
    said_at: Instant,
    speaker: Option<&'t EntityRef>,
    authority: Authority,
    found: Vec<Candidate>,
    /// The persons named in the clause before.
    before: Vec<Mention>,
    /// What was last spoken of, for "it isn't Acme".
    topic: Option<Topic>,
    /// How many more sentences a correction reaches.
    correcting: u8,
    /// The names of animals: no persons, whatever they love.
    animals: BTreeSet<String>,
}

/// What a correction is about.
struct Topic {
    subject: EntityRef,
    predicate: &'static str,
    kind: String,
    rule: &'static str,
}

/// What is known of a clause before it is read.
#[derive(Clone, Copy, Default)]
struct Setting {
    /// It starts its sentence.
    first: bool,
    /// It is somebody else's word.
    reported: bool,
    /// What the speaker said they had said: it sets the topic and states nothing.
    mute: bool,
    /// Something is taken back.
    corrects: bool,
}

/// What a clause leaves for the next one to lean on.
#[derive(Clone)]
struct Lean {
    subject: Subject,
    mood: Mood,
    verb_is_past: bool,
    holds: bool,
    clause: Range<usize>,
}

impl<'t> Reader<'t> {
    /// Makes a reader for a turn.
    pub(super) fn new(episode: &'t Episode, authority: Authority) -> Reader<'t> {
        Reader {
            text: &episode.text,
            said_at: episode.time,
            speaker: episode.speaker.as_ref(),
            authority,
            found: Vec::new(),
            before: Vec::new(),
            topic: None,
            correcting: 0,
            animals: BTreeSet::new(),
        }
    }

    /// Returns what was found, in the order of the text, each statement once.
    pub(super) fn finish(self) -> Vec<Candidate> {
        let mut found = self.found;
        found.sort_by_key(|candidate| candidate.span.start);
        let mut once: Vec<Candidate> = Vec::with_capacity(found.len());
        for candidate in found {
            // Repeats stand close together: the same clause read by two rules.
            let repeats = once.iter().rev().take(8).any(|other| {
                other.span == candidate.span
                    && (&other.subject, other.predicate, &other.key, &other.object, &other.when)
                        == (&candidate.subject, candidate.predicate, &candidate.key, &candidate.object, &candidate.when)
            });
            if !repeats {
                once.push(candidate);
            }
        }
        once
    }

    /// Reads one sentence.
    pub(super) fn sentence(&mut self, sentence: &Sentence) {
        let tokens = sentence.tokens.as_slice();
        let parts = merge_time_prefixes(self.text, self.said_at, tokens, split::parts(tokens));
        if takes_back(tokens) {
            self.correcting = 2;
        }
        let asks_from = if sentence.asks {
            let first = parts.iter().position(|(part, head)| opens_question(&tokens[*head..part.tokens.end]));
            first.unwrap_or(0)
        } else {
            parts.len()
        };
        let supposes_from = parts.iter().position(|(part, _)| part.link == Link::Condition);
        let supposes_from = match supposes_from {
            // "I move to Lisbon if …": without a comma the condition governs the clause before it too.
            Some(at) if at > 0 && !parts[at].0.stopped => at - 1,
            Some(at) => at,
            None => parts.len(),
        };
        let introductions = introductions(self.text, tokens);
        let mut reported = false;
        let mut lean: Option<Lean> = None;
        for (index, (part, head)) in parts.iter().enumerate() {
            let clause_tokens = &tokens[part.tokens.clone()];
            let stated = index < asks_from && index < supposes_from && !supposes(clause_tokens);
            let mut mentions = Vec::new();
            if stated {
                for introduction in introductions.iter().filter(|one| part.tokens.contains(&one.start)) {
                    self.introduce(introduction, tokens, &mut mentions);
                }
                let times = times(self.text, self.said_at, clause_tokens);
                let spans: Vec<Range<usize>> = times.iter().map(|time| time.span.clone()).collect();
                let clause = Clause {
                    text: self.text,
                    tokens: clause_tokens,
                    times: &spans,
                };
                let setting = Setting {
                    first: index == 0 && *head == part.tokens.start,
                    reported,
                    mute: false,
                    corrects: self.correcting > 0,
                };
                lean = self.clause(&clause, *head - part.tokens.start, part, &times, setting, lean, &mut mentions, &mut reported);
            } else {
                lean = None;
            }
            self.leave(clause_tokens, index == 0, mentions);
        }
        self.correcting = self.correcting.saturating_sub(1);
    }

    /// Keeps the persons of a clause for the pronouns of the next.
    fn leave(&mut self, tokens: &[Token], first: bool, mut mentions: Vec<Mention>) {
        let named = |mentions: &[Mention], word: &str| {
            mentions.iter().any(|mention| mention.name.split(' ').any(|part| part == word))
        };
        for (at, token) in tokens.iter().enumerate() {
            if token.kind != TokenKind::Word || !token.capital || (first && at == 0) || lexicon::is_no_name(&token.lower) {
                continue;
            }
            let word = &self.text[token.span.clone()];
            let known = lexicon::given_name(word);
            if named(&mentions, word) || self.is_object(token.span.clone()) {
                continue;
            }
            if known.is_none() && (lexicon::is_place(word) || lexicon::is_no_place(word)) {
                continue;
            }
            mentions.push(Mention {
                name: word.to_owned(),
                gender: known.flatten(),
                doubtful: known.is_none(),
            });
        }
        self.before = mentions;
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

    #[expect(clippy::too_many_arguments, reason = "one call site; the parts of a clause's surroundings")]
    fn clause(
        &mut self,
        clause: &Clause<'_>,
        head: usize,
        part: &Part,
        times: &[TimeExpression],
        setting: Setting,
        lean: Option<Lean>,
        mentions: &mut Vec<Mention>,
        reported: &mut bool,
    ) -> Option<Lean> {
        // What is taken for granted ("when I lived in Berlin") is not said.
        if matches!(part.link, Link::Time | Link::Relative) {
            return None;
        }
        let mut setting = setting;
        let at = skip_openers(clause, head, &mut setting);
        if setting.reported {
            *reported = true;
        }
        if clause.are(at, &["according", "to"]) {
            *reported = true;
            return None;
        }
        if self.naming(clause, at) || self.corrected(clause, at, setting) {
            return None;
        }
        let pool: Vec<Mention> = if mentions.iter().any(|mention| !mention.doubtful) {
            mentions.clone()
        } else {
            self.before.clone()
        };
        // "My sister Anna works …": the subject is the one introduced.
        let subject = match kin::introduction(clause, at) {
            Some(introduction) if introduction.names.len() == 1 => {
                let comma = clause.token(introduction.end).is_some_and(|token| token.kind == TokenKind::Comma);
                let person = Who::Person {
                    name: introduction.names[0].clone(),
                    doubtful: false,
                };
                Some(Subject {
                    who: person,
                    start: at,
                    end: introduction.end + usize::from(comma),
                })
            }
            Some(_) => None,
            None => subject::read(clause, at, setting.first && at == 0, &pool),
        };
        let (subject, leaned) = match (subject, lean) {
            (Some(subject), _) => (subject, None),
            (None, Some(lean)) if part.link == Link::And && lean_fits(clause, at, &lean) => {
                let subject = Subject {
                    start: at,
                    end: at,
                    ..lean.subject.clone()
                };
                (subject, Some(lean))
            }
            (None, _) if part.link == Link::Who => {
                let [person] = self.before.as_slice() else {
                    return None;
                };
                if person.doubtful {
                    return None;
                }
                let who = Who::Person {
                    name: person.name.clone(),
                    doubtful: false,
                };
                let subject = Subject {
                    who,
                    start: at,
                    end: at,
                };
                (subject, None)
            }
            (None, _) => return None,
        };
        if let Who::Person { name, doubtful } = &subject.who {
            if !mentions.iter().any(|mention| mention.name == *name) {
                mentions.push(Mention {
                    doubtful: *doubtful,
                    ..Mention::of(name, None)
                });
            }
        }
        if let Some((embedded, mute)) = report(clause, &subject) {
            *reported |= !mute;
            let inner = Setting {
                first: false,
                reported: true,
                mute,
                ..setting
            };
            let pool = mentions.clone();
            let told = subject::read(clause, embedded, false, &pool)?;
            // Another's "I" is not the speaker; one's own reported word only sets the topic.
            if matches!(told.who, Who::Speaker { .. }) != mute {
                return None;
            }
            if let Who::Person { name, .. } = &told.who {
                mentions.push(Mention::of(name, None));
            }
            let from = time_before(clause, at).unwrap_or(at);
            self.statement(clause, &told, times, inner, None, from, mentions);
            return None;
        }
        let from = time_before(clause, subject.start).unwrap_or(subject.start);
        self.statement(clause, &subject, times, setting, leaned, from, mentions)
    }

    /// Reads verb and object; returns what the next clause may lean on.
    #[expect(clippy::too_many_arguments, reason = "two call sites; the parts of a clause's surroundings")]
    fn statement(
        &mut self,
        clause: &Clause<'_>,
        subject: &Subject,
        times: &[TimeExpression],
        setting: Setting,
        leaned: Option<Lean>,
        from: usize,
        mentions: &mut Vec<Mention>,
    ) -> Option<Lean> {
        let verbs = mood::main_verbs(clause, subject.end, subject.is_third());
        // What leans on another verb has its own tense, but no mood of its own.
        if leaned.as_ref().is_some_and(|lean| verbs.first().is_some_and(|verb| verb.mood.past != lean.verb_is_past)) {
            return None;
        }
        let mut holds = false;
        let mut said = None;
        'verbs: for verb in &verbs {
            if let Some(relation) = self.copula(clause, subject, verb, setting, from) {
                if let Some(mention) = relation {
                    mentions.push(mention);
                }
                return None;
            }
            for (lemma, _) in &verb.readings {
                for pattern in PATTERNS.iter().filter(|pattern| pattern.lemma == *lemma) {
                    let Some(filled) = fill::fill(clause, pattern, verb.after) else {
                        continue;
                    };
                    let borrowed = leaned
                        .as_ref()
                        .filter(|_| !dates(times))
                        .map(|lean| lean.clause.clone());
                    let scene = Scene {
                        clause,
                        subject,
                        verb,
                        times,
                        setting,
                        from,
                        borrowed,
                    };
                    holds = self.say(&scene, pattern, &filled);
                    if let Some(person) = &filled.person {
                        mentions.push(Mention::of(person, None));
                    }
                    said = Some(verb);
                    break 'verbs;
                }
            }
        }
        let verb = said.or_else(|| verbs.last())?;
        let plain = !setting.mute && !setting.reported && !is_marked(verb.mood);
        let range = clause.tokens.first()?.span.start..clause.tokens.last()?.span.end;
        plain.then(|| Lean {
            subject: subject.clone(),
            mood: verb.mood,
            verb_is_past: verb.mood.past,
            holds,
            clause: range,
        })
    }

    /// Turns a filled pattern into candidates; says whether a state that holds now was among them.
    fn say(&mut self, scene: &Scene<'_>, pattern: &Pattern, filled: &Filled) -> bool {
        let Scene {
            clause,
            subject,
            verb,
            setting,
            ..
        } = scene;
        let fits = match (&subject.who, pattern.who) {
            (Who::Project(_), pattern::Who::Project) | (Who::Speaker { .. }, pattern::Who::Person | pattern::Who::Speaker) => true,
            (Who::Person { doubtful, .. }, pattern::Who::Person) => !doubtful || needs_no_known_name(pattern.slot),
            (Who::Person { .. }, pattern::Who::Project) => true,
            (Who::Project(_) | Who::Speaker { .. }, _) | (Who::Person { .. }, pattern::Who::Speaker) => false,
        };
        let animal = matches!(&subject.who, Who::Person { name, .. } if self.animals.contains(name));
        if !fits || animal || hedged(clause) {
            return false;
        }
        let Some(about) = self.about(subject, pattern) else {
            return false;
        };
        if pattern.slot == Slot::Date {
            self.born(scene, about, pattern);
            return false;
        }
        let plural = matches!(subject.who, Who::Speaker { plural: true });
        let signs = Signs {
            since: scene.times.iter().any(|time| time.kind == Kind::Since),
            dated: dates(scene.times),
            future: scene.times.iter().any(|time| time.start.is_some_and(|start| start > self.said_at)),
            any_more: any_more(clause),
            corrects: setting.corrects,
        };
        let mut holds = false;
        for saying in &filled.sayings {
            let Some(object) = saying.object.entity().map_or(Some(&saying.object), |entity| {
                // "We moved to Nomad": only a known place is one where a team speaks.
                let unsure = plural && pattern.slot == Slot::Destination && entity.kind() == "place";
                (!unsure || lexicon::is_place(entity.name())).then_some(&saying.object)
            }) else {
                continue;
            };
            let mood = verb.mood;
            let Some((form, polarity)) = form::form(saying.class, mood, signs) else {
                continue;
            };
            // "I will always love reading" is no plan.
            if form == Form::Plan && matches!(saying.predicate, "likes" | "dislikes") {
                continue;
            }
            // "I've been using Fetch Rewards for gas": one person's tool is a technology only where it is known as one.
            let named = saying.object.entity().map_or("", EntityRef::name);
            if saying.predicate == "uses" && !plural && lexicon::technology(named).is_none() {
                continue;
            }
            if saying.only_if_held && (form, polarity) != (Form::State, Polarity::Affirm) {
                continue;
            }
            // "I've got a dog" is no purchase.
            if pattern.lemma == "get" && pattern.slot == Slot::Pet && verb.mood.perfect {
                continue;
            }
            holds |= (form, polarity) == (Form::State, Polarity::Affirm) && !mood.past;
            let (about, object) = match (&filled.project, &subject.who) {
                // Spoken of from the manager's side, kept from the project's.
                (Some(project), _) => (project.clone(), Object::Entity(about.clone())),
                _ => (about.clone(), object.clone()),
            };
            let key = if saying.predicate == "works_at" && is_aside(clause) {
                "side".to_owned()
            } else {
                saying.key.clone()
            };
            self.topic = Some(Topic {
                subject: about.clone(),
                predicate: saying.predicate,
                kind: object.entity().map_or("", EntityRef::kind).to_owned(),
                rule: saying.rule,
            });
            let dislikes = saying.predicate == "likes"
                && form == Form::NoLonger
                && verb.mood.negated
                && !signs.any_more
                && !signs.since;
            if dislikes {
                self.put(scene, about.clone(), ("dislikes", "clause.dislikes/1"), key.clone(), object.clone(), (Form::State, Polarity::Affirm));
            }
            self.put(scene, about, (saying.predicate, saying.rule), key, object, (form, polarity));
        }
        holds
    }

    fn put(
        &mut self,
        scene: &Scene<'_>,
        subject: EntityRef,
        (predicate, rule): (&'static str, &'static str),
        key: String,
        object: Object,
        (form, polarity): (Form, Polarity),
    ) {
        if scene.setting.mute {
            return;
        }
        let span = span_of(scene.clause, scene.from);
        let clause = match &scene.borrowed {
            Some(other) => other.start.min(span.start)..other.end.max(span.end),
            None => span.clone(),
        };
        let (modality, authority, confidence) = if scene.setting.reported {
            (Modality::Reported, Authority::Inferred, 0.6)
        } else {
            let named = matches!(scene.subject.who, Who::Person { .. });
            (Modality::Actual, self.authority, if named { 0.85 } else { 0.9 })
        };
        let modality = match form {
            Form::Plan if modality == Modality::Actual => Modality::Planned,
            _ => modality,
        };
        self.found.push(Candidate {
            subject,
            predicate,
            key,
            object: Some(object),
            polarity,
            when: When::Said { form, clause },
            modality,
            authority,
            confidence,
            span,
            rule,
        });
    }

    fn about(&self, subject: &Subject, pattern: &Pattern) -> Option<EntityRef> {
        match &subject.who {
            Who::Speaker { .. } => self.speaker.cloned(),
            Who::Project(project) => Some(project.clone()),
            Who::Person { name, .. } if pattern.who == pattern::Who::Project => EntityRef::new("project", name).ok(),
            Who::Person { name, .. } => EntityRef::new("person", name).ok(),
        }
    }

    /// "I was born on 3 May 1990": a date with its year is the object, not the time of the statement.
    fn born(&mut self, scene: &Scene<'_>, subject: EntityRef, pattern: &Pattern) {
        let mood = scene.verb.mood;
        if !mood.past || is_marked(mood) || scene.setting.mute {
            return;
        }
        let mut dates = scene.times.iter().filter(|time| {
            let words = self.text.get(time.span.clone()).unwrap_or_default();
            time.kind == Kind::Point && time.grain <= Granularity::Year && names_year(words)
        });
        let (Some(date), None) = (dates.next(), dates.next()) else {
            return;
        };
        let Some(start) = date.start else { return };
        let object = Object::Instant(Moment::new(start, date.grain));
        self.put(scene, subject, ("born_on", pattern.rule), String::new(), object, (Form::State, Polarity::Affirm));
        if let Some(candidate) = self.found.last_mut() {
            candidate.when = from_now(self.said_at);
        }
    }

    /// Reads "Anna is my sister", "Tom was my boss". `Some(None)` where it is one but states nothing.
    fn copula(
        &mut self,
        clause: &Clause<'_>,
        subject: &Subject,
        verb: &MainVerb,
        setting: Setting,
        from: usize,
    ) -> Option<Option<Mention>> {
        let Who::Person { name, .. } = &subject.who else {
            return None;
        };
        if !verb.readings.iter().any(|(lemma, _)| *lemma == "be") {
            return None;
        }
        let (kin, plural, end) = kin::noun(clause, verb.after)?;
        let (Some(speaker), true) = (self.speaker.cloned(), clause.ends_phrase(end) && !plural && !hedged(clause)) else {
            return Some(None);
        };
        let signs = Signs {
            any_more: any_more(clause),
            corrects: setting.corrects,
            ..Signs::default()
        };
        let Some((form, polarity)) = form::form(Class::State, verb.mood, signs) else {
            return Some(None);
        };
        let kind = if kin.predicate == "has_pet" { "animal" } else { "person" };
        let Ok(entity) = EntityRef::new(kind, name) else {
            return Some(None);
        };
        let scene = Scene {
            clause,
            subject,
            verb,
            times: &[],
            setting,
            from,
            borrowed: None,
        };
        self.put(&scene, speaker, (kin.predicate, kin.rule), String::new(), Object::Entity(entity), (form, polarity));
        Some(Some(Mention::of(name, kin.gender)))
    }

    /// Puts down a "my sister Anna".
    fn introduce(&mut self, introduction: &Introduction, tokens: &[Token], mentions: &mut Vec<Mention>) {
        let kin = introduction.kin;
        let span = tokens[introduction.start].span.start..tokens[introduction.end - 1].span.end;
        let kind = if kin.predicate == "has_pet" { "animal" } else { "person" };
        for name in &introduction.names {
            if kind == "animal" {
                self.animals.insert(name.clone());
            }
            mentions.push(Mention {
                doubtful: kind == "animal",
                ..Mention::of(name, kin.gender)
            });
            self.relate(kin.predicate, kin.rule, kind, name, span.clone());
        }
    }

    /// Puts down that the speaker has a relation to somebody, as of now.
    fn relate(&mut self, predicate: &'static str, rule: &'static str, kind: &str, name: &str, span: Range<usize>) {
        let (Some(speaker), Ok(entity)) = (self.speaker, EntityRef::new(kind, name)) else {
            return;
        };
        self.found.push(Candidate {
            subject: speaker.clone(),
            predicate,
            key: String::new(),
            object: Some(Object::Entity(entity)),
            polarity: Polarity::Affirm,
            when: When::Said {
                form: Form::State,
                clause: span.clone(),
            },
            modality: Modality::Actual,
            authority: self.authority,
            confidence: 0.85,
            span,
            rule,
        });
    }

    /// Reads "my name is Anna", "call me Al", "my sister's name is Anna", "my dog is called Rex".
    fn naming(&mut self, clause: &Clause<'_>, at: usize) -> bool {
        let called = |at: usize| {
            let at = at + usize::from(clause.is_one_of(at, &["called", "named"]));
            clause.name_run(at).filter(|(_, end)| clause.ends_phrase(*end) && end - at <= 4)
        };
        let own = [&["my", "name", "is"][..], &["my", "name", "'s"], &["i", "am", "called"], &["call", "me"], &["i", "go", "by"]];
        if let Some(words) = own.iter().find(|words| clause.are(at, words)) {
            if let (Some((name, end)), Some(speaker)) = (called(at + words.len()), self.speaker.cloned()) {
                let span = clause.tokens[at].span.start..clause.tokens[end - 1].span.end;
                self.relate("name", "clause.name/1", "person", &name, span);
                if let Some(candidate) = self.found.last_mut() {
                    candidate.subject = speaker;
                    candidate.object = Some(Object::Text(name));
                }
            }
            return true;
        }
        let Some((kin, false, behind)) = kin::noun(clause, at) else {
            return false;
        };
        let name_at = [&["'s", "name", "is"][..], &["is", "called"], &["is", "named"], &["'s", "called"], &["is"]]
            .iter()
            .find(|words| clause.are(behind, words))
            .map(|words| behind + words.len());
        let Some((name, end)) = name_at.and_then(called) else {
            return false;
        };
        if lexicon::is_place(&name) || lexicon::is_no_name(&name.to_lowercase()) {
            return false;
        }
        let kind = if kin.predicate == "has_pet" { "animal" } else { "person" };
        let span = clause.tokens[at].span.start..clause.tokens[end - 1].span.end;
        self.relate(kin.predicate, kin.rule, kind, &name, span);
        true
    }

    /// Reads "it isn't Acme", "it's Beta" after something was said that is being taken back.
    fn corrected(&mut self, clause: &Clause<'_>, at: usize, setting: Setting) -> bool {
        let denied = [&["it", "is", "not"][..], &["it", "'s", "not"], &["it", "was", "not"]];
        let affirmed = [&["it", "is"][..], &["it", "'s"]];
        let (words, form) = match (
            denied.iter().find(|words| clause.are(at, words)),
            affirmed.iter().find(|words| clause.are(at, words)),
        ) {
            (Some(words), _) => (words.len(), Form::Never),
            (None, Some(words)) => (words.len(), Form::State),
            (None, None) => return false,
        };
        if !setting.corrects || hedged(clause) {
            return false;
        }
        let (Some((name, end)), Some(topic)) = (clause.name(at + words), &self.topic) else {
            return false;
        };
        let Ok(entity) = EntityRef::new(&topic.kind, &name) else {
            return false;
        };
        let span = clause.tokens[at].span.start..clause.tokens[end - 1].span.end;
        self.found.push(Candidate {
            subject: topic.subject.clone(),
            predicate: topic.predicate,
            key: String::new(),
            object: Some(Object::Entity(entity)),
            polarity: Polarity::Affirm,
            when: When::Said {
                form,
                clause: span.clone(),
            },
            modality: Modality::Actual,
            authority: self.authority,
            confidence: 0.7,
            span,
            rule: topic.rule,
        });
        true
    }
}

/// A clause in which a pattern was found.
struct Scene<'a> {
    clause: &'a Clause<'a>,
    subject: &'a Subject,
    verb: &'a MainVerb,
    times: &'a [TimeExpression],
    setting: Setting,
    from: usize,
    borrowed: Option<Range<usize>>,
}

fn from_now(said_at: Instant) -> When {
    let said = Moment::instant(said_at);
    match Period::new(Bound::At(said), Bound::Open) {
        Ok(period) => When::Exactly {
            validity: Validity::Over(period),
            sure_until: Some(said),
        },
        Err(_) => When::Exactly {
            validity: Validity::Undated,
            sure_until: None,
        },
    }
}

/// Finds the time words of some tokens, with their place in the turn's text.
fn times(text: &str, said_at: Instant, tokens: &[Token]) -> Vec<TimeExpression> {
    let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else {
        return Vec::new();
    };
    let base = first.span.start;
    let context = Context {
        now: said_at,
        tense: Tense::Present,
        fiscal_start: 1,
    };
    let mut times = timex::find(&text[base..last.span.end], &context);
    for time in &mut times {
        time.span = base + time.span.start..base + time.span.end;
    }
    times
}

/// Joins a part that only says when ("In March,") to the one behind it; beside each part, where its own words start.
fn merge_time_prefixes(text: &str, said_at: Instant, tokens: &[Token], parts: Vec<Part>) -> Vec<(Part, usize)> {
    let mut merged: Vec<(Part, usize)> = Vec::with_capacity(parts.len());
    let mut prefix: Option<Part> = None;
    for part in parts {
        let own = part.tokens.start;
        let part = match prefix.take() {
            Some(before) => Part {
                tokens: before.tokens.start..part.tokens.end,
                ..before
            },
            None => part,
        };
        let short = part.tokens.len() <= 8 && part.tokens.end < tokens.len();
        let only_time = short && own == part.tokens.start && {
            let words = &tokens[part.tokens.clone()];
            let times = times(text, said_at, words);
            !times.is_empty()
                && words.iter().all(|token| {
                    token.is_one_of(&["in", "on", "at", "back", "around", "since", "from", "the", "of", "just"])
                        || times.iter().any(|time| time.span.start <= token.span.start && token.span.end <= time.span.end)
                })
        };
        if only_time {
            prefix = Some(part);
        } else {
            merged.push((part, own));
        }
    }
    if let Some(part) = prefix {
        let own = part.tokens.start;
        merged.push((part, own));
    }
    merged
}

/// Skips what stands before a subject: interjections, adverbs, time words.
fn skip_openers(clause: &Clause<'_>, head: usize, setting: &mut Setting) -> usize {
    const OPENERS: &[&str] = &[
        "well", "oh", "yes", "yeah", "yep", "ok", "okay", "hi", "hey", "hello", "so", "and", "but", "anyway", "btw", "fyi",
        "ps", "then", "no", "nope", "sure", "ah", "also", "plus", "because", "though", "however", "today", "yesterday",
        "nowadays", "lately", "sorry", "update", "correction",
    ];
    let mut at = head;
    loop {
        if clause.are(at, &["by", "the", "way"]) {
            at += 3;
        } else if clause.is_one_of(at, &["apparently", "supposedly", "reportedly", "allegedly"]) {
            setting.reported = true;
            at += 1;
        } else if clause.is_one_of(at, OPENERS)
            || clause.is_one_of(at, ADVERBS)
            || clause.token(at).is_some_and(|token| token.kind == TokenKind::Comma)
            || (clause.is_one_of(at, &["in", "on", "since", "at", "back"]) && covered(clause, at + 1))
            || covered(clause, at)
        {
            at += 1;
        } else {
            return at;
        }
    }
}

/// Returns where a time before the subject starts, with the preposition that leads it.
fn time_before(clause: &Clause<'_>, subject: usize) -> Option<usize> {
    let first = (0..subject).find(|at| covered(clause, *at))?;
    let led = first > 0 && clause.is_one_of(first - 1, &["in", "on", "since", "at", "until"]);
    Some(first - usize::from(led))
}

fn covered(clause: &Clause<'_>, at: usize) -> bool {
    clause.token(at).is_some_and(|token| {
        clause.times.iter().any(|time| time.start <= token.span.start && token.span.end <= time.end)
    })
}

/// Says whether an elided subject can be the one before: "I left Acme and joined Beta".
fn lean_fits(clause: &Clause<'_>, at: usize, lean: &Lean) -> bool {
    let readings = clause.token(at).map_or(&[][..], |token| super::verb::readings(&token.lower));
    let has = |form| readings.iter().any(|(_, reading)| *reading == form);
    if is_marked(lean.mood) {
        return false;
    }
    if lean.verb_is_past || lean.mood.perfect {
        return lean.verb_is_past && has(VerbForm::Past);
    }
    lean.holds && (has(VerbForm::Base) || has(VerbForm::Third))
}

fn is_marked(mood: Mood) -> bool {
    mood.planned || mood.negated || mood.never || mood.no_longer || mood.used_to
}

/// Says whether a pattern's slot is telling enough for a subject that may be any capitalised word.
fn needs_no_known_name(slot: Slot) -> bool {
    match slot {
        Slot::Org | Slot::School | Slot::Place | Slot::Destination | Slot::Person | Slot::Project | Slot::Date => true,
        Slot::Left
        | Slot::Liking
        | Slot::Owned
        | Slot::Owning
        | Slot::Pet
        | Slot::Role
        | Slot::Technology
        | Slot::Decision => false,
    }
}

/// Reads "told me that", "said": where the other's words start, and whether they are the speaker's own.
fn report(clause: &Clause<'_>, subject: &Subject) -> Option<(usize, bool)> {
    const SAYING: &[&str] = &[
        "said", "says", "mentioned", "mentions", "claims", "claimed", "announced", "reports", "reported", "confirmed",
        "wrote", "posted", "thinks", "believes", "explained", "say",
    ];
    const TELLING: &[&str] = &["told", "tells", "texted", "emailed", "informed", "tell"];
    let own = matches!(subject.who, Who::Speaker { .. });
    let mut at = subject.end;
    while clause.is_one_of(at, ADVERBS) {
        at += 1;
    }
    let (next, mute) = if own && clause.is_one_of(at, &["heard", "read"]) {
        (at + 1, false)
    } else if own && clause.are(at, &["was", "told"]) {
        (at + 2, false)
    } else if clause.is_one_of(at, SAYING) {
        (at + 1, own)
    } else if clause.is_one_of(at, TELLING) {
        let listener = match clause.name_run(at + 1) {
            Some((_, end)) => end,
            None => at + 2,
        };
        (listener, own)
    } else {
        return None;
    };
    Some((next + usize::from(clause.is(next, "that")), mute))
}

/// Finds every "my sister Anna" of a sentence.
fn introductions(text: &str, tokens: &[Token]) -> Vec<Introduction> {
    let clause = Clause {
        text,
        tokens,
        times: &[],
    };
    (0..tokens.len()).filter_map(|at| kin::introduction(&clause, at)).collect()
}

/// Says whether a clause takes back what was said.
fn takes_back(tokens: &[Token]) -> bool {
    const WORDS: [&[&str]; 13] = [
        &["that", "was", "wrong"],
        &["that", "is", "wrong"],
        &["that", "'s", "wrong"],
        &["i", "was", "wrong"],
        &["i", "misspoke"],
        &["my", "mistake"],
        &["that", "was", "a", "mistake"],
        &["that", "is", "not", "right"],
        &["that", "'s", "not", "right"],
        &["that", "'s", "incorrect"],
        &["that", "was", "incorrect"],
        &["that", "is", "incorrect"],
        &["correction"],
    ];
    (0..tokens.len()).any(|at| {
        WORDS.iter().any(|words| {
            tokens.len() - at >= words.len() && words.iter().zip(&tokens[at..]).all(|(word, token)| token.is(word))
        })
    })
}

/// Says whether a clause opens as a question.
fn opens_question(tokens: &[Token]) -> bool {
    const OPENERS: &[&str] = &[
        "do", "does", "did", "is", "are", "am", "was", "were", "can", "could", "would", "will", "what", "who", "where", "when",
        "why", "how", "which", "any", "have", "has", "had", "should", "shall", "may", "might", "whose", "whom", "got", "know",
        "anyone",
    ];
    tokens.first().is_some_and(|token| token.is_one_of(OPENERS))
}

/// Says whether a clause supposes rather than states.
fn supposes(tokens: &[Token]) -> bool {
    const WORDS: &[&str] = &[
        "wish", "suppose", "imagine", "assume", "assuming", "pretend", "pretending", "hypothetically", "hope", "hopefully",
        "dream", "dreamed", "dreamt", "joking", "kidding", "considering",
    ];
    tokens.iter().any(|token| token.is_one_of(WORDS))
}

/// Says whether a clause is said with a doubt.
fn hedged(clause: &Clause<'_>) -> bool {
    const WORDS: &[&str] = &[
        "maybe", "perhaps", "probably", "possibly", "presumably", "jk", "almost", "nearly", "sarcasm", "allegedly",
    ];
    clause.any(0, WORDS)
        || (0..clause.tokens.len()).any(|at| {
            clause.are(at, &["i", "guess"]) || clause.are(at, &["i", "think"]) || clause.are(at, &["in", "theory"])
        })
}

fn any_more(clause: &Clause<'_>) -> bool {
    (0..clause.tokens.len()).any(|at| {
        clause.is(at, "anymore") || clause.are(at, &["any", "more"]) || clause.are(at, &["any", "longer"])
    })
}

/// Says whether work is said to be a second one: "part-time", "on the side", "also".
fn is_aside(clause: &Clause<'_>) -> bool {
    clause.any(0, &["part-time", "also"])
        || (0..clause.tokens.len()).any(|at| clause.are(at, &["on", "the", "side"]))
}

fn dates(times: &[TimeExpression]) -> bool {
    times.iter().any(|time| match time.kind {
        Kind::Point | Kind::Span | Kind::Since | Kind::Until => true,
        Kind::Duration | Kind::Recurrence | Kind::Event => false,
    })
}

/// Says whether time words name a year in four digits.
fn names_year(words: &str) -> bool {
    words
        .split(|c: char| !c.is_ascii_digit())
        .any(|digits| digits.len() == 4 && (digits.starts_with("19") || digits.starts_with("20")))
}

/// The bytes of a clause from a token on, without stops at its end.
fn span_of(clause: &Clause<'_>, from: usize) -> Range<usize> {
    let from = from.min(clause.tokens.len().saturating_sub(1));
    let words = &clause.tokens[from..];
    let end = words
        .iter()
        .rev()
        .find(|token| matches!(token.kind, TokenKind::Word | TokenKind::Opaque))
        .or(words.first());
    let start = words.first().map_or(0, |token| token.span.start);
    start..end.map_or(start, |token| token.span.end)
}
