//! When a statement holds: its form and the time words of its clause, against the moment it was said.
//!
//! This is the table of the semantics' section 2 and nothing else. It reads no clock and never makes an empty
//! period: what contradicts itself comes back as a reason, in words, for the report.
//!
//! Lengths of time, repetitions and times known only by something that happened do not date a statement.

use bygone_engine::time::{Bound, Granularity, Instant, Moment, Period, Validity, format_instant};
use bygone_engine::{Modality, Polarity};
use bygone_ontology::TemporalKind;
use bygone_ontology::timex::{self, Context, Kind, Tense, TimeExpression};

use crate::candidate::{Candidate, Form, When};

/// A statement whose time is to be told.
#[derive(Clone, Copy, Debug)]
pub struct Undated<'a> {
    /// The form it was made in.
    pub form: Form,
    /// What the words say of the object where the form leaves it open: `Deny` for "I didn't work there in 2015".
    pub polarity: Polarity,
    /// How its predicate behaves in time: a planned state goes on from its start, a planned event does not.
    pub kind: TemporalKind,
    /// The words in which to look for times.
    pub clause: &'a str,
    /// When it was said.
    pub said_at: Instant,
}

/// One statement with its time. One form of words may make two of them: "I used to …" affirms and denies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grounded {
    /// Whether it affirms or denies.
    pub polarity: Polarity,
    /// When.
    pub validity: Validity,
    /// The last moment vouched for; `Some` exactly for an affirm with an open end.
    pub sure_until: Option<Moment>,
    /// `Planned` or `Actual`.
    pub modality: Modality,
}

/// Grounds a candidate found in `text`, said at `said_at`. The modality is the grounded one where that is `Planned`,
/// else the candidate's own.
///
/// # Errors
/// The reason, in words, why the time words and the form contradict each other.
pub fn ground_candidate(
    candidate: &Candidate,
    kind: TemporalKind,
    text: &str,
    said_at: Instant,
) -> Result<Vec<Grounded>, String> {
    match &candidate.when {
        When::Exactly { validity, sure_until } => Ok(vec![Grounded {
            polarity: candidate.polarity,
            validity: *validity,
            sure_until: *sure_until,
            modality: candidate.modality,
        }]),
        When::Said { form, clause } => {
            let clause = text
                .get(clause.clone())
                .ok_or_else(|| format!("clause {clause:?} does not lie in the text"))?;
            let statement = Undated { form: *form, polarity: candidate.polarity, kind, clause, said_at };
            let mut grounded = ground(&statement)?;
            for one in &mut grounded {
                if one.modality == Modality::Actual {
                    one.modality = candidate.modality;
                }
            }
            Ok(grounded)
        }
    }
}

/// Grounds a statement: the time words of its clause are found, and mean what the form makes of them.
///
/// # Errors
/// The reason, in words, why the time words and the form contradict each other.
pub fn ground(statement: &Undated<'_>) -> Result<Vec<Grounded>, String> {
    let tense = tense(statement.form);
    let context = Context { now: statement.said_at, tense, fiscal_start: 1 };
    let expressions = timex::find(statement.clause, &context);
    let dating = dating(&expressions, statement.clause)?;
    apply(statement, tense, dating)
}

/// What the time words of one clause amount to.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Dating {
    /// No word dates it.
    Nothing,
    /// From a start on.
    Since(Moment),
    /// Up to an exclusive end.
    Until(Moment),
    /// Within `[from, to)`; `stretch` where it runs from one named granule to another.
    Within { from: Moment, to: Moment, stretch: bool },
}

