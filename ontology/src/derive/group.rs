//! The statements of one group in the shape the rules are written in: ranked, split by polarity, objects numbered.

use std::collections::BTreeMap;
use std::rc::Rc;

use bygone_engine::assertion::precedence;
use bygone_engine::object::ObjectKey;
use bygone_engine::time::{Bound, Instant, Moment, Validity};
use bygone_engine::{Assertion, EntityRef, Object, Polarity};

/// A place in the order of precedence; the greater is the later statement.
pub(super) type Rank = usize;

/// A number for an object within the group.
pub(super) type ObjectIdx = usize;

/// A dated affirm.
#[derive(Clone, Copy, Debug)]
pub(super) struct Affirm {
    pub(super) rank: Rank,
    pub(super) object: ObjectIdx,
    pub(super) from: Instant,
    /// The end of its stated region before anything cuts it: its own end, or the end of the granule it is sure until.
    pub(super) stated_to: Instant,
    /// The last moment vouched for; `None` for a bounded affirm.
    pub(super) sure_until: Option<Moment>,
    /// Whether it vouches for the granule it starts with, and no more.
    pub(super) is_bare: bool,
    pub(super) authority: u8,
}

impl Affirm {
    pub(super) const fn is_open(&self) -> bool {
        self.sure_until.is_some()
    }
}

/// A denial.
#[derive(Clone, Copy, Debug)]
pub(super) struct Deny {
    pub(super) rank: Rank,
    /// What is denied; `None` for whatever holds.
    pub(super) object: Option<ObjectIdx>,
    pub(super) from: Bound,
    pub(super) start: Instant,
    pub(super) end: Instant,
    pub(super) known_at: Instant,
}

impl Deny {
    pub(super) fn covers(&self, instant: Instant) -> bool {
        self.start <= instant && instant < self.end
    }
}

/// An affirm without dates.
#[derive(Clone, Copy, Debug)]
pub(super) struct Undated {
    pub(super) rank: Rank,
    pub(super) object: ObjectIdx,
}

/// What tells objects apart. Most are entities, whose names compare faster than they hash.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Told<'a> {
    Entity(&'a EntityRef),
    Value(ObjectKey),
}

