//! From a filled pattern to candidates: of whom, in what form, with whose word.

use std::ops::Range;

use bygone_engine::time::{Bound, Granularity, Instant, Moment, Period, Validity};
use bygone_engine::{Authority, EntityRef, Modality, Object, Polarity};
use bygone_ontology::timex::Kind;

use super::correction::Topic;
use super::cues::{any_more, hedged, is_aside, names_year, of_late};
use super::fill::{Filled, Saying};
use super::form::{self, Signs};
use super::lexicon;
use super::mood::{MainVerb, Mood, is_marked};
use super::pattern::{self, Class, Pattern, Slot};
use super::phrase::Clause;
use super::reader::{Reader, Setting};
use super::subject::{Subject, Who};
use super::token::Kind as TokenKind;
use crate::candidate::{Candidate, Form, When};

/// A clause in which a pattern was found.
pub(super) struct Scene<'a> {
    /// The clause.
    pub(super) clause: &'a Clause<'a>,
    /// Its subject.
    pub(super) subject: &'a Subject,
    /// Its verb.
    pub(super) verb: &'a MainVerb,
    /// What is known of it beside its words.
    pub(super) setting: Setting,
    /// The position where what is said starts.
    pub(super) from: usize,
    /// The clause before, where this one leans on it and has no time of its own.
    pub(super) borrowed: Option<Range<usize>>,
}

