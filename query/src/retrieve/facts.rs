//! How facts are ranked: by the statements they rest on.
//!
//! Statements are found as turns are, by words and by meaning. What is handed out are the facts of the view that rest on
//! them, so that a statement whose fact no longer holds takes nobody's place.

use std::collections::BTreeSet;

use bygone_engine::StoreError;
use bygone_engine::record::Recorded;
use bygone_engine::store::GroupView;
use bygone_engine::text::Kind;

use super::found::{Found, Item};
use super::normal::{by_greatest, standing_out};
use super::question::Question;
use super::turns::quality;
use super::weights::MEANING;
use super::{Notes, Sought};
use crate::facts::group_rows;
use crate::row::Row;
use crate::why::{Bearing, with_turn};

/// Finds the best facts of a kind of statement.
pub(super) fn find(sought: &Sought<'_>, kind: Kind, notes: &mut Notes) -> Result<Vec<Found>, StoreError> {
    let seen = sought.seen;
    let corpus = seen.corpus(kind)?;
    let rows = corpus.rows();
    // Nobody speaks a statement: names are words here.
    let question = Question::read(sought.text, seen.snapshot().analyzer(), sought.request.now, &[]);
    let mut words = corpus.words(&question.words)?;
    let mut meaning = notes.likeness(sought, kind, &corpus)?;
    let quality = quality(&words, &meaning);
    by_greatest(&mut words);
    standing_out(&mut meaning);
    let mut ranked: Vec<usize> = (0..rows.len()).filter(|&at| words[at] > 0.0 || meaning[at] > 0.0).collect();
    let total = |at: usize| words[at] + MEANING * meaning[at];
    ranked.sort_unstable_by(|&one, &other| {
        let place = |at: usize| (rows[at].known_at, rows[at].id);
        total(other).total_cmp(&total(one)).then_with(|| place(one).cmp(&place(other)))
    });
    let best = ranked.first().map_or(1.0, |&at| total(at));

    let mut told: BTreeSet<bygone_engine::FactId> = BTreeSet::new();
    let mut groups: Vec<(GroupView, Vec<Row>)> = Vec::new();
    let mut found = Vec::new();
    for at in ranked {
        if found.len() >= sought.n_wanted {
            break;
        }
        let Some(recorded) = seen.statement(&rows[at])? else { continue };
        let Some(group_rows) = rows_of(sought, &mut groups, &recorded)? else { continue };
        let id = recorded.assertion.id;
        for row in group_rows.iter().filter(|row| row.fact.support.contains(&id)) {
            if sought.request.valid.selects(row.fact.validity) && told.insert(row.id) {
                let evidence = with_turn(seen, Bearing::Supports, recorded.clone())?;
                let unit = f64::from(quality / best);
                let parts = [("text", words[at]), ("meaning", MEANING * meaning[at])];
                let parts = parts.iter().map(|(name, part)| (*name, f64::from(*part) * unit)).collect();
                found.push(Found {
                    item: Item::Fact(Box::new(row.clone()), Box::new(evidence)),
                    score: f64::from(total(at)) * unit,
                    channels: parts,
                });
            }
        }
    }
    Ok(found)
}

/// Returns the facts of the group that a statement belongs to in the view.
fn rows_of<'g>(
    sought: &Sought<'_>,
    groups: &'g mut Vec<(GroupView, Vec<Row>)>,
    recorded: &Recorded,
) -> Result<Option<&'g [Row]>, StoreError> {
    let assertion = &recorded.assertion;
    let subject = sought.seen.identity().representative(&assertion.subject).clone();
    let is_asked = |group: &GroupView| {
        group.subject == subject && group.predicate == assertion.predicate && group.key == assertion.key
    };
    if let Some(idx) = groups.iter().position(|(group, _)| is_asked(group)) {
        return Ok(Some(&groups[idx].1));
    }
    let Some(group) = sought.seen.groups_of(&assertion.subject)?.into_iter().find(is_asked) else {
        return Ok(None);
    };
    let rows = group_rows(sought.seen, sought.ontology, sought.request, &group)?;
    groups.push((group, rows));
    Ok(groups.last().map(|(_, rows)| rows.as_slice()))
}
