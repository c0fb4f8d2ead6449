//! A world: what is told in which session, what agents conclude from it, and what is erased; all of it from a seed.
//!
//! The same seed gives the same world on every machine.

use bygone_engine::Assertion;
use bygone_engine::time::Instant;
use bygone_engine::wire::{Defaults, read_statement};
use serde_json::{Value, json};

use super::calendar::{Minute, day_within};
use super::names::{CITIES, EMPLOYERS, FAMILY, GIVEN, PROJECTS, Pool};
use super::oracle::{Asked, Oracle};
use super::story::{SHAPES, story};
use super::telling::{Form, Telling, Topic};
use crate::belief::splitmix::Random;

/// People of a world.
const PEOPLE: usize = 4;
/// Sessions of each.
const SESSIONS: usize = 8;
/// 4 January 2021: about when the first sessions are.
const FIRST_SESSION: i64 = 18_631;
/// The sessions that somebody who changes their name has under the former one.
const BEFORE: usize = 4;

/// The predicate of what is concluded.
pub const CONCLUDED: &str = "decided";
/// Who concludes.
pub const CONCLUDER: &str = "agent:planner";

/// Somebody of a world.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    /// The name they go by in the end.
    pub name: String,
    /// The name they had before, where they changed it.
    pub former: Option<String>,
}

/// A conversation: what one person tells in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// Its name.
    pub name: String,
    /// What is told, in order.
    pub tellings: Vec<Telling>,
}

/// What a conclusion stands on: a fact of somebody, or an earlier conclusion on a topic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ground {
    /// Whose, as `type:Name`.
    pub subject: String,
    /// The predicate.
    pub predicate: &'static str,
    /// The topic of a conclusion; empty for facts.
    pub key: String,
    /// The object, by name.
    pub object: String,
}

/// Something an agent concludes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conclusion {
    /// When.
    pub time: Minute,
    /// On what topic.
    pub key: String,
    /// What.
    pub object: String,
    /// From what.
    pub because: Vec<Ground>,
}

/// Something that happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A conversation.
    Session(Session),
    /// An agent concludes something.
    Conclusion(Conclusion),
}

impl Event {
    /// Returns when it is over.
    pub fn time(&self) -> Minute {
        match self {
            Event::Session(session) => {
                session.tellings.last().map_or(Minute::of_day(0, 0), |telling| telling.time)
            }
            Event::Conclusion(conclusion) => conclusion.time,
        }
    }
}

/// A world.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct World {
    /// What it was made from.
    pub seed: u64,
    /// Its people.
    pub people: Vec<Person>,
    /// What happens, in the order of time.
    pub events: Vec<Event>,
    /// The session that is erased in the end.
    pub erased: String,
    /// After all that is told.
    pub end: Minute,
}

/// A statement on the wire with its id, and as the engine reads it.
#[derive(Clone, Debug, PartialEq)]
pub struct Stated {
    /// The statement.
    pub wire: Value,
    /// The same, read.
    pub assertion: Assertion,
}

impl World {
    /// Makes the world of a seed.
    pub fn new(seed: u64) -> World {
        let mut random = Random::new(seed ^ 0xbe11_ef00);
        let people = people(&mut random);
        let mut pools = [EMPLOYERS, CITIES, PROJECTS].map(|names| Pool::new(names, &mut random));
        let mut events: Vec<Event> = Vec::new();
        for (place, person) in people.iter().enumerate() {
            events.extend(sessions(place, person, &mut pools, &mut random).into_iter().map(Event::Session));
        }
        events.sort_by_key(Event::time);
        for (place, event) in events.iter_mut().enumerate() {
            if let Event::Session(session) = event {
                session.name = format!("s{:02}", place + 1);
                for telling in &mut session.tellings {
                    telling.session.clone_from(&session.name);
                }
            }
        }
        let erased = erased(&events, &people, &mut random);
        let concluded = conclusions(&events, &people, &mut random);
        events.extend(concluded.into_iter().map(Event::Conclusion));
        events.sort_by_key(Event::time);
        let last = events.last().map_or(0, |event| event.time().day());
        World { seed, people, events, erased, end: Minute::of_day(last + 200, 0) }
    }