fn apply(statement: &Undated<'_>, tense: Tense, dating: Dating) -> Result<Vec<Grounded>, String> {
    let said = Moment::instant(statement.said_at);
    let denies = statement.polarity == Polarity::Deny;
    match statement.form {
        Form::State | Form::Was if denies => match dating {
            Dating::Nothing if tense == Tense::Past => {
                Err("denies a past state without saying when".to_owned())
            }
            Dating::Nothing => deny(Bound::At(said), Bound::Open),
            Dating::Since(from) => deny(Bound::At(from), Bound::Open),
            Dating::Until(to) => deny(Bound::Open, Bound::At(to)),
            Dating::Within { from, to, .. } => deny(Bound::At(from), Bound::At(to)),
        },
        Form::State | Form::Was => state(said, tense, dating),
        Form::Change => change(said, dating),
        Form::UsedTo => used_to(said, dating),
        Form::NoLonger => match dating {
            Dating::Nothing => deny(Bound::At(said), Bound::Open),
            Dating::Since(from) | Dating::Within { from, .. } => deny(Bound::At(from), Bound::Open),
            Dating::Until(_) => Err("says both no longer and until when".to_owned()),
        },
        Form::Ended => match dating {
            Dating::Nothing => deny(Bound::At(said), Bound::Open),
            Dating::Since(from) => deny(Bound::At(from), Bound::Open),
            Dating::Until(to) | Dating::Within { to, .. } => deny(Bound::At(to), Bound::Open),
        },
        Form::Never => match dating {
            Dating::Nothing => deny(Bound::Open, Bound::Open),
            Dating::Since(from) => deny(Bound::At(from), Bound::Open),
            Dating::Within { from, to, .. } => deny(Bound::At(from), Bound::At(to)),
            Dating::Until(_) => Err("says both never and until when".to_owned()),
        },
        Form::Experience if dating == Dating::Nothing => Ok(vec![undated()]),
        Form::Event | Form::Experience => event(said, denies, dating),
        Form::Plan => plan(statement, dating),
    }
}

fn state(said: Moment, tense: Tense, dating: Dating) -> Result<Vec<Grounded>, String> {
    match dating {
        Dating::Nothing if tense == Tense::Past => Ok(vec![undated()]),
        Dating::Nothing => open(said, said),
        Dating::Since(from) if from.at > said.at => {
            Err(format!("has held since {}, which is after it was said", format_instant(from.at)))
        }
        Dating::Since(from) => open(from, said),
        Dating::Until(to) if tense != Tense::Past && to.at > said.at => bounded(said, to),
        Dating::Until(to) => bounded(unknown_start(to), to),
        Dating::Within { from, to, stretch } => {
            let covers_now = from.at <= said.at && said.at < to.at;
            if tense == Tense::Present && !stretch && covers_now && from.grain <= Granularity::Day {
                // "I work at Acme today": now, not only today.
                open(said, said)
            } else if !stretch && from.at > said.at {
                bounded(from, to).map(planned)
            } else {
                bounded(from, to)
            }
        }
    }
}

fn change(said: Moment, dating: Dating) -> Result<Vec<Grounded>, String> {
    match dating {
        Dating::Nothing => open(said, said),
        Dating::Since(from) | Dating::Within { from, .. } if from.at > said.at => {
            Err(format!("began at {}, which is after it was said", format_instant(from.at)))
        }
        Dating::Since(from) | Dating::Within { from, stretch: false, .. } => open(from, from),
        Dating::Within { from, to, stretch: true } => bounded(from, to),
        Dating::Until(to) => bounded(said, to),
    }
}

fn used_to(said: Moment, dating: Dating) -> Result<Vec<Grounded>, String> {
    let mut grounded = match dating {
        Dating::Nothing | Dating::Since(_) => vec![undated()],
        // What is no longer so ended before it was said: without this the affirm and the deny would overlap.
        Dating::Until(to) => {
            let to = earlier(to, said);
            bounded(unknown_start(to), to)?
        }
        Dating::Within { from, to, .. } => bounded(from, earlier(to, said))?,
    };
    grounded.extend(deny(Bound::At(said), Bound::Open)?);
    Ok(grounded)
}

