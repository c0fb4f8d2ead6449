//! Every form of question there is: the table's entries spelt out in each tense and order of words.

use super::table::{Entry, Said, TABLE};
use super::template::Template;

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ask {
    /// What holds of a subject.
    Object,
    /// Of whom or what it holds.
    Subject,
    /// Whether it holds.
    Exists,
    /// When it held or happened.
    When,
    /// When it began.
    Start,
    /// Since when what holds now has held.
    Since,
    /// When it ended.
    End,
}

/// Which time a form asks about where the question names none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    /// What holds now.
    Now,
    /// What held at any time, if the question names none.
    Past,
    /// What held at any time.
    Ever,
}

/// One form of question.
#[derive(Clone, Debug)]
pub(super) struct Form {
    /// The predicate asked about.
    pub(super) predicate: &'static str,
    /// What is asked for.
    pub(super) ask: Ask,
    /// The time where none is named.
    pub(super) scope: Scope,
    /// The words.
    pub(super) template: Template,
    /// Whether it stands only inside another question ("did we think Anna worked …").
    pub(super) is_embedded: bool,
    /// Whether it is a question of its own; some forms are both.
    pub(super) is_direct: bool,
    /// Whether it says that something was so, as a statement or as a question: "she joined Acme", "did she join Acme".
    pub(super) is_clause: bool,
    /// The nouns that say more than the predicate does.
    pub(super) narrower: &'static str,
    /// The forms of a verb that says more than the predicate does; empty where none does.
    pub(super) manner: &'static str,
}

/// Where a form stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Direct,
    Embedded,
    Both,
    /// Only as a part of a larger question.
    Clause,
}

use Ask::{End, Exists, Object, Since, Start, Subject, When};
use Place::{Both, Clause, Direct, Embedded};
use Scope::{Ever, Now, Past};

