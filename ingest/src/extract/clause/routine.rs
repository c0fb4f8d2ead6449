//! What one does again and again, told by the verb itself: "I run", "I go to the gym three times a week".

use bygone_engine::{EntityRef, Object, Polarity};
use bygone_ontology::timex::Kind;

use super::cues::hedged;
use super::lexicon;
use super::mood::{MainVerb, is_marked};
use super::phrase::Clause;
use super::reader::Reader;
use super::saying::{Scene, is_experience};
use super::subject::Who;
use super::verb;
use crate::candidate::Form;

impl Reader<'_> {
    /// Reads a habit in a clause that no pattern fits; says whether it is one.
    pub(super) fn routine(&mut self, scene: &Scene<'_>) -> bool {
        let mood = scene.verb.mood;
        let now = !mood.past && !is_marked(mood) && (!mood.perfect || mood.progressive);
        let about = match &scene.subject.who {
            Who::Speaker { .. } => self.speaker.filter(|speaker| speaker.kind() != "agent").cloned(),
            Who::Person { name, doubtful: false } if !self.is_animal(name) => {
                EntityRef::new("person", name).ok()
            }
            Who::Person { .. } | Who::Project(_) => None,
        };
        let Some(about) = about.filter(|_| !hedged(scene.clause)) else {
            return false;
        };
        let past = (mood.past || mood.perfect) && !is_marked(mood) && !mood.progressive;
        if let (true, Some(activity)) = (past, outdoors(scene.verb)) {
            let Ok(entity) = EntityRef::new("activity", activity) else { return false };
            let saying = ("went_on", "clause.went_on/1");
            let form =
                if is_experience("went_on", mood, scene.clause) { Form::Experience } else { Form::Event };
            self.put(
                scene,
                about,
                saying,
                String::new(),
                Some(Object::Entity(entity)),
                (form, Polarity::Affirm),
            );
            return true;
        }
        if !now {
            return false;
        }
        let found = pastime(scene.clause, scene.verb).or_else(|| repeated(scene.clause, scene.verb));
        let Some((predicate, rule, activity)) = found else {
            return false;
        };
        let Ok(entity) = EntityRef::new("activity", &activity) else {
            return false;
        };
        let object = Some(Object::Entity(entity));
        self.put(scene, about, (predicate, rule), String::new(), object, (Form::State, Polarity::Affirm));
        true
    }
}

/// Reads "we hiked the trails", "I swam in the lake": whatever follows, it was that.
fn outdoors(verb: &MainVerb) -> Option<&'static str> {
    const OUTDOORS: &[&str] = &["hike", "swim", "ski", "surf", "jog", "kayak", "camp", "sail"];
    let (lemma, _) = verb.readings.iter().find(|(lemma, _)| OUTDOORS.contains(lemma))?;
    verb::gerund(lemma)
}

type Routine = (&'static str, &'static str, String);

/// Reads "I run", "I've been writing lately": a verb of its own that names what people do for its own sake.
fn pastime(clause: &Clause<'_>, verb: &MainVerb) -> Option<Routine> {
    const LIMITS: &[&str] =
        &["too", "again", "also", "together", "now", "still", "and", "but", "regularly", "lately", "a"];
    let gerund = gerund(verb)?;
    let over = clause.token(verb.after).is_none_or(|next| next.lower.is_empty() || next.is_one_of(LIMITS));
    (lexicon::is_activity(gerund) && over && clause.ends_phrase(verb.after))
        .then(|| ("has_hobby", "clause.has_hobby/1", gerund.to_owned()))
}

/// Reads what stands between a verb and how often: "go to the gym three times a week".
fn repeated(clause: &Clause<'_>, verb: &MainVerb) -> Option<Routine> {
    const MAX_WORDS: usize = 6;
    let gerund = gerund(verb)?;
    let often = clause.times.iter().find(|time| time.kind == Kind::Recurrence)?;
    let mut end = clause.tokens.iter().position(|token| token.span.start >= often.span.start)?;
    while end > verb.after
        && clause.is_one_of(end - 1, &["on", "at", "for", "in", "about", "around", "almost"])
    {
        end -= 1;
    }
    // "My daily commute" tells of no habit.
    let determiner =
        end.checked_sub(1).is_some_and(|last| clause.is_one_of(last, &["my", "our", "a", "an", "the", "to"]));
    let words = clause.tokens.get(verb.after..end).filter(|_| !determiner)?;
    let plain = words.iter().all(|token| {
        let inner = token.is_one_of(&["my", "a", "an", "the", "to"]);
        !token.lower.is_empty()
            && (inner || (!lexicon::is_deictic(&token.lower) && !lexicon::is_boundary(&token.lower)))
    });
    if !plain || words.len() > MAX_WORDS || (words.is_empty() && !lexicon::is_activity(gerund)) {
        return None;
    }
    let activity = [gerund, &clause.words(verb.after..end)].join(" ");
    Some(("habit", "clause.habit/1", activity.trim_end().to_owned()))
}

/// Returns the -ing form of a verb that says what one does.
fn gerund(verb: &MainVerb) -> Option<&'static str> {
    const SAYING_LITTLE: &[&str] = &[
        "be", "have", "get", "like", "love", "enjoy", "hate", "know", "start", "stop", "lose", "try", "come",
        "see", "begin",
    ];
    let (lemma, _) = verb.readings.iter().find(|(lemma, _)| !SAYING_LITTLE.contains(lemma))?;
    verb::gerund(lemma)
}
