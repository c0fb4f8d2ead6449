//! What a plan comes to: the answer in words, and the facts and statements behind it.

use bygone_engine::store::{GroupView, Seen};
use bygone_engine::time::{Granularity, Instant, Moment, Validity, format_moment};
use bygone_engine::{Object, Polarity, Role, StoreError, ValidTime};
use bygone_ontology::{Cardinality, Ontology, TemporalKind};

use super::find::{Found, endings, evidence, find, groups, is_wanted};
use super::forms::Ask;
use super::plan::memory::Memory;
use super::reading::{Plan, Wanted};
use super::value::Value;
use super::wording::{self, Said, join, line};
use crate::facts::{beliefs, believed, group_rows};
use crate::request::Request;
use crate::row::Row;
use crate::say::object_text;
use crate::why::{Bearing, Evidence};

/// What a question comes to.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Response {
    /// The answer in words; empty where nothing is known.
    pub(super) text: String,
    /// Whether it is an answer.
    pub(super) known: bool,
    /// The facts it says.
    pub(super) rows: Vec<Row>,
    /// The statements they rest on.
    pub(super) evidence: Vec<Evidence>,
    /// What it comes to, where that is computed.
    pub(super) value: Option<Value>,
}

impl Response {
    /// Adds what the answer comes to.
    pub(super) fn coming_to(mut self, value: Option<Value>) -> Response {
        self.value = value.filter(|_| self.known);
        self
    }

    /// Adds statements to the evidence, each once, kept in known order.
    pub(super) fn add(&mut self, more: impl IntoIterator<Item = Evidence>) {
        for item in more {
            let id = item.recorded.assertion.id;
            if self.evidence.iter().all(|other| other.recorded.assertion.id != id) {
                self.evidence.push(item);
            }
        }
        self.evidence.sort_by_key(|item| (item.recorded.assertion.known_at, item.recorded.assertion.id));
    }
}

/// The view a plan is answered in.
#[derive(Clone, Copy)]
pub(super) struct Sight<'s> {
    /// What is seen.
    pub(super) seen: &'s Seen<'s>,
    /// What the predicates mean.
    pub(super) ontology: &'s Ontology,
    /// The clocks.
    pub(super) request: &'s Request,
    /// What the question has read already.
    pub(super) memory: &'s Memory,
}

impl Sight<'_> {
    pub(super) fn find(self, plan: &Plan, valid: ValidTime) -> Result<Vec<Found>, StoreError> {
        let request = Request { valid, ..self.request.clone() };
        let mut found = find(self.seen, self.ontology, &request, plan)?;
        if !plan.manner.is_empty() {
            let said: Vec<bool> =
                found.iter().map(|found| self.says(&found.row, plan.manner)).collect::<Result<_, _>>()?;
            let mut said = said.into_iter();
            found.retain(|_| said.next() == Some(true));
        }
        Ok(found)
    }

    /// Says whether a turn that a fact rests on has one of the forms of a verb. What came as data has no words to look at,
    /// and says it all the same.
    fn says(self, row: &Row, verb: &str) -> Result<bool, StoreError> {
        let supports = evidence(self.seen, std::slice::from_ref(row))?;
        Ok(supports.iter().any(|item| {
            let is_data = item.episode.as_ref().is_none_or(|record| record.episode.role == Role::Statement);
            let words = item.quote().split(|c: char| !c.is_alphabetic()).map(str::to_lowercase);
            is_data || words.into_iter().any(|word| verb.split(' ').any(|form| form == word))
        }))
    }

    pub(super) fn lines(self, found: &[Found], plan: &Plan) -> Result<Vec<String>, StoreError> {
        let valid = self.request.valid;
        found.iter().map(|f| line(self.seen, &f.row, &f.value_text(plan), f.kind, valid)).collect()
    }

    pub(super) fn respond(
        self,
        text: String,
        known: bool,
        found: Vec<Found>,
    ) -> Result<Response, StoreError> {
        let mut rows: Vec<Row> = found.into_iter().map(|found| found.row).collect();
        rows.sort_by_cached_key(Row::order);
        let evidence = evidence(self.seen, &rows)?;
        Ok(Response { text, known, rows, evidence, value: None })
    }
}