type Line = (Ask, Scope, Place, &'static str);

/// The clauses of a verb that leave out its object; `{…}` is a form of the verb.
const VERB_CLAUSES: &[(Scope, Place, &str)] = &[
    (Now, Direct, "does|do S {base}"),
    (Now, Direct, "is|are|am S {ing}"),
    (Past, Direct, "did S {base}"),
    (Past, Direct, "was|were S {ing}"),
    (Ever, Direct, "has|have S [ever] {done}"),
    (Ever, Direct, "did S ever {base}"),
    (Ever, Direct, "has|have S been {ing}"),
    (Past, Direct, "had S {done}"),
    (Past, Direct, "had S been {ing}"),
    (Now, Embedded, "S {third}|{base}"),
    (Now, Embedded, "S is|are|am {ing}"),
    (Past, Embedded, "S {past}"),
    (Past, Embedded, "S was|were {ing}"),
];

/// The same of "to be".
const BE_CLAUSES: &[(Scope, Place, &str)] = &[
    (Now, Direct, "is|are|am S"),
    (Past, Direct, "was|were S"),
    (Ever, Direct, "has|have S [ever] been"),
    (Past, Direct, "had S been"),
    (Now, Embedded, "S is|are|am"),
    (Past, Embedded, "S was|were"),
];

/// What else is asked with a verb; `{before}` are the words before the object, `{who}` what asks for the subject.
const VERB_LINES: &[Line] = &[
    (Subject, Now, Both, "{who} {third} {before} O"),
    (Subject, Now, Both, "{who} is|are {ing} {before} O"),
    (Subject, Past, Both, "{who} {past} {before} O"),
    (Subject, Past, Both, "{who} was|were {ing} {before} O"),
    (Subject, Ever, Direct, "{who} has|have [ever] {done} {before} O"),
    (Exists, Now, Direct, "does|do S [still] {base} {before} O"),
    (Exists, Now, Direct, "is|are|am S [still] {ing} {before} O"),
    (Exists, Past, Direct, "did S [still] {base} {before} O"),
    (Exists, Past, Direct, "was|were S [still] {ing} {before} O"),
    (Exists, Ever, Direct, "has|have S [ever] {done} {before} O"),
    (Exists, Ever, Direct, "did S ever {base} {before} O"),
    (Exists, Now, Embedded, "S [still] {third}|{base} {before} O"),
    (Exists, Now, Embedded, "S is|are|am [still] {ing} {before} O"),
    (Exists, Past, Embedded, "S [still] {past} {before} O"),
    (Exists, Past, Embedded, "S was|were [still] {ing} {before} O"),
    (Exists, Ever, Embedded, "S has|have|had {done} {before} O"),
    (When, Ever, Direct, "when did S {base} {before} O"),
    (When, Ever, Direct, "when was|were S {ing} {before} O"),
    (Start, Ever, Direct, "when did S start|begin {ing} {before} O"),
    (Start, Ever, Direct, "when did S start|begin to {base} {before} O"),
    (Since, Now, Direct, "since when has|have S {done} {before} O"),
    (Since, Now, Direct, "since when has|have S been {ing} {before} O"),
    (Since, Now, Direct, "since when does|do S {base} {before} O"),
    (End, Ever, Direct, "when did S stop|quit|cease {ing} {before} O"),
    (End, Ever, Direct, "until when did S {base} {before} O"),
    (Exists, Ever, Clause, "has|have|had S been {ing} {before} O"),
    (Exists, Ever, Clause, "S has|have|had been {ing} {before} O"),
    (Exists, Ever, Clause, "S {ing} {before} O"),
    (Start, Ever, Clause, "S started|began {ing} {before} O"),
    (Start, Ever, Clause, "S started|began to {base} {before} O"),
    (Start, Ever, Clause, "did S start|begin {ing} {before} O"),
    (Start, Ever, Clause, "did S start|begin to {base} {before} O"),
    (End, Ever, Clause, "S stopped|quit|ceased {ing} {before} O"),
    (End, Ever, Clause, "did S stop|quit|cease {ing} {before} O"),
    (End, Ever, Clause, "has|have S stopped|quit|ceased {ing} {before} O"),
];

const BE_LINES: &[Line] = &[
    (Subject, Now, Both, "{who} is|are {before} O"),
    (Subject, Past, Both, "{who} was|were {before} O"),
    (Subject, Ever, Direct, "{who} has|have [ever] been {before} O"),
    (Exists, Now, Direct, "is|are|am S [still] {before} O"),
    (Exists, Past, Direct, "was|were S [still] {before} O"),
    (Exists, Ever, Direct, "has|have S [ever] been {before} O"),
    (Exists, Ever, Direct, "was|were S ever {before} O"),
    (Exists, Now, Embedded, "S is|are|am [still] {before} O"),
    (Exists, Past, Embedded, "S was|were [still] {before} O"),
    (When, Ever, Direct, "when was|were S {before} O"),
    (Start, Ever, Direct, "when did S become|get {before} O"),
    (Since, Now, Direct, "since when has|have S been {before} O"),
    (Since, Now, Direct, "since when is|are|am S {before} O"),
    (End, Ever, Direct, "until when was|were S {before} O"),
    (Exists, Ever, Clause, "S has|have|had been {before} O"),
    (Exists, Ever, Clause, "S being {before} O"),
    (Start, Ever, Clause, "S became|got {before} O"),
    (Start, Ever, Clause, "did S become|get {before} O"),
];

const NOUN_LINES: &[Line] = &[
    (Object, Now, Direct, "{wh} is|are S 's [current] {noun}"),
    (Object, Now, Direct, "{wh} is|are the [current] {noun} of|for S"),
    (Object, Past, Direct, "{wh} was|were S 's {noun}"),
    (Object, Past, Direct, "{wh} was|were the {noun} of|for S"),
    (Object, Ever, Direct, "{wh} has|have been S 's {noun}"),
    (Object, Now, Embedded, "{wh} S 's {noun} is|are"),
    (Object, Past, Embedded, "{wh} S 's {noun} was|were"),
    (Object, Past, Embedded, "{wh} was|were S 's {noun}"),
    (Object, Now, Embedded, "S 's {noun}"),
    (Object, Now, Embedded, "the {noun} of S"),
    (Exists, Now, Direct, "is|are|am O [still] S 's {noun}"),
    (Exists, Past, Direct, "was|were O [still] S 's {noun}"),
    (Exists, Ever, Direct, "has|have O [ever] been S 's {noun}"),
    (Exists, Now, Embedded, "O is|are [still] S 's {noun}"),
    (Exists, Past, Embedded, "O was|were [still] S 's {noun}"),
    (Exists, Now, Both, "S 's {noun} is|are O"),
    (Exists, Past, Both, "S 's {noun} was|were O"),
    (Since, Now, Direct, "since when is|are O S 's {noun}"),
    (Since, Now, Direct, "since when has|have O been S 's {noun}"),
    (Start, Ever, Direct, "when did O become S 's {noun}"),
];

const STARTS_LINES: &[Line] = &[
    (Start, Ever, Direct, "when did S {base} {before} O"),
    (Exists, Ever, Embedded, "S {past} {before} O"),
    (Exists, Ever, Embedded, "S has|have|had {done} {before} O"),
];

/// What a verb of a start says as a part of a larger question.
const STARTS_CLAUSES: &[Line] = &[
    (Start, Ever, Clause, "did S {base} {before} O"),
    (Start, Ever, Clause, "S {past} {before} O"),
    (Start, Ever, Clause, "has|have|had S {done} {before} O"),
    (Start, Ever, Clause, "S has|have|had {done} {before} O"),
    (Start, Ever, Clause, "S {ing} {before} O"),
];

/// The same of a verb of motion, which needs no goal: "when Anna moved".
const MOVES_CLAUSES: &[Line] = &[
    (Start, Ever, Clause, "did S {base}"),
    (Start, Ever, Clause, "S {past}"),
    (Start, Ever, Clause, "S has|have|had {done}"),
    (Object, Past, Direct, "where did S {base} [to]"),
    (Object, Ever, Direct, "where has|have S {done} [to]"),
];

/// The questions for what a verb of a start leads to: "what company did Anna join".
const STARTS_QUESTIONS: &[Line] = &[(Object, Past, Direct, "what|who|which did S {base}")];

const ENDS_LINES: &[Line] = &[
    (End, Ever, Direct, "when did S {base} {before} O"),
    (End, Ever, Clause, "did S {base} {before} O"),
    (End, Ever, Clause, "S {past} {before} O"),
    (End, Ever, Clause, "has|have|had S {done} {before} O"),
    (End, Ever, Clause, "S has|have|had {done} {before} O"),
    (End, Ever, Clause, "S {ing} {before} O"),
];

/// Returns every form, in the table's order.
pub(super) fn forms() -> Vec<Form> {
    TABLE.iter().flat_map(|entry| entry.said.iter().flat_map(move |said| spell(entry, said))).collect()
}

fn spell(entry: &Entry, said: &Said) -> Vec<Form> {
    let mut forms = Spelt { predicate: entry.predicate, manner: "", forms: Vec::new() };
    match said {
        Said::Verb { verbs, before, object, subject } => {
            for verb in *verbs {
                forms.verb(verb, before, object, subject);
            }
        }
        Said::Manner { verbs, object, subject } => {
            for verb in *verbs {
                forms.manner = verb;
                forms.verb(verb, "", object, subject);
            }
        }
        Said::Be { before, object, subject } => {
            forms.clauses(BE_CLAUSES, object, None);
            let lines = BE_LINES.iter().filter(|line| line.0 != Subject || !subject.is_empty());
            forms.lines(lines, &|text| text.replace("{before}", before).replace("{who}", subject), "");
        }
        Said::Noun { nouns, narrower, wh } => {
            for (noun, narrower) in [(nouns, ""), (narrower, *narrower)] {
                if !noun.is_empty() {
                    forms.lines(
                        NOUN_LINES,
                        &|text| text.replace("{noun}", noun).replace("{wh}", wh),
                        narrower,
                    );
                }
            }
        }
        Said::Starts { verbs, before } => {
            for verb in *verbs {
                let spell = |text: &str| conjugate(&text.replace("{before}", before), verb);
                let n_before = forms.forms.len();
                forms.lines(STARTS_LINES, &spell, "");
                // As a part of a larger question they mean the start, as the clauses below say.
                forms.forms[n_before..].iter_mut().for_each(|form| form.is_clause = false);
                forms.lines(STARTS_CLAUSES, &spell, "");
                match *before {
                    "to" | "in" => forms.lines(MOVES_CLAUSES, &spell, ""),
                    "" | "[a|an]" => forms.lines(STARTS_QUESTIONS, &spell, ""),
                    _ => {}
                }
            }
        }
        Said::Ends { verbs, before } => {
            for verb in *verbs {
                forms.lines(ENDS_LINES, &|text| conjugate(&text.replace("{before}", before), verb), "");
            }
        }
        Said::Plain(ask, scope, text) => forms.push(*ask, *scope, Both, text, ""),
    }
    forms.forms
}

struct Spelt {
    predicate: &'static str,
    manner: &'static str,
    forms: Vec<Form>,
}

impl Spelt {
    fn push(&mut self, ask: Ask, scope: Scope, place: Place, text: &str, narrower: &'static str) {
        self.forms.push(Form {
            predicate: self.predicate,
            ask,
            scope,
            template: Template::new(text),
            is_embedded: matches!(place, Embedded | Both),
            is_direct: matches!(place, Direct | Both),
            is_clause: place == Clause || ask == Exists,
            narrower,
            manner: self.manner,
        });
    }

    fn verb(&mut self, verb: &str, before: &str, object: &[&str], subject: &str) {
        self.clauses(VERB_CLAUSES, object, Some(verb));
        let lines = VERB_LINES.iter().filter(|line| line.0 != Subject || !subject.is_empty());
        let spell = |text: &str| conjugate(&text.replace("{before}", before).replace("{who}", subject), verb);
        self.lines(lines, &spell, "");
    }

    fn clauses(&mut self, clauses: &[(Scope, Place, &str)], questions: &[&str], verb: Option<&str>) {
        for question in questions {
            for (scope, place, clause) in clauses {
                let text = question.replace('*', clause);
                let text = verb.map_or_else(|| text.clone(), |verb| conjugate(&text, verb));
                self.push(Object, *scope, *place, &text, "");
            }
        }
    }

    fn lines<'l>(
        &mut self,
        lines: impl IntoIterator<Item = &'l Line>,
        spell: &dyn Fn(&str) -> String,
        narrower: &'static str,
    ) {
        for (ask, scope, place, text) in lines {
            self.push(*ask, *scope, *place, &spell(text), narrower);
        }
    }
}

/// Puts the verb's forms into a text.
fn conjugate(text: &str, verb: &str) -> String {
    let names = ["{base}", "{third}", "{past}", "{done}", "{ing}"];
    names
        .into_iter()
        .zip(verb.split(' '))
        .fold(text.to_owned(), |text, (name, form)| text.replace(name, form))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_predicate_of_the_table_is_declared_and_spelt_out() {
        let core = bygone_ontology::Ontology::core();
        for entry in TABLE {
            assert!(core.definition(entry.predicate).is_some(), "{}", entry.predicate);
            for said in entry.said {
                let forms = spell(entry, said);
                assert!(forms.iter().all(|form| !format!("{:?}", form.template).contains(['{', '*'])));
            }
        }
    }

    #[test]
    fn every_verb_has_five_forms() {
        for said in TABLE.iter().flat_map(|entry| entry.said) {
            let (Said::Verb { verbs, .. }
            | Said::Manner { verbs, .. }
            | Said::Starts { verbs, .. }
            | Said::Ends { verbs, .. }) = said
            else {
                continue;
            };
            for verb in *verbs {
                assert_eq!(verb.split(' ').count(), 5, "{verb}");
            }
        }
    }
}
