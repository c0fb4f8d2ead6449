//! What a question in plain English asks, and the answer: from derived facts, with evidence, or an honest refusal.
//!
//! ```text
//! text ─ words ─ clocks (times taken out) ─ frame ("did we think") ─ forms (table) ─ names ─ plan ─ facts ─ wording
//! ```
//!
//! Invariants: the reading is deterministic; every word of a question is part of what is answered, or nothing is; an
//! answer says nothing that the view does not derive.

mod answer;
mod clocks;
mod closest;
mod entity;
mod error;
mod family;
mod find;
mod forms;
mod frame;
mod kind;
mod paraphrase;
mod plan;
mod reader;
mod reading;
mod respond;
mod table;
mod template;
mod tool;
mod value;
mod wording;
mod words;

use std::sync::LazyLock;

use bygone_engine::store::{Seen, Snapshot};
use bygone_engine::time::{Instant, Moment, Validity, format_moment};
use bygone_engine::{RecordedAt, ValidTime, View};
use bygone_ontology::timex::TimeExpression;
use bygone_ontology::{Ontology, TemporalKind};

pub use answer::{Answer, Passage, Reading};
pub use error::AskError;
pub use value::{Length, Value};

use clocks::{Clocks, Frame, Setting};
use forms::{Ask, Form, Scope};
use plan::Operation;
use plan::memory::Memory;
use plan::window::Window;
use reading::{Plan, Stand};
use respond::{Response, Sight};
use tool::ToolReading;
use words::Word;

use crate::error::QueryError;
use crate::request::Request;
use crate::say::{known_text, validity_text};

/// Longer questions are not read: no form is that long.
const MOST_WORDS: usize = 40;

static FORMS: LazyLock<Vec<Form>> = LazyLock::new(forms::forms);

/// Answers a question.
///
/// The clocks of `base` hold unless the question names a time for one. A name that nothing bears gives an answer that
/// is not known.
///
/// # Errors
/// [`AskError::NotUnderstood`] where the question, or any part of it, has no form that is known; [`AskError::Query`]
/// where a name may mean several things, and where the store cannot be read.
pub fn ask(
    snapshot: &Snapshot<'_>,
    ontology: &Ontology,
    base: &Request,
    question: &str,
) -> Result<Answer, AskError> {
    let text = words::normalise(question);
    let refuse = |reason: String| AskError::NotUnderstood {
        question: question.to_owned(),
        reason,
        understood: error::FORMS.to_vec(),
    };
    let n_words = words::split(&text).len();
    if n_words == 0 || n_words > MOST_WORDS {
        return Err(refuse(if n_words == 0 { "it is empty" } else { "it is too long" }.to_owned()));
    }
    let mut request = base.clone();
    if let Some(session) = take_session(&text, &mut words::split(&text)) {
        request.view.narrowing.session = Some(session);
    }
    let memory = Memory::default();
    let read = |text: &str| {
        let mut words = words::split(text);
        take_session(text, &mut words);
        let question = Question {
            snapshot,
            ontology,
            base: &request,
            asked: question,
            text,
            words: &words,
            memory: &memory,
        };
        question.read()
    };
    let closest_to = |answer: Answer| {
        let request = Request { view: answer.view.clone(), ..Request::present(base.now) };
        closest::add(snapshot, ontology, &request, answer)
    };
    let mut unknown = None;
    for paraphrase in paraphrase::paraphrases(&text) {
        match read(&paraphrase) {
            Ok(Outcome::Whole(answer)) if answer.known => return closest_to(answer),
            Ok(Outcome::Whole(answer)) if unknown.is_none() => unknown = Some(answer),
            // What is not understood in other words, or means several things in them, may be understood in its own.
            Ok(_) | Err(AskError::Query(QueryError::Ambiguous { .. })) => {}
            Err(error) => return Err(error),
        }
    }
    let own = match read(&text) {
        Err(AskError::Query(QueryError::Ambiguous { .. })) if unknown.is_some() => None,
        own => Some(own?),
    };
    match (own, unknown) {
        (Some(Outcome::Whole(answer)), Some(_)) if answer.known => closest_to(answer),
        (_, Some(answer)) | (Some(Outcome::Whole(answer) | Outcome::Unsure(answer)), None) => {
            closest_to(answer)
        }
        (Some(Outcome::Refused { reason, view }), None) => {
            // "How long before the fair …" names no view of its own.
            let view = view.or_else(|| reader::compares(&text).then(|| request.view.clone()));
            let closest = |view| not_understood(question, &request, view, &reason);
            let answer = view.map(|view| closest_to(closest(view))).transpose()?;
            answer.filter(|answer| !answer.passages.is_empty()).ok_or_else(|| refuse(reason))
        }
        (None, None) => Err(refuse(error::reason(&words::split(&text)))),
    }
}

