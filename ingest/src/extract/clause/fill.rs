//! How a pattern is laid over a clause: its words, then what fills its slot.

use bygone_engine::{EntityRef, Object};

use super::kin;
use super::lexicon;
use super::pattern::{Class, Pattern, Slot};
use super::phrase::{Clause, Found};
use super::subject;
use super::tail::Tail;
use super::token::Kind;
use super::{club, happening, pastime, self_told, taste, thing, title};

/// What a pattern found to say.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Saying {
    /// The predicate.
    pub(super) predicate: &'static str,
    /// How it is spoken of.
    pub(super) class: Class,
    /// The key.
    pub(super) key: String,
    /// The object; `None` where whatever held is meant.
    pub(super) object: Option<Object>,
    /// The rule's name and version.
    pub(super) rule: &'static str,
    /// Whether it follows only where the statement holds now: the employer of "a nurse at Mercy".
    pub(super) only_if_held: bool,
}

/// What a clause says by a pattern.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Filled {
    /// What it says.
    pub(super) sayings: Vec<Saying>,
    /// The person it names, where it names one.
    pub(super) person: Option<String>,
    /// The project it names, where it names one.
    pub(super) project: Option<EntityRef>,
}

/// Lays a pattern, whose tail is parted beside it, over a clause whose verb stands before `after`; `None` where it does
/// not fit.
pub(super) fn fill(clause: &Clause<'_>, pattern: &Pattern, tail: &Tail, after: usize) -> Option<Filled> {
    let mut at = after;
    if !tail.is_empty() {
        while clause.is_one_of(at, LOOSE_WORDS) && !tail.opens(clause, at) {
            at += 1;
        }
    }
    let at = tail.behind(clause, at)?;
    slot(clause, pattern, at)
}

/// Words between a verb and its preposition that change nothing.
pub(super) const LOOSE_WORDS: &[&str] = &[
    "back",
    "over",
    "down",
    "now",
    "currently",
    "remotely",
    "full-time",
    "part-time",
    "together",
    "permanently",
    "recently",
    "happily",
    "also",
    "still",
    "just",
];

fn entity(kind: &str, name: &str) -> Option<Object> {
    EntityRef::new(kind, name).ok().map(Object::Entity)
}

