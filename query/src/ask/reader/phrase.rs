//! What a question compares: the phrases in it that name things that happened, cut out by the words around them.

use std::cmp::Reverse;

use bygone_engine::time::Granularity;

/// A question about the times of what some phrases name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// How long ago something was.
    Ago { unit: Option<Granularity>, phrase: String },
    /// How long it was from one thing to another.
    Between { unit: Option<Granularity>, phrases: [String; 2] },
    /// Which of several things came first, or last.
    First { is_last: bool, options: Vec<Choice> },
    /// In which order several things came.
    Order { options: Vec<Choice> },
}

/// One of several things to choose from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Choice {
    /// As the question calls it.
    pub(super) name: String,
    /// What is looked for: its name with what is asked of all of them.
    pub(super) phrase: String,
}

/// The most things that are compared.
const MOST_CHOICES: usize = 8;

/// Finds what a question compares; nothing where it compares nothing.
pub(super) fn find(question: &str) -> Option<Asked> {
    let text = question.trim().trim_end_matches(['?', '.', '!']).trim();
    let rest = Rest(text);
    if let Some(rest) = rest.after(&["how many "]) {
        let (unit, rest) = rest.unit()?;
        return length(Some(unit), rest);
    }
    if let Some(rest) = rest.after(&["how long "]) {
        return length(None, rest).or_else(|| of_use(rest));
    }
    let rest = rest.after(&["which ", "what ", "who "])?;
    order(rest).or_else(|| first(rest))
}

/// What is still to be read of a question.
#[derive(Clone, Copy)]
struct Rest<'t>(&'t str);

impl<'t> Rest<'t> {
    /// Returns what follows the first of some words that stands at the start, letter case aside.
    fn after(self, starts: &[&str]) -> Option<Rest<'t>> {
        starts.iter().find_map(|start| {
            let head = self.0.get(..start.len())?;
            head.eq_ignore_ascii_case(start).then(|| Rest(self.0[start.len()..].trim_start()))
        })
    }

    /// Returns what stands before and after the first of some words that stands anywhere; at one place, the longest.
    fn around(self, words: &[&str]) -> Option<(Rest<'t>, Rest<'t>)> {
        let lower = self.0.to_ascii_lowercase();
        let places = words.iter().filter_map(|word| lower.find(word).map(|at| (at, word.len())));
        let (at, length) = places.min_by_key(|(at, length)| (*at, Reverse(*length)))?;
        Some((Rest(self.0[..at].trim()), Rest(self.0[at + length..].trim())))
    }

    /// Reads a unit of time.
    fn unit(self) -> Option<(Granularity, Rest<'t>)> {
        let units = [
            ("day", Granularity::Day),
            ("week", Granularity::Week),
            ("month", Granularity::Month),
            ("year", Granularity::Year),
        ];
        let (word, rest) = self.0.split_once(' ')?;
        let word = word.to_ascii_lowercase();
        let (_, unit) =
            units.into_iter().find(|(name, _)| word == *name || word.strip_suffix('s') == Some(name))?;
        Some((unit, Rest(rest.trim_start())))
    }

    /// Returns the words as a phrase, without what only leads to them.
    fn phrase(self) -> Option<String> {
        let leads = [
            "the day that ",
            "the day when ",
            "the day ",
            "the time ",
            "when ",
            "did ",
            "was ",
            "were ",
            "have ",
            "has ",
        ];
        let mut rest = self;
        while let Some(shorter) = rest.after(&leads) {
            rest = shorter;
        }
        let phrase = rest.0.trim_matches(|c: char| c.is_whitespace() || c == ',');
        let quoted = |quote: char| {
            phrase.strip_prefix(quote)?.strip_suffix(quote).filter(|rest| !rest.contains(quote))
        };
        let phrase = ['\'', '"'].into_iter().find_map(quoted).unwrap_or(phrase);
        phrase.chars().any(char::is_alphanumeric).then(|| phrase.to_owned())
    }
}

fn between(unit: Option<Granularity>, one: Rest<'_>, other: Rest<'_>) -> Option<Asked> {
    Some(Asked::Between { unit, phrases: [one.phrase()?, other.phrase()?] })
}

