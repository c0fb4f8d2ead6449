//! Every weight of retrieval, and how it was chosen.
//!
//! All were chosen on five conversations of LoCoMo and half of LongMemEval's questions (`docs/evaluation.md`), one at a
//! time around the others, as round numbers in the middle of a range in which recall hardly moves: none is fitted to
//! a decimal. Scores that are added have been brought to a greatest value of 1 before, so that weights compare.

/// How near another word must be to an asked one to stand for it: the cosine of their vectors. Between .35 and .45
/// evidence recall at 10 stays within .003.
pub(super) const SIMILAR_FROM: f32 = 0.4;
/// What a turn gets for a word that stands for the asked one, beside what it would get for the word itself and in
/// proportion to their likeness. Between .4 and 1 recall at 10 stays within .01.
pub(super) const SIMILAR: f32 = 0.6;
/// Words that may stand for one asked word.
pub(super) const MOST_SIMILAR: usize = 100;

/// How much likeness of meaning counts, beside words at 1. Between 0 and .5 recall at 10 stays within .004 on
/// conversations of people; with an agent, all evidence is among the first five sessions for .01 more of the questions.
pub(super) const MEANING: f32 = 0.25;

/// How much of the words the best must have to be taken for an answer: its share of them times the root of their number. With
/// [`LEAST_LIKENESS`] that holds, by turns alone, for .99 of `LoCoMo`'s questions that have an answer and for all of `LongMemEval`'s, and does
/// not hold for one in five of those of `LoCoMo` that are asked of another conversation (`docs/search.md`).
pub(super) const LEAST_WORDS: f32 = 0.25;
/// How like in meaning the best must be to be taken for an answer, or found at all, where the words are too few.
pub(super) const LEAST_LIKENESS: f32 = 0.5;

/// What a turn that ends with a question keeps of its score: what is asked is seldom what is so.
pub(super) const ASKING: f32 = 0.8;
/// What a turn takes of the score of the one before it where that asks something: it may be the answer.
pub(super) const AFTER_QUESTION: f32 = 0.9;
/// What a turn takes of the score of the one before it where that asks nothing.
pub(super) const AFTER_OTHER: f32 = 0.3;
/// What a turn takes of the score of the one after it.
pub(super) const BEFORE: f32 = 0.3;
/// What a turn takes of the score of the last but one before it: mostly of the same speaker.
pub(super) const SECOND_AFTER: f32 = 0.2;
/// What a turn takes of the score of one right beside it by the same speaker, who answers nobody.
pub(super) const SAME_SPEAKER: f32 = 0.1;
/// What an agent's turn keeps of its score: it repeats the words of what it answers, at length. With this and
/// [`TO_AGENT`] the evidence of .89 instead of .72 of `LongMemEval`'s questions is among the first five turns of both sides.
pub(super) const AGENT: f32 = 0.7;
/// Which part of all that an agent's turn takes from a person's. With .3 the evidence of .85 of the questions is.
pub(super) const TO_AGENT: f32 = 0.1;

/// How much likeness of meaning counts where sessions are ranked, beside words at 1.
pub(super) const SESSION_MEANING: f32 = 0.5;
/// How much all that is said in a session counts where sessions are ranked, beside its best turn at 1. Between .3 and .8 all
/// evidence sessions are among the first five for .926 to .917 of the questions.
pub(super) const SESSION_WHOLE: f32 = 0.3;
/// How much the score of the whole session counts.
pub(super) const SESSION: f32 = 0.25;
/// What a turn gets where the question names who speaks in it, and nobody else.
pub(super) const SPEAKER: f32 = 0.25;
/// What a turn gets that names a time, where the question asks when.
pub(super) const WHEN: f32 = 0.15;
/// What a turn gets that was said in, or tells of, the time that the question names.
pub(super) const TIME: f32 = 0.3;
/// What a turn gets that makes the statement which fits best.
pub(super) const GRAPH: f32 = 0.1;
/// What a statement gets that is tied most closely to what the question names.
pub(super) const TIE: f32 = 0.25;

/// How much fitting counts where what is found is to say something new each time, beside being unlike at the rest.
pub(super) const FITTING: f64 = 0.7;