fn slot(clause: &Clause<'_>, pattern: &Pattern, at: usize) -> Option<Filled> {
    let say = |object: Object| -> Vec<Saying> { say_all(pattern, &object) };
    let plain = |kind: &str, found: Found<String>| {
        let (name, _) = found?;
        Some(Filled { sayings: say(entity(kind, &name)?), ..Filled::default() })
    };
    match pattern.slot {
        Slot::Org => org(clause, pattern, at),
        Slot::Left => {
            let (name, _) = clause.name(at)?;
            if lexicon::is_place(&name) {
                let mut filled = plain("place", clause.name(at))?;
                for saying in &mut filled.sayings {
                    saying.predicate = "lives_in";
                    saying.rule = "clause.lives_in/1";
                }
                return Some(filled);
            }
            // "I left Anna", "I left Facebook": neither an employer.
            if lexicon::is_given_name(&name) {
                return None;
            }
            org(clause, pattern, at)
        }
        Slot::School => plain("org", clause.name(at).filter(|(name, _)| is_school(name))),
        Slot::Place => {
            let (name, end) = clause.name(at).filter(|(name, _)| !lexicon::is_no_place(name))?;
            // "The Road to Hana" is no road.
            let goes_on = clause.is_one_of(end, &["to", "for", "by"]) && clause.name_run(end + 1).is_some();
            let event = pattern.says.iter().all(|(_, class)| *class == Class::Event);
            if goes_on && event {
                return None;
            }
            let mut filled = plain("place", Some((name, end)))?;
            if event {
                for name in clause.more_names(end) {
                    if !lexicon::is_no_place(&name) {
                        filled.sayings.extend(say(entity("place", &name)?));
                    }
                }
            }
            Some(filled)
        }
        Slot::Destination => {
            let (name, end) = clause.name(at)?;
            if lexicon::technology(&name).is_some() {
                let mut filled = technology(clause, pattern, at)?;
                for saying in &mut filled.sayings {
                    saying.predicate = "uses";
                    saying.rule = "clause.uses/1";
                }
                return Some(filled);
            }
            plain("place", Some((name, end)).filter(|(name, _)| !lexicon::is_no_place(name)))
        }
        Slot::Person => {
            let (name, end) = clause.person(at)?;
            let mut filled = plain("person", Some((name.clone(), end)))?;
            filled.person = Some(name);
            Some(filled)
        }
        Slot::Liking if clause.token(at).is_some_and(|token| token.kind == Kind::Opaque) => {
            one(pattern, "thing", &title::quoted(clause, at)?)
        }
        Slot::Liking => {
            // "The Beatles" is a name; "the idea" is nothing one can hold on to.
            let (phrase, end) = clause.noun_phrase(at).or_else(|| clause.name(at))?;
            if qualified(clause, at, end) {
                return None;
            }
            let shared = clause.shares_noun(at..end);
            let mut filled = plain("thing", Some((phrase, end)))?;
            if shared {
                filled.sayings.clear();
            }
            for phrase in clause.more_noun_phrases(end) {
                filled.sayings.extend(say(entity("thing", &phrase)?));
            }
            Some(filled)
        }
        Slot::Owned => {
            let (thing, end) = clause.owned(at, &["a", "an", "my", "our", "another"])?;
            let pet = kin::is_pet(thing.rsplit(' ').next().unwrap_or_default());
            (!pet).then(|| plain("thing", Some((thing, end)))).flatten()
        }
        Slot::Owning => plain("thing", clause.owned(at, &["my", "our"])),
        Slot::Pet => pet(clause, pattern, at),
        Slot::Role => role(clause, pattern, at),
        Slot::Technology | Slot::Decision => technology(clause, pattern, at),
        Slot::Project => {
            let (project, _) = subject::project(clause, at).filter(|(_, end)| clause.ends_phrase(*end))?;
            Some(Filled {
                sayings: say(Object::Entity(project.clone())),
                project: Some(project),
                ..Filled::default()
            })
        }
        Slot::Bought => thing::bought(clause, pattern, at),
        Slot::Got => thing::kept(clause, pattern, at, true),
        Slot::Kept => thing::kept(clause, pattern, at, false),
        Slot::Made => thing::made(clause, pattern, at),
        Slot::Happening => happening::happening(clause, pattern, at),
        Slot::Achievement => happening::achievement(clause, pattern, at),
        Slot::Outing => happening::outing(clause, pattern, at),
        Slot::PlaceKind => happening::place_kind(clause, pattern, at),
        Slot::KnownPlace => {
            let (name, end) = clause.name(at).filter(|(name, _)| lexicon::is_place(name))?;
            let mut filled = one(pattern, "place", &name)?;
            for name in clause.more_names(end).iter().filter(|name| lexicon::is_place(name)) {
                filled.sayings.extend(one(pattern, "place", name)?.sayings);
            }
            Some(filled)
        }
        Slot::Workplace => club::workplace(clause, pattern, at),
        Slot::LikingTo => taste::liking_to(clause, pattern, at),
        Slot::Staged => happening::staged(clause, pattern, at),
        Slot::Collecting => {
            let thing = clause.thing(at + usize::from(clause.is_one_of(at, &["some", "a", "the"])))?;
            let whole = lexicon::is_abstract(&thing.head);
            (!whole && thing.head.ends_with('s'))
                .then(|| one(pattern, "activity", &format!("collecting {}", thing.name)))?
        }
        Slot::Pastime => pastime::pastime(clause, pattern, at),
        Slot::Volunteering => pastime::volunteering(clause, pattern, at),
        Slot::Habit => pastime::habit(clause, pattern, at),
        Slot::Topic => pastime::topic(clause, pattern, at),
        Slot::Lesson => pastime::lesson(clause, pattern, at),
        Slot::Title => title::title(clause, pattern, at),
        Slot::Club => club::club(clause, pattern, at),
        Slot::Venture => club::venture(clause, pattern, at),
        Slot::KnownPerson => known_person(clause, pattern, at),
        Slot::Preference => taste::preference(clause, pattern, at),
        Slot::Age => self_told::age(clause, pattern, at),
        Slot::Counted => self_told::counted(clause, pattern, at),
        Slot::Condition => self_told::condition(clause, pattern, at),
        Slot::Allergy => self_told::allergy(clause, pattern, at),
        Slot::Language => self_told::languages(clause, pattern, at),
        Slot::Diet => self_told::word(clause, pattern, at, self_told::DIETS),
        Slot::Status => self_told::word(clause, pattern, at, self_told::STATUSES),
        Slot::Whatever => {
            clause.ends_phrase(at).then(|| Filled { sayings: say_of(pattern, None), ..Filled::default() })
        }
        // The date is read by whoever knows when it was said.
        Slot::Date => Some(Filled::default()),
    }
}

