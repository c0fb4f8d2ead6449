//! What verbs say of people beyond the patterns: the verb decides on the predicate, and its object is copied.
//!
//! A frame ([`table`]) is tried where no pattern of the clause fits. It reads the object as far as it reaches
//! ([`extent`]) without understanding it, and gives up where the words point instead of naming.

mod extent;
mod table;

use bygone_engine::{Authority, EntityRef, Object, Polarity};

use super::cues::hedged;
use super::described::WEIGHING;
use super::fill::LOOSE_WORDS;
use super::form;
use super::lexicon;
use super::mood::{ADVERBS, MainVerb, Mood};
use super::pattern::Class;
use super::phrase::{Clause, is_adverb};
use super::reader::Reader;
use super::saying::{Scene, is_experience};
use super::subject::Who;
use super::thing::INDEFINITE;
use super::verb::{self, VerbForm};
use crate::candidate::{Form, When};
use extent::{Extent, as_doing};
use table::{Frame, Tells};

/// Words that tell of what is done again and again.
const OFTEN: &[&str] =
    &["usually", "often", "always", "typically", "normally", "regularly", "sometimes", "mostly"];

/// Events that last, so that one in progress has happened: "I'm reading Dune".
const UNDER_WAY: &[&str] = &[
    "consumed",
    "discovered",
    "helped",
    "lost",
    "organized",
    "tried",
    "went_through",
    "started",
    "repaired",
];

/// A predicate, and the rule that says it.
type Rule = (&'static str, &'static str);

/// How sure a frame is, below a pattern: it copies what it does not understand.
const CONFIDENCE: f64 = 0.7;

