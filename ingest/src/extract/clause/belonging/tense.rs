//! The verb of a line: in which tense it stands, and whether it is denied.

use crate::extract::clause::phrase::Clause;

/// Of what time a verb speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Base {
    /// "works", "am working".
    Now,
    /// "has worked", "has been working".
    Perfect,
    /// "worked", "was working".
    Past,
    /// "used to work".
    UsedTo,
}

/// How a verb is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tense {
    pub(super) base: Base,
    /// "not", "no longer".
    pub(super) denied: bool,
    /// "never", "not at any time".
    pub(super) never: bool,
}

/// Base, third person, past, participle, -ing.
const FORMS: &[[&str; 5]] = &[
    ["be", "is", "was", "been", "being"],
    ["accept", "accepts", "accepted", "accepted", "accepting"],
    ["add", "adds", "added", "added", "adding"],
    ["assign", "assigns", "assigned", "assigned", "assigning"],
    ["become", "becomes", "became", "become", "becoming"],
    ["begin", "begins", "began", "begun", "beginning"],
    ["belong", "belongs", "belonged", "belonged", "belonging"],
    ["bring", "brings", "brought", "brought", "bringing"],
    ["call", "calls", "called", "called", "calling"],
    ["check", "checks", "checked", "checked", "checking"],
    ["clear", "clears", "cleared", "cleared", "clearing"],
    ["come", "comes", "came", "come", "coming"],
    ["depart", "departs", "departed", "departed", "departing"],
    ["do", "does", "did", "done", "doing"],
    ["drop", "drops", "dropped", "dropped", "dropping"],
    ["earn", "earns", "earned", "earned", "earning"],
    ["emigrate", "emigrates", "emigrated", "emigrated", "emigrating"],
    ["employ", "employs", "employed", "employed", "employing"],
    ["end", "ends", "ended", "ended", "ending"],
    ["enter", "enters", "entered", "entered", "entering"],
    ["exit", "exits", "exited", "exited", "exiting"],
    ["find", "finds", "found", "found", "finding"],
    ["finish", "finishes", "finished", "finished", "finishing"],
    ["fire", "fires", "fired", "fired", "firing"],
    ["get", "gets", "got", "gotten", "getting"],
    ["give", "gives", "gave", "given", "giving"],
    ["go", "goes", "went", "gone", "going"],
    ["hand", "hands", "handed", "handed", "handing"],
    ["happen", "happens", "happened", "happened", "happening"],
    ["have", "has", "had", "had", "having"],
    ["hire", "hires", "hired", "hired", "hiring"],
    ["hold", "holds", "held", "held", "holding"],
    ["hop", "hops", "hopped", "hopped", "hopping"],
    ["join", "joins", "joined", "joined", "joining"],
    ["keep", "keeps", "kept", "kept", "keeping"],
    ["land", "lands", "landed", "landed", "landing"],
    ["last", "lasts", "lasted", "lasted", "lasting"],
    ["lay", "lays", "laid", "laid", "laying"],
    ["leave", "leaves", "left", "left", "leaving"],
    ["let", "lets", "let", "let", "letting"],
    ["live", "lives", "lived", "lived", "living"],
    ["lose", "loses", "lost", "lost", "losing"],
    ["make", "makes", "made", "made", "making"],
    ["move", "moves", "moved", "moved", "moving"],
    ["part", "parts", "parted", "parted", "parting"],
    ["participate", "participates", "participated", "participated", "participating"],
    ["pull", "pulls", "pulled", "pulled", "pulling"],
    ["put", "puts", "put", "put", "putting"],
    ["quit", "quits", "quit", "quit", "quitting"],
    ["recruit", "recruits", "recruited", "recruited", "recruiting"],
    ["relocate", "relocates", "relocated", "relocated", "relocating"],
    ["remove", "removes", "removed", "removed", "removing"],
    ["rent", "rents", "rented", "rented", "renting"],
    ["reside", "resides", "resided", "resided", "residing"],
    ["resign", "resigns", "resigned", "resigned", "resigning"],
    ["retire", "retires", "retired", "retired", "retiring"],
    ["run", "runs", "ran", "run", "running"],
    ["say", "says", "said", "said", "saying"],
    ["sell", "sells", "sold", "sold", "selling"],
    ["serve", "serves", "served", "served", "serving"],
    ["set", "sets", "set", "set", "setting"],
    ["settle", "settles", "settled", "settled", "settling"],
    ["sign", "signs", "signed", "signed", "signing"],
    ["sit", "sits", "sat", "sat", "sitting"],
    ["spend", "spends", "spent", "spent", "spending"],
    ["start", "starts", "started", "started", "starting"],
    ["stay", "stays", "stayed", "stayed", "staying"],
    ["step", "steps", "stepped", "stepped", "stepping"],
    ["stop", "stops", "stopped", "stopped", "stopping"],
    ["switch", "switches", "switched", "switched", "switching"],
    ["take", "takes", "took", "taken", "taking"],
    ["terminate", "terminates", "terminated", "terminated", "terminating"],
    ["transfer", "transfers", "transferred", "transferred", "transferring"],
    ["vacate", "vacates", "vacated", "vacated", "vacating"],
    ["walk", "walks", "walked", "walked", "walking"],
    ["withdraw", "withdraws", "withdrew", "withdrawn", "withdrawing"],
    ["work", "works", "worked", "worked", "working"],
];

