//! The view options that every reading command takes.

use bygone_engine::store::Snapshot;
use bygone_engine::time::{Bound, Granularity, Instant, Moment, Period, parse_moment};
use bygone_engine::{Narrowing, RecordedAt, ValidTime, View};
use bygone_query::Request;

use crate::failure::Failure;

/// How the present is named, as a valid time.
const NOW: &str = "now";
/// How no limit is named, as a known or recorded time: a line sets aside with it what was set.
pub(crate) const LATEST: &str = "latest";

/// What part of the store a question sees, and which valid time it asks about.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "View")]
pub(crate) struct ViewOptions {
    /// When it was so: a time, now, a period A..B, or all [default: now; where the order of time is shown, all]
    #[arg(long, value_name = "T | A..B | all")]
    valid: Option<String>,
    /// What was known by then; a date means its end [default: latest]
    #[arg(long, value_name = "T")]
    known: Option<String>,
    /// What was recorded by then: a sequence number or a time [default: latest]
    #[arg(long, value_name = "SEQ | T")]
    recorded: Option<String>,
    /// Only what was said in sessions this agent took part in
    #[arg(long, value_name = "AGENT")]
    by_agent: Option<String>,
    /// Only what was said in sessions this user took part in
    #[arg(long, value_name = "USER")]
    by_user: Option<String>,
    /// Only what was said in this session
    #[arg(long, value_name = "SESSION")]
    in_session: Option<String>,
    /// Also facts that are no longer believed
    #[arg(long)]
    history: bool,
    /// Also plans
    #[arg(long)]
    planned: bool,
}

impl ViewOptions {
    /// Returns the request these options make.
    pub(crate) fn request(&self, now: Instant) -> Result<Request, Failure> {
        Ok(Request {
            view: self.view()?,
            valid: match &self.valid {
                None => ValidTime::At(now),
                Some(text) => valid_time(text, now)?,
            },
            history: self.history,
            planned: self.planned,
            now,
        })
    }

    /// Returns the request these options make where no valid time means all of it.
    pub(crate) fn request_over_all_time(&self, now: Instant) -> Result<Request, Failure> {
        let request = self.request(now)?;
        Ok(if self.valid.is_none() { Request { valid: ValidTime::All, ..request } } else { request })
    }

    /// Returns what is asked for as of the present, where no valid time is named.
    pub(crate) fn at_present(&self, snapshot: &Snapshot<'_>, request: Request) -> Result<Request, Failure> {
        if self.valid.is_some() {
            return Ok(request);
        }
        let now = snapshot.present(request.now)?;
        Ok(Request { valid: ValidTime::At(now), now, ..request })
    }

    /// Returns the instant at which state is asked about: the last one of the asked valid time, but none after the present,
    /// and the present where none is asked. That is never before what was recorded last.
    pub(crate) fn instant(&self, snapshot: &Snapshot<'_>, request: &Request) -> Result<Instant, Failure> {
        match request.valid {
            _ if self.valid.is_none() => Ok(snapshot.present(request.now)?),
            ValidTime::At(instant) => Ok(instant),
            ValidTime::During(period) => Ok(snapshot.present(request.now)?.min(period.end().previous())),
            ValidTime::All => Ok(snapshot.present(request.now)?),
        }
    }

    /// Returns the instant as [`ViewOptions::instant`] does; but where no valid time is asked about, and only what was known
    /// by a time, it is that time: what would have been said then.
    pub(crate) fn instant_then(
        &self,
        snapshot: &Snapshot<'_>,
        request: &Request,
    ) -> Result<Instant, Failure> {
        let instant = self.instant(snapshot, request)?;
        Ok(if self.valid.is_none() { instant.min(request.view.known) } else { instant })
    }

    /// Says whether the present is asked about, as all that is known and recorded has it.
    pub(crate) fn is_present(&self) -> bool {
        let is_default = |time: &Option<String>, word| time.as_ref().is_none_or(|time| time == word);
        let ViewOptions { valid, known, recorded, by_agent, by_user, in_session, .. } = self;
        is_default(valid, NOW)
            && is_default(known, LATEST)
            && is_default(recorded, LATEST)
            && [by_agent, by_user, in_session].into_iter().all(Option::is_none)
    }