/// Reads what follows "how many days" or "how long".
fn length(unit: Option<Granularity>, rest: Rest<'_>) -> Option<Asked> {
    if let Some(rest) = rest.after(&["ago did ", "ago was ", "ago were ", "ago have ", "ago has "]) {
        return Some(Asked::Ago { unit, phrase: rest.phrase()? });
    }
    let passed = [
        "have passed ",
        "had passed ",
        "has passed ",
        "passed ",
        "has it been ",
        "were there ",
        "is it ",
        "was it ",
    ];
    if let Some(rest) = rest.after(&passed) {
        if let Some(rest) = rest.after(&["since "]) {
            return match rest.around(&[" when "]) {
                Some((one, other)) => between(unit, one, other),
                None => Some(Asked::Ago { unit, phrase: rest.phrase()? }),
            };
        }
        let (one, other) = rest
            .after(&["between ", "from "])?
            .around(&[" and the day ", " to the day "])
            .or_else(|| rest.after(&["between ", "from "])?.around(&[" and ", " to "]))?;
        return between(unit, one, other);
    }
    if let Some(rest) = rest.after(&["before ", "after "]) {
        let (one, other) = rest.around(&[" did "])?;
        return between(unit, one, other);
    }
    let rest = rest.after(&["did it take "])?;
    let (_, task) = rest.around(&["to finish ", "to complete ", "to read "])?;
    let task = task.phrase()?;
    Some(Asked::Between { unit, phrases: [format!("started {task}"), format!("finished {task}")] })
}

/// Reads what follows "how long" where something was used until something else.
fn of_use(rest: Rest<'_>) -> Option<Asked> {
    let rest = rest.after(&["did ", "had ", "have ", "has "])?;
    let (_, used) = rest.around(&[" been using ", " use "])?;
    let (used, until) = used.around(&[" before ", " when "])?;
    let used = used.phrase()?;
    Some(Asked::Between { unit: None, phrases: [format!("started using {used}"), until.phrase()?] })
}

/// Reads "… is the order of these: A, B and C". Things that are only described have to be found first.
fn order(rest: Rest<'_>) -> Option<Asked> {
    let (_, list) = rest.around(&["order of "])?.1.around(&[": "])?;
    let names = names(list, &[" and "]);
    let options: Vec<Choice> = names.into_iter().map(|name| Choice { phrase: name.clone(), name }).collect();
    (2..=MOST_CHOICES).contains(&options.len()).then_some(Asked::Order { options })
}

/// Reads "… did I buy first, A or B", and "… graduated first among A, B and C".
fn first(rest: Rest<'_>) -> Option<Asked> {
    let (asked, list) = rest.around(&[
        " first, second and third among ",
        " first among ",
        " first of ",
        " first, ",
        " first: ",
        " most recently, ",
        " last, ",
        " earlier, ",
        " later, ",
    ])?;
    let word = &rest.0[asked.0.len()..rest.0.len() - list.0.len()].to_ascii_lowercase();
    let is_last = ["last", "most recently", "later"].iter().any(|last| word.contains(last));
    let stem = asked.phrase()?;
    let names =
        names(list, if word.contains(" among ") || word.contains(" of ") { &[" and "] } else { &[" or "] });
    let phrase = |name: &str| format!("{stem} {name}");
    let options: Vec<Choice> = names.into_iter().map(|name| Choice { phrase: phrase(&name), name }).collect();
    if !(2..=MOST_CHOICES).contains(&options.len()) {
        return None;
    }
    Some(if word.contains("second") { Asked::Order { options } } else { Asked::First { is_last, options } })
}