/// Answers plans that ask the same of several predicates.
///
/// # Errors
/// [`StoreError`] where the store cannot be read.
pub(super) fn respond(sight: Sight<'_>, plans: &[Plan]) -> Result<Response, StoreError> {
    let Some(first) = plans.first() else {
        return Ok(Response::default());
    };
    match first.ask {
        Ask::Object | Ask::Subject => values(sight, plans),
        Ask::Exists => exists(sight, plans),
        Ask::When | Ask::Start | Ask::Since | Ask::End => times(sight, plans),
    }
}

fn values(sight: Sight<'_>, plans: &[Plan]) -> Result<Response, StoreError> {
    let (mut lines, mut all) = (Vec::new(), Vec::new());
    let mut note = String::new();
    for plan in plans {
        let found = sight.find(plan, sight.request.valid)?;
        lines.extend(sight.lines(&found, plan)?);
        if let Some(noun) = plan.narrower.as_ref().filter(|_| !found.is_empty()) {
            let predicate = plan.predicate.replace('_', " ");
            note = format!(" (What is recorded is \"{predicate}\", not whether it is a {}.)", singular(noun));
        }
        all.extend(found);
    }
    if all.is_empty() {
        return Ok(Response::default());
    }
    sight.respond(format!("{}.{note}", join(&lines)), true, all)
}

pub(super) fn singular(noun: &str) -> &str {
    noun.strip_suffix('s').unwrap_or(noun)
}

pub(super) fn exists(sight: Sight<'_>, plans: &[Plan]) -> Result<Response, StoreError> {
    let (mut lines, mut all) = (Vec::new(), Vec::new());
    for plan in plans {
        let found = sight.find(plan, sight.request.valid)?;
        lines.extend(sight.lines(&found, plan)?);
        all.extend(found);
    }
    if !all.is_empty() {
        return sight.respond(format!("Yes: {}.", join(&lines)), true, all);
    }
    for plan in plans {
        if let Some(response) = denied(sight, plan)? {
            return Ok(response);
        }
    }
    for plan in plans {
        if let Some(response) = displaced(sight, plan)? {
            return Ok(response);
        }
    }
    for plan in plans {
        if let Some(response) = over(sight, plan)? {
            return Ok(response);
        }
    }
    Ok(Response::default())
}

/// Says whether a validity takes up all of the time asked about.
pub(super) fn covers(validity: Validity, asked: ValidTime) -> bool {
    let Some(period) = validity.period() else {
        return false;
    };
    match asked {
        ValidTime::At(instant) => period.contains(instant),
        ValidTime::During(asked) => period.start() <= asked.start() && asked.end() <= period.end(),
        ValidTime::All => period.start() == Instant::DISTANT_PAST && period.end() == Instant::DISTANT_FUTURE,
    }
}

/// Answers no where somebody said that it is not so over all of the time asked about. Nothing is derived there, so
/// nothing later speaks for it.
fn denied(sight: Sight<'_>, plan: &Plan) -> Result<Option<Response>, StoreError> {
    let mut denials: Vec<Evidence> = Vec::new();
    for (group, object) in groups(sight.seen, sight.ontology, plan)? {
        for recorded in sight.seen.statements(&group)? {
            let assertion = &recorded.assertion;
            let names_it = match &assertion.object {
                None => true,
                Some(denied) => is_wanted(sight.seen, sight.ontology, denied, &object)?,
            };
            let is_denial = assertion.counts() && assertion.polarity == Polarity::Deny;
            if is_denial && names_it && covers(assertion.validity, sight.request.valid) {
                let episode = sight.seen.snapshot().episode(assertion.source.episode)?;
                denials.push(Evidence { bearing: Bearing::Denies, recorded, episode });
            }
        }
    }
    denials.sort_by_key(|item| (item.recorded.assertion.known_at, item.recorded.assertion.id));
    let Some(last) = denials.pop() else {
        return Ok(None);
    };
    let said = day(last.recorded.assertion.known_at);
    // The fact that the denial ended, where it ended one, says since when it is not so.
    let ended = over(sight, plan)?;
    let mut response = ended.unwrap_or_else(|| Response {
        text: format!("No: said on {said} not to be so."),
        known: true,
        ..Response::default()
    });
    response.add([last]);
    Ok(Some(response))
}