/// Reads a person whose name shows that it is one: a frequent given name, or two words.
fn known_person(clause: &Clause<'_>, pattern: &Pattern, at: usize) -> Option<Filled> {
    let at = at + usize::from(clause.is_one_of(at, &["with", "someone", "somebody"]));
    let (name, end) = clause.person(at)?;
    let known = lexicon::is_given_name(&name) || (end - at == 2 && !lexicon::is_no_place(&name));
    let mut filled = known.then(|| one(pattern, "person", &name)).flatten()?;
    filled.person = Some(name);
    Some(filled)
}

/// Says whether what is liked is only some of it: "books that …", "bright, indirect light", "medium to full".
fn qualified(clause: &Clause<'_>, from: usize, end: usize) -> bool {
    let comma = clause.token(end).is_some_and(|token| token.kind == Kind::Comma);
    let listed = comma && clause.more_noun_phrases(end).is_empty() && !clause.ends_phrase(end + 1);
    let last = clause.token(end - 1).map_or("", |token| token.lower.as_str());
    let participle = end - from > 1 && last.ends_with("ed");
    let named = clause.is(from, "the") && clause.is(end, "and");
    listed
        || participle
        || named
        || (comma && clause.is(end + 1, "more"))
        || clause.is_one_of(end, &["that", "who", "which", "where", "to"])
}

/// Says a pattern's predicates of an entity of one type.
pub(super) fn one(pattern: &Pattern, kind: &str, name: &str) -> Option<Filled> {
    Some(Filled { sayings: say_all(pattern, &entity(kind, name)?), ..Filled::default() })
}

/// Says a pattern's predicates of an object.
pub(super) fn say_all(pattern: &Pattern, object: &Object) -> Vec<Saying> {
    say_of(pattern, Some(object))
}

fn say_of(pattern: &Pattern, object: Option<&Object>) -> Vec<Saying> {
    let one = |(predicate, class): &(&'static str, Class)| Saying {
        predicate,
        class: *class,
        key: String::new(),
        object: object.cloned(),
        rule: pattern.rule,
        only_if_held: false,
    };
    pattern.says.iter().map(one).collect()
}

pub(super) fn is_school(name: &str) -> bool {
    const WORDS: &[&str] = &[
        "University",
        "College",
        "Institute",
        "School",
        "Academy",
        "Universität",
        "Université",
        "Polytechnic",
        "MIT",
        "ETH",
        "EPFL",
        "UCLA",
        "Caltech",
    ];
    name.split(' ').any(|word| WORDS.contains(&word))
}

/// Words of names of what one joins and does not work for.
pub(super) const CLUBS: &[&str] = &[
    "Club",
    "Group",
    "Church",
    "Gym",
    "Society",
    "League",
    "Forum",
    "Choir",
    "Association",
    "Party",
    "Watchers",
    "Scouts",
];

/// What one joins and leaves by an account.
pub(super) const PLATFORMS: &[&str] = &[
    "Facebook",
    "Twitter",
    "Reddit",
    "Instagram",
    "LinkedIn",
    "Discord",
    "Slack",
    "Zoom",
    "Telegram",
    "WhatsApp",
    "TikTok",
    "Mastodon",
    "Bluesky",
    "Patreon",
];

fn org(clause: &Clause<'_>, pattern: &Pattern, at: usize) -> Option<Filled> {
    let (name, end) = clause.name(at)?;
    if lexicon::is_given_name(&name) && !name.contains(' ') {
        return None;
    }
    let joins = matches!(pattern.lemma, "join" | "leave" | "quit");
    if joins && PLATFORMS.contains(&name.as_str()) {
        return None;
    }
    let mut sayings = say_all(pattern, &entity("org", &name)?);
    if joins && name.split(' ').any(|word| CLUBS.contains(&word)) {
        for saying in &mut sayings {
            saying.predicate = "member_of";
            saying.rule = "clause.member_of/1";
        }
    } else if pattern.rule == "clause.works_at/1"
        && let Some((role, _)) = clause
            .is(end, "as")
            .then(|| {
                clause.role(end + 1 + usize::from(clause.is_one_of(end + 1, &["a", "an", "the", "their"])))
            })
            .flatten()
    {
        let class = sayings.first()?.class;
        sayings.push(Saying {
            predicate: "role",
            class,
            key: name,
            object: entity("role", &role),
            rule: "clause.role/1",
            only_if_held: class == Class::State,
        });
    }
    Some(Filled { sayings, ..Filled::default() })
}