fn event(said: Moment, denies: bool, dating: Dating) -> Result<Vec<Grounded>, String> {
    let (from, to) = match dating {
        Dating::Nothing if denies => return Err("denies an event without saying when".to_owned()),
        Dating::Nothing => (said, Moment::instant(said.at.next())),
        Dating::Since(from) => (from, Moment::instant(said.at.next())),
        Dating::Within { from, to, .. } => (from, to),
        Dating::Until(_) => return Err("happened until a time".to_owned()),
    };
    if from.at > said.at {
        let from = format_instant(from.at);
        return Err(format!("happened at {from}, which is after it was said"));
    }
    if denies { deny(Bound::At(from), Bound::At(to)) } else { bounded(from, to) }
}

fn plan(statement: &Undated<'_>, dating: Dating) -> Result<Vec<Grounded>, String> {
    let said = Moment::instant(statement.said_at);
    let lasting = statement.kind == TemporalKind::State;
    if let Dating::Within { to, .. } | Dating::Until(to) = dating
        && to.at <= said.at
    {
        return Err("is planned for a time that had passed".to_owned());
    }
    let grounded = if statement.polarity == Polarity::Deny {
        match dating {
            Dating::Nothing => deny(Bound::At(said), Bound::Open),
            Dating::Since(from) => deny(Bound::At(from), Bound::Open),
            Dating::Until(to) | Dating::Within { to, .. } => deny(Bound::At(to), Bound::Open),
        }
    } else {
        match dating {
            Dating::Nothing => Ok(vec![undated()]),
            Dating::Since(from) => open(from, from),
            Dating::Within { from, stretch: false, .. } if lasting => open(from, from),
            Dating::Within { from, to, .. } => bounded(from, to),
            Dating::Until(to) => bounded(said, to),
        }
    };
    grounded.map(planned)
}

fn actual(polarity: Polarity, validity: Validity, sure_until: Option<Moment>) -> Grounded {
    Grounded { polarity, validity, sure_until, modality: Modality::Actual }
}

fn undated() -> Grounded {
    actual(Polarity::Affirm, Validity::Undated, None)
}

fn open(from: Moment, sure_until: Moment) -> Result<Vec<Grounded>, String> {
    let validity = period(Bound::At(from), Bound::Open)?;
    Ok(vec![actual(Polarity::Affirm, validity, Some(sure_until))])
}

fn bounded(from: Moment, to: Moment) -> Result<Vec<Grounded>, String> {
    let validity = period(Bound::At(from), Bound::At(to))?;
    Ok(vec![actual(Polarity::Affirm, validity, None)])
}

fn deny(from: Bound, to: Bound) -> Result<Vec<Grounded>, String> {
    Ok(vec![actual(Polarity::Deny, period(from, to)?, None)])
}

fn period(from: Bound, to: Bound) -> Result<Validity, String> {
    Period::new(from, to).map(Validity::Over).map_err(|error| error.to_string())
}

fn planned(mut grounded: Vec<Grounded>) -> Vec<Grounded> {
    for one in &mut grounded {
        one.modality = Modality::Planned;
    }
    grounded
}

/// The start nobody named of what ended at `to`: the granule before it.
fn unknown_start(to: Moment) -> Moment {
    Moment::new(to.grain.before(to.at), Granularity::Unknown)
}

fn earlier(to: Moment, said: Moment) -> Moment {
    if to.at <= said.at { to } else { said }
}