/// Types of which one may be part of another.
const NESTED: [&str; 2] = ["place", "role"];

/// Answers no where another object holds over all of the time asked about, and only one can.
fn displaced(sight: Sight<'_>, plan: &Plan) -> Result<Option<Response>, StoreError> {
    let definition = sight.ontology.get_or_open(plan.predicate);
    if definition.cardinality != Cardinality::One || definition.kind == TemporalKind::Event {
        return Ok(None);
    }
    let any = Plan { object: None, ask: Ask::Object, ..plan.clone() };
    let mut found = sight.find(&any, sight.request.valid)?;
    found.retain(|found| {
        let of_main = found.row.group.key.is_empty() || plan.key.is_some();
        let is_forward = found.row.group.predicate == plan.predicate;
        of_main && is_forward && covers(found.row.fact.validity, sight.request.valid)
    });
    if found.is_empty() {
        return Ok(None);
    }
    let lines = join(&sight.lines(&found, &any)?);
    // Who lives in Lisbon lives in Portugal: of places and roles, only values once said of the subject exclude each other.
    let may_contain = definition.range.iter().any(|kind| NESTED.contains(&kind.as_str()));
    if may_contain && sight.find(plan, ValidTime::All)?.is_empty() {
        let text = format!("Not known: {}; what is known is {lines}.", sought(std::slice::from_ref(plan)));
        return sight.respond(text, false, found).map(Some);
    }
    sight.respond(format!("No: {lines}."), true, found).map(Some)
}

/// Answers no where it was so and ended before the time asked about.
fn over(sight: Sight<'_>, plan: &Plan) -> Result<Option<Response>, StoreError> {
    let asked = match sight.request.valid {
        ValidTime::At(instant) => instant,
        ValidTime::During(period) => period.start(),
        ValidTime::All => return Ok(None),
    };
    let mut found = sight.find(plan, ValidTime::All)?;
    found.retain(|f| {
        f.kind == TemporalKind::State && f.row.fact.validity.period().is_some_and(|p| p.end() <= asked)
    });
    let Some(last) = found.pop() else { return Ok(None) };
    let value = last.value_text(plan);
    let dates = wording::dates(sight.seen, &last.row)?;
    let mut response = sight.respond(format!("No: {value}, {dates} (ended)."), true, vec![last])?;
    response.add(endings(sight.seen, &response.rows)?);
    Ok(Some(response))
}

fn times(sight: Sight<'_>, plans: &[Plan]) -> Result<Response, StoreError> {
    let mut all: Vec<Found> = Vec::new();
    let (mut dated, mut vague): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    for plan in plans {
        for found in sight.find(plan, sight.request.valid)? {
            match time(sight, plan, &found)? {
                Some((text, true)) => dated.push(text),
                Some((text, false)) => vague.push(text),
                None => continue,
            }
            all.push(found);
        }
    }
    if all.is_empty() {
        return Ok(Response::default());
    }
    let is_known = !dated.is_empty();
    dated.extend(vague);
    let start = if is_known { "" } else { "Not known when: " };
    let mut response = sight.respond(format!("{start}{}.", join(&dated)), is_known, all)?;
    if plans.iter().any(|plan| plan.ask == Ask::End) {
        response.add(endings(sight.seen, &response.rows)?);
    }
    Ok(response)
}

/// Says the time a plan asks for of a fact, and whether it is more than a limit; `None` where the fact has none.
fn time(sight: Sight<'_>, plan: &Plan, found: &Found) -> Result<Option<(String, bool)>, StoreError> {
    let row = &found.row;
    let value = found.value_text(plan);
    let dates = wording::dates(sight.seen, row)?;
    let basis = wording::basis(row, found.kind, sight.request.valid);
    let basis = basis.map_or_else(String::new, |basis| format!(" ({basis})"));
    let whole = format!("{value}, {dates}{basis}");
    let limit =
        |said: &Said| format!("{value}, by {} at the latest: it was said then, not since when", said.text);
    Ok(match plan.ask {
        Ask::End => match wording::end(sight.seen, row)? {
            Some(said) if said.is_latest => {
                Some((format!("{value}, by {} at the latest: it was said then to be over", said.text), false))
            }
            Some(said) => Some((format!("{} ({value}, {dates})", said.text), true)),
            None if found.kind == TemporalKind::Event => None,
            None => Some((format!("{value} has no known end ({dates}{basis})"), false)),
        },
        _ if row.fact.validity == Validity::Undated => Some((whole, false)),
        Ask::When if found.kind == TemporalKind::Event => {
            Some((dates, !row.fact.validity.period().is_some_and(|period| period.from().is_open())))
        }
        Ask::When => Some((whole, true)),
        _ => match wording::start(sight.seen, row)? {
            Some(said) if said.is_latest => Some((limit(&said), false)),
            Some(said) => Some((format!("{} ({value}, {dates}{basis})", said.text), true)),
            None => Some((whole, false)),
        },
    })
}

