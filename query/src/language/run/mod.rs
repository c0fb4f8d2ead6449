//! Running the steps of a plan: for each row, depth first, so that what is not wanted is not looked up.

mod allen;
mod collect;
mod compare;
mod evaluate;
mod path;
mod runner;
mod source;
mod world;

pub(super) use runner::run;