/// Returns the answer that a question is not understood.
fn not_understood(question: &str, base: &Request, view: View, reason: &str) -> Answer {
    let known = known_text(view.known);
    let plan = with_view(base, String::new());
    Answer {
        question: question.to_owned(),
        reading: Reading { valid: "all time".to_owned(), known, intent: "search", plan },
        answer: format!("Not understood: {reason}."),
        known: false,
        value: None,
        rows: Vec::new(),
        evidence: Vec::new(),
        unnamed: None,
        view,
        passages: Vec::new(),
    }
}

/// Adds what the options narrow the view to: the words of a question cannot.
fn with_view(base: &Request, mut plan: String) -> String {
    let View { recorded, narrowing, .. } = &base.view;
    let limits = [
        (" IN SESSION ", narrowing.session.clone()),
        (" BY AGENT ", narrowing.agent.clone()),
        (" BY USER ", narrowing.user.clone()),
        (" RECORDED BY ", recorded_text(*recorded)),
    ];
    for (words, limit) in limits {
        if let Some(limit) = limit {
            plan.push_str(words);
            plan.push_str(&limit);
        }
    }
    plan
}

/// Takes "in session NAME" out of the words.
fn take_session(text: &str, words: &mut Vec<Word>) -> Option<String> {
    let at = words.windows(3).position(|w| w[0].folded == "in" && w[1].folded == "session")?;
    let name = text[words[at + 2].span.clone()].to_owned();
    words.drain(at..at + 3);
    Some(name)
}

/// Returns the times as they are, then with one of them left out, which may be part of a name, then none.
fn without_each(times: &[TimeExpression]) -> Vec<Vec<TimeExpression>> {
    let mut choices = vec![times.to_vec()];
    for nth in 0..times.len().min(3) {
        let mut fewer = times.to_vec();
        fewer.remove(nth);
        choices.push(fewer);
    }
    if times.len() > 1 {
        choices.push(Vec::new());
    }
    choices
}

/// What reading a question with some of its times comes to.
enum Outcome {
    /// All of it is understood.
    Whole(Answer),
    /// It is understood but for a name that nothing bears.
    Unsure(Answer),
    /// It is not understood, for a reason; the view it asks about is understood, or is not.
    Refused { reason: String, view: Option<View> },
}

/// What a plan came to.
struct Told<'a> {
    plan: String,
    response: Response,
    /// What was looked for, in words.
    sought: &'a str,
    view: View,
}

/// Says what of the words is not understood in a view.
fn reason(seen: &Seen<'_>, words: &[Word]) -> Result<String, AskError> {
    let reason = error::reason(words);
    let speaks = words.iter().any(|word| word.folded == words::FIRST_PERSON);
    let names_a_cause = reason.starts_with('"');
    if speaks && !names_a_cause && !entity::has_speaker(seen)? {
        return Ok("who \"I\" is: nothing here is said of person:user".to_owned());
    }
    Ok(reason)
}

