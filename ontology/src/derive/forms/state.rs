//! A state of which one object holds at a time, as more and more is said of it.
//!
//! With each batch only the spans of time are swept again in which something can have changed; facts that none of them touches
//! stay as they are. What a fact rests on is gathered when it is told, and not before: a fact that is confirmed a thousand
//! times is told once.
//!
//! Invariant: after each batch the runs are the facts that [`super::super::state::facts`] returns of everything said by then.

use std::collections::{BTreeMap, BTreeSet};

use bygone_engine::time::{Bound, Instant, Moment, Period, Validity};
use bygone_engine::{Assertion, Basis, Fact, Form, Told};

use super::super::contest::Voices;
use super::super::facts::{self, Stretch};
use super::super::group::{Affirm, Deny, Group, Rank, bounds_of, granule_end};
use super::Follow;
use super::regions::Regions;
use super::runs::{Run, Runs, Stretches, over_again};
use super::spans::Spans;
use super::standing::{Standing, Turn};

/// A span of time, and what stands in it.
type Swept = ((Instant, Instant), Vec<Stretch>);

/// A state of one value, as far as its statements were followed.
pub(super) struct State<'g, 'a> {
    group: &'g Group<'a>,
    told: Told,
    standing: Standing,
    regions: Regions,
    voices: Option<Voices<'a>>,
    bounds: Bounds,
    stretches: Stretches,
    runs: Runs,
    /// Each run's fact as of when it took its form, by start, where that is what is told.
    first: BTreeMap<Instant, Fact>,
    forms: Vec<Form>,
}

impl<'g, 'a> State<'g, 'a> {
    /// Returns a state of which nothing is said yet.
    pub(super) fn new(group: &'g Group<'a>, voices: Option<Voices<'a>>, told: Told) -> State<'g, 'a> {
        State {
            group,
            told,
            standing: Standing::none_of(&group.denies),
            regions: Regions::none_of(&group.affirms),
            voices,
            bounds: Bounds::default(),
            stretches: Stretches::default(),
            runs: Runs::default(),
            first: BTreeMap::new(),
            forms: Vec::new(),
        }
    }
}

impl Follow for State<'_, '_> {
    fn take(&mut self, batch: usize, said: &[Rank]) {
        let mut spans = Spans::default();
        let (mut affirms, mut denies): (Vec<Affirm>, Vec<Deny>) = (Vec::new(), Vec::new());
        for &rank in said {
            // A fact that starts or ends then can have a bound of another granularity.
            for moment in self.bounds.tell(self.group.statements[rank], rank) {
                spans.add(moment, moment);
            }
            affirms.extend(self.group.affirm(rank));
            denies.extend(self.group.deny(rank));
        }
        for affirm in &affirms {
            self.standing.affirm(affirm);
            self.bounds.affirm(self.group.statements[affirm.rank], affirm.rank);
        }
        for deny in &denies {
            self.standing.deny(deny);
        }
        let turns = self.standing.turns();
        self.regions.take(&affirms, &turns, &self.standing, &mut spans);
        let opened = self.sweep(batch, &spans.apart(), &turns);
        if let Some(voices) = &mut self.voices {
            for affirm in &affirms {
                voices.add(affirm);
            }
        }
        if self.told == Told::AtFirst {
            for (run, validity) in opened {
                self.first.insert(run.from, self.fact(&run, validity));
            }
        }
    }

    fn forms(mut self) -> Vec<Form> {
        let mut forms = std::mem::take(&mut self.forms);
        for &(run, validity, from) in self.runs.all() {
            let fact = match self.told {
                Told::AtFirst => self.first[&run.from].clone(),
                Told::AtLast => self.fact(&run, validity),
            };
            forms.push(Form { fact, from, to: None });
        }
        forms
    }
}

impl State<'_, '_> {
    /// Puts what holds now in the place of what held, and closes the forms of facts that have another one. Returns the runs
    /// that have a new form.
    fn sweep(&mut self, batch: usize, spans: &[(Instant, Instant)], turns: &[Turn]) -> Vec<(Run, Validity)> {
        let wide = spans.iter().copied().filter(|(from, to)| from < to);
        let swept: Vec<Swept> =
            wide.map(|span| (span, self.regions.holding(span, &self.standing.denials))).collect();
        let before = self.runs.touched(spans);
        let touched: Vec<Run> = before.iter().map(|(run, ..)| *run).collect();
        let stretches: Vec<&[Stretch]> = swept.iter().map(|(_, stretches)| stretches.as_slice()).collect();
        let after = over_again(&touched, spans, &stretches);
        let replaced = self.replace(swept);
        let mut after: BTreeMap<Instant, (Run, Validity)> =
            after.into_iter().map(|run| (run.from, (run, self.validity(&run)))).collect();
        let mut gone = before;
        gone.retain(|(run, validity, _)| {
            let same = |(other, now): &(Run, Validity)| other.object == run.object && now == validity;
            let has_another = !after.get(&run.from).is_some_and(same);
            if !has_another {
                after.remove(&run.from);
            }
            has_another
        });
        self.close(batch, &gone, replaced, turns);
        for (run, ..) in &gone {
            self.runs.remove(run);
        }
        for (run, validity) in after.values() {
            self.runs.add(*run, *validity, batch);
        }
        after.into_values().collect()
    }