fn role(clause: &Clause<'_>, pattern: &Pattern, at: usize) -> Option<Filled> {
    let at = at + usize::from(clause.is_one_of(at, &["a", "an", "the"]));
    let (role, end) = clause.role(at)?;
    let employer = clause
        .is_one_of(end, &["at", "for", "with", "of"])
        .then(|| clause.name(end + 1))
        .flatten()
        .filter(|(name, _)| !lexicon::is_place(name));
    // "The CTO of a small firm": whose, stays unknown; without it the role would stand for all. "Professor of Law" names
    // no employer.
    let field = clause.is_one_of(end - 1, &["professor", "doctor", "teacher", "lecturer", "officer"]);
    if clause.is(end, "of") && (employer.is_none() || field) {
        return None;
    }
    let mut sayings = say_all(pattern, &entity("role", &role)?);
    if let Some((name, _)) = employer {
        for saying in &mut sayings {
            saying.key.clone_from(&name);
        }
        if !clause.is(end, "of") && pattern.says[0].1 == Class::State {
            sayings.push(Saying {
                predicate: "works_at",
                class: Class::State,
                key: String::new(),
                object: entity("org", &name),
                rule: "clause.works_at/1",
                only_if_held: true,
            });
        }
    }
    Some(Filled { sayings, ..Filled::default() })
}

/// Reads "dog named Rex", "small black cat": the name where there is one, else the kind.
fn pet(clause: &Clause<'_>, pattern: &Pattern, at: usize) -> Option<Filled> {
    let head = (at..at + 4).find(|at| clause.token(*at).is_some_and(|token| kin::is_pet(&token.lower)))?;
    let plain =
        (at..head).all(|at| !clause.ends_phrase(at) && clause.token(at).is_some_and(|token| !token.capital));
    let behind = head + 1;
    let comma = usize::from(clause.token(behind).is_some_and(|token| token.lower.is_empty()));
    let name = if clause.is_one_of(behind + comma, &["named", "called"]) {
        clause.name(behind + comma + 1)?.0
    } else if clause.ends_phrase(behind) {
        clause.token(head)?.lower.clone()
    } else {
        return None;
    };
    Some(Filled { sayings: say_all(pattern, &entity("animal", &name)?), ..Filled::default() })
        .filter(|_| plain)
}

/// Reads one or more technologies and what they are for.
fn technology(clause: &Clause<'_>, pattern: &Pattern, at: usize) -> Option<Filled> {
    let (first, mut end) = clause.name(at)?;
    let mut names = vec![first];
    let more = clause.more_names(end);
    if pattern.slot == Slot::Technology && !more.is_empty() {
        names.extend(more);
        end = clause.tokens.len();
    }
    // Who decides on more than technology says so with a purpose or not at all.
    let known = lexicon::technology(&names[0]).is_some();
    let purpose = clause
        .is_one_of(end, &["for", "as"])
        .then(|| {
            clause.noun_phrase(end + 1 + usize::from(clause.is_one_of(end + 1, &["our", "the", "a", "my"])))
        })
        .flatten()
        .map(|(purpose, _)| purpose.to_lowercase());
    if !known && purpose.is_none() {
        return None;
    }
    let mut sayings = Vec::new();
    for name in names {
        let technology = lexicon::technology(&name);
        let name = technology.map_or(name, |(usual, _)| usual.to_owned());
        let key = match (&purpose, technology) {
            (Some(purpose), _) => purpose.clone(),
            (None, Some((_, slot))) => slot.to_owned(),
            (None, None) => name.to_lowercase(),
        };
        let object = if pattern.slot == Slot::Decision {
            Object::Text(format!("use {name}"))
        } else {
            entity("tech", &name)?
        };
        for mut saying in say_all(pattern, &object) {
            saying.key.clone_from(&key);
            sayings.push(saying);
        }
    }
    Some(Filled { sayings, ..Filled::default() })
}