/// Splits a list at its commas and at the last of some words; things in quotation marks are whole.
fn names(list: Rest<'_>, joints: &[&str]) -> Vec<String> {
    let text = list.0;
    let lower = text.to_ascii_lowercase();
    let quotes: Vec<usize> = text
        .char_indices()
        .filter(|(at, c)| {
            let before = text[..*at].chars().next_back();
            let after = text[at + c.len_utf8()..].chars().next();
            let is_apostrophe =
                before.is_some_and(char::is_alphanumeric) && after.is_some_and(char::is_alphanumeric);
            matches!(c, '\'' | '"') && !is_apostrophe
        })
        .map(|(at, _)| at)
        .collect();
    let is_quoted = |at: usize| {
        quotes.len().is_multiple_of(2) && quotes.iter().filter(|quote| **quote < at).count() % 2 == 1
    };
    let joint = joints
        .iter()
        .flat_map(|word| lower.match_indices(word).map(|(at, word)| (at, word.len())))
        .filter(|(at, _)| !is_quoted(*at))
        .last();
    let Some((joint, length)) = joint else { return Vec::new() };
    let mut cuts: Vec<(usize, usize)> = text
        .match_indices(',')
        .map(|(at, _)| (at, 1))
        .filter(|(at, _)| *at < joint && !is_quoted(*at))
        .collect();
    cuts.push((joint, length));
    let mut names = Vec::new();
    let mut start = 0;
    for (at, length) in cuts.into_iter().chain([(text.len(), 0)]) {
        names.extend(Rest(text[start..at].trim()).phrase());
        start = at + length;
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(question: &str, expected: &str) {
        let choices = |options: Vec<Choice>| {
            options
                .into_iter()
                .map(|choice| format!("{} <{}>", choice.name, choice.phrase))
                .collect::<Vec<_>>()
                .join(" | ")
        };
        let unit = |unit: Option<Granularity>| unit.map_or("-", Granularity::name);
        let found = match find(question) {
            None => "nothing".to_owned(),
            Some(Asked::Ago { unit: of, phrase }) => format!("ago {}: {phrase}", unit(of)),
            Some(Asked::Between { unit: of, phrases }) => {
                format!("between {}: {}", unit(of), phrases.join(" | "))
            }
            Some(Asked::First { is_last, options }) => {
                format!("{}: {}", if is_last { "last" } else { "first" }, choices(options))
            }
            Some(Asked::Order { options }) => format!("order: {}", choices(options)),
        };
        assert_eq!(found, expected, "{question}");
    }

    #[test]
    fn lengths_are_asked_in_many_words() {
        check("How many weeks ago did I start yoga?", "ago week: I start yoga");
        check("How long ago did I buy the car?", "ago -: I buy the car");
        check("How many months have passed since I saw Sam?", "ago month: I saw Sam");
        check(
            "How many weeks had passed since I was ill when I ran again?",
            "between week: I was ill | I ran again",
        );
        check(
            "How many days passed between the day I sowed the beans and the day I ate them?",
            "between day: I sowed the beans | I ate them",
        );
        check(
            "How many days passed between the race and the wedding?",
            "between day: the race | the wedding",
        );
        check(
            "How many days before the fair did I order the tent?",
            "between day: the fair | I order the tent",
        );
        check(
            "How many days did it take me to finish 'Emma' by Jane Austen?",
            "between day: started 'Emma' by Jane Austen | finished 'Emma' by Jane Austen",
        );
        check(
            "How long did I use my new kettle before I saw the crack?",
            "between -: started using my new kettle | I saw the crack",
        );
    }

    #[test]
    fn what_came_first_is_asked_of_two_or_more() {
        check(
            "Which came first, the trip to Rome or the new job?",
            "first: the trip to Rome <came the trip to Rome> | the new job <came the new job>",
        );
        check(
            "Who did I meet first, Mark and Sarah or Tom?",
            "first: Mark and Sarah <I meet Mark and Sarah> | Tom <I meet Tom>",
        );
        check(
            "Which mode of transport did I use most recently, a bus or a train?",
            "last: a bus <mode of transport did I use a bus> | a train <mode of transport did I use a train>",
        );
        check(
            "Who graduated first, second and third among Emma, Rachel and Alex?",
            "order: Emma <graduated Emma> | Rachel <graduated Rachel> | Alex <graduated Alex>",
        );
        check(
            "What is the order of the three events: 'I sold, and bought, a bike', 'I ran', and 'I slept'?",
            "order: I sold, and bought, a bike <I sold, and bought, a bike> | I ran <I ran> | I slept <I slept>",
        );
    }

    #[test]
    fn other_questions_compare_nothing() {
        for question in [
            "",
            "?",
            "Where does Anna live?",
            "How many cats are there?",
            "How long is it?",
            "Who came first?",
            "What is the order of the films and plays I saw?",
        ] {
            check(question, "nothing");
        }
    }
}