/// A question to be read.
struct Question<'q> {
    snapshot: &'q Snapshot<'q>,
    ontology: &'q Ontology,
    base: &'q Request,
    asked: &'q str,
    text: &'q str,
    words: &'q [Word],
    memory: &'q Memory,
}

impl Question<'_> {
    /// Reads the question with its times as they are, then with one of them as a part of a name.
    fn read(&self) -> Result<Outcome, AskError> {
        let times = clocks::find(self.text, self.words, self.base.now);
        let mut first = None;
        for times in without_each(&times) {
            match self.attempt(&times)? {
                Outcome::Whole(answer) => return Ok(Outcome::Whole(answer)),
                other if first.is_none() => first = Some(other),
                Outcome::Unsure(_) | Outcome::Refused { .. } => {}
            }
        }
        Ok(first.unwrap_or_else(|| Outcome::Refused { reason: error::reason(self.words), view: None }))
    }

    fn attempt(&self, times: &[TimeExpression]) -> Result<Outcome, AskError> {
        match self.computed(times) {
            Ok(Some(answer)) => Ok(Outcome::Whole(answer)),
            Ok(None) => self.looked_up(times),
            // A name that means several things is no obstacle where the question can be read without it.
            Err(AskError::Query(error @ QueryError::Ambiguous { .. })) => match self.looked_up(times)? {
                Outcome::Refused { .. } => Err(error.into()),
                read => Ok(read),
            },
            Err(error) => Err(error),
        }
    }

    /// Answers a question that takes computing: over several facts, or over their times.
    fn computed(&self, times: &[TimeExpression]) -> Result<Option<Answer>, AskError> {
        let (rest, phrases) = clocks::take_out(self.words, &clocks::dated(self.words, times));
        let (frame, inner) = frame::unwrap(&rest);
        if frame == Frame::Plain && tool::is_question(&inner) {
            return Ok(None);
        }
        let Some((clocks, window)) = clocks::limit(self.text, &rest, &phrases, frame, self.base.now) else {
            return Ok(None);
        };
        let known = clocks.known.as_ref().map_or(self.base.view.known, |setting| setting.to);
        let view = View { known, ..self.base.view.clone() };
        let seen = self.snapshot.seen(&view)?;
        let request = Request { view: view.clone(), valid: ValidTime::All, ..self.base.clone() };
        let sight = Sight { seen: &seen, ontology: self.ontology, request: &request, memory: self.memory };
        let window = match window {
            None if self.base.valid != ValidTime::At(self.base.now) && self.base.valid != ValidTime::All => {
                Some(Setting { to: self.base.valid, text: valid_text(self.base.valid) })
            }
            window => window,
        };
        let is_thought = matches!(frame, Frame::Thought { .. });
        let window = match (window, &clocks.known) {
            (Some(setting), _) => Window::dated(setting.to, setting.text),
            (None, Some(known)) if is_thought => {
                Window::dated(ValidTime::At(known.to.min(self.base.now)), known.text.clone())
            }
            (None, _) => Window::always(),
        };
        let asking = family::Asking::new(sight, self.text, &inner, window, frame == Frame::Learned)?;
        let read = if is_thought { asking.thought()? } else { asking.read()? };
        let (intent, valid, plan, response) = match read {
            None => return Ok(None),
            Some(family::Read::Answer { intent, response }) => {
                (intent, "all time".to_owned(), String::new(), response)
            }
            Some(family::Read::Plan(operation)) => {
                let response = operation.answer(sight)?;
                let is_view = matches!(*operation, Operation::Joined { .. });
                let intent = if is_thought && is_view { "as_of_known" } else { operation.intent() };
                (intent, operation.valid(), operation.text(), response)
            }
        };
        let valid = Setting { to: ValidTime::All, text: valid };
        Ok(Some(self.answer(&clocks, &valid, intent, Told { plan, response, sought: "nothing", view })))
    }

    /// Answers a question that facts answer as they are.
    fn looked_up(&self, times: &[TimeExpression]) -> Result<Outcome, AskError> {
        let (rest, phrases) = clocks::take_out(self.words, times);
        let (frame, inner) = frame::unwrap(&rest);
        let clocks = match clocks::set(self.text, &rest, &phrases, frame, self.base.now) {
            Ok(clocks) => clocks,
            Err(reason) => return Ok(Outcome::Refused { reason, view: None }),
        };
        let base_known = self.base.view.known;
        if let Frame::Thought { .. } = frame
            && !frame::is_present(&rest, frame)
            && clocks.known.is_none()
            && base_known == Instant::DISTANT_FUTURE
        {
            let reason = "what was thought (say as of when: \"as of 1 June 2023\")".to_owned();
            return Ok(Outcome::Refused { reason, view: None });
        }
        let view = View {
            // Whoever limits what is known is told no more, whatever the words ask for.
            known: clocks.known.as_ref().map_or(base_known, |setting| setting.to.min(base_known)),
            ..self.base.view.clone()
        };
        let seen = self.snapshot.seen(&view)?;
        let request = Request { view: view.clone(), ..self.base.clone() };
        if frame == Frame::Plain
            && let Some(reading) = tool::read(&seen, self.ontology, self.text, &inner)?
        {
            return self.tool(&seen, request, &clocks, reading);
        }
        let stand = if frame == Frame::Plain { Stand::Direct } else { Stand::Embedded };
        let sight = Sight { seen: &seen, ontology: self.ontology, request: &request, memory: self.memory };
        let inner = family::with_names(sight, self.text, &inner)?;
        let (reading, is_whole) = reading::read(&seen, self.ontology, &FORMS, self.text, &inner, stand)?;
        match reading {
            reading::Reading::Plans(plans) => {
                let answer = self.plans(&seen, request, &clocks, frame, &plans)?;
                Ok(match answer {
                    None => Outcome::Refused {
                        reason:
                            "a time of learning is asked for what is so (\"… that Anna lives in Lisbon\")"
                                .to_owned(),
                        view: Some(view),
                    },
                    Some(answer) if is_whole => Outcome::Whole(answer),
                    Some(answer) => Outcome::Unsure(answer),
                })
            }
            reading::Reading::Unnamed { name, ask, predicate }
                if !name.is_empty() && self.is_bare(&name, times) =>
            {
                let setting = self.valid(&clocks, Scope::Now, ask, predicate);
                let plan = format!("NAMED({name:?})");
                let answer = self.unnamed(&setting, &clocks, plan, &name, view);
                Ok(Outcome::Unsure(answer))
            }
            reading::Reading::Unnamed { .. } | reading::Reading::Nothing => {
                Ok(Outcome::Refused { reason: reason(&seen, &rest)?, view: Some(view) })
            }
        }
    }

    /// Says whether no time stands in a name that nothing bears: it would be lost.
    fn is_bare(&self, name: &str, times: &[TimeExpression]) -> bool {
        let all = clocks::find(self.text, self.words, self.base.now);
        let left_in = all.iter().filter(|time| !times.contains(time));
        left_in.map(|time| &self.text[time.span.clone()]).all(|said| !name.contains(said))
    }

    fn unnamed(
        &self,
        valid: &Setting<ValidTime>,
        clocks: &Clocks,
        plan: String,
        name: &str,
        view: View,
    ) -> Answer {
        Answer {
            question: self.asked.to_owned(),
            reading: Reading {
                valid: valid.text.clone(),
                known: self.known_text(clocks),
                intent: self.clock_intent(clocks, valid),
                plan: with_view(self.base, plan),
            },
            answer: format!("Nothing here is named {name:?}."),
            known: false,
            value: None,
            rows: Vec::new(),
            evidence: Vec::new(),
            unnamed: Some(name.to_owned()),
            view,
            passages: Vec::new(),
        }
    }

    fn tool(
        &self,
        seen: &Seen<'_>,
        mut request: Request,
        clocks: &Clocks,
        reading: ToolReading,
    ) -> Result<Outcome, AskError> {
        let plan = match reading {
            ToolReading::Plan(plan) => plan,
            ToolReading::Unnamed(name) => {
                let setting = self.valid(clocks, Scope::Now, Ask::Object, "wrote");
                let plan = format!("NAMED({name:?})");
                let answer = self.unnamed(&setting, clocks, plan, &name, request.view);
                let reading = Reading { intent: "tool_events", ..answer.reading };
                return Ok(Outcome::Unsure(Answer { reading, ..answer }));
            }
        };
        let setting = self.valid(clocks, plan.scope, Ask::Object, plan.predicate);
        request.valid = setting.to;
        let response = plan.respond(seen, self.ontology, &request)?;
        let sought = plan.sought();
        let told = Told { plan: plan.text(), response, sought: &sought, view: request.view };
        Ok(Outcome::Whole(self.answer(clocks, &setting, plan.intent(), told)))
    }

    /// Answers plans; `None` where the frame asks when something was learned that is no statement.
    fn plans(
        &self,
        seen: &Seen<'_>,
        mut request: Request,
        clocks: &Clocks,
        frame: Frame,
        plans: &[Plan],
    ) -> Result<Option<Answer>, AskError> {
        let Some(first) = plans.first() else {
            return Ok(None);
        };
        let is_learned = frame == Frame::Learned;
        if is_learned && first.ask != Ask::Exists {
            return Ok(None);
        }
        let scope = if is_learned { Scope::Ever } else { first.scope };
        let setting = self.valid(clocks, scope, first.ask, first.predicate);
        request.valid = setting.to;
        let sight = Sight { seen, ontology: self.ontology, request: &request, memory: self.memory };
        let response =
            if is_learned { respond::learned(sight, plans)? } else { respond::respond(sight, plans)? };
        let plan = plan_text(plans, is_learned);
        let intent = if is_learned { "when_learned" } else { self.intent(clocks, &setting, first) };
        let sought = respond::sought(plans);
        let told = Told { plan, response, sought: &sought, view: request.view };
        Ok(Some(self.answer(clocks, &setting, intent, told)))
    }

    fn answer(
        &self,
        clocks: &Clocks,
        valid: &Setting<ValidTime>,
        intent: &'static str,
        told: Told<'_>,
    ) -> Answer {
        let Told { plan, response, sought, view } = told;
        let known = self.known_text(clocks);
        let answer = if response.text.is_empty() {
            let at = if valid.to == ValidTime::All {
                "at any time".to_owned()
            } else {
                format!("as of {}", valid.text)
            };
            format!("Not known: {sought} {at} (known: {known}).")
        } else {
            response.text
        };
        Answer {
            question: self.asked.to_owned(),
            reading: Reading { valid: valid.text.clone(), known, intent, plan: with_view(self.base, plan) },
            answer,
            known: response.known,
            value: response.value,
            rows: response.rows,
            evidence: response.evidence,
            unnamed: None,
            view,
            passages: Vec::new(),
        }
    }

    /// Returns the valid time: the question's own, else the base's own, else what the form asks about.
    fn valid(&self, clocks: &Clocks, scope: Scope, ask: Ask, predicate: &str) -> Setting<ValidTime> {
        let now = self.base.now;
        let all = || Setting { to: ValidTime::All, text: "all time".to_owned() };
        let is_event = self.ontology.get_or_open(predicate).kind == TemporalKind::Event;
        if let Some(setting) = &clocks.valid {
            return setting.clone();
        }
        let asks_when = matches!(ask, Ask::When | Ask::Start | Ask::Since | Ask::End);
        if scope == Scope::Ever && !asks_when {
            return all();
        }
        if self.base.valid != ValidTime::At(now) {
            return Setting { to: self.base.valid, text: valid_text(self.base.valid) };
        }
        match (&clocks.known, scope) {
            (_, Scope::Ever) | (None, Scope::Past) => all(),
            _ if is_event => all(),
            (Some(known), _) => Setting { to: ValidTime::At(known.to.min(now)), text: known.text.clone() },
            (None, Scope::Now) => Setting { to: ValidTime::At(now), text: "now".to_owned() },
        }
    }

    fn known_text(&self, clocks: &Clocks) -> String {
        let limit = self.base.view.known;
        match &clocks.known {
            Some(setting) if setting.to <= limit => setting.text.clone(),
            _ => known_text(limit),
        }
    }

    fn intent(&self, clocks: &Clocks, valid: &Setting<ValidTime>, plan: &Plan) -> &'static str {
        let is_state = self.ontology.get_or_open(plan.predicate).kind == TemporalKind::State;
        if is_state && matches!(plan.ask, Ask::Start | Ask::Since | Ask::End) {
            "time_of_change"
        } else if matches!(plan.ask, Ask::When | Ask::Start | Ask::Since | Ask::End) {
            "when"
        } else {
            match self.clock_intent(clocks, valid) {
                "current" if plan.still => "still",
                intent => intent,
            }
        }
    }

    /// Returns the kind of question by its clocks.
    fn clock_intent(&self, clocks: &Clocks, valid: &Setting<ValidTime>) -> &'static str {
        if clocks.known.is_some() || self.base.view.known != Instant::DISTANT_FUTURE {
            "as_of_known"
        } else if valid.to == ValidTime::All {
            "ever"
        } else if valid.to != ValidTime::At(self.base.now) {
            "as_of_valid"
        } else {
            "current"
        }
    }
}