    /// Returns the two times that these options compare.
    pub(crate) fn compared(&self, now: Instant) -> Result<Compared, Failure> {
        let range = |text: &Option<String>| {
            let (from, to) = text.as_ref()?.split_once("..")?;
            Some((from.to_owned(), to.to_owned()))
        };
        match (range(&self.known), range(&self.valid)) {
            (Some(known), None) => self.compared_as_known(&known, now),
            (None, Some(valid)) => self.compared_as_so(&valid, now),
            (Some(_), Some(_)) => Err(Failure::Usage(
                "--known and --valid are both ranges: differences are told over one of them".to_owned(),
            )),
            (None, None) => Err(Failure::Usage(
                "a range is expected: --known A..B for what was believed, or --valid A..B for what was so"
                    .to_owned(),
            )),
        }
    }

    fn compared_as_known(&self, (from, to): &(String, String), now: Instant) -> Result<Compared, Failure> {
        let limit = |text: &String| (!text.is_empty()).then(|| text.clone());
        let asked = |known| ViewOptions { known, ..self.clone() }.request(now);
        let (mut before, after) = (asked(limit(from))?, asked(limit(to))?);
        if from.is_empty() {
            before.view.known = Instant::DISTANT_PAST;
        }
        if before.view.known > after.view.known {
            return Err(reversed("--known", from, to));
        }
        Ok(Compared::Known { before, after })
    }

    fn compared_as_so(&self, (from, to): &(String, String), now: Instant) -> Result<Compared, Failure> {
        if from.is_empty() {
            return Err(Failure::Usage(format!("--valid ..{to}: the earlier of the two times is missing")));
        }
        let start = valid_moment(from, now)?.at;
        let end = if to.is_empty() { now } else { last_instant(valid_moment(to, now)?) };
        if start > end {
            return Err(reversed("--valid", from, to));
        }
        let request = ViewOptions { valid: None, ..self.clone() }.request(now)?;
        Ok(Compared::Valid { request, from: start, to: end })
    }

    /// Says, for a person, what the options limit beside valid and known time.
    pub(crate) fn limits(&self) -> Vec<String> {
        let limits = [
            ("recorded by", &self.recorded),
            ("by agent", &self.by_agent),
            ("by user", &self.by_user),
            ("in session", &self.in_session),
        ];
        let told = limits.iter().filter_map(|(words, limit)| Some((words, limit.as_ref()?)));
        told.filter(|(_, limit)| *limit != LATEST).map(|(words, limit)| format!("{words} {limit}")).collect()
    }

    fn view(&self) -> Result<View, Failure> {
        let known = match &self.known {
            None => Instant::DISTANT_FUTURE,
            Some(text) if text == LATEST => Instant::DISTANT_FUTURE,
            Some(text) => last_instant(moment("--known", text)?),
        };
        let recorded = match &self.recorded {
            None => RecordedAt::Latest,
            Some(text) if text == LATEST => RecordedAt::Latest,
            Some(text) => match text.parse() {
                Ok(seq) => RecordedAt::Seq(seq),
                Err(_) => RecordedAt::Instant(last_instant(moment("--recorded", text)?)),
            },
        };
        let narrowing = Narrowing {
            agent: self.by_agent.clone(),
            user: self.by_user.clone(),
            session: self.in_session.clone(),
        };
        Ok(View { known, recorded, narrowing })
    }
}

/// Two times to be compared.
pub(crate) enum Compared {
    /// What was known by each.
    Known { before: Request, after: Request },
    /// What was so at each: a coarse start means its first instant, a coarse end its last.
    Valid { request: Request, from: Instant, to: Instant },
}

fn reversed(option: &str, from: &str, to: &str) -> Failure {
    let to = if to.is_empty() { "now" } else { to };
    Failure::Usage(format!(
        "{option}: {from} comes after {to}; a range runs from the earlier time to the later one"
    ))
}

/// Reads a time given to an option.
pub(crate) fn moment(option: &str, text: &str) -> Result<Moment, Failure> {
    parse_moment(text).map_err(|error| Failure::Usage(format!("{option}: {error}")))
}

/// The last instant of a granule: what "known by 1 March" includes. An instant is inclusive.
fn last_instant(moment: Moment) -> Instant {
    moment.end().previous()
}

