//! ARGMIN and SORT: which of several things came first, and in which order they came. Where they overlap or are not dated
//! finely enough it cannot be told, and that is said.

use bygone_engine::StoreError;

use super::super::find::Found;
use super::super::respond::{Response, Sight};
use super::super::value::Value;
use super::Claim;
use super::anchor::{Anchor, Order, Timeless, order};
use super::extent::Extent;
use super::selection::{dated_deed, unique};

/// Answers which of several came first, or in which order all of them came.
pub(super) fn answer(
    sight: Sight<'_>,
    of: &[Anchor],
    all: bool,
    claim: Option<Claim>,
) -> Result<Response, StoreError> {
    let mut times: Vec<(&Anchor, Found, Extent)> = Vec::new();
    for anchor in of {
        match anchor.only() {
            Ok((found, extent)) => times.push((anchor, found.clone(), *extent)),
            Err(Timeless::Several) if all => {
                times.extend(anchor.occasions.iter().map(|(found, extent)| (anchor, found.clone(), *extent)));
            }
            // Of several occasions the first decides which came first, if they can be told apart.
            Err(Timeless::Several) if is_clear(of, anchor) => {
                let first = anchor.occasions.iter().min_by_key(|(_, extent)| extent.start.lo);
                times.extend(first.map(|(found, extent)| (anchor, found.clone(), *extent)));
            }
            Err(why) => return anchor.refuse(sight, &why),
        }
    }
    times.sort_by_key(|(_, _, extent)| (extent.start.lo, extent.start.hi));
    let mut said = Vec::new();
    for (anchor, found, _) in &times {
        said.push(format!("{} ({})", anchor.selection.said, dated_deed(sight, found, false)?));
    }
    let rows = unique(times.iter().map(|(_, found, _)| found.clone()).collect());
    let pairs = || times.windows(2).map(|pair| order(&pair[0].2, &pair[1].2));
    if pairs().any(|order| order == Order::Overlapping) && !all {
        return sight.respond(
            format!("Not known which came first: they overlap: {}.", said.join("; ")),
            false,
            rows,
        );
    }
    if pairs().any(|order| order != Order::Before) {
        let starts = times.windows(2).all(|pair| pair[0].2.start.hi < pair[1].2.start.lo);
        if !starts {
            let text = format!("Not known: the order cannot be told: {}.", said.join("; "));
            return sight.respond(text, false, rows);
        }
    }
    // Yes and no are said of the thing that was named first.
    let is_first =
        times.first().is_some_and(|(anchor, ..)| of.first().is_some_and(|one| std::ptr::eq(one, *anchor)));
    let verdict = match (claim, is_first) {
        (None, _) => "",
        (Some(Claim::Before), true) | (Some(Claim::After), false) => "Yes: ",
        (Some(Claim::Before), false) | (Some(Claim::After), true) => "No: ",
    };
    let n_asked = if all { times.len() } else { 1 };
    let names = times.iter().take(n_asked).map(|(anchor, ..)| anchor.selection.said.clone()).collect();
    let text = format!("{verdict}{}.", said.join(", then "));
    Ok(sight.respond(text, true, rows)?.coming_to(claim.is_none().then_some(Value::Order(names))))
}

/// Says whether all occasions of an anchor lie on one side of those of every other.
fn is_clear(of: &[Anchor], anchor: &Anchor) -> bool {
    let others = of.iter().filter(|other| !std::ptr::eq(*other, anchor));
    others.flat_map(|other| &other.occasions).all(|(_, theirs)| {
        let orders: Vec<Order> = anchor.occasions.iter().map(|(_, ours)| order(ours, theirs)).collect();
        orders.iter().all(|order| *order == Order::Before)
            || orders.iter().all(|order| *order == Order::After)
    })
}