/// Puts the time words of a clause together.
fn dating(expressions: &[TimeExpression], clause: &str) -> Result<Dating, String> {
    let mut since = None;
    let mut until = None;
    let mut within: Option<(Moment, Moment, bool)> = None;
    // "Recently, on 30 October": the vague time adds nothing to the exact one.
    let is_exact = |one: &TimeExpression| matches!(one.kind, Kind::Point | Kind::Span) && !one.approx;
    let exact = expressions.iter().any(is_exact);
    // "I recently got a rug a month ago": what is said beside "recently" tells more.
    let is_dated = |one: &&TimeExpression| matches!(one.kind, Kind::Point | Kind::Span);
    let several = expressions.iter().filter(is_dated).count() > 1;
    let is_recently = |one: &TimeExpression| {
        let words = clause.get(one.span.clone()).unwrap_or_default();
        words.eq_ignore_ascii_case("recently") || words.eq_ignore_ascii_case("lately")
    };
    // "Currently", "now": when it is said, and no second of its own.
    let is_now = |one: &TimeExpression| {
        let words = clause.get(one.span.clone()).unwrap_or_default();
        ["now", "currently", "right now", "at the moment"].iter().any(|now| words.eq_ignore_ascii_case(now))
    };
    for expression in expressions {
        if (several && is_recently(expression)) || is_now(expression) {
            continue;
        }
        if exact && expression.approx && matches!(expression.kind, Kind::Point | Kind::Span) {
            continue;
        }
        match (expression.kind, expression.start, expression.end) {
            (Kind::Since, Some(start), _) => {
                let start = Moment::new(start, expression.grain);
                if since.replace(start).is_some_and(|other| other != start) {
                    return Err("names two starts".to_owned());
                }
            }
            (Kind::Until, _, Some(end)) => {
                let end = Moment::new(end, expression.grain);
                if until.replace(end).is_some_and(|other| other != end) {
                    return Err("names two ends".to_owned());
                }
            }
            (Kind::Point | Kind::Span, Some(start), end) => {
                let next = granules(expression, start, end, clause);
                within = Some(match within {
                    None => next,
                    Some(other) if contains(other, next) => next,
                    Some(other) if contains(next, other) => other,
                    Some(_) => return Err("names several times".to_owned()),
                });
            }
            _ => {}
        }
    }
    match (since, until, within) {
        (None, None, None) => Ok(Dating::Nothing),
        (Some(from), None, None) => Ok(Dating::Since(from)),
        (None, Some(to), None) => Ok(Dating::Until(to)),
        (Some(from), Some(to), None) => Ok(Dating::Within { from, to, stretch: true }),
        (None, None, Some((from, to, stretch))) => Ok(Dating::Within { from, to, stretch }),
        _ => Err("names several times".to_owned()),
    }
}

/// Returns the first granule of an expression, the exclusive end of its last, and whether it is a stretch.
fn granules(
    expression: &TimeExpression,
    start: Instant,
    end: Option<Instant>,
    clause: &str,
) -> (Moment, Moment, bool) {
    let end = end.unwrap_or_else(|| expression.grain.after(start));
    // "Last summer" comes as three months: where a vague expression is one whole granule, that is what was said.
    let whole = |grain: &Granularity| grain.floor(start) == start && grain.after(start) == end;
    let grain = match Granularity::ALL.iter().rev().find(|grain| whole(grain)) {
        Some(grain) if expression.approx && *grain > expression.grain => *grain,
        _ => expression.grain,
    };
    let words = clause.get(expression.span.clone()).unwrap_or_default();
    let between = words.get(..7).is_some_and(|word| word.eq_ignore_ascii_case("between"));
    let stretch = expression.kind == Kind::Span && !expression.approx && !between && grain.after(start) < end;
    (Moment::new(start, grain), Moment::new(end, grain), stretch)
}

fn contains(outer: (Moment, Moment, bool), inner: (Moment, Moment, bool)) -> bool {
    outer.0.at <= inner.0.at && inner.1.at <= outer.1.at
}

/// Returns the tense in which the time words of a statement are to be read.
fn tense(form: Form) -> Tense {
    match form {
        Form::State | Form::NoLonger => Tense::Present,
        Form::Was
        | Form::Change
        | Form::UsedTo
        | Form::Ended
        | Form::Never
        | Form::Event
        | Form::Experience => Tense::Past,
        Form::Plan => Tense::Future,
    }
}

#[cfg(test)]
mod tests {
    use bygone_engine::time::parse_moment;
    use bygone_engine::wire::valid_text;

    use super::*;

    const SAID: &str = "2024-06-12T10:00:00Z";

    fn bound(bound: Bound) -> String {
        let implied = |m: Moment| match m.grain {
            Granularity::Instant => true,
            Granularity::Day | Granularity::Month | Granularity::Year => m.grain.floor(m.at) == m.at,
            _ => false,
        };
        match bound {
            Bound::Open => "open".to_owned(),
            Bound::At(moment) if implied(moment) => valid_text(moment),
            Bound::At(moment) => format!("{} {}", valid_text(moment), moment.grain.name()),
        }
    }