impl Reader<'_> {
    /// Turns a filled pattern into candidates; says whether a state that holds now was among them.
    pub(super) fn say(&mut self, scene: &Scene<'_>, pattern: &Pattern, filled: &Filled) -> bool {
        let Scene { clause, subject, verb, .. } = scene;
        let fits = match (&subject.who, pattern.who) {
            (Who::Project(_) | Who::Person { .. }, pattern::Who::Project)
            | (Who::Speaker { .. }, pattern::Who::Person | pattern::Who::Speaker) => true,
            (Who::Person { doubtful, .. }, pattern::Who::Person) => {
                !doubtful || needs_no_known_name(pattern.slot)
            }
            (Who::Project(_) | Who::Speaker { .. }, _) | (Who::Person { .. }, pattern::Who::Speaker) => false,
        };
        let animal = matches!(&subject.who, Who::Person { name, .. } if self.is_animal(name));
        if !fits || animal || hedged(clause) {
            return false;
        }
        let Some(about) = self.about(subject, pattern) else {
            return false;
        };
        // A program has no home, no taste and no employer, whatever part it plays.
        let personal = pattern.who == pattern::Who::Person && matches!(subject.who, Who::Speaker { .. });
        if personal && about.kind() == "agent" {
            return false;
        }
        if pattern.slot == Slot::Status && matches!(subject.who, Who::Speaker { plural: true }) {
            return false;
        }
        if pattern.slot == Slot::Date {
            self.born(scene, about, pattern);
            return false;
        }
        let plural = matches!(subject.who, Who::Speaker { plural: true });
        let signs = self.signs(scene);
        let mut holds = false;
        for saying in &filled.sayings {
            let entity = saying.object.as_ref().and_then(Object::entity);
            let named = entity.map_or("", EntityRef::name);
            // "We moved to Nomad": where a team speaks, only a known place is one.
            let unsure = plural && pattern.slot == Slot::Destination && saying.predicate == "lives_in";
            if unsure && !lexicon::is_place(named) {
                continue;
            }
            let (class, mood) = match possession(pattern, saying, verb.mood) {
                Some(Possession::Acquired) => continue,
                Some(Possession::Had) => (Class::State, Mood { perfect: false, ..verb.mood }),
                None => (saying.class, verb.mood),
            };
            let Some((form, polarity)) = form::form(class, mood, signs) else {
                continue;
            };
            let form = match form {
                Form::Event if is_experience(saying.predicate, mood, clause) => Form::Experience,
                form => form,
            };
            // "I enjoyed the walk" tells of the walk.
            if form == Form::Was && pattern.lemma == "enjoy" {
                continue;
            }
            // "I will always love reading" is no plan.
            if form == Form::Plan && matches!(saying.predicate, "likes" | "dislikes") {
                continue;
            }
            // "I'm writing a novel" plans none.
            let under_way = mood.progressive && !mood.planned && !signs.future;
            let slow = matches!(
                pattern.slot,
                Slot::Made
                    | Slot::Pastime
                    | Slot::Staged
                    | Slot::Volunteering
                    | Slot::Achievement
                    | Slot::Venture
            );
            // "I'll have four bikes with me" tells of no purchase.
            let had = form == Form::Plan && matches!(pattern.slot, Slot::Kept | Slot::Counted);
            if had || (form == Form::Plan && slow && under_way) {
                continue;
            }
            // "I've been using Fetch Rewards for gas": one person's tool is a technology only where it is known as one.
            if saying.predicate == "uses" && !plural && lexicon::technology(named).is_none() {
                continue;
            }
            let held = polarity == Polarity::Affirm && matches!(form, Form::State | Form::Was);
            if saying.only_if_held && !held {
                continue;
            }
            holds |= (form, polarity) == (Form::State, Polarity::Affirm);
            let (about, object) = match &filled.project {
                // Spoken of from the manager's side, kept from the project's.
                Some(project) => (project.clone(), Some(Object::Entity(about.clone()))),
                None => (about.clone(), saying.object.clone()),
            };
            let key = if saying.predicate == "works_at" && is_aside(clause) {
                "side".to_owned()
            } else {
                saying.key.clone()
            };
            self.topic = Some(Topic {
                subject: about.clone(),
                predicate: saying.predicate,
                kind: object.as_ref().and_then(Object::entity).map_or("", EntityRef::kind).to_owned(),
                rule: saying.rule,
            });
            let dislikes = saying.predicate == "likes"
                && form == Form::NoLonger
                && verb.mood.negated
                && !signs.any_more
                && !signs.since;
            if dislikes {
                self.put(
                    scene,
                    about.clone(),
                    ("dislikes", "clause.dislikes/1"),
                    key.clone(),
                    object.clone(),
                    (Form::State, Polarity::Affirm),
                );
            }
            self.put(scene, about, (saying.predicate, saying.rule), key, object, (form, polarity));
            if (saying.class, form) == (Class::Lifelong, Form::State)
                && let Some(candidate) = self.found.last_mut()
            {
                candidate.when = from_now(self.said_at);
            }
        }
        holds
    }

    pub(super) fn put(
        &mut self,
        scene: &Scene<'_>,
        subject: EntityRef,
        (predicate, rule): (&'static str, &'static str),
        key: String,
        object: Option<Object>,
        (form, polarity): (Form, Polarity),
    ) {
        if scene.setting.mute {
            return;
        }
        let span = span_of(scene.clause, scene.from);
        let clause = match &scene.borrowed {
            Some(other) => other.start.min(span.start)..other.end.max(span.end),
            None if form == Form::Event && self.carries_time(scene) => {
                self.told_time.as_ref().map_or(span.clone(), |(time, _)| time.clone())
            }
            None if form == Form::State => span.start..afterthought(scene).unwrap_or(span.end).min(span.end),
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
            object,
            polarity,
            when: When::Said { form, clause },
            modality,
            authority,
            confidence,
            span,
            context: Vec::new(),
            rule,
        });
    }

    /// Gathers what a clause shows beside its verb.
    pub(super) fn signs(&self, scene: &Scene<'_>) -> Signs {
        let times = scene.clause.times;
        Signs {
            since: times.iter().any(|time| time.kind == Kind::Since),
            dated: scene.clause.is_dated(),
            future: times.iter().any(|time| time.start.is_some_and(|start| start > self.said_at)),
            of_late: times.iter().any(|time| time.kind == Kind::Duration) || of_late(scene.clause),
            any_more: any_more(scene.clause),
            corrects: scene.setting.corrects,
        }
    }

    /// Says whether an event without a time of its own happened at the time told just before.
    fn carries_time(&self, scene: &Scene<'_>) -> bool {
        let mood = scene.verb.mood;
        let told = mood.past && !mood.perfect && !mood.progressive && !is_marked(mood);
        let own = scene.clause.times.iter().any(|time| time.kind != Kind::Event);
        told && !own && self.told_time.is_some()
    }

    fn about(&self, subject: &Subject, pattern: &Pattern) -> Option<EntityRef> {
        match &subject.who {
            Who::Speaker { .. } => self.speaker.cloned(),
            Who::Project(project) => Some(project.clone()),
            Who::Person { name, .. } if pattern.who == pattern::Who::Project => {
                EntityRef::new("project", name).ok()
            }
            Who::Person { name, .. } => EntityRef::new("person", name).ok(),
        }
    }

    /// "I was born on 3 May 1990": a date with its year is the object, not the time of the statement.
    fn born(&mut self, scene: &Scene<'_>, subject: EntityRef, pattern: &Pattern) {
        let mood = scene.verb.mood;
        if !mood.past || is_marked(mood) || scene.setting.mute {
            return;
        }
        let place_at = (scene.verb.after..scene.clause.tokens.len()).find(|at| scene.clause.is(*at, "in"));
        let place =
            place_at.and_then(|at| scene.clause.name(at + 1)).filter(|(name, _)| !lexicon::is_no_place(name));
        if let Some(place) = place.and_then(|(name, _)| EntityRef::new("place", &name).ok()) {
            self.put(
                scene,
                subject.clone(),
                ("born_in", "clause.born_in/1"),
                String::new(),
                Some(Object::Entity(place)),
                (Form::State, Polarity::Affirm),
            );
            if let Some(candidate) = self.found.last_mut() {
                candidate.when = from_now(self.said_at);
            }
        }
        let mut dates = scene.clause.times.iter().filter(|time| {
            let words = self.text.get(time.span.clone()).unwrap_or_default();
            time.kind == Kind::Point && time.grain <= Granularity::Year && names_year(words)
        });
        let (Some(date), None) = (dates.next(), dates.next()) else {
            return;
        };
        let Some(start) = date.start else { return };
        let object = Object::Instant(Moment::new(start, date.grain));
        self.put(
            scene,
            subject,
            ("born_on", pattern.rule),
            String::new(),
            Some(object),
            (Form::State, Polarity::Affirm),
        );
        if let Some(candidate) = self.found.last_mut() {
            candidate.when = from_now(self.said_at);
        }
    }
}

