//! What one does again and again: "chess", "rock climbing", "volunteering at a shelter", "pottery classes".

use super::fill::{Filled, one};
use super::lexicon;
use super::pattern::Pattern;
use super::phrase::{Clause, Found};

impl Clause<'_> {
    /// Reads a known activity of one to three words that ends its phrase.
    pub(super) fn activity(&self, from: usize) -> Found<String> {
        let end = (from + 1..=from + 3).find(|end| self.ends_phrase(*end))?;
        let words: Vec<&str> = self.tokens.get(from..end)?.iter().map(|token| token.lower.as_str()).collect();
        let name = words.join(" ");
        let known = lexicon::is_activity(&name)
            || words
                .split_first()
                .is_some_and(|(_, rest)| !rest.is_empty() && lexicon::is_activity(&rest.join(" ")));
        (known && !words.iter().any(|word| lexicon::is_deictic(word))).then_some((name, end))
    }
}

/// Reads an activity and those that follow it in a list.
pub(super) fn pastime(clause: &Clause<'_>, pattern: &Pattern, at: usize) -> Option<Filled> {
    const AMOUNTS: &[&[&str]] =
        &[&["a", "lot", "of"], &["lots", "of"], &["a", "bit", "of"], &["a", "little"], &["the"], &["some"]];
    let amount = AMOUNTS.iter().find(|words| clause.are(at, words)).map_or(0, |words| words.len());
    let at = at + amount;
    let (name, mut end) = clause.activity(at)?;
    let mut filled = one(pattern, "activity", &name)?;
    loop {
        let comma = usize::from(clause.token(end).is_some_and(|token| token.lower.is_empty()));
        let and = usize::from(clause.is(end + comma, "and"));
        let Some((name, behind)) = (comma + and > 0).then(|| clause.activity(end + comma + and)).flatten()
        else {
            return Some(filled);
        };
        filled.sayings.extend(one(pattern, "activity", &name)?.sayings);
        end = behind;
    }
}

/// Reads where one volunteers or helps out: the activity is that.
pub(super) fn volunteering(clause: &Clause<'_>, pattern: &Pattern, at: usize) -> Option<Filled> {
    if !clause.is_one_of(at, &["at", "for", "with", "as"]) {
        return None;
    }
    let determined = usize::from(clause.is_one_of(at + 1, &["a", "an", "the", "my", "our"]));
    let thing = clause.thing(at + 1 + determined)?;
    // "At the Walk for Wildlife": the name goes on.
    let named = thing.name.rsplit(' ').next().is_some_and(|word| word.starts_with(char::is_uppercase));
    if named && clause.name_run(thing.end + 1).is_some() {
        return None;
    }
    let words = clause.words(at..at + 1 + determined);
    let doing = if pattern.lemma == "help" { "helping out" } else { "volunteering" };
    one(pattern, "activity", &format!("{doing} {words} {}", thing.name))
}

/// Reads a habit that people take up and drop.
pub(super) fn habit(clause: &Clause<'_>, pattern: &Pattern, at: usize) -> Option<Filled> {
    const HABITS: &[&[&str]] = &[
        &["smoking"],
        &["drinking"],
        &["drinking", "alcohol"],
        &["drinking", "coffee"],
        &["drinking", "soda"],
        &["vaping"],
        &["gambling"],
        &["eating", "meat"],
        &["eating", "sugar"],
        &["eating", "gluten"],
        &["eating", "dairy"],
    ];
    let words = HABITS.iter().find(|words| clause.are(at, words) && clause.ends_phrase(at + words.len()))?;
    one(pattern, "activity", &words.join(" "))
}

/// Reads a subject of study: "marine biology", "the piano".
pub(super) fn topic(clause: &Clause<'_>, pattern: &Pattern, at: usize) -> Option<Filled> {
    let at = at + usize::from(clause.is(at, "the"));
    let thing = clause.thing(at)?;
    if lexicon::is_abstract(&thing.head) || clause.is(at, "more") {
        return None;
    }
    let mut filled = one(pattern, "topic", &thing.name)?;
    for name in clause.more_names(thing.end) {
        filled.sayings.extend(one(pattern, "topic", &name)?.sayings);
    }
    Some(filled)
}

/// Reads what lessons are in: "pottery classes", "a cooking class".
pub(super) fn lesson(clause: &Clause<'_>, pattern: &Pattern, at: usize) -> Option<Filled> {
    const LESSONS: &[&str] = &["class", "classes", "lesson", "lessons", "course", "courses"];
    let at = at + usize::from(clause.is_one_of(at, &["a", "an", "some", "my", "another"]));
    let thing = clause.thing(at)?;
    if !LESSONS.contains(&thing.head.as_str()) {
        return None;
    }
    let subject = thing.name.strip_suffix(&thing.head)?.trim_end();
    if matches!(subject, "" | "online" | "evening" | "weekly" | "night" | "training") {
        return None;
    }
    one(pattern, "topic", subject)
}