fn valid_text(valid: ValidTime) -> String {
    match valid {
        ValidTime::At(instant) => format_moment(Moment::instant(instant)),
        ValidTime::During(period) => validity_text(Validity::Over(period), None),
        ValidTime::All => "all time".to_owned(),
    }
}

/// Says what is looked up: `VALUE(person:Anna, lives_in)`; several predicates stand beside each other.
fn plan_text(plans: &[Plan], is_learned: bool) -> String {
    let Some(plan) = plans.first() else {
        return String::new();
    };
    let predicates: Vec<String> = plans
        .iter()
        .map(|plan| {
            plan.key
                .as_ref()
                .map_or_else(|| plan.predicate.to_owned(), |key| format!("{}:{key}", plan.predicate))
        })
        .collect();
    let subject = plan.subject.as_ref().map(ToString::to_string);
    let object = plan.object.as_ref().map(|wanted| match wanted {
        reading::Wanted::Entity(entity) => entity.to_string(),
        reading::Wanted::Value(text) => format!("{text:?}"),
        reading::Wanted::Described(words) => format!("{:?}", words.join(" ")),
    });
    let parts: Vec<String> = subject.into_iter().chain([predicates.join(" | ")]).chain(object).collect();
    let parts = parts.join(", ");
    match plan.ask {
        Ask::Exists if is_learned => format!("TIMEOF_KNOWN(first of ({parts}))"),
        Ask::Object => format!("VALUE({parts})"),
        Ask::Subject => format!("WHO({parts})"),
        Ask::Exists => format!("EXISTS({parts})"),
        Ask::When => format!("TIMEOF({parts})"),
        Ask::Start => format!("TIMEOF(start of ({parts}))"),
        Ask::Since => format!("TIMEOF(start of what holds of ({parts}))"),
        Ask::End => format!("TIMEOF(end of ({parts}))"),
    }
}

fn recorded_text(recorded: RecordedAt) -> Option<String> {
    match recorded {
        RecordedAt::Latest => None,
        RecordedAt::Seq(seq) => Some(seq.to_string()),
        RecordedAt::Instant(at) => Some(at.to_rfc3339()),
    }
}