/// What "I've got a dog" tells, where "I got a dog" tells of an event and of what it began.
enum Possession {
    Acquired,
    Had,
}

fn possession(pattern: &Pattern, saying: &Saying, mood: Mood) -> Option<Possession> {
    let got = pattern.lemma == "get" && mood.perfect && matches!(pattern.slot, Slot::Pet | Slot::Got);
    got.then_some(if saying.class == Class::Event { Possession::Acquired } else { Possession::Had })
}

/// Says whether an event is told as something one has behind one: "I've been to China", but not "I've just been there",
/// nor "I've bought a car", where the news is that there is one now.
pub(super) fn is_experience(predicate: &str, mood: Mood, clause: &Clause<'_>) -> bool {
    const EXPERIENCES: &[&str] = &["attended", "consumed", "did", "met", "tried", "visited", "went_on"];
    let is_news = clause.tokens.iter().any(|token| token.is_one_of(&["just", "now", "finally"]));
    EXPERIENCES.contains(&predicate) && mood.perfect && !mood.progressive && !is_news
}

fn from_now(said_at: Instant) -> When {
    let said = Moment::instant(said_at);
    match Period::new(Bound::At(said), Bound::Open) {
        Ok(period) => When::Exactly { validity: Validity::Over(period), sure_until: Some(said) },
        Err(_) => When::Exactly { validity: Validity::Undated, sure_until: None },
    }
}

/// Returns where what is only added behind a comma starts: its times are not those of what holds now, as in "I've been
/// baking a lot, especially after the class I took yesterday".
fn afterthought(scene: &Scene<'_>) -> Option<usize> {
    let tokens = scene.clause.tokens.get(scene.verb.after..)?;
    let comma = tokens.iter().find(|token| token.kind == TokenKind::Comma)?;
    let at = comma.span.start;
    let mut later = scene.clause.times.iter().filter(|time| time.span.start > at);
    // "I've lived in Berlin, Germany, since 2018" is dated by it all the same.
    later.all(|time| matches!(time.kind, Kind::Point | Kind::Span)).then_some(at)
}

/// Says whether a pattern's slot is telling enough for a subject that may be any capitalised word.
fn needs_no_known_name(slot: Slot) -> bool {
    match slot {
        Slot::Org
        | Slot::School
        | Slot::Place
        | Slot::Destination
        | Slot::Person
        | Slot::Project
        | Slot::Date => true,
        Slot::Bought
        | Slot::Got
        | Slot::Kept
        | Slot::Made
        | Slot::Happening
        | Slot::Achievement
        | Slot::Outing
        | Slot::PlaceKind
        | Slot::KnownPlace
        | Slot::Workplace
        | Slot::LikingTo
        | Slot::Staged
        | Slot::Collecting
        | Slot::Pastime
        | Slot::Volunteering
        | Slot::Habit
        | Slot::Topic
        | Slot::Lesson
        | Slot::Title
        | Slot::Club
        | Slot::Venture
        | Slot::KnownPerson
        | Slot::Preference
        | Slot::Age
        | Slot::Counted
        | Slot::Condition
        | Slot::Allergy
        | Slot::Language
        | Slot::Diet
        | Slot::Status
        | Slot::Whatever
        | Slot::Left
        | Slot::Liking
        | Slot::Owned
        | Slot::Owning
        | Slot::Pet
        | Slot::Role
        | Slot::Technology
        | Slot::Decision => false,
    }
}

/// The bytes of a clause from a token on, without stops at its end.
pub(super) fn span_of(clause: &Clause<'_>, from: usize) -> Range<usize> {
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
