//! `bygone search`.

use bygone_query::retrieve::{Found, Item, Kind, Passages, Sought, diverse, explain, search};

use crate::explain::channels;
use crate::failure::{Exit, Failure};
use crate::output::{Output, shorten};
use crate::quote::{LONGEST, excerpt, turn_text};
use crate::session::{Context, Opened};
use crate::view::ViewOptions;

/// The longest quotation of a turn, in bytes; `--json` has all of it.
const QUOTE_BYTES: usize = 240;

#[derive(clap::Args)]
pub(crate) struct Search {
    /// The words to look for
    #[arg(value_name = "TEXT")]
    text: String,
    /// How many to show
    #[arg(short = 'k', value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    n_wanted: u32,
    /// Only turns, or only facts
    #[arg(long, value_enum, value_name = "KIND")]
    kind: Option<KindName>,
    /// Put what says something new before what says the same again
    #[arg(long)]
    diverse: bool,
    /// Also say why: how the text was read, which channels found what, and what the view hides
    #[arg(long)]
    explain: bool,
    #[command(flatten)]
    view: ViewOptions,
}

/// Hits from which different ones are taken, for each that is wanted.
const EACH_OF: usize = 4;

/// The kinds by the names they have on the command line.
#[derive(Clone, Copy, clap::ValueEnum)]
enum KindName {
    Turn,
    Fact,
}

impl Search {
    pub(crate) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let request = self.view.request(context.now())?;
        let Opened { space, ontology, mut output, .. } = context.reading_in(&request.view)?;
        let snapshot = space.snapshot();
        let seen = snapshot.seen(&request.view)?;
        let kinds: &[Kind] = match self.kind {
            None => Kind::ALL,
            Some(KindName::Turn) => &[Kind::Turn],
            Some(KindName::Fact) => &[Kind::Fact],
        };
        let n_wanted = self.n_wanted as usize;
        let n_searched = if self.diverse { n_wanted.saturating_mul(EACH_OF) } else { n_wanted };
        let (request, text) = (&request, self.text.as_str());
        let sought = Sought { seen: &seen, ontology, request, text, kinds, n_wanted: n_searched };
        let (results, explanation) = if self.explain {
            let (results, explanation) = explain(&sought)?;
            (results, Some(explanation))
        } else {
            (search(&sought)?, None)
        };
        let found = results.found;
        let mut found = if self.diverse { diverse(found) } else { found };
        found.truncate(n_wanted);
        let passages = Passages::new(snapshot.analyzer(), text);
        for (rank, found) in (1..).zip(&found) {
            if output.json {
                output.row(&found.to_json(rank))?;
            } else {
                print(found, rank, &passages, &mut output)?;
                if self.explain {
                    output.line(format!("           {}", channels(found)))?;
                }
            }
        }
        if let Some(explanation) = &explanation {
            crate::explain::print(explanation, &mut output)?;
        }
        if found.is_empty() {
            output.remark(if snapshot.analyzer().asked(text).is_empty() {
                format!("there is no word to look for in {:?}", shorten(text, LONGEST))
            } else {
                format!("nothing in this view has any of the words of {:?}", shorten(text, LONGEST))
            })?;
            return Ok(Exit::No);
        }
        Ok(Exit::Done)
    }
}

fn print(found: &Found, rank: usize, passages: &Passages, output: &mut Output<'_>) -> Result<(), Failure> {
    let Found { item, score, .. } = found;
    match item {
        Item::Turn(record) => {
            let turn = &record.episode;
            output.line(format!("{rank:>2}  {score:.3}  {}", turn_text(turn)))?;
            let span = passages.find(&turn.text, QUOTE_BYTES);
            output.line(format!("           \"{}\"", excerpt(&turn.text, &span)))
        }
        Item::Fact(row, evidence) => {
            let verdict = row.verdict.name().replace('_', " ");
            output.line(format!("{rank:>2}  {score:.3}  {} [{verdict}]", item.text()))?;
            output.line(format!("           \"{}\"", shorten(evidence.quote(), LONGEST)))?;
            match &evidence.episode {
                Some(record) => output.line(format!("           {}", turn_text(&record.episode))),
                None => Ok(()),
            }
        }
    }
}
