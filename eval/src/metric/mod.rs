//! How good is a ranking? Measures over the ranks of the evidence, and their means over questions.
//!
//! Every measure looks at ranks alone, counted from 1; what was not found has none.

pub mod discounted;
pub mod interval;
pub mod length;
pub mod mean;
pub mod ranks;
pub mod recall;
pub mod sequence;

pub use mean::Means;
pub use ranks::Ranks;

/// A measure of a ranking's first k.
#[derive(Debug)]
pub struct Measure {
    /// Its name, which stands before "@k".
    pub name: &'static str,
    /// What it comes to, 0 to 1.
    pub of: fn(&Ranks, usize) -> f64,
}

/// What LoCoMo is measured by: Maharana et al., "Evaluating Very Long-Term Conversational Memory of LLM Agents",
/// ACL 2024; the recall of its evaluation of retrieval.
pub const LOCOMO: &[Measure] = &[Measure { name: "recall", of: recall::fraction }];

/// What LongMemEval is measured by: `recall_any`, `recall_all` and `ndcg_any` of its `src/retrieval/eval_utils.py`, and
/// the fraction of the evidence beside them.
pub const LONGMEMEVAL: &[Measure] = &[
    Measure { name: "any", of: recall::any },
    Measure { name: "all", of: recall::all },
    Measure { name: "r", of: recall::fraction },
    Measure { name: "ndcg_any", of: discounted::gain },
];
