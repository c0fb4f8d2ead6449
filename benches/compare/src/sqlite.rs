//! The facts as resolved rectangles in SQLite: the key in which a point is one seek where nothing was corrected, prepared
//! statements, one reader without locks, a cache as large as ours, and the file mapped.

use std::path::Path;

use bygone_benches::rectangles::Rectangle;
use rusqlite::{CachedStatement, Connection, params};

use crate::question::{Around, Held, Point};

const POINT: &str = "SELECT o, valid_from, valid_to FROM fact \
    WHERE s = ?1 AND p = ?2 AND valid_from <= ?3 AND valid_to > ?3 AND known_from <= ?4 AND known_to > ?4";
const AROUND: &str = "SELECT o, valid_from, valid_to FROM fact \
    WHERE s = ?1 AND valid_from <= ?2 AND valid_to > ?2 AND known_from <= ?3 AND known_to > ?3";

/// A database in a file.
pub(crate) struct Sqlite(Connection);

impl Sqlite {
    pub(crate) fn open(file: &Path) -> Sqlite {
        let connection = Connection::open(file).expect("SQLite opens");
        connection
            .execute_batch(
                "PRAGMA journal_mode = WAL; PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = OFF;
                 PRAGMA cache_size = -65536; PRAGMA mmap_size = 4294967296;
                 CREATE TABLE IF NOT EXISTS fact (
                     s INTEGER NOT NULL, p INTEGER NOT NULL, valid_from INTEGER NOT NULL,
                     known_from INTEGER NOT NULL, valid_to INTEGER NOT NULL, known_to INTEGER NOT NULL,
                     o INTEGER NOT NULL,
                     PRIMARY KEY (s, p, valid_from DESC, known_from DESC)
                 ) WITHOUT ROWID",
            )
            .expect("SQLite is set up");
        connection.set_prepared_statement_cache_capacity(16);
        Sqlite(connection)
    }

    /// Inserts rectangles in one transaction.
    pub(crate) fn load(&mut self, rectangles: &[Rectangle]) {
        let transaction = self.0.transaction().expect("SQLite begins");
        {
            let mut insert = transaction
                .prepare("INSERT INTO fact VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")
                .expect("SQLite prepares");
            for r in rectangles {
                insert
                    .execute(params![
                        r.subject,
                        r.predicate,
                        r.valid_from,
                        r.known_from,
                        r.valid_to,
                        r.known_to,
                        r.object
                    ])
                    .expect("SQLite inserts");
            }
        }
        transaction.commit().expect("SQLite commits");
        self.0.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").expect("SQLite writes its log back");
    }

    pub(crate) fn point(&self, point: &Point, held: &mut Vec<Held>) {
        // Of one value at a time, the first that holds is all there is.
        let mut statement = if point.is_single() {
            self.prepared("SELECT o, valid_from, valid_to FROM fact \
                WHERE s = ?1 AND p = ?2 AND valid_from <= ?3 AND valid_to > ?3 AND known_from <= ?4 AND known_to > ?4 LIMIT 1")
        } else {
            self.prepared(POINT)
        };
        // The latest known instant is one before the end that stands for none.
        let known = point.known.min(i64::MAX - 1);
        read(&mut statement, params![point.subject, point.predicate, point.valid, known], held);
    }

    pub(crate) fn around(&self, around: &Around, held: &mut Vec<Held>) {
        let mut statement = self.prepared(AROUND);
        let known = around.known.min(i64::MAX - 1);
        read(&mut statement, params![around.subject, around.valid, known], held);
    }

    fn prepared(&self, text: &str) -> CachedStatement<'_> {
        self.0.prepare_cached(text).expect("SQLite prepares")
    }
}

fn read(statement: &mut CachedStatement<'_>, with: impl rusqlite::Params, held: &mut Vec<Held>) {
    let mut rows = statement.query(with).expect("SQLite reads");
    while let Some(row) = rows.next().expect("SQLite reads") {
        let column = |at| row.get_unwrap::<_, i64>(at);
        held.push((u32::try_from(column(0)).expect("small"), column(1), column(2)));
    }
}