    /// Writes what was grounded as `affirm [from, to) sure … planned`.
    fn shown(grounded: &[Grounded]) -> String {
        let one = |one: &Grounded| {
            let polarity = match one.polarity {
                Polarity::Affirm => "affirm",
                Polarity::Deny => "deny",
            };
            let validity = match one.validity {
                Validity::Undated => "undated".to_owned(),
                Validity::Over(period) => format!("[{}, {})", bound(period.from()), bound(period.to())),
            };
            let sure =
                one.sure_until.map_or(String::new(), |sure| format!(" sure {}", bound(Bound::At(sure))));
            let modality = match one.modality {
                Modality::Actual => "",
                Modality::Planned => " planned",
                Modality::Hypothetical => " hypothetical",
                Modality::Reported => " reported",
            };
            format!("{polarity} {validity}{sure}{modality}")
        };
        grounded.iter().map(one).collect::<Vec<_>>().join("; ")
    }

    fn said(form: Form, polarity: Polarity, kind: TemporalKind, clause: &str) -> Result<String, String> {
        said_on(SAID, form, polarity, kind, clause)
    }

    fn said_on(
        said_at: &str,
        form: Form,
        polarity: Polarity,
        kind: TemporalKind,
        clause: &str,
    ) -> Result<String, String> {
        let statement =
            Undated { form, polarity, kind, clause, said_at: parse_moment(said_at).expect("a time").at };
        ground(&statement).map(|grounded| shown(&grounded))
    }

    #[track_caller]
    fn check(form: Form, clause: &str, expected: &str) {
        check_on(SAID, form, clause, expected);
    }

    #[track_caller]
    fn check_on(said_at: &str, form: Form, clause: &str, expected: &str) {
        let expected = expected.replace('R', said_at);
        let kind = match form {
            Form::Event | Form::Experience => TemporalKind::Event,
            _ => TemporalKind::State,
        };
        let grounded = said_on(said_at, form, Polarity::Affirm, kind, clause);
        assert_eq!(grounded.as_deref(), Ok(expected.as_str()), "{clause}");
    }

    #[test]
    fn every_row_of_the_table() {
        check(Form::State, "I live in Boston", "affirm [R, open) sure R");
        check(Form::State, "I've lived in Berlin since 2018", "affirm [2018, open) sure R");
        check(Form::Change, "I moved to Lisbon in March", "affirm [2024-03, open) sure 2024-03");
        check(Form::Was, "I worked at Gamma from 2010 to 2012", "affirm [2010, 2013)");
        check(Form::Was, "I worked at Gamma until 2019", "affirm [2019-01-01 unknown, 2020)");
        check(Form::UsedTo, "I used to work at Gamma", "affirm undated; deny [R, open)");
        check_on(
            "2024-01-05T10:00:00Z",
            Form::State,
            "I'm seconded to Beta January to March",
            "affirm [2024-01, 2024-04)",
        );
        check(Form::NoLonger, "I no longer work at Acme", "deny [R, open)");
        check(Form::Ended, "I left Acme in March", "deny [2024-04, open)");
        check_on("2024-07-10T10:00:00Z", Form::Ended, "I left Acme in June", "deny [2024-07, open)");
        check(Form::Never, "I never worked at Acme", "deny [open, open)");
        check(Form::Plan, "I'll move to Oslo next year", "affirm [2025, open) sure 2025 planned");
        check(Form::Event, "I bought a bike last Friday", "affirm [2024-06-07, 2024-06-08)");
        check(Form::Experience, "I've been to Japan", "affirm undated");
    }

    #[test]
    fn a_state_is_dated_by_what_its_tense_allows() {
        check(Form::State, "I live in Boston today", "affirm [R, open) sure R");
        check(Form::Was, "I lived in Berlin in 2015", "affirm [2015, 2016)");
        check(Form::Was, "I lived in Berlin", "affirm undated");
        check(Form::Was, "I worked at Acme for 3 years", "affirm undated");
        check(Form::State, "I am at Acme until 2026", "affirm [R, 2027)");
        check(Form::State, "I work at Acme next year", "affirm [2025, 2026) planned");
        check(Form::State, "I've worked at Acme since 2018 until 2020", "affirm [2018, 2021)");
    }

