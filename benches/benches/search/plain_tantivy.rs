//! tantivy by itself: any of the words, in the space, up to the time.

use std::ops::Bound;

use tantivy::collector::TopDocs;
use tantivy::query::{BooleanQuery, Occur, Query, RangeQuery, TermQuery};
use tantivy::schema::{FAST, Field, IndexRecordOption, STRING, Schema, TextFieldIndexing, TextOptions};
use tantivy::{Index, IndexReader, IndexWriter, TantivyDocument, Term};

use crate::{Finder, Question, Told, WANTED};

/// An index on disk.
pub(crate) struct Plain {
    reader: IndexReader,
    text: Field,
    space: Field,
    known: Field,
    _folder: tempfile::TempDir,
}

impl Plain {
    /// Calls `start`, and indexes the turns.
    pub(crate) fn new(told: &[Told], start: &dyn Fn()) -> Plain {
        start();
        let mut schema = Schema::builder();
        let indexing = TextFieldIndexing::default().set_index_option(IndexRecordOption::WithFreqs);
        let text = schema.add_text_field("text", TextOptions::default().set_indexing_options(indexing));
        let space = schema.add_text_field("space", STRING);
        let known = schema.add_i64_field("known", FAST);
        let folder = tempfile::tempdir().expect("a folder");
        let index = Index::create_in_dir(folder.path(), schema.build()).expect("creates");
        let mut writer: IndexWriter = index.writer_with_num_threads(1, 64 << 20).expect("a writer");
        for told in told {
            let mut document = TantivyDocument::default();
            document.add_text(text, &told.episode.text);
            document.add_text(space, told.space.to_string());
            document.add_i64(known, told.episode.time.micros());
            writer.add_document(document).expect("adds");
        }
        writer.commit().expect("commits");
        writer.wait_merging_threads().expect("merges");
        Plain { reader: index.reader().expect("opens"), text, space, known, _folder: folder }
    }
}

impl Finder for Plain {
    fn find(&self, question: Question) -> usize {
        let words = question.words.split(' ').map(|word| -> (Occur, Box<dyn Query>) {
            let term = Term::from_field_text(self.text, word);
            (Occur::Should, Box::new(TermQuery::new(term, IndexRecordOption::WithFreqs)))
        });
        let any: Box<dyn Query> = Box::new(BooleanQuery::new(words.collect()));
        let space = Term::from_field_text(self.space, &question.space.to_string());
        let space: Box<dyn Query> = Box::new(TermQuery::new(space, IndexRecordOption::Basic));
        let until = Term::from_field_i64(self.known, question.known.micros());
        let until: Box<dyn Query> = Box::new(RangeQuery::new(Bound::Unbounded, Bound::Included(until)));
        let query = BooleanQuery::new(vec![(Occur::Must, any), (Occur::Must, space), (Occur::Must, until)]);
        let best = TopDocs::with_limit(WANTED).order_by_score();
        self.reader.searcher().search(&query, &best).expect("searches").len()
    }
}