    /// Returns what an event amounts to by the contract.
    ///
    /// `said` is what was stated so far, from which conclusions are made.
    pub fn statements(event: &Event, said: &[Stated]) -> Vec<Stated> {
        match event {
            Event::Session(session) => {
                session.tellings.iter().flat_map(Telling::statements).map(stated).collect()
            }
            Event::Conclusion(conclusion) => vec![stated(conclusion.statement(said))],
        }
    }
}

impl Conclusion {
    /// Returns the statement on the wire. What it stands on is the last statement made so far of each ground.
    fn statement(&self, said: &[Stated]) -> Value {
        let premises = self.because.iter().filter_map(|ground| {
            let made = said.iter().rev().find(|stated| ground.is_stated_by(&stated.wire));
            made.map(|stated| json!(stated.assertion.id.to_string()))
        });
        json!({
            "subject": CONCLUDER, "asserter": CONCLUDER, "predicate": CONCLUDED, "key": self.key,
            "object": { "text": self.object }, "known_at": self.time.text(), "authority": "inferred",
            "source": format!("conclusions#{}", self.time.day()), "derived_from": premises.collect::<Vec<_>>(),
        })
    }
}

impl Ground {
    fn is_stated_by(&self, wire: &Value) -> bool {
        let object = &wire["object"];
        let object = object["entity"].as_str().and_then(|text| text.split_once(':')).map(|(_, name)| name);
        let object = object.or(wire["object"]["text"].as_str());
        wire["subject"] == self.subject
            && wire["predicate"] == self.predicate
            && wire["key"].as_str().unwrap_or_default() == self.key
            && wire["polarity"] != "deny"
            && object == Some(&*self.object)
    }
}

fn stated(mut wire: Value) -> Stated {
    let defaults = Defaults { now: Instant::FIRST, document: "world".to_owned(), position: 0 };
    let read =
        read_statement(&wire.to_string(), &defaults).expect("a statement of a world is one on the wire");
    wire["id"] = json!(read.assertion.id.to_string());
    Stated { wire, assertion: read.assertion }
}

/// The first of the people changes their name, and had the family name of the second one, who is somebody else.
fn people(random: &mut Random) -> Vec<Person> {
    let (mut given, mut family) = (Pool::new(GIVEN, random), Pool::new(FAMILY, random));
    let mut people = Vec::new();
    let first = given.next();
    let former = family.next();
    people.push(Person {
        name: format!("{first} {}", family.next()),
        former: Some(format!("{first} {former}")),
    });
    people.push(Person { name: format!("{} {former}", given.next()), former: None });
    while people.len() < PEOPLE {
        people.push(Person { name: format!("{} {}", given.next(), family.next()), former: None });
    }
    people
}

/// Makes the sessions of somebody, without names.
fn sessions(place: usize, person: &Person, pools: &mut [Pool; 3], random: &mut Random) -> Vec<Session> {
    let mut day = FIRST_SESSION + day_within(random, 0, 60);
    let days: Vec<i64> = (0..SESSIONS)
        .map(|_| {
            let this = day;
            day += day_within(random, 40, 150);
            this
        })
        .collect();
    let mut told: Vec<Vec<(Topic, Form)>> = vec![Vec::new(); SESSIONS];
    for (topic, pool) in Topic::ALL.into_iter().zip(pools) {
        let shape = *random.one_of(&SHAPES);
        // Home is told under the former name, everything else under the new one.
        let (from, to) = match (&person.former, topic) {
            (None, _) => (0, SESSIONS),
            (Some(_), Topic::Residence) => (0, BEFORE),
            (Some(_), _) => (BEFORE, SESSIONS),
        };
        for (session, form) in story(topic, shape, &days[from..to], pool, random) {
            told[from + session].push((topic, form));
        }
    }
    if let Some(former) = &person.former {
        told[BEFORE + 1].push((Topic::Employment, Form::Alias(former.clone())));
    }
    let start = |day: i64, random: &mut Random| {
        // No two people begin at one minute.
        let hour = day_within(random, 8, 18);
        Minute::of_day(day, hour * 60 + i64::try_from(place).expect("few people"))
    };
    let mut sessions = Vec::new();
    for (session, (day, told)) in days.iter().zip(told).enumerate() {
        if told.is_empty() {
            continue;
        }
        let start = start(*day, random);
        let speaker = match &person.former {
            Some(former) if session < BEFORE => former.clone(),
            _ => person.name.clone(),
        };
        let tellings = told.into_iter().zip(1..).map(|((topic, form), turn)| Telling {
            time: start.plus(turn * 10),
            speaker: speaker.clone(),
            topic,
            form,
            session: String::new(),
            position: u64::try_from(turn).expect("positive") * 2 - 1,
        });
        sessions.push(Session { name: String::new(), tellings: tellings.collect() });
    }
    sessions
}