    fn replace(&mut self, swept: Vec<Swept>) -> Vec<Swept> {
        swept.into_iter().map(|(span, stretches)| (span, self.stretches.replace(span, stretches))).collect()
    }

    /// Tells the facts of runs that have another form now, as they were before the batch.
    fn close(&mut self, batch: usize, gone: &[(Run, Validity, usize)], replaced: Vec<Swept>, turns: &[Turn]) {
        if gone.is_empty() {
            return;
        }
        let facts: Vec<Fact> = match self.told {
            Told::AtFirst => gone.iter().filter_map(|(run, ..)| self.first.remove(&run.from)).collect(),
            Told::AtLast => {
                let now = self.replace(replaced);
                for turn in turns {
                    self.standing.denials.set(&turn.deny, !turn.stands);
                }
                let facts = gone.iter().map(|(run, validity, _)| self.fact(run, *validity)).collect();
                for turn in turns {
                    self.standing.denials.set(&turn.deny, turn.stands);
                }
                self.replace(now);
                facts
            }
        };
        let closed =
            facts.into_iter().zip(gone).map(|(fact, (.., from))| Form { fact, from: *from, to: Some(batch) });
        self.forms.extend(closed);
    }

    /// Returns the fact of a run, as of what is in place.
    fn fact(&self, run: &Run, validity: Validity) -> Fact {
        let stretches: Vec<Stretch> = self.stretches.over((run.from, run.to)).cloned().collect();
        let follows = self.runs.starts_at(run.to);
        let denials = &self.standing.denials;
        let mut fact = facts::of_run(self.group, denials, &stretches, validity, follows);
        if let Some(voices) = &self.voices {
            fact.rivals = voices.rivals(self.group, denials, &fact);
        }
        fact
    }

    /// Returns the period of a run, each bound with the granularity it was said with.
    fn validity(&self, run: &Run) -> Validity {
        let bounds = (self.bound(run, run.from), self.bound(run, run.to));
        Validity::Over(Period::new(bounds.0, bounds.1).expect("runs are not empty"))
    }

    /// By the latest support that has a bound there, else by the latest statement of the group that has.
    fn bound(&self, run: &Run, at: Instant) -> Bound {
        if at == Instant::DISTANT_PAST || at == Instant::DISTANT_FUTURE {
            return Bound::Open;
        }
        let own = self.bounds.latest_affirms(at).find(|&rank| self.supports(rank, run));
        let own = own.and_then(|rank| bounds_of(self.group.statements[rank]).find(|moment| moment.at == at));
        Bound::At(own.or_else(|| self.bounds.of_instant(at)).unwrap_or(Moment::instant(at)))
    }

    /// Says whether a run rests on an affirm.
    fn supports(&self, rank: Rank, run: &Run) -> bool {
        let Some(affirm) = self.group.affirm(rank).filter(|affirm| affirm.object == run.object) else {
            return false;
        };
        let from = affirm.from.max(run.from);
        let stated = (from, affirm.stated_to.min(run.to));
        let rests = |stretch: &Stretch| stretch.support.binary_search(&rank).is_ok();
        // It vouches for nothing but what is stated, unless it is what was vouched for last.
        (stated.0 < stated.1 && self.stretches.over(stated).any(rests))
            || (from < run.to
                && self.regions.is_change_point(rank)
                && self.stretches.over((from, run.to)).any(|s| s.basis == Basis::Presumed && rests(s)))
    }
}

/// The moments at which somebody's period starts or ends, or what they vouch for ends, as far as they are told.
#[derive(Default)]
struct Bounds {
    /// By instant: what the latest statement said of it. What its period says goes before where a granule ends.
    said: BTreeMap<Instant, (bool, Rank, Moment)>,
    /// Who affirms something with a bound there.
    affirms: BTreeMap<Instant, BTreeSet<Rank>>,
}

impl Bounds {
    /// Takes in what a statement says, and returns of which instants.
    fn tell(&mut self, statement: &Assertion, rank: Rank) -> Vec<Instant> {
        let moments = granule_end(statement).into_iter().map(|moment| (false, rank, moment));
        let mut told = Vec::new();
        for said in moments.chain(bounds_of(statement).map(|moment| (true, rank, moment))) {
            let at = said.2.at;
            let latest = self.said.entry(at).or_insert(said);
            if (latest.0, latest.1) < (said.0, said.1) {
                *latest = said;
            }
            told.push(at);
        }
        told
    }

    fn affirm(&mut self, statement: &Assertion, rank: Rank) {
        for moment in bounds_of(statement) {
            self.affirms.entry(moment.at).or_default().insert(rank);
        }
    }

    fn latest_affirms(&self, at: Instant) -> impl Iterator<Item = Rank> {
        self.affirms.get(&at).into_iter().flat_map(|ranks| ranks.iter().rev().copied())
    }

    fn of_instant(&self, at: Instant) -> Option<Moment> {
        self.said.get(&at).map(|(.., moment)| *moment)
    }
}