/// Answers when something was first believed.
///
/// # Errors
/// [`StoreError`] where the store cannot be read.
pub(super) fn learned(sight: Sight<'_>, plans: &[Plan]) -> Result<Response, StoreError> {
    let mut first: Option<(Instant, GroupView, Row)> = None;
    for plan in plans {
        for (group, object) in groups(sight.seen, sight.ontology, plan)? {
            let all = beliefs(sight.seen, sight.ontology, &group)?;
            for belief in all {
                let is_meant = is_wanted(sight.seen, sight.ontology, &belief.fact.object, &object)?;
                if !is_meant || !sight.request.valid.selects(belief.fact.validity) {
                    continue;
                }
                if first.as_ref().is_some_and(|(known, ..)| *known <= belief.known_from) {
                    continue;
                }
                let known_from = belief.known_from;
                let row = believed(sight.seen, &group, belief);
                first = Some((known_from, group.clone(), row));
            }
        }
    }
    let Some((known, group, believed)) = first else {
        return Ok(Response::default());
    };
    let request = Request { valid: ValidTime::All, ..sight.request.clone() };
    let now = group_rows(sight.seen, sight.ontology, &request, &group)?;
    let is_same = |row: &&Row| row.fact.object.key() == believed.fact.object.key();
    let stands = now.iter().find(is_same).cloned();
    let mut evidence = evidence(sight.seen, std::slice::from_ref(&believed))?;
    evidence.retain(|item| item.recorded.assertion.known_at <= known);
    let from = evidence.first().map_or_else(String::new, said_in);
    let (note, row) = match stands {
        Some(row) => (String::new(), row),
        None => (" It is believed no more.".to_owned(), believed),
    };
    let at = format_moment(Moment::instant(known));
    Ok(Response { text: format!("{at}{from}.{note}"), known: true, rows: vec![row], evidence, value: None })
}

/// Says where a statement was made, in its words where it is speech.
pub(super) fn said_in(item: &Evidence) -> String {
    let session = &item.recorded.assertion.source.session;
    let is_speech = item.episode.as_ref().is_some_and(|record| record.episode.role != Role::Statement);
    if is_speech {
        format!(", in {session}: \"{}\"", item.quote())
    } else {
        format!(", by a statement in {session}")
    }
}

/// Says on which day an instant falls.
pub(super) fn day(instant: Instant) -> String {
    format_moment(Moment::new(Granularity::Day.floor(instant), Granularity::Day))
}

/// Says what was looked for, for an answer that there is nothing.
pub(super) fn sought(plans: &[Plan]) -> String {
    let Some(plan) = plans.first() else {
        return "nothing".to_owned();
    };
    let predicate = plan.predicate.replace('_', " ");
    let key = plan.key.as_ref().map_or_else(String::new, |key| format!(" ({key})"));
    let subject = plan.subject.as_ref().map(|entity| entity.name().to_owned());
    let object = plan.object.as_ref().map(wanted_text);
    let of = subject.map_or_else(String::new, |subject| format!(" of {subject}"));
    let with = object.map_or_else(String::new, |object| format!(" with {object}"));
    let end = if plan.ask == Ask::End { " that ended" } else { "" };
    format!("no \"{predicate}\"{key}{of}{with}{end} is known")
}

/// Says the object wanted.
pub(super) fn wanted_text(wanted: &Wanted) -> String {
    match wanted {
        Wanted::Entity(entity) => object_text(&Object::Entity(entity.clone())),
        Wanted::Value(text) => text.clone(),
        Wanted::Described(words) => words.join(" "),
    }
}