/// Chooses the session to erase: one in which somebody who keeps their name changes or takes back something.
fn erased(events: &[Event], people: &[Person], random: &mut Random) -> String {
    let fits = |session: &&Session| {
        session.tellings.iter().any(|telling| {
            let is_change = match telling.form {
                Form::Start(..) | Form::End(..) | Form::Correction { .. } | Form::Retraction(_) => true,
                Form::Now(_) | Form::Since(..) | Form::Bounded(..) | Form::Alias(_) => false,
            };
            is_change && people[1..].iter().any(|person| person.name == telling.speaker)
        })
    };
    let sessions: Vec<&Session> = sessions_of(events).filter(fits).collect();
    random.one_of(&sessions).name.clone()
}

fn sessions_of(events: &[Event]) -> impl Iterator<Item = &Session> {
    events.iter().filter_map(|event| match event {
        Event::Session(session) => Some(session),
        Event::Conclusion(_) => None,
    })
}

/// Makes conclusions from where people work and live, some from both, each with a second one that stands on it.
///
/// A conclusion follows at night on a session in which what it stands on was told, so that it stands when it is made.
fn conclusions(events: &[Event], people: &[Person], random: &mut Random) -> Vec<Conclusion> {
    let mut made: Vec<Conclusion> = Vec::new();
    let mut said: Vec<Stated> = Vec::new();
    for session in sessions_of(events) {
        said.extend(session.tellings.iter().flat_map(Telling::statements).map(stated));
        let oracle = Oracle::new(&said);
        for telling in &session.tellings {
            let object = match &telling.form {
                Form::Now(object) | Form::Since(object, _) | Form::Start(object, _) => object,
                Form::Correction { right, .. } => right,
                Form::End(..) | Form::Bounded(..) | Form::Retraction(_) | Form::Alias(_) => continue,
            };
            let keeps_name = people[1..].iter().any(|person| person.name == telling.speaker);
            if telling.topic == Topic::Project || !keeps_name || random.chance(40) {
                continue;
            }
            let number = made.len() + 1;
            let (key, concluded) = match telling.topic {
                Topic::Employment => (format!("badge of {} ({number})", telling.speaker), "order a badge of"),
                _ => (format!("parcels for {} ({number})", telling.speaker), "send them to"),
            };
            let ground = |topic: Topic, object: &str| Ground {
                subject: format!("person:{}", telling.speaker),
                predicate: topic.predicate(),
                key: String::new(),
                object: object.to_owned(),
            };
            let night = |minute| Minute::of_day(telling.time.day(), 22 * 60 + minute);
            let minute = i64::try_from(number).expect("few conclusions");
            let stands = |ground: &Ground| {
                let asked = Asked { subject: &ground.subject, predicate: ground.predicate, key: "" };
                oracle.holds(asked, night(0).instant(), night(0).instant()).contains(&ground.object)
            };
            let mut because = vec![ground(telling.topic, object)];
            if !because.iter().all(stands) {
                continue;
            }
            // What was told last of the other topic, where it is told in the same session, is a second premise.
            let beside = session.tellings.iter().find_map(|other| match &other.form {
                Form::Now(object) | Form::Since(object, _) | Form::Start(object, _)
                    if other.topic != telling.topic && other.topic != Topic::Project =>
                {
                    Some(ground(other.topic, object))
                }
                _ => None,
            });
            because.extend(beside.filter(|ground| stands(ground) && random.chance(50)));
            let rule = Conclusion {
                time: night(minute),
                key: key.clone(),
                object: format!("{concluded} {object}"),
                because,
            };
            let chained = random.chance(50).then(|| Conclusion {
                time: night(minute + 60),
                key: format!("budget for {key}"),
                object: format!("plan for {object}"),
                because: vec![Ground {
                    subject: CONCLUDER.to_owned(),
                    predicate: CONCLUDED,
                    key,
                    object: rule.object.clone(),
                }],
            });
            made.push(rule);
            made.extend(chained);
        }
    }
    made
}
