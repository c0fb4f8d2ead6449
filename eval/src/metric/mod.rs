//! How good is a ranking? Measures over the ranks of the evidence, and what they come to over questions.
//!
//! Every measure looks at ranks alone, counted from 1; what was not found has none.

pub mod answer;
pub mod discounted;
pub mod interval;
pub mod length;
pub mod porter;
pub mod ranks;
pub mod recall;
pub mod resample;
pub mod scores;
pub mod sequence;

pub use ranks::Ranks;
pub use scores::{Score, Scores};

/// A measure of a ranking's first k.
#[derive(Debug)]
pub struct Measure {
    /// Its name, which stands before "@k".
    pub name: &'static str,
    /// What it comes to, 0 to 1.
    pub of: fn(&Ranks, usize) -> f64,
    /// Whether it depends on the order of the first k, so that it says nothing of what was handed out in no order.
    pub needs_order: bool,
}

/// Where a ranking is cut that is not cut: what is measured there is named "@all".
pub const WHOLE: usize = usize::MAX;

/// What LoCoMo is measured by: Maharana et al., "Evaluating Very Long-Term Conversational Memory of LLM Agents",
/// ACL 2024; the recall of its evaluation of retrieval.
pub const LOCOMO: &[Measure] = &[Measure { name: "recall", of: recall::fraction, needs_order: false }];

/// What LongMemEval is measured by: `recall_any`, `recall_all` and `ndcg_any` of its `src/retrieval/eval_utils.py`, with the
/// fraction of the evidence and the usual `ndcg` beside them.
pub const LONGMEMEVAL: &[Measure] = &[
    Measure { name: "any", of: recall::any, needs_order: false },
    Measure { name: "all", of: recall::all, needs_order: false },
    Measure { name: "r", of: recall::fraction, needs_order: false },
    Measure { name: "ndcg_any", of: discounted::gain, needs_order: true },
    Measure { name: "ndcg", of: discounted::usual_gain, needs_order: true },
];

/// Returns the name of a measure at k.
pub fn at(name: &str, k: usize) -> String {
    if k == WHOLE { format!("{name}@all") } else { format!("{name}@{k}") }
}

/// Returns the names of the scores of a question.
pub fn names(measures: &[Measure], ks: &[usize]) -> Vec<String> {
    measured(measures, ks).map(|(measure, k)| at(measure.name, k)).collect()
}

/// Scores a question.
pub fn score(measures: &[Measure], ks: &[usize], ranks: &Ranks) -> Score {
    measured(measures, ks).map(|(measure, k)| (at(measure.name, k), (measure.of)(ranks, k))).collect()
}

fn measured<'a>(measures: &'a [Measure], ks: &'a [usize]) -> impl Iterator<Item = (&'a Measure, usize)> {
    let each = measures.iter().flat_map(|measure| ks.iter().map(move |k| (measure, *k)));
    each.filter(|(measure, k)| *k != WHOLE || !measure.needs_order)
}