fn valid_time(text: &str, now: Instant) -> Result<ValidTime, Failure> {
    if text == "all" {
        return Ok(ValidTime::All);
    }
    let (from, to) = if let Some((from, to)) = text.split_once("..") {
        (optional(from, now)?, optional(to, now)?)
    } else {
        let moment = valid_moment(text, now)?;
        if moment.grain == Granularity::Instant {
            return Ok(ValidTime::At(moment.at));
        }
        (Some(moment), Some(moment))
    };
    // Both ends are named by their granules: 2023..2024 runs to the end of 2024.
    if let (Some(start), Some(end)) = (from, to)
        && start.at >= end.end()
        && let Some((from, to)) = text.split_once("..")
    {
        return Err(reversed("--valid", from, to));
    }
    let from = from.map_or(Bound::Open, Bound::At);
    let to = to.map_or(Bound::Open, |moment| Bound::At(Moment::new(moment.end(), moment.grain)));
    let period = Period::new(from, to).map_err(|error| Failure::Usage(format!("--valid {text}: {error}")))?;
    Ok(ValidTime::During(period))
}

fn optional(text: &str, now: Instant) -> Result<Option<Moment>, Failure> {
    if text.is_empty() { Ok(None) } else { valid_moment(text, now).map(Some) }
}

/// Reads a valid time, of which the present is one.
fn valid_moment(text: &str, now: Instant) -> Result<Moment, Failure> {
    if text == NOW { Ok(Moment::instant(now)) } else { moment("--valid", text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Instant {
        parse_moment(text).expect(text).at
    }

    #[test]
    fn a_coarse_known_time_includes_its_whole_granule() {
        let known = |text: &str| {
            let options = ViewOptions { known: Some(text.to_owned()), ..ViewOptions::default() };
            options.view().expect(text).known
        };
        assert_eq!(known("2024-03-01"), at("2024-03-02").previous());
        assert_eq!(known("2024"), at("2025").previous());
        assert_eq!(known("2024-03-01T10:00:00Z"), at("2024-03-01T10:00:00Z"));
    }

    #[test]
    fn what_is_so_by_default_can_be_said() {
        let said = ViewOptions {
            valid: Some("now".to_owned()),
            known: Some("latest".to_owned()),
            recorded: Some("latest".to_owned()),
            ..ViewOptions::default()
        };
        let now = at("2025");
        assert_eq!(said.request(now).expect("the defaults"), Request::present(now));
        assert_eq!(said.request_over_all_time(now).expect("the defaults").valid, ValidTime::At(now));
        assert_eq!(said.limits(), [] as [&str; 0]);
        assert!(said.is_present() && ViewOptions::default().is_present());
    }

    #[test]
    fn any_limit_leaves_the_present() {
        let limits: [fn(&mut ViewOptions); 4] = [
            |options| options.valid = Some("2024".to_owned()),
            |options| options.known = Some("2024".to_owned()),
            |options| options.recorded = Some("7".to_owned()),
            |options| options.in_session = Some("s".to_owned()),
        ];
        for limit in limits {
            let mut options = ViewOptions::default();
            limit(&mut options);
            assert!(!options.is_present(), "{options:?}");
        }
    }

    #[test]
    fn valid_times_are_instants_periods_or_all() {
        assert_eq!(valid_time("all", at("2025")).expect("all"), ValidTime::All);
        assert_eq!(
            valid_time("2024-03-01T10:00:00Z", at("2025")).expect("an instant"),
            ValidTime::At(at("2024-03-01T10:00:00Z"))
        );
        for (text, start, end) in [
            ("2024", "2024", "2025"),
            ("2024-03-01", "2024-03-01", "2024-03-02"),
            ("2023..2024", "2023", "2025"),
            ("2023-05..2023-06-01", "2023-05", "2023-06-02"),
        ] {
            let Ok(ValidTime::During(period)) = valid_time(text, at("2025")) else {
                panic!("{text} is no period")
            };
            assert_eq!((period.start(), period.end()), (at(start), at(end)), "{text}");
        }
        assert_eq!(valid_time("now", at("2025")).expect("now"), ValidTime::At(at("2025")));
        let Ok(ValidTime::During(until)) = valid_time("..now", at("2025")) else { panic!("no period") };
        assert_eq!(until.end().previous(), at("2025"));
        let error = valid_time("2024-05..2024-04", at("2025")).expect_err("it runs backwards").to_string();
        assert!(error.starts_with("--valid: 2024-05 comes after 2024-04;"), "{error}");
        for text in ["2024..2023", "soon", "2024...2025", "2024-02-30"] {
            assert!(valid_time(text, at("2025")).is_err(), "{text}");
        }
    }
}