    #[test]
    fn changes_and_ends_without_a_time_are_dated_by_being_said() {
        check(Form::Change, "I moved to Lisbon", "affirm [R, open) sure R");
        check(Form::Ended, "I left Acme", "deny [R, open)");
        check(Form::NoLonger, "I haven't worked at Acme since 2020", "deny [2020, open)");
        check(Form::Change, "I joined Beta between January and March", "affirm [2024-01, open) sure 2024-01");
        check(Form::Change, "I joined Beta from January to March", "affirm [2024-01, 2024-04)");
        check(
            Form::UsedTo,
            "I used to work at Gamma from 2010 to 2012",
            "affirm [2010, 2013); deny [R, open)",
        );
        check(Form::UsedTo, "I used to live here this year", "affirm [2024, R); deny [R, open)");
        check(Form::Event, "I visited Paris", "affirm [R, 2024-06-12T10:00:00.000001Z)");
        check(Form::Experience, "I've been to Japan twice", "affirm undated");
        check(Form::Experience, "I've been to Japan this year", "affirm [2024, 2025)");
    }

    #[test]
    fn plans_take_no_part_as_facts() {
        check(Form::Plan, "I'll move to Oslo", "affirm undated planned");
        let event = |clause| said(Form::Plan, Polarity::Affirm, TemporalKind::Event, clause);
        assert_eq!(
            event("I'm visiting Paris next month").as_deref(),
            Ok("affirm [2024-07, 2024-08) planned")
        );
        let leaving = said(Form::Plan, Polarity::Deny, TemporalKind::State, "I'll leave Acme next month");
        assert_eq!(leaving.as_deref(), Ok("deny [2024-08, open) planned"));
    }

    #[test]
    fn the_exact_of_two_times_counts() {
        let both = "I recently bought a sofa on 2024-05-30";
        check(Form::Event, both, "affirm [2024-05-30, 2024-05-31)");
        let nested = "I moved to Oslo in 2023, in March 2023";
        check(Form::Change, nested, "affirm [2023-03, open) sure 2023-03");
    }

    #[test]
    fn denied_states_and_events_need_a_time() {
        let denied = |form, clause| said(form, Polarity::Deny, TemporalKind::State, clause);
        assert_eq!(denied(Form::Was, "I didn't work at Acme in 2015").as_deref(), Ok("deny [2015, 2016)"));
        assert_eq!(
            denied(Form::State, "I don't work at Acme").as_deref(),
            Ok(format!("deny [{SAID}, open)").as_str())
        );
        assert_eq!(denied(Form::Event, "I didn't visit Paris in 2015").as_deref(), Ok("deny [2015, 2016)"));
        for (form, clause) in [(Form::Was, "I didn't work at Acme"), (Form::Event, "I didn't visit Paris")] {
            assert!(denied(form, clause).is_err(), "{clause}");
        }
    }

    #[test]
    fn what_contradicts_itself_is_a_reason_and_not_an_empty_period() {
        for (form, clause) in [
            (Form::State, "I've lived in Berlin since 2030"),
            (Form::Was, "I lived in Oslo since 2012 until 2010"),
            (Form::Change, "I moved to Lisbon in 2030"),
            (Form::Event, "I bought a bike on 2030-01-01"),
            (Form::Event, "I bought a bike until 2019"),
            (Form::UsedTo, "I used to live in Oslo in 2030"),
            (Form::NoLonger, "I no longer work at Acme until 2019"),
            (Form::Plan, "I will move to Oslo in 2019"),
            (Form::Change, "I moved to Oslo in 2019 and in 2021"),
        ] {
            let grounded = said(form, Polarity::Affirm, TemporalKind::State, clause);
            assert!(grounded.is_err(), "{clause}: {grounded:?}");
        }
    }
}
