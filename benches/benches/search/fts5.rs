//! SQLite's FTS5, as one writes it: a table of turns, an index over its text, and a join for space and time.

use rusqlite::{Connection, params};

use crate::{Finder, Question, Told, WANTED};

const SCHEMA: &str = "
    PRAGMA journal_mode = WAL;
    CREATE TABLE turn (id INTEGER PRIMARY KEY, space INTEGER, known INTEGER, text TEXT);
    CREATE VIRTUAL TABLE turn_text USING fts5 (
        text, content = 'turn', content_rowid = 'id', tokenize = 'porter unicode61'
    );";

const QUERY: &str = "
    SELECT turn.id, turn.text, bm25(turn_text) AS score
    FROM turn_text JOIN turn ON turn.id = turn_text.rowid
    WHERE turn_text MATCH ?1 AND turn.space = ?2 AND turn.known <= ?3
    ORDER BY score LIMIT ?4";

/// A database on disk.
pub(crate) struct Fts5 {
    connection: Connection,
    _folder: tempfile::TempDir,
}

impl Fts5 {
    /// Fills the table, calls `start`, and indexes its texts.
    pub(crate) fn new(told: &[Told], start: &dyn Fn()) -> Fts5 {
        let folder = tempfile::tempdir().expect("a folder");
        let mut connection = Connection::open(folder.path().join("turns.db")).expect("opens");
        connection.execute_batch(SCHEMA).expect("a schema");
        let transaction = connection.transaction().expect("begins");
        {
            let insert = "INSERT INTO turn (space, known, text) VALUES (?1, ?2, ?3)";
            let mut insert = transaction.prepare(insert).expect("prepares");
            for Told { space, episode } in told {
                insert.execute(params![space, episode.time.micros(), episode.text]).expect("inserts");
            }
        }
        transaction.commit().expect("commits");
        start();
        for command in ["rebuild", "optimize"] {
            connection.execute("INSERT INTO turn_text (turn_text) VALUES (?1)", [command]).expect("indexes");
        }
        Fts5 { connection, _folder: folder }
    }
}

impl Finder for Fts5 {
    fn find(&self, question: Question) -> usize {
        let words = question.words.replace(' ', " OR ");
        let mut query = self.connection.prepare_cached(QUERY).expect("prepares");
        let asked = params![words, question.space, question.known.micros(), WANTED];
        let texts = query.query_map(asked, |row| row.get::<_, String>(1)).expect("searches");
        texts.map(|text| text.expect("reads").len().min(1)).sum()
    }
}