/// Reads one of some verbs at a position, with what helps it; returns the position behind it and its tense.
pub(super) fn verb(clause: &Clause<'_>, at: usize, lemmas: &str) -> Option<(usize, Tense)> {
    lemmas.split('|').find_map(|lemma| {
        let forms = FORMS.iter().find(|forms| forms[0] == lemma)?;
        if lemma == "be" { be(clause, at) } else { other(clause, at, forms) }
    })
}

/// Returns the words of which one has to stand for [`verb`] to read a lemma.
pub(super) fn words(lemma: &str) -> &'static [&'static str] {
    const BE: &[&str] = &["am", "are", "is", "'s", "was", "were", "been", "be"];
    if lemma == "be" {
        return BE;
    }
    FORMS.iter().find(|forms| forms[0] == lemma).map_or(&[], |forms| forms)
}

/// Marks that stand before or between the words of a verb.
#[derive(Clone, Copy, Default)]
struct Marks {
    denied: bool,
    never: bool,
}

impl Marks {
    fn skip(&mut self, clause: &Clause<'_>, mut at: usize) -> usize {
        loop {
            if clause.is(at, "never") {
                self.never = true;
            } else if clause.is(at, "not") {
                self.denied = true;
            } else if clause.are(at, &["no", "longer"]) {
                self.denied = true;
                at += 1;
            } else {
                return at;
            }
            at += 1;
        }
    }

    fn tense(self, base: Base) -> Tense {
        Tense { base, denied: self.denied, never: self.never }
    }
}

fn be(clause: &Clause<'_>, at: usize) -> Option<(usize, Tense)> {
    let mut marks = Marks::default();
    let at = marks.skip(clause, at);
    let (at, base) = if clause.is_one_of(at, &["am", "are", "is", "'s"]) {
        let next = marks.skip(clause, at + 1);
        // "It's been".
        if clause.is(next, "been") && clause.is(at, "'s") {
            (next + 1, Base::Perfect)
        } else {
            (next, Base::Now)
        }
    } else if clause.is_one_of(at, &["was", "were"]) {
        (at + 1, Base::Past)
    } else if clause.is_one_of(at, &["have", "has"]) {
        let next = marks.skip(clause, at + 1);
        (clause.is(next, "been").then_some(next + 1)?, Base::Perfect)
    } else if clause.are(at, &["used", "to", "be"]) {
        (at + 3, Base::UsedTo)
    } else {
        return None;
    };
    let end = marks.skip(clause, at);
    Some((end, marks.tense(base)))
}

fn other(clause: &Clause<'_>, at: usize, forms: &[&str; 5]) -> Option<(usize, Tense)> {
    let [base, third, past, participle, ing] = *forms;
    let mut marks = Marks::default();
    let at = marks.skip(clause, at);
    if clause.is(at, ing) {
        return None;
    }
    if clause.are(at, &["used", "to", base]) {
        return Some((at + 3, marks.tense(Base::UsedTo)));
    }
    if clause.are(at, &["ended", "up", ing]) {
        return Some((at + 3, marks.tense(Base::Past)));
    }
    if clause.is_one_of(at, &["do", "does", "did"]) {
        let helped = marks.skip(clause, at + 1);
        if clause.is(helped, base) {
            let time = if clause.is(at, "did") { Base::Past } else { Base::Now };
            return Some((helped + 1, marks.tense(time)));
        }
    }
    if clause.is_one_of(at, &["have", "has"]) {
        let helped = marks.skip(clause, at + 1);
        if clause.is(helped, participle) {
            return Some((helped + 1, marks.tense(Base::Perfect)));
        }
        if clause.is(helped, "been") && clause.is(helped + 1, ing) {
            return Some((helped + 2, marks.tense(Base::Perfect)));
        }
    }
    if clause.is_one_of(at, &["am", "are", "is", "was", "were"]) {
        let helped = marks.skip(clause, at + 1);
        if clause.is(helped, ing) {
            let time = if clause.is_one_of(at, &["was", "were"]) { Base::Past } else { Base::Now };
            return Some((helped + 1, marks.tense(time)));
        }
    }
    // "I quit": where both are written alike it is told as past.
    if clause.is(at, past) {
        return Some((at + 1, marks.tense(Base::Past)));
    }
    clause.is_one_of(at, &[base, third]).then(|| (at + 1, marks.tense(Base::Now)))
}