impl Reader<'_> {
    /// Reads a clause by the frames of its main verb; says whether one fits.
    pub(super) fn frame(&mut self, scene: &Scene<'_>, verbs: &[MainVerb]) -> bool {
        let about = match &scene.subject.who {
            Who::Speaker { .. } => self.speaker.filter(|speaker| speaker.kind() == "person").cloned(),
            // A capital makes no name: "Local shops often offer …".
            Who::Person { name, doubtful: false } if self.is_persons(name) => {
                EntityRef::new("person", name).ok()
            }
            Who::Person { .. } | Who::Project(_) => None,
        };
        let Some(about) = about.filter(|_| !hedged(scene.clause)) else {
            return false;
        };
        // Those before it are its auxiliaries.
        let Some(verb) = verbs.last() else { return false };
        for (lemma, _) in &verb.readings {
            for frame in table::of(lemma) {
                let Some((objects, end)) = fill(scene.clause, frame, verb) else { continue };
                let Some(form) = self.form_of(scene, frame, lemma, verb.mood) else { continue };
                // "People | who have been there": only some of them.
                let wants = is_attitude(frame.predicate)
                    || matches!(frame.predicate, "has_goal" | "considers" | "planned");
                if wants && self.goes_on && end == scene.clause.tokens.len() {
                    return false;
                }
                // "A trip I took last summer" dates the trip.
                let inner = scene.clause.is_one_of(end, &["i", "we", "he", "she", "they"]);
                let end = (form.0 == Form::State || inner).then_some(end);
                for object in objects {
                    self.put_framed(scene, about.clone(), (frame.predicate, frame.rule), object, form, end);
                }
                return true;
            }
        }
        let Some((rule, object, form)) = Self::any_verb(scene, verb) else {
            return false;
        };
        self.put_framed(scene, about, rule, object, form, None);
        true
    }

    fn is_persons(&self, name: &str) -> bool {
        let first = name.split(' ').next().unwrap_or_default();
        let known = lexicon::is_given_name(first) || name.contains("'s ");
        known && !self.is_animal(name) && self.authority == Authority::User
    }

    fn put_framed(
        &mut self,
        scene: &Scene<'_>,
        about: EntityRef,
        saying: Rule,
        object: Object,
        form: (Form, Polarity),
        dated_to: Option<usize>,
    ) {
        let n_before = self.found.len();
        self.put(scene, about, saying, String::new(), Some(object), form);
        for candidate in &mut self.found[n_before..] {
            candidate.confidence = candidate.confidence.min(CONFIDENCE);
            // A time behind what holds now is not its own: "I miss going on trips like we did last year".
            if let (Some(end), When::Said { clause, .. }) = (dated_to, &mut candidate.when) {
                clause.end = clause.end.min(scene.clause.tokens[end - 1].span.end);
            }
        }
    }

    fn form_of(&self, scene: &Scene<'_>, frame: &Frame, lemma: &str, mood: Mood) -> Option<(Form, Polarity)> {
        let signs = self.signs(scene);
        let Tells::Of(class) = frame.tells else {
            let denied = mood.negated || mood.never || mood.no_longer || mood.used_to;
            let made = matches!(lemma, "plan" | "sign" | "book" | "arrange" | "decide" | "promise");
            let looks_back = (mood.past || mood.perfect) && !made;
            // "We have regular meetings" plans none.
            let had = lemma == "have" && !signs.future;
            let goes = lemma == "go" && !mood.progressive;
            return (!denied && !looks_back && !had && !goes).then_some((Form::Plan, Polarity::Affirm));
        };
        // "We usually watch a film" is a habit.
        if scene.clause.any(0, OFTEN) && !mood.past && class != Class::State {
            return None;
        }
        let begins = class == Class::Change && mood.progressive && !mood.planned && !signs.future;
        let class = if begins { Class::State } else { class };
        let under_way = class == Class::Event && mood.progressive && !mood.planned && !signs.future;
        let class = match class {
            Class::Event if under_way && UNDER_WAY.contains(&frame.predicate) => Class::Underway,
            // "I'm getting creative": what is going on need never come about.
            Class::Event if under_way => return None,
            class => class,
        };
        let (form, polarity) = form::form(class, mood, signs)?;
        // What was liked or wanted once says little: "I loved the walk" tells of the walk.
        let taste =
            matches!(frame.predicate, "likes" | "dislikes" | "values" | "has_goal" | "considers" | "misses");
        let wanted = frame.predicate == "has_goal" && form == Form::Was;
        if taste && matches!(form, Form::Was | Form::Plan | Form::Never) && !wanted {
            return None;
        }
        let form = match form {
            Form::Event if is_experience(frame.predicate, mood, scene.clause) => Form::Experience,
            form => form,
        };
        Some((form, polarity))
    }

    /// Reads a verb without a frame: what is planned, and what is done again and again.
    fn any_verb(scene: &Scene<'_>, verb: &MainVerb) -> Option<(Rule, Object, (Form, Polarity))> {
        const STATIVE: &[&str] = &[
            "be", "do", "have", "get", "know", "think", "feel", "want", "need", "like", "love", "see",
            "hear", "hope", "mean", "find", "keep", "let", "seem", "believe", "remember", "wonder", "wait",
            "come", "make", "give", "say", "guess", "agree", "wish", "deserve", "matter", "surprise",
            "scare", "thank", "miss", "try", "look", "put", "set", "care",
        ];
        // What is told in the present is done more than once: "I teach yoga", "I watch tutorials".
        const LASTING: &[&str] = &[
            "bake",
            "coach",
            "collect",
            "cook",
            "dance",
            "draw",
            "exercise",
            "garden",
            "hike",
            "listen",
            "meditate",
            "mentor",
            "paint",
            "play",
            "practice",
            "read",
            "sing",
            "sketch",
            "surf",
            "swim",
            "teach",
            "train",
            "volunteer",
            "watch",
            "write",
        ];
        let mood = verb.mood;
        let denied = mood.negated || mood.never || mood.no_longer || mood.used_to;
        let (lemma, _) = *verb.readings.first()?;
        if denied || STATIVE.contains(&lemma) {
            return None;
        }
        let start = verb.after - 1;
        if mood.planned {
            let base = verb.readings.iter().any(|(_, form)| *form == VerbForm::Base);
            let extent = base.then(|| scene.clause.object_to_do(start)).flatten()?;
            let object = entity("event", &extent.words)?;
            return Some((("planned", "frame.planned/1"), object, (Form::Plan, Polarity::Affirm)));
        }
        let often = scene.clause.any(0, OFTEN) || LASTING.contains(&lemma);
        let going_on = mood.perfect && mood.progressive;
        let plain = !mood.perfect && !mood.progressive;
        let repeated = going_on || (often && plain);
        if mood.past || !repeated {
            return None;
        }
        let rest = scene.clause.object_rest(verb.after)?;
        let doing = format!("{} {rest}", verb::gerund(lemma)?);
        let object = entity("activity", doing.trim_end())?;
        Some((("habit", "frame.habit/1"), object, (Form::State, Polarity::Affirm)))
    }
}

