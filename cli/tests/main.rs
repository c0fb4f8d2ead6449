//! The tests of the command line, in one program: each more would hold RocksDB once more, and take as long to link.

mod acknowledged;
mod asking;
mod backup;
mod bad_input;
mod commands;
mod damage;
mod derive;
mod differences;
mod documents;
mod erase;
mod evaluation;
mod grown_file;
mod hooks;
mod kill;
mod models;
mod ontology;
mod packed;
mod querying;
mod repl;
mod resuming;
mod search;
mod secrets;
mod sharing;
mod state;
mod support;
mod tidy;