impl<'a> Told<'a> {
    fn of(object: &'a Object) -> Told<'a> {
        match object.entity() {
            Some(entity) => Told::Entity(entity),
            None => Told::Value(object.key()),
        }
    }
}

/// The statements of one group, in order of precedence.
pub(super) struct Group<'a> {
    /// By rank.
    pub(super) statements: Rc<[&'a Assertion]>,
    /// By object number; numbers follow the order of precedence in which objects are first told of.
    pub(super) objects: Rc<[&'a Object]>,
    pub(super) said: Rc<Said>,
    /// By rank, as denials and undated affirms are.
    pub(super) affirms: Vec<Affirm>,
    pub(super) denies: Vec<Deny>,
    pub(super) undated: Vec<Undated>,
}

impl<'a> Group<'a> {
    pub(super) fn new(statements: &[&'a Assertion]) -> Group<'a> {
        let mut statements: Vec<&Assertion> = statements.iter().copied().filter(|a| a.counts()).collect();
        statements.sort_by(|one, other| precedence(one, other));
        let mut group = Group {
            statements: statements.into(),
            objects: Rc::new([]),
            said: Rc::default(),
            affirms: Vec::new(),
            denies: Vec::new(),
            undated: Vec::new(),
        };
        let mut numbers: BTreeMap<Told<'a>, ObjectIdx> = BTreeMap::new();
        let mut objects: Vec<&Object> = Vec::new();
        for (rank, &statement) in Rc::clone(&group.statements).iter().enumerate() {
            let object = statement.object.as_ref().map(|object| {
                *numbers.entry(Told::of(object)).or_insert_with(|| {
                    objects.push(object);
                    objects.len() - 1
                })
            });
            group.add(rank, statement, object);
        }
        group.objects = objects.into();
        group.said = Rc::new(Said::of(&group.statements));
        group
    }

    fn add(&mut self, rank: Rank, statement: &Assertion, object: Option<ObjectIdx>) {
        match (statement.polarity, statement.validity, object) {
            (Polarity::Affirm, Validity::Undated, Some(object)) => {
                self.undated.push(Undated { rank, object });
            }
            (Polarity::Affirm, Validity::Over(period), Some(object)) => {
                let sure_until = statement.sure_until.filter(|_| period.to().is_open());
                self.affirms.push(Affirm {
                    rank,
                    object,
                    from: period.start(),
                    stated_to: sure_until.map_or(period.end(), Moment::end),
                    sure_until,
                    is_bare: sure_until.is_some() && sure_until == period.from().moment(),
                    authority: statement.authority.rank(),
                });
            }
            (Polarity::Deny, Validity::Over(period), object) => self.denies.push(Deny {
                rank,
                object,
                from: period.from(),
                start: period.start(),
                end: period.end(),
                known_at: statement.known_at,
            }),
            // An affirm of nothing and a denial without dates say nothing; the wire refuses both.
            (Polarity::Affirm, _, None) | (Polarity::Deny, Validity::Undated, _) => {}
        }
    }

    /// Returns the dated affirm of a rank, where it is one.
    pub(super) fn affirm(&self, rank: Rank) -> Option<&Affirm> {
        let place = self.affirms.binary_search_by_key(&rank, |affirm| affirm.rank);
        place.ok().map(|place| &self.affirms[place])
    }

    /// Returns the denial of a rank, where it is one.
    pub(super) fn deny(&self, rank: Rank) -> Option<&Deny> {
        let place = self.denies.binary_search_by_key(&rank, |deny| deny.rank);
        place.ok().map(|place| &self.denies[place])
    }

    /// Splits the group into one per object, each with the denies that concern it.
    pub(super) fn by_object(&self) -> Vec<Group<'a>> {
        let of_whatever_holds: Vec<Deny> =
            self.denies.iter().filter(|deny| deny.object.is_none()).copied().collect();
        let mut groups: Vec<Group<'a>> = (0..self.objects.len())
            .map(|_| Group {
                statements: Rc::clone(&self.statements),
                objects: Rc::clone(&self.objects),
                said: Rc::clone(&self.said),
                affirms: Vec::new(),
                denies: of_whatever_holds.clone(),
                undated: Vec::new(),
            })
            .collect();
        for deny in &self.denies {
            if let Some(object) = deny.object {
                groups[object].denies.push(*deny);
            }
        }
        for group in &mut groups {
            group.denies.sort_unstable_by_key(|deny| deny.rank);
        }
        for affirm in &self.affirms {
            groups[affirm.object].affirms.push(*affirm);
        }
        groups.retain(|group| !group.affirms.is_empty());
        groups
    }
}

/// Returns the bounds of what a statement says, as far as they are dated: the start first.
pub(super) fn bounds_of(statement: &Assertion) -> impl Iterator<Item = Moment> {
    let period = statement.validity.period();
    let bounds = period.map(|period| [period.from().moment(), period.to().moment()]);
    bounds.into_iter().flatten().flatten()
}

/// Returns of which moments a statement says something: where what it vouches for ends, and its bounds.
pub(super) fn moments_of(statement: &Assertion) -> impl Iterator<Item = Moment> {
    granule_end(statement).into_iter().chain(bounds_of(statement))
}

/// Returns where the granule ends that a statement vouches for last.
pub(super) fn granule_end(statement: &Assertion) -> Option<Moment> {
    statement.sure_until.map(|sure| Moment::new(sure.end(), sure.grain))
}

/// The moments at which somebody's period starts or ends, or what they vouch for ends, as the latest said them. What a
/// statement's period says of a moment goes before where somebody's granule ends.
#[derive(Default)]
pub(super) struct Said {
    /// By instant; of several at one instant the last counts.
    moments: Vec<Moment>,
}

impl Said {
    fn of(statements: &[&Assertion]) -> Said {
        let mut moments: Vec<Moment> =
            statements.iter().filter_map(|statement| granule_end(statement)).collect();
        for statement in statements {
            let from = moments.len();
            moments.extend(bounds_of(statement));
            // Of a start and an end at one instant the start counts.
            moments[from..].reverse();
        }
        moments.sort_by_key(|moment| moment.at);
        Said { moments }
    }

    /// Returns what was said of an instant last.
    pub(super) fn of_instant(&self, instant: Instant) -> Option<Moment> {
        let after = self.moments.partition_point(|moment| moment.at <= instant);
        let last = after.checked_sub(1).map(|last| self.moments[last]);
        last.filter(|moment| moment.at == instant)
    }
}