fn entity(kind: &str, name: &str) -> Option<Object> {
    EntityRef::new(kind, name).ok().map(Object::Entity)
}

/// Lays a frame over a clause whose verb it is of; returns its objects, and the position behind them.
fn fill(clause: &Clause<'_>, frame: &Frame, verb: &MainVerb) -> Option<(Vec<Object>, usize)> {
    let mut at = verb.after;
    // "Totally into", "so very grateful for".
    while (clause.is_one_of(at, LOOSE_WORDS)
        || clause.is_one_of(at, ADVERBS)
        || clause.is_one_of(at, WEIGHING)
        || clause.token(at).is_some_and(|token| is_adverb(&token.lower)))
        && !frame.tail.opens(clause, at)
    {
        at += 1;
    }
    let mut at = frame.tail.behind(clause, at)?;
    // "Gave Anna a scarf".
    if frame.predicate == "gave" && !clause.is_one_of(at, INDEFINITE) {
        let whom = clause.name_run(at).map_or(at + 1, |(_, end)| end);
        at = if clause.is_one_of(whom, INDEFINITE) { whom } else { at };
    }
    let (extent, is_doing) = match frame.object {
        table::Object::Thing => (clause.object_thing(at)?, false),
        table::Object::ThingOf(heads) => {
            let extent = clause.object_thing(at)?;
            if !heads.contains(&extent.head.as_str()) {
                return None;
            }
            (extent, false)
        }
        table::Object::Kept => {
            let extent = clause.object_thing(at)?;
            if !lexicon::is_thing(&extent.head) {
                return None;
            }
            (extent, false)
        }
        table::Object::Definite => (clause.object_definite(at)?, false),
        table::Object::ThingBut(heads) => {
            let extent = clause.object_thing(at)?;
            if heads.contains(&extent.head.as_str()) {
                return None;
            }
            (extent, false)
        }
        table::Object::Name => {
            let (name, end) = if frame.kind == "person" { clause.person(at)? } else { clause.name(at)? };
            return Some((vec![entity(frame.kind, &name)?], end));
        }
        table::Object::Doing => (clause.object_doing(at)?, true),
        table::Object::ThingOrDoing => clause.object_thing_or_doing(at)?,
        table::Object::ToDo => (clause.object_to_do(at)?, false),
        table::Object::Becoming => (clause.object_becoming(at)?, false),
    };
    // "I like books that make me think": only some of them.
    let behind = ["that", "who", "which", "where", "i", "we", "you", "they", "he", "she"];
    let only_some =
        is_attitude(frame.predicate) && !is_doing && (extent.is_cut || clause.is_one_of(extent.end, &behind));
    // "I appreciate the offer" thanks for it.
    let thanks = frame.predicate == "values" && clause.is(at, "the") && clause.is(at - 1, "appreciate");
    // "I've got a story" is not that somebody gave it.
    let has = frame.predicate == "received" && verb.mood.perfect && clause.is(verb.after - 1, "got");
    if only_some || thanks || has {
        return None;
    }
    let end = extent.end;
    Some((objects(frame, extent, is_doing)?, end))
}

/// Says whether a predicate tells what somebody thinks of things, so that which things makes all the difference.
fn is_attitude(predicate: &str) -> bool {
    matches!(predicate, "likes" | "dislikes" | "values")
}

fn objects(frame: &Frame, extent: Extent, is_doing: bool) -> Option<Vec<Object>> {
    if frame.kind.is_empty() {
        return Some(vec![Object::Text(extent.words)]);
    }
    let likes_to = frame.predicate == "likes" && frame.object == table::Object::ToDo;
    if likes_to || is_doing {
        let words = if likes_to { as_doing(&extent)? } else { extent.words };
        let kind = if frame.kind == "thing" { "activity" } else { frame.kind };
        return Some(vec![entity(kind, &words)?]);
    }
    // A list of things is several.
    let items = if extent.items.is_empty() { vec![extent.words] } else { extent.items };
    let objects: Vec<Object> = items.iter().filter_map(|name| entity(frame.kind, name)).collect();
    (!objects.is_empty()).then_some(objects)
}
